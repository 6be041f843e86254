"""On PostgreSQL the database itself keeps owners apart, whatever the queries forget."""

import logging

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from hustings.db import documents, labels, ratings, real_outcomes, run_rows, saved_panels, tags, tokens
from hustings.db.connection import connect
from hustings.db.migrate import upgrade
from hustings.db.row_security import enabled
from hustings.db.tables import (
    BUDGET,
    CALL,
    DOCUMENT,
    EVENT,
    LABEL,
    PANEL,
    PASSAGE,
    RATING,
    REAL_OUTCOME,
    REQUEST,
    RUN,
    RUN_DOCUMENT,
    TAG,
    VOTE,
)
from hustings.db.tokens import Access
from hustings.engine.client import engine_tables
from tests.rig.postgres import administer
from tests.rig.postgres import database as own_database

OWNED = {RUN: "run_id", EVENT: "run_id", CALL: "lineage", BUDGET: "id", VOTE: "run_id", REQUEST: "run_id"}
OWNED |= {RATING: "run_id", RUN_DOCUMENT: "run_id", DOCUMENT: "text", REAL_OUTCOME: "run_id", LABEL: "run_id"}
OWNED |= {TAG: "run_id", PASSAGE: "run_id", PANEL: "owner"}


def row(owner, name=""):
    return {
        "run_id": name or owner, "owner": owner, "protocol": "structured/1", "topic": "?",
        "created_at": "2026-01-01T00:00:00.000Z", "spec": "{}",
    }  # fmt: skip


def inhabit(database, *owners):
    with database.writing() as db:
        for owner in owners:
            run_rows.enter(db, [row(owner)])
            run_rows.append(db, owner, 0, [("x", "{}")])
            run_rows.cast_vote(db, owner, "v", "{}")
            ratings.rate(db, owner, ratings.Rating("v", 4, ""))
            real_outcomes.keep(db, owner, real_outcomes.RealOutcome("yes"))
            labels.keep(db, owner, labels.TurnLabel("r1.t1", "v", "CONSISTENT", "L1"))
            documents.keep(db, owner, {"DOC-1": documents.digest_of(owner)}, {"DOC-1": owner})
            tags.replace_tags(db, owner, ["mine"])
            saved_panels.keep_panel(db, owner, "mine", "{}")
            run_rows.claim_key(db, owner, run_rows.RequestKey("k", "d"), owner)
            call = {"lineage": owner, "key": "k", "state": "sent", "executor_id": "", "budget_id": "", "sent_at": 0.0}
            db.execute(sa.insert(CALL).values(call))
            for name in (f"run:{owner}", f"owner:{owner}", f"day:{owner}", f"day:{owner}:2026-01-01"):
                db.execute(sa.insert(BUDGET).values(id=name))


@pytest.fixture(scope="module")
def database():
    with own_database() as url:
        database = connect(url)
        upgrade(database, engine_tables)
        inhabit(database, "ann", "bob", "ann-2")
        yield database
        database.close()


@pytest.fixture
def ann(database):
    """A transaction of hers, taken back afterwards."""
    with database.acting_for("ann").engine.connect() as db:
        yield db
        db.rollback()


def test_the_net_is_laid(database):
    assert enabled(database)


@pytest.mark.parametrize("table", OWNED, ids=lambda table: table.name)
def test_without_any_filter_an_owner_reads_its_own_rows_alone(database, ann, table):
    column = table.c[OWNED[table]]
    mine = {"ann"} if table is not BUDGET else {"run:ann", "owner:ann", "day:ann", "day:ann:2026-01-01"}
    assert set(ann.scalars(sa.select(column))) == mine
    with database.reading() as db:
        assert len(set(db.scalars(sa.select(column)))) == 3 * len(mine)


@pytest.mark.parametrize("table", [*OWNED], ids=lambda table: table.name)
def test_without_any_filter_an_owner_deletes_its_own_rows_alone(ann, table):
    assert ann.execute(sa.delete(table)).rowcount == (4 if table is BUDGET else 1)


def test_an_owner_cannot_give_a_run_away(ann):
    with pytest.raises(DBAPIError, match="row-level security"):
        ann.execute(sa.update(RUN).values(owner="bob"))


def test_an_owner_cannot_enter_a_run_for_another(ann):
    with pytest.raises(DBAPIError, match="row-level security"):
        run_rows.enter(ann, [row("bob", "new")])


def test_an_owner_cannot_vote_on_what_another_has(ann):
    with pytest.raises(DBAPIError, match="row-level security"):
        run_rows.cast_vote(ann, "bob", "ann", "{}")


def test_an_owner_cannot_rate_what_another_has(ann):
    with pytest.raises(DBAPIError, match="row-level security"):
        ratings.rate(ann, "bob", ratings.Rating("ann", 1, ""))


def test_an_owner_cannot_say_what_came_of_the_debate_of_another(ann):
    with pytest.raises(DBAPIError, match="row-level security"):
        real_outcomes.keep(ann, "bob", real_outcomes.RealOutcome("no"))


