import time

import pytest
import sqlalchemy as sa

from hustings.db.caps import MICRO, Caps
from hustings.db.tables import RUN
from hustings.engine import model_call
from hustings.transcript.notes import BudgetStopped, Cancelled, Failed, Played

from .rig import IMPROVISER, KEY

SLACK = 100
"""The marks around untrusted words differ from run to run, and with them the tokens that a prompt may have."""
RAISING = '''"""Opens, and falls over."""
from hustings.protocol import Brief, Seat, Settings, Speech, Stage

async def play(stage: Stage[Settings]) -> int:
    with stage.round("opening"):
        await stage.together(*(stage.ask(seat, OPEN) for seat in stage.seats))
    return 1 // 0

SEATS = (Seat("pro"), Seat("con"))
RULES = "Both open."
OPEN = Brief("opening", Speech, "Make your case.", words=40)
'''


# -- the record ------------------------------------------------------------------------------


@pytest.fixture(params=["structured", "roundtable", "moderated"])
def played(rig, request):
    return rig.play(rig.model_spec(), protocol=request.param)


def test_a_debate_is_carried_out_to_its_end(played):
    assert (played.ending, played.findings, played.report.state) == (Played(), [], "ended")


def test_its_log_is_numbered_without_a_gap(played):
    assert [event.seq for event in played.events] == list(range(len(played.events)))


def test_its_log_tells_what_was_kept(played):
    told, kept = played.told, played.proceedings
    assert (told.transcript.document(), tuple(told.notes), told.ending) == (
        kept.transcript.document(),
        kept.notes,
        kept.ending,
    )


def test_every_call_is_logged_as_paid_once(played):
    paid, asked = [event.address for event in played.of("call_paid")], played.asked
    assert sorted(paid) == sorted(key.rpartition(" #")[0] for key in asked)


def test_what_was_spent_is_the_sum_of_what_was_paid(played):
    paid = sum(round(event.price * MICRO) for event in played.of("call_paid"))
    assert played.account.spent.money == paid > 0


def test_nothing_is_held_when_it_is_over(played):
    assert (played.account.held.money, played.account.held.tokens) == (0, 0)


def test_a_debate_of_improvisers_costs_nothing_and_asks_nobody(rig):
    seen = rig.play(IMPROVISER)
    assert (seen.ending, seen.account.spent.money, seen.asked) == (Played(), 0, [])


def test_two_performances_of_one_debate_say_the_same(rig):
    assert rig.play(rig.model_spec()).said == rig.play(rig.model_spec()).said


# -- steering --------------------------------------------------------------------------------


def begun(rig, **more):
    """A debate whose first calls are under way, and take a while."""
    rig.provider.plan(delay=0.3)
    run_id = rig.start(rig.model_spec(), **more)
    rig.until(lambda: rig.seen(run_id).asked)
    return run_id


def test_a_paused_debate_makes_no_call_and_goes_on_when_it_is_told(rig):
    run_id = begun(rig)
    rig.control.steer(run_id, "pause", "me")
    rig.wait_for(run_id, "paused")
    before = len(rig.seen(run_id).asked)
    time.sleep(0.7)
    during = len(rig.seen(run_id).asked)
    rig.control.steer(run_id, "go", "you")
    seen = rig.ended(run_id)
    assert (before, during, len(seen.asked), seen.ending) == (2, 2, 6, Played())


def test_pausing_and_resuming_are_logged_with_who_did_it(rig):
    run_id = begun(rig)
    rig.control.steer(run_id, "pause", "me")
    rig.wait_for(run_id, "paused")
    rig.control.steer(run_id, "go", "you")
    seen = rig.ended(run_id)
    assert [(e.kind, e.by) for e in seen.events if e.kind in {"paused", "resumed"}] == [
        ("paused", "me"),
        ("resumed", "you"),
    ]


