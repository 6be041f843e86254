from itertools import count

import pytest
import sqlalchemy as sa
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from hustings.db import ledger
from hustings.db.budget import (
    Account,
    Sum,
    account,
    accounts,
    admit,
    discharge,
    open_budget,
    reserve,
    set_caps,
    settle,
)
from hustings.db.caps import MICRO, Caps
from hustings.db.instants import instant
from hustings.db.ledger import LedgerEntry
from hustings.db.tables import CALL
from hustings.transcript.call_try import CallTry


def opened(db, name="b", **caps):
    open_budget(db, name, Caps(**caps))
    return name


def test_what_is_reserved_is_held_and_counted(db):
    reserve(db, opened(db, money=100), Sum(60, 5))
    assert account(db, "b") == Account(Caps(money=100), Sum(), Sum(60, 5), 1)


@pytest.mark.parametrize("caps", [{"money": 100}, {"tokens": 100}], ids=str)
def test_there_is_room_up_to_the_last_bit_and_no_further(db, caps):
    opened(db, **caps)
    assert [reserve(db, "b", Sum(each, each)) for each in (60, 41, 40, 1)] == [True, False, True, False]


def test_there_is_room_for_so_many_calls(db):
    opened(db, calls=2)
    assert [reserve(db, "b", Sum()) for _ in range(3)] == [True, True, False]


def test_a_cap_of_nothing_lets_only_what_is_free_through(db):
    opened(db, money=0)
    assert (reserve(db, "b", Sum(1)), reserve(db, "b", Sum(0, 10**9))) == (False, True)


def test_a_refusal_holds_nothing(db):
    reserve(db, opened(db, money=10), Sum(11, 5))
    assert account(db, "b") == Account(Caps(money=10), Sum(), Sum(), 0)


def test_nothing_is_reserved_in_a_budget_that_is_not_there(db):
    assert not reserve(db, "nowhere", Sum(1))


def paid(money, tokens=0, unproven=0, misreport=""):
    return CallTry(
        ended="ok",
        sent_at=instant(1.0),
        tokens=tokens,
        unproven=unproven,
        booked=money / MICRO,
        misreport=misreport,
    )


def test_settling_replaces_what_was_held_by_what_was_paid(db):
    reserve(db, opened(db, money=100), Sum(60, 50))
    settle(db, "b", Sum(60, 50), paid(20, 10))
    assert account(db, "b") == Account(Caps(money=100), Sum(20, 10), Sum(), 1)


def test_what_was_not_paid_can_be_reserved_again(db):
    reserve(db, opened(db, money=100), Sum(60))
    settle(db, "b", Sum(60), paid(20))
    assert reserve(db, "b", Sum(80))


def test_a_budget_that_is_opened_again_stays_as_it_is(db):
    reserve(db, opened(db, money=100), Sum(60))
    opened(db, money=5)
    assert account(db, "b") == Account(Caps(money=100), Sum(), Sum(60), 1)


def test_new_caps_leave_what_was_spent_as_it_is(db):
    reserve(db, opened(db, money=100), Sum(60))
    set_caps(db, "b", Caps(money=70))
    assert (account(db, "b"), reserve(db, "b", Sum(11))) == (Account(Caps(money=70), Sum(), Sum(60), 1), False)


def test_a_debate_is_held_in_every_budget_above_it(db):
    opened(db, "owner", money=100), opened(db, "day", money=50)
    admit(db, ["owner", "day"], 50)
    assert [each.held.money for each in accounts(db, ["owner", "day"]).values()] == [50, 50]


def test_a_debate_without_room_in_one_budget_is_held_in_none(db):
    opened(db, "owner", money=100), opened(db, "day", money=49)
    refused = not admit(db, ["owner", "day"], 50)
    assert (refused, [each.held.money for each in accounts(db, ["owner", "day"]).values()]) == (True, [0, 0])


def test_a_debate_under_a_budget_that_is_not_there_is_refused(db):
    opened(db, "owner", money=100)
    assert (admit(db, ["owner", "day"], 50), account(db, "owner").held.money) == (False, 0)


def test_a_debate_under_no_budget_is_always_admitted(db):
    assert admit(db, [], 10**12)


def test_a_debate_that_is_over_gives_back_what_it_did_not_spend(db):
    opened(db, "owner", money=100)
    admit(db, ["owner"], 60)
    discharge(db, ["owner"], 60, 10)
    assert account(db, "owner") == Account(Caps(money=100), Sum(10), Sum(), 1)


def test_a_refused_admission_leaves_the_rest_of_its_transaction_alone(db):
    opened(db, "owner", money=1)
    admit(db, ["owner"], 2)
    assert account(db, opened(db, "later", money=3)).caps.money == 3


SMALL = st.integers(0, 40)
SUMS = st.builds(Sum, SMALL, SMALL)
LIMIT = st.none() | st.integers(0, 150)
CAPS = st.builds(Caps, money=LIMIT, tokens=LIMIT, calls=st.none() | st.integers(0, 12), seconds=st.none())
KEYS = st.sampled_from("abcdef")


