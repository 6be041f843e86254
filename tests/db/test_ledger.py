import json
from itertools import count

import pytest
import sqlalchemy as sa

from hustings.db import ledger
from hustings.db.budget import Sum, account, open_budget
from hustings.db.caps import MICRO, Caps
from hustings.db.instants import instant
from hustings.db.ledger import LedgerEntry
from hustings.db.tables import CALL
from hustings.transcript.call_try import CallTry

CLOCK = count(1.0)
"""No two tries are sent at the same time."""
WORST = Sum(40, 400)
RECORD = {"new_answered_at": "now", "new_kind": "ok", "new_model": "m", "new_answer": '{"text": "Yes."}'}


@pytest.fixture
def db(database):
    """One transaction with a budget for two calls and a bit, taken back afterwards."""
    with database.engine.connect() as db:
        open_budget(db, "run", Caps(money=100))
        yield db
        db.rollback()


CLOCK = count()


def later():
    """Another moment each time: the same moment would be the same try."""
    return float(next(CLOCK))


def entry(key="000.0 pro opening #1", *, lineage="line", worst=WORST, by="me"):
    return LedgerEntry(lineage, key, "run", by, worst)


def rows(db):
    return db.execute(sa.select(CALL)).all()


def stands(db):
    recorder = account(db, "run")
    return recorder.spent, recorder.held, recorder.calls


def paid(money=0, tokens=0, unproven=0, ended="ok"):
    return CallTry(ended=ended, sent_at=instant(1.0), tokens=tokens, unproven=unproven, booked=money / MICRO)


UNKNOWN = paid(WORST.money, unproven=WORST.tokens, ended="garbled")
"""A try whose price nobody knows."""


def answer(db, call, paid):
    ledger.send(db, call, later())
    ledger.answered(db, call, RECORD, paid)


def test_a_call_is_on_record_before_it_is_made(db):
    ledger.send(db, entry(), 12.5)
    assert [(row.state, row.tries, row.held, row.sent_at) for row in rows(db)] == [("sent", 1, 40, 12.5)]


def test_a_fresh_call_is_the_first_try(db):
    sent = ledger.send(db, entry(), later())
    assert (sent.state, sent.attempt) == ("sent", 1)


def test_a_call_that_was_answered_is_never_sent_again(db):
    answer(db, entry(), paid(10, 100))
    known = ledger.send(db, entry(), later())
    assert (known.state, known.answer) == ("answered", RECORD["new_answer"])


def test_finding_an_answer_costs_nothing(db):
    answer(db, entry(), paid(10, 100))
    before = stands(db)
    ledger.send(db, entry(), later())
    assert stands(db) == before == (Sum(10, 100), Sum(), 1)


def test_an_answer_of_another_lineage_is_not_ones_own(db):
    answer(db, entry(), paid(10, 100))
    assert ledger.send(db, entry(lineage="other"), later()).state == "sent"


def test_a_call_in_flight_counts_in_full_when_it_is_taken_up_again(db):
    ledger.send(db, entry(), later())
    ledger.send(db, entry(by="heir"), later())
    assert stands(db) == (WORST, WORST, 2)


def test_a_send_that_is_committed_again_is_the_same_try(db):
    first = ledger.send(db, entry(), 1.5)
    assert (ledger.send(db, entry(), 1.5), stands(db)) == (first, (Sum(), WORST, 1))


def test_an_answer_that_is_committed_again_is_paid_once(db):
    ledger.send(db, entry(), 1.5)
    ledger.answered(db, entry(), RECORD, paid(5, 50))
    ledger.answered(db, entry(), RECORD, paid(5, 50))
    assert stands(db) == (Sum(5, 50), Sum(), 1)


def test_a_commit_that_is_repeated_is_one_try(db):
    sent = [ledger.send(db, entry(), 7.0) for _ in range(2)]
    assert ([each.attempt for each in sent], stands(db)) == ([1, 1], (Sum(), WORST, 1))