def test_a_cancelled_debate_keeps_what_was_said(rig):
    run_id = begun(rig)
    rig.control.steer(run_id, "cancel", "me")
    seen = rig.ended(run_id)
    assert (seen.ending, len(seen.said), seen.findings) == (Cancelled(by="me"), 2, [])


def test_a_debate_that_is_cancelled_before_it_begins_asks_nobody(rig):
    made = rig.spec(rig.model_spec())
    rig.control.steer(made.run_id, "cancel", "me")
    rig.worker.start(made.run_id)
    seen = rig.ended(made.run_id)
    assert (seen.ending, seen.asked) == (Cancelled(by="me"), [])


def test_a_paused_debate_can_be_cancelled(rig):
    made = rig.spec()
    rig.control.steer(made.run_id, "pause", "me")
    rig.worker.start(made.run_id)
    rig.wait_for(made.run_id, "paused")
    rig.control.steer(made.run_id, "cancel", "you")
    assert rig.ended(made.run_id).ending == Cancelled(by="you")


# -- budgets ---------------------------------------------------------------------------------


@pytest.fixture
def first_hold(rig):
    """What the first two calls of a debate hold while they are under way."""
    run_id = begun(rig)
    rig.until(lambda: rig.seen(run_id).account.calls == 2)
    held = rig.seen(run_id).account.held
    rig.control.steer(run_id, "cancel")
    rig.ended(run_id)
    rig.provider.plan(delay=0.0)
    return held


@pytest.mark.parametrize(("unit", "name"), [("USD", "money"), ("tokens", "tokens")])
def test_a_cap_ends_a_debate_and_what_was_said_is_kept(rig, first_hold, unit, name):
    cap = getattr(first_hold, name) + SLACK
    seen = rig.play(rig.model_spec(), caps=Caps(**{name: cap}))
    stands = seen.account
    within = getattr(stands.spent, name) + getattr(stands.held, name) <= cap
    assert isinstance(seen.ending, BudgetStopped)
    assert (seen.ending.unit, len(seen.said) >= 2, seen.findings, within) == (unit, True, [], True)


def test_a_cap_on_calls_ends_a_debate(rig):
    seen = rig.play(rig.model_spec(), caps=Caps(calls=3))
    assert (seen.ending, len(seen.asked)) == (BudgetStopped(spent=3, cap=3, unit="calls"), 3)


def test_a_cap_on_calls_keeps_what_was_said(rig):
    seen = rig.play(rig.model_spec(), caps=Caps(calls=3))
    assert (len(seen.said), seen.findings) == (3, [])


def test_a_cap_on_time_ends_a_debate_and_what_was_said_is_kept(rig):
    rig.provider.plan(delay=0.2)
    seen = rig.play(rig.model_spec(), caps=Caps(seconds=0.1))
    assert isinstance(seen.ending, BudgetStopped)
    assert (seen.ending.unit, seen.ending.cap, len(seen.said), seen.findings) == ("seconds", 0.1, 2, [])


def test_without_money_nobody_is_asked(rig):
    seen = rig.play(rig.model_spec(), caps=Caps(money=1))
    assert (seen.ending.kind, seen.asked, seen.account.spent.money) == ("budget_stopped", [], 0)


def test_an_answer_of_unknown_price_counts_at_its_worst(rig):
    known, unknown = rig.play(rig.model_spec()), rig.play(rig.model_spec("no_usage"))
    worst = sum(row.price for row in unknown.rows)
    assert unknown.account.spent.money == worst > 2 * known.account.spent.money


def test_an_unknown_price_is_logged_as_unknown(rig):
    assert {event.price for event in rig.play(rig.model_spec("no_usage")).of("call_paid")} == {None}


def test_a_try_that_may_have_been_billed_counts_in_full(rig):
    known = rig.play(rig.model_spec())
    rig.provider.plan(rate=1.0, faults=["stream_cut"], patience=1)
    seen = rig.play(rig.model_spec())
    assert (seen.said, seen.account.calls) == (known.said, 12)
    assert seen.account.spent.money > 2 * known.account.spent.money