def test_an_owner_cannot_label_turns_of_another(ann):
    with pytest.raises(DBAPIError, match="row-level security"):
        labels.keep(ann, "bob", labels.TurnLabel("r1.t2", "ann", None, None))


def test_an_owner_cannot_save_a_panel_for_another(ann):
    with pytest.raises(DBAPIError, match="row-level security"):
        saved_panels.keep_panel(ann, "bob", "ours", "{}")


def test_an_owner_cannot_give_a_document_to_what_another_has(ann):
    with pytest.raises(DBAPIError, match="row-level security"):
        documents.keep(ann, "bob", {"DOC-2": documents.digest_of("x")}, {"DOC-2": "x"})


def test_an_owner_cannot_keep_a_text_that_no_run_of_its_own_uses(ann):
    with pytest.raises(DBAPIError, match="row-level security"):
        ann.execute(sa.insert(DOCUMENT).values(digest="d", text="t"))


def test_owners_who_bring_the_same_text_share_its_row_and_neither_deletes_it_for_the_other(database, ann):
    run_rows.enter(ann, [row("ann", "ann-3")])
    documents.keep(ann, "ann-3", {"DOC-1": documents.digest_of("bob")}, {"DOC-1": "bob"})
    assert documents.texts_of(ann, "ann-3") == {"DOC-1": "bob"}
    run_rows.delete_runs(ann, ["ann-3", "ann"])
    with database.reading() as db:
        assert documents.texts_of(db, "bob") == {"DOC-1": "bob"}
    assert set(ann.scalars(sa.select(DOCUMENT.c.text))) == {"bob", "ann-2"}


def test_an_owner_may_change_a_rating_of_its_own(ann):
    ratings.rate(ann, "ann", ratings.Rating("v", 2, "On second thoughts."))
    assert ratings.ratings_of(ann, "ann") == [ratings.Rating("v", 2, "On second thoughts.")]


@pytest.mark.parametrize("statement", [
    "select * from hustings_token",
        "select * from hustings_session", "select * from hustings_lease", "select * from hustings_bucket",
    "select * from dbos.workflow_status", "update hustings_event set body = ''",
    "update hustings_document set text = ''", "update hustings_call set answer = ''",
])  # fmt: skip
def test_what_belongs_to_nobody_is_out_of_reach(ann, statement):
    with pytest.raises(DBAPIError, match="permission denied"):
        ann.execute(sa.text(statement))


def test_the_role_is_left_with_the_transaction(database):
    owned = database.acting_for("ann")
    with owned.reading() as db:
        inside = db.scalar(sa.text("select current_user"))
    with database.reading() as db:
        after = db.scalar(sa.text("select current_user"))
    assert (inside, after != inside) == ("hustings_tenant", True)


@pytest.fixture
def by_somebody_small():
    """A database whose tables belong to a login that may make no roles; whether it may be a tenant is for the test."""
    with own_database() as url:
        name = f"small_{url[-12:]}"
        administer(url, f"create role {name} login")
        administer(url, f"alter database {url.rpartition('/')[2]} owner to {name}")
        administer(url, f"grant create, usage on schema public to {name}")
        small = connect(url.replace("postgres@", f"{name}@"))
        yield url, name, small
        small.close()
        administer(url, f"reassign owned by {name} to postgres")
        administer(url, f"drop owned by {name}")
        administer(url, f"drop role {name}")


def test_whoever_may_not_step_down_works_without_the_net_and_is_told_once_there_are_tokens(by_somebody_small, caplog):
    _, _, small = by_somebody_small
    upgrade(small, engine_tables)
    quiet = list(caplog.messages)
    inhabit(small, "ann", "bob")
    tokens.issue(small, Access("ann"))
    upgrade(small, engine_tables)
    with small.reading() as db:
        seen = db.scalar(sa.select(sa.func.count()).select_from(RUN))
    told = [record for record in caplog.records if "only hustings keeps owners apart" in record.message]
    assert (quiet, seen, enabled(small), [record.levelno for record in told]) == ([], 2, False, [logging.WARNING])


def test_a_role_that_an_administrator_lends_makes_the_net_whole(by_somebody_small):
    url, name, small = by_somebody_small
    upgrade(small, engine_tables)
    administer(url, f"grant hustings_tenant to {name}")
    upgrade(small, engine_tables)
    inhabit(small, "ann", "bob")
    with small.acting_for("ann").reading() as db:
        hers = set(db.scalars(sa.select(RUN.c.run_id)))
    with small.reading() as db:
        everybodys = set(db.scalars(sa.select(RUN.c.run_id)))
    assert (hers, everybodys) == ({"ann"}, {"ann", "bob"})


def test_the_owner_of_the_tables_is_bound_too_when_it_steps_down(by_somebody_small):
    """Forced: the tables' owner would otherwise pass every policy."""
    _, _, small = by_somebody_small
    upgrade(small, engine_tables)
    query = sa.text("select count(*) from pg_class where relname = any(:names) and relforcerowsecurity")
    with small.reading() as db:
        assert db.scalar(query, {"names": [table.name for table in OWNED]}) == len(OWNED)
