"""All tables, and what their definitions cannot say: row security, the activity log's guard, the index of words.

On PostgreSQL a transaction of an owner names him by `set_config('hustings.owner', …, true)` and steps down to the role
`hustings_tenant` (`db/row_security.py` grants it its rights). The policies bind this role alone; workers and commands
pass. They are a net under the filters of the queries: an owner who could run SQL of his own could also name another.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from hustings.db.tables import METADATA

revision = "0001"
down_revision = None


def upgrade() -> None:
    db = op.get_bind()
    METADATA.create_all(db, checkfirst=False)
    for statement in (*ACTIVITY_GUARD[db.dialect.name], *WORD_INDEX[db.dialect.name]):
        op.execute(sa.text(statement))
    if db.dialect.name == "postgresql":
        for table, is_own in ROWS_OF_OWNER.items():
            op.execute(f"alter table {table} enable row level security")
            op.execute(f"alter table {table} force row level security")
            op.execute(f"create policy by_owner on {table} using (current_user <> 'hustings_tenant' or {is_own})")


OWNER = "current_setting('hustings.owner', true)"


def _through_run(run_id: str) -> str:
    return f"exists (select from hustings_run as run where run.run_id = {run_id} and run.owner = {OWNER})"


ROWS_OF_OWNER = {
    **{f"hustings_{name}": f"owner = {OWNER}" for name in ("run", "request", "activity", "panel")},
    **{
        f"hustings_{name}": _through_run(f"hustings_{name}.run_id")
        for name in (
            "event", "vote", "instruction", "rating", "run_document", "real_outcome", "label", "tag", "passage",
        )
    },
    "hustings_call": _through_run("hustings_call.lineage"),
    "hustings_document": (
        "exists (select from hustings_run_document as used join hustings_run as run on run.run_id = used.run_id "
        f"where used.digest = hustings_document.digest and run.owner = {OWNER})"
    ),
    # Names of owners hold no colon.
    "hustings_budget": (
        f"(id in ('owner:' || {OWNER}, 'day:' || {OWNER}) or starts_with(id, 'day:' || {OWNER} || ':')"
        f" or starts_with(id, 'run:') and {_through_run('substr(hustings_budget.id, 5)')})"
    ),
}  # fmt: skip
"""Which rows of a table belong to the owner of a transaction."""

ACTIVITY_GUARD = {
    "sqlite": tuple(
        f"create trigger hustings_activity_no_{verb} before {verb} on hustings_activity "
        "begin select raise(abort, 'the activity log is only added to'); end"
        for verb in ("update", "delete")
    ),
    "postgresql": (
        """create function hustings_activity_stays() returns trigger language plpgsql as $$
            begin raise exception 'the activity log is only added to'; end $$""",
        """create trigger hustings_activity_stays before update or delete or truncate on hustings_activity
            for each statement execute function hustings_activity_stays()""",
    ),
}
"""No row of the log is changed or deleted, by any role."""


def _of_last_attempt(field: str) -> str:
    return f"json_extract(new.body, '$.turn.attempts[#-1].{field}')"


SPEECH = f"coalesce(nullif({_of_last_attempt('final_answer')}, ''), {_of_last_attempt('content')}, '')"
WORD_INDEX = {
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
            "create trigger hustings_event_said after insert on hustings_event when new.kind = 'turn_entered' begin "  # noqa: S608
            "insert into hustings_passage (run_id, seq, turn_id, seat, text) "
            "select new.run_id, new.seq, json_extract(new.body, '$.turn.turn_id'), "
            f"json_extract(new.body, '$.turn.speaker_id'), {SPEECH} "
            f"where {_of_last_attempt('status')} = 'ok' and {SPEECH} <> '' "
            "and exists (select 1 from hustings_run as run where run.run_id = new.run_id and run.judged = ''); end"
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
"""Questions and speeches of debates, not of audits, are copied into an index as they are stored."""
