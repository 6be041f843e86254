"""The index of words: what was asked and said is found by its owner alone, and of what is deleted nothing is left."""

import pytest
import sqlalchemy as sa

from hustings.db import run_rows, search
from hustings.db.connection import connect
from hustings.db.migrate import upgrade
from hustings.db.tables import PASSAGE
from hustings.engine.client import engine_tables
from hustings.transcript.events import TurnEntered
from hustings.transcript.models import Attempt, Turn
from tests.rig.postgres import database as own_database
from tests.rig.postgres import sqlite_file

AT = "2026-01-01T00:00:00.000Z"
HOSTILE = [
    '"', "'", "''", "\\", "*", "towns*", "(", ")", "()", ":*", "!", "&", "|", "<->", "-", "^", "NEAR(towns cars)",
    "towns AND", "OR", "NOT", "text:towns", "{text} : towns", "towns'); drop table hustings_run; --", "%", "_", "$$",
    "\u0000towns", "𝕥owns", "towns " * 50, "\ud800",
]  # fmt: skip


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def url(request, tmp_path_factory):
    if request.param == "sqlite":
        yield sqlite_file(tmp_path_factory.mktemp("search"))
        return
    with own_database() as url:
        yield url


@pytest.fixture(scope="module")
def database(url):
    """Ann and Bob each asked about towns, and each said something of their own."""
    database = connect(url)
    upgrade(database, engine_tables)
    with database.writing() as db:
        for owner in ("ann", "bob"):
            enter(db, owner, owner)
            run_rows.append(db, owner, 0, [said(f"Buses of {owner} are quiet, and naïve people like them.")])
    yield database
    database.close()


def enter(db, owner, name, judged=""):
    row = {"run_id": name, "owner": owner, "protocol": "structured/1", "topic": "Should towns close to cars?"}
    run_rows.enter(db, [{**row, "created_at": AT, "spec": "{}", "judged": judged}])


def said(text, **more):
    attempt = Attempt(attempt_index=0, timestamp=AT, **{"status": "ok", "content": text, **more})
    turn = Turn(turn_id="r1.t0", round_index=1, turn_index_in_round=0, speaker_id="pro", attempts=[attempt])
    event = TurnEntered(turn=turn)
    return event.kind, event.model_dump_json(exclude={"seq"}, exclude_none=True)


def found(database, query, owner=None, **more):
    """Run and turn of what is found."""
    words = search.words_of(query)
    with database.reading() as db:
        ids = search.matching(db, words, owner, 10, **more) if words else []
        return sorted((one.run_id, one.turn_id) for one in search.passages(db, ids, owner))


def test_questions_and_speeches_are_found_by_their_words(database):
    assert found(database, "TOWNS close") == [("ann", ""), ("bob", "")]
    assert found(database, "quiet people") == [("ann", "r1.t0"), ("bob", "r1.t0")]
    assert found(database, "quiet trams") == []


def test_the_last_word_may_be_unfinished(database):
    assert found(database, "should tow") == [("ann", ""), ("bob", "")]
    assert found(database, "shou towns") == []


def test_an_owner_finds_what_is_its_own(database):
    assert found(database, "towns", "ann") == [("ann", "")]
    assert found(database, "buses bob", "ann") == []


def test_only_questions_or_only_speeches_can_be_sought(database):
    assert found(database, "to", "ann", topics=False) == []
    assert found(database, "buses", "ann", topics=True) == []


@pytest.mark.parametrize("query", HOSTILE, ids=range(len(HOSTILE)))
def test_no_sign_in_a_query_is_taken_for_syntax(database, query):
    for one, _ in found(database, query, "ann"):
        assert one == "ann"


def test_an_answer_that_failed_is_not_found_and_a_form_is_found_by_what_others_read(database):
    with database.writing() as db:
        enter(db, "ann", "forms")
        run_rows.append(db, "forms", 0, [said("zebra", status="failed"), said('{"raw":"okapi"}', final_answer="gnu")])
    assert [found(database, word) for word in ("zebra", "okapi", "gnu")] == [[], [], [("forms", "r1.t0")]]


def test_what_a_database_cannot_hold_does_not_keep_a_turn_from_being_stored(database):
    with database.writing() as db:
        enter(db, "ann", "odd")
        run_rows.append(db, "odd", 0, [said("a NUL \u0000 inside"), said("y" * 1_500_000)])
        assert len(run_rows.events(db, "odd")) == 2


def test_words_of_judgings_are_not_found(database):
    with database.writing() as db:
        enter(db, "ann", "audit", judged="ann")
        run_rows.append(db, "audit", 0, [said("wolverine")])
    assert found(database, "wolverine") == []


def test_of_a_deleted_debate_no_word_is_left(database):
    with database.writing() as db:
        enter(db, "ann", "gone")
        run_rows.append(db, "gone", 0, [said("capybara")])
    before = found(database, "capybara")
    with database.writing() as db:
        run_rows.delete_runs(db, ["gone"])
        left = db.scalar(sa.select(sa.func.count()).where(PASSAGE.c.run_id == "gone"))
    assert (before, found(database, "capybara"), left) == ([("gone", "r1.t0")], [], 0)