# -- faults ----------------------------------------------------------------------------------


LATER = pytest.mark.nightly("two debates for each fault; one of them is tried on every change")


@pytest.mark.parametrize(
    "fault", ["status503", pytest.param("conn_close", marks=LATER), pytest.param("json_malformed", marks=LATER)]
)
def test_faults_of_the_wire_are_nobodys_attempt(rig, fault):
    undisturbed = rig.play(rig.model_spec())
    rig.provider.plan(rate=1.0, faults=[fault], patience=1)
    seen = rig.play(rig.model_spec())
    assert (seen.said, seen.of("attempt_rejected"), len(seen.asked)) == (undisturbed.said, [], 12)


@pytest.mark.parametrize(("fault", "reason"), [("status400", "400"), ("unknown_model", "no such model (404)")])
def test_a_request_that_the_provider_rejects_ends_the_debate_with_its_reason(rig, fault, reason):
    seen = rig.play(rig.model_spec(fault))
    assert isinstance(seen.ending, Failed)
    assert (seen.ending.code, reason in seen.ending.reason, seen.findings) == ("rejected", True, [])


def test_a_key_that_is_missing_pauses_a_debate_until_it_is_there(rig):
    run_id = rig.start(rig.model_spec(key=KEY))
    rig.until(lambda: rig.runs.read(run_id).state == "paused")
    reason = rig.runs.read(run_id).reason
    rig.environment[KEY] = "a key that will do"
    rig.control.steer(run_id, "go", "me")
    assert ("hustings keys set" in reason, rig.ended(run_id).ending) == (True, Played())


def test_a_key_that_is_refused_pauses_a_debate_until_it_is_mended(rig):
    rig.mishap = "status401"
    run_id = rig.start(rig.model_spec())
    rig.until(lambda: rig.runs.read(run_id).state == "paused")
    reason = rig.runs.read(run_id).reason
    rig.mishap = ""
    rig.control.steer(run_id, "go", "me")
    seen = rig.ended(run_id, 8)
    assert ("hustings keys set" in reason, seen.ending, len(seen.said)) == (True, Played(), 6)


def test_a_debate_that_waits_for_a_key_can_be_cancelled(rig):
    run_id = rig.start(rig.model_spec(key=KEY))
    rig.until(lambda: rig.runs.read(run_id).state == "paused")
    rig.control.steer(run_id, "cancel", "me")
    assert rig.ended(run_id).ending == Cancelled(by="me")


def test_a_debate_that_a_provider_puts_off_rests_and_goes_on(rig, monkeypatch):
    undisturbed = rig.play(rig.model_spec())
    monkeypatch.setattr(model_call, "LONGEST_WAIT", 0.5)
    rig.provider.plan(rate=1.0, faults=["status429"], patience=1)
    with rig.waking():
        seen = rig.play(rig.model_spec())
    assert (seen.said, rig.runs.light_row(seen.run_id)["resumptions"] > 0) == (undisturbed.said, True)
    assert (seen.account.calls, len(seen.asked)) == (12, 12)


def test_a_script_that_falls_over_ends_the_debate_and_what_was_said_is_kept(rig, installed):
    installed("raising", RAISING, module="raising_protocol")
    seen = rig.play(protocol="raising")
    assert (seen.ending.code, len(seen.said), seen.findings) == ("ZeroDivisionError", 2, [])


def test_a_debate_under_another_version_is_broken_and_says_how_to_mend_it(rig):
    made = rig.spec()
    made = made.model_copy(update={"debate": made.debate.model_copy(update={"version": 99})})
    with rig.database.writing() as db:
        db.execute(sa.update(RUN).where(RUN.c.run_id == made.run_id).values(spec=made.model_dump_json()))
    rig.worker.start(made.run_id)
    report = rig.ended(made.run_id).report
    assert (report.state, "install the release it started with" in report.reason) == ("broken", True)