class Spending(RuleBasedStateMachine):
    """Calls are sent, sent again, answered, put off and lost in any order; the books are kept twice."""

    database = None

    def __init__(self):
        super().__init__()
        self.db = self.database.engine.connect()
        self.held, self.done, self.clock = {}, set(), count(1.0)
        self.spent, self.calls, self.moment = Sum(), 0, 0.0
        self.unproven = self.misreported = 0

    def teardown(self):
        self.db.rollback()
        self.db.close()

    @initialize(caps=CAPS)
    def open(self, caps):
        self.caps = caps
        open_budget(self.db, "run", caps)

    def entry(self, key, worst=None):
        return LedgerEntry("line", key, "run", "me", worst or self.held[key])

    def later(self):
        """Another moment each time: the same moment would be the same try."""
        self.moment += 1.0
        return self.moment

    def pay(self, held, paid=None):
        """At most what was held, and all of it for a try that was lost."""
        money = round(paid.booked * MICRO) if paid else held.money
        tokens, unproven = (paid.tokens + paid.unproven, paid.unproven) if paid else (held.tokens, held.tokens)
        tokens = min(tokens, held.tokens)
        self.spent = Sum(self.spent.money + min(money, held.money), self.spent.tokens + tokens)
        self.unproven += min(unproven, tokens)
        self.misreported += bool(paid and paid.misreport)

    def took(self, key, worst, found):
        if found.state == "sent":
            self.held[key], self.calls = worst, self.calls + 1

    @rule(key=KEYS, worst=SUMS)
    def send(self, key, worst):
        """Also by one who takes up a call that died with its worker: it is settled in full."""
        found = ledger.send(self.db, self.entry(key, worst), self.later())
        assert (found.state == "answered") == (key in self.done)
        if key not in self.done and key in self.held:
            self.pay(self.held.pop(key))
        self.took(key, worst, found)

    @precondition(lambda self: self.held)
    @rule(data=st.data(), worst=SUMS)
    def send_again(self, data, worst):
        key, call_try = self.one(data)
        found = ledger.resend(self.db, self.entry(key, worst), self.later(), [call_try])
        held = self.held.pop(key)
        self.pay(held, call_try)
        self.took(key, worst, found)

    @precondition(lambda self: self.held)
    @rule(data=st.data(), later=st.booleans())
    def finish(self, data, later):
        key, call_try = self.one(data)
        record = {"new_answered_at": "", "new_kind": "ok", "new_model": "m", "new_answer": "{}"}
        if later:
            ledger.put_off(self.db, self.entry(key), [call_try])
        else:
            ledger.answered(self.db, self.entry(key), record, call_try)
            self.done.add(key)
        held = self.held.pop(key)
        self.pay(held, call_try)

    @rule()
    def lose(self):
        assert ledger.settle_lost(self.db, "line", "run") == len(self.held)
        for held in self.held.values():
            self.pay(held)
        self.held.clear()

    def one(self, data):
        """A call in flight, and its try, whose price may exceed its worst."""
        key = data.draw(st.sampled_from(sorted(self.held)))
        worst = self.held[key]
        money, tokens = st.integers(0, 2 * worst.money), st.integers(0, 2 * worst.tokens)
        return key, data.draw(st.builds(paid, money, tokens, tokens, st.sampled_from(["", "too_low"])))

    @invariant()
    def no_cap_is_broken(self):
        if (stands := account(self.db, "run")) is not None:
            caps, spent, held = stands.caps, stands.spent, stands.held
            assert caps.money is None or spent.money + held.money <= caps.money
            assert caps.tokens is None or spent.tokens + held.tokens <= caps.tokens
            assert caps.calls is None or stands.calls <= caps.calls

    @invariant()
    def the_books_agree(self):
        if (stands := account(self.db, "run")) is not None:
            held = Sum(sum(s.money for s in self.held.values()), sum(s.tokens for s in self.held.values()))
            assert (stands.spent, stands.held, stands.calls) == (self.spent, held, self.calls)
            assert (stands.unproven, stands.misreported) == (self.unproven, self.misreported)
            columns = (CALL.c.held, CALL.c.price, CALL.c.tokens, CALL.c.unproven_tokens)
            sums = sa.select(*(sa.func.coalesce(sa.func.sum(column), 0) for column in columns))
            booked = tuple(self.db.execute(sums.where(CALL.c.lineage == "line")).one())
            assert booked == (held.money, self.spent.money, self.spent.tokens, self.unproven)


@pytest.mark.timeout(120)
@pytest.mark.parametrize("examples", [10, pytest.param(40, marks=pytest.mark.nightly("forty orders of events"))])
def test_no_order_of_events_breaks_a_cap_or_loses_a_cent(database, examples):
    machine = type("OnThisDatabase", (Spending,), {"database": database})
    run_state_machine_as_test(machine, settings=settings(max_examples=examples, stateful_step_count=20, deadline=None))


def test_a_call_without_room_is_not_made(db):
    opened(db, money=5)
    assert ledger.send(db, LedgerEntry("line", "key", "b", "me", Sum(6)), 0.0).state == "waiting"
