"""Tags of debates, and an index of the words of questions and speeches.

Triggers fill it, so that whatever enters a run or a turn (an import, a worker of the release before) is found.
"""

from __future__ import annotations

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "hustings_tag",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("tag", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "tag"),
    )
    op.create_index("hustings_tag_by_tag", "hustings_tag", ["tag"])
    op.create_table(
        "hustings_passage",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), sa.Identity(always=True), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), nullable=False),
        sa.Column("turn_id", sa.Text(), nullable=False, server_default=""),
        sa.Column("seat", sa.Text(), nullable=False, server_default=""),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("hustings_passage_by_run", "hustings_passage", ["run_id", "seq"])
    dialect = op.get_bind().dialect.name
    for statement in (*INDEX[dialect], *FILL[dialect]):
        op.execute(sa.text(statement))
    if dialect == "postgresql":
        for table in ("hustings_tag", "hustings_passage"):
            for statement in by_owner(table):
                op.execute(statement)


def by_owner(table: str) -> tuple[str, ...]:
    mine = (
        f"exists (select from hustings_run as run where run.run_id = {table}.run_id "
        "and run.owner = current_setting('hustings.owner', true))"
    )
    return (
        f"alter table {table} enable row level security",
        f"alter table {table} force row level security",
        f"create policy by_owner on {table} using (current_user <> 'hustings_tenant' or {mine})",
    )


def _last(name: str, body: str) -> str:
    return f"json_extract({body}, '$.turn.attempts[#-1].{name}')"


def _speeches(body: str, source: str) -> str:
    """Insert what was said in turns of debates; audits are not searched."""
    said = f"coalesce(nullif({_last('final_answer', body)}, ''), {_last('content', body)}, '')"
    turn = f"json_extract({body}, '$.turn.turn_id'), json_extract({body}, '$.turn.speaker_id')"
    run, seq = (body.replace("body", name) for name in ("run_id", "seq"))
    return (
        "insert into hustings_passage (run_id, seq, turn_id, seat, text) "  # noqa: S608  our own names
        f"select {run}, {seq}, {turn}, {said} {source} {_last('status', body)} = 'ok' and {said} <> '' "
        f"and exists (select 1 from hustings_run as run where run.run_id = {run} and run.judged = '')"
    )


TOPICS = "insert into hustings_passage (run_id, seq, text) select run_id, -1, topic from hustings_run where judged = ''"
INDEX = {
    "sqlite": (
        (
            "create virtual table hustings_words using fts5("
            "text, content='hustings_passage', content_rowid='id', tokenize='unicode61 remove_diacritics 2')"
        ),
        (
            "create trigger hustings_passage_added after insert on hustings_passage begin "
            "insert into hustings_words (rowid, text) values (new.id, new.text); end"
        ),
        (
            "create trigger hustings_passage_gone after delete on hustings_passage begin "
            "insert into hustings_words (hustings_words, rowid, text) values ('delete', old.id, old.text); end"
        ),
        (
            "create trigger hustings_run_asked after insert on hustings_run when new.judged = '' begin "
            "insert into hustings_passage (run_id, seq, text) values (new.run_id, -1, new.topic); end"
        ),
        (
            "create trigger hustings_event_said after insert on hustings_event when new.kind = 'turn_entered' begin "
            f"{_speeches('new.body', 'where')}; end"
        ),
    ),
    "postgresql": (
        # The end of a text that is longer than the index can hold is not searched.
        (
            "create index hustings_passage_by_words on hustings_passage "
            "using gin (to_tsvector('simple', left(text, 100000)))"
        ),
        # Escapes that the database cannot hold must not keep a turn from being stored.
        """create function hustings_said(body text) returns text language plpgsql immutable as $$
            declare
                last json;
            begin
                last = cast(body as json) -> 'turn' -> 'attempts' -> -1;
                if last ->> 'status' is distinct from 'ok' then return ''; end if;
                return coalesce(nullif(last ->> 'final_answer', ''), last ->> 'content', '');
            exception when untranslatable_character or invalid_text_representation then return '';
            end $$""",
        """create function hustings_run_asked() returns trigger language plpgsql as $$
            begin
                insert into hustings_passage (run_id, seq, text) values (new.run_id, -1, new.topic);
                return null;
            end $$""",
        """create function hustings_event_said() returns trigger language plpgsql as $$
            declare
                said text = hustings_said(new.body);
            begin
                if said <> '' and exists (select from hustings_run r where r.run_id = new.run_id and r.judged = '') then
                    insert into hustings_passage (run_id, seq, turn_id, seat, text) values (new.run_id, new.seq,
                        coalesce(substring(new.body from '"turn_id":"([^"]+)"'), ''),
                        coalesce(substring(new.body from '"speaker_id":"([^"]+)"'), ''), said);
                end if;
                return null;
            end $$""",
        (
            "create trigger hustings_run_asked after insert on hustings_run "
            "for each row when (new.judged = '') execute function hustings_run_asked()"
        ),
        (
            "create trigger hustings_event_said after insert on hustings_event "
            "for each row when (new.kind = 'turn_entered') execute function hustings_event_said()"
        ),
    ),
}
FILL = {
    "sqlite": (
        TOPICS,
        _speeches("event.body", "from hustings_event as event where event.kind = 'turn_entered' and"),
    ),
    "postgresql": (
        TOPICS,
        (
            "insert into hustings_passage (run_id, seq, turn_id, seat, text) select e.run_id, e.seq, "
            'coalesce(substring(e.body from \'"turn_id":"([^"]+)"\'), \'\'), '
            'coalesce(substring(e.body from \'"speaker_id":"([^"]+)"\'), \'\'), hustings_said(e.body) '
            "from hustings_event e join hustings_run r on r.run_id = e.run_id and r.judged = '' "
            "where e.kind = 'turn_entered' and hustings_said(e.body) <> ''"
        ),
    ),
}