def test_a_second_try_whose_commit_is_repeated_is_one_try(db):
    ledger.send(db, entry(), 7.0)
    sent = [ledger.resend(db, entry(), 8.0, [paid(5, 50)]) for _ in range(2)]
    assert ([each.attempt for each in sent], stands(db)) == ([2, 2], (Sum(5, 50), WORST, 2))


def test_an_answer_whose_commit_is_repeated_is_paid_once(db):
    answer(db, entry(), paid(10, 100))
    ledger.answered(db, entry(), RECORD, paid(10, 100))
    assert stands(db) == (Sum(10, 100), Sum(), 1)


def test_a_call_that_is_put_off_by_a_repeated_commit_is_paid_once(db):
    ledger.send(db, entry(), 7.0)
    ledger.put_off(db, entry(), [UNKNOWN])
    ledger.put_off(db, entry(), [UNKNOWN])
    assert stands(db) == (WORST, Sum(), 1)


def test_a_call_remembers_how_many_workers_died_in_it(db):
    open_budget(db, "rich", Caps())
    mine = LedgerEntry("line", "k", "rich", "me", WORST)
    sent = [ledger.send(db, mine, later()) for _ in range(3)]
    assert [(each.attempt, each.deaths) for each in sent] == [(1, 0), (2, 1), (3, 2)]


def test_another_try_of_the_same_worker_is_no_death(db):
    ledger.send(db, entry(), later())
    assert ledger.resend(db, entry(), later(), [paid()]).deaths == 0


def test_whoever_takes_a_call_up_is_named_in_it(db):
    ledger.send(db, entry(), later())
    ledger.send(db, entry(by="heir"), later())
    assert [row.executor_id for row in rows(db)] == ["heir"]


def test_a_call_in_flight_without_money_for_another_try_is_not_made_again(db):
    ledger.send(db, entry(worst=Sum(60)), later())
    refused = ledger.send(db, entry(worst=Sum(60)), later())
    assert (refused.state, stands(db)) == ("waiting", (Sum(60), Sum(), 1))


def test_a_refused_reservation_leaves_no_row(db):
    assert (ledger.send(db, entry(worst=Sum(101)), later()).state, rows(db)) == ("waiting", [])


def test_another_try_is_reserved_anew_and_the_last_one_settled(db):
    ledger.send(db, entry(), later())
    sent = ledger.resend(db, entry(), later(), [paid(5, 50)])
    assert (sent.state, sent.tries, sent.attempt) == ("sent", (paid(5, 50),), 2)
    assert stands(db) == (Sum(5, 50), WORST, 2)


def test_a_try_of_unknown_price_counts_in_full(db):
    ledger.send(db, entry(), later())
    ledger.resend(db, entry(), later(), [UNKNOWN])
    assert stands(db) == (WORST, WORST, 2)


def test_an_answer_of_unknown_price_counts_in_full(db):
    answer(db, entry(), UNKNOWN)
    assert stands(db) == (WORST, Sum(), 1)


def test_the_price_of_an_answer_is_kept_with_it(db):
    answer(db, entry(), paid(7, 70))
    assert [(row.state, row.price, row.held) for row in rows(db)] == [("answered", 7, 0)]


def test_a_call_that_is_put_off_holds_nothing(db):
    ledger.send(db, entry(), later())
    ledger.put_off(db, entry(), [paid()])
    assert (stands(db), ledger.in_flight(db, "line")) == ((Sum(), Sum(), 1), set())


def test_a_call_that_was_put_off_is_sent_later_and_nothing_is_settled_for_the_wait(db):
    ledger.send(db, entry(), later())
    ledger.put_off(db, entry(), [paid()])
    sent = ledger.send(db, entry(), later())
    assert (sent.tries, sent.attempt, stands(db)) == ((paid(),), 2, (Sum(), WORST, 2))


def test_what_was_billed_before_a_call_was_put_off_is_spent(db):
    ledger.send(db, entry(), later())
    ledger.put_off(db, entry(), [UNKNOWN])
    assert stands(db) == (WORST, Sum(), 1)


def test_calls_of_a_run_without_an_answer_are_in_flight(db):
    answer(db, entry("a"), paid())
    ledger.send(db, entry("b"), later())
    ledger.send(db, entry("c", lineage="other"), later())
    assert ledger.in_flight(db, "line") == {"b"}


def test_what_nobody_will_answer_any_more_is_spent_in_full(db):
    ledger.send(db, entry("a"), later())
    ledger.send(db, entry("b"), later())
    assert (ledger.settle_lost(db, "line", "run"), stands(db)) == (2, (Sum(80, 800), Sum(), 2))


def test_nothing_is_lost_twice(db):
    ledger.send(db, entry(), later())
    ledger.settle_lost(db, "line", "run")
    assert (ledger.settle_lost(db, "line", "run"), stands(db)) == (0, (WORST, Sum(), 1))


def test_of_two_answers_of_people_the_first_one_stands(db):
    said = [ledger.enter(db, "line", "k", {"answer": json.dumps(n)}, "x") for n in (1, 2)]
    assert (said, ledger.known(db, "line", "k")) == ([True, False], "1")


def test_an_answer_is_known_only_once_it_is_there(db):
    ledger.send(db, entry("k"), later())
    before = ledger.known(db, "line", "k")
    ledger.answered(db, entry("k"), RECORD, paid())
    assert (before, ledger.known(db, "line", "k")) == (None, RECORD["new_answer"])


def test_a_fork_has_its_ancestors_answer_as_its_own_for_nothing(db):
    answer(db, entry("k"), paid(10, 100))
    found = ledger.inherit(db, entry("k", lineage="fork"), ["line"])
    assert (found, ledger.known(db, "fork", "k")) == (RECORD["new_answer"], RECORD["new_answer"])


def test_the_nearest_ancestor_is_asked_first(db):
    ledger.enter(db, "near", "k", {"answer": "near", "kind": "ok"}, "x")
    ledger.enter(db, "far", "k", {"answer": "far", "kind": "ok"}, "x")
    assert ledger.inherit(db, entry("k", lineage="fork"), ["near", "far"]) == "near"


def test_what_no_ancestor_has_answered_is_not_inherited(db):
    ledger.send(db, entry("k"), later())
    assert ledger.inherit(db, entry("k", lineage="fork"), ["line"]) is None


# -- what is held ----------------------------------------------------------------------------


def of_run(key, worst=WORST):
    return LedgerEntry("line", key, "run:line", "me", worst)


@pytest.fixture
def run_budget(db):
    open_budget(db, "run:line", Caps(money=1_000))
    return db


def ended(kind, price):
    known = None if price is None else price / MICRO
    return CallTry(ended=kind, sent_at=instant(1.0), price=known, booked=40 / MICRO).model_dump()


@pytest.mark.parametrize(
    ("tries", "held"),
    [
        ([ended("timed_out", None)], ledger.HeldMoney(40, 1)),
        ([ended("timed_out", None), ended("garbled", None)], ledger.HeldMoney(80, 1)),
        ([ended("timed_out", None), ended("ok", 12)], ledger.HeldMoney(40, 1)),
        ([ended("ok", None)], None),
        ([ended("ok", 12)], None),
    ],
)
def test_what_is_held_is_what_may_have_been_billed_and_brought_no_answer(run_budget, tries, held):
    record = {**RECORD, "new_answer": json.dumps({"text": "Yes.", "tries": tries})}
    ledger.send(run_budget, of_run("000.0 pro opening #1"), later())
    ledger.answered(run_budget, of_run("000.0 pro opening #1"), record, UNKNOWN)
    assert ledger.held(run_budget, ["line"]).get("line") == held


def test_calls_under_way_are_held(run_budget):
    for number in range(2):
        ledger.send(run_budget, of_run(f"000.{number} pro opening #1"), later())
    assert ledger.held(run_budget, ["line", "other"]) == {"line": ledger.HeldMoney(80, 2)}
