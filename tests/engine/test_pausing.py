"""A seat without a usable answer pauses a watched run, which then holds no place; nothing that was paid is lost."""

from dataclasses import replace

import pytest

from hustings.db import run_rows
from hustings.db.caps import Caps
from hustings.engine import model_call, rests
from hustings.llm.model_spec import NO_MODEL
from hustings.transcript.notes import Cancelled, Played

from .rig import DUTY, HUMAN

pytestmark = pytest.mark.both_databases


def paused(rig, fault, **more):
    """A debate in which `con` always meets a fault, and `pro` never does."""
    seats = {"pro": rig.model_spec(), "con": rig.model_spec(fault)}
    run_id = rig.start(seats=seats, on_failure="pause", **more)
    rig.until(lambda: rig.runs.read(run_id).state == "paused", 30)
    return run_id


@pytest.mark.parametrize("fault", ["not_the_form", "empty", "json_truncated", "ctx_exceeded"])
def test_answers_that_stay_unusable_pause_a_run_and_another_model_ends_it(rig, fault):
    run_id = paused(rig, fault)
    rig.control.reseat(run_id, {"con": rig.model_spec()})
    rig.control.steer(run_id, "go")
    seen = rig.ended(run_id)
    assert (seen.ending, len(seen.said), seen.findings) == (Played(), 6, [])


def test_the_reason_names_the_seat_its_model_the_complaint_and_two_ways_on(rig):
    run_id = paused(rig, "not_the_form")
    reason = rig.runs.read(run_id).reason
    assert "con's model (openai_compatible/m-" in reason
    assert "did not keep the form three times" in reason
    assert f"hustings resume {run_id} --seat con=MODEL" in reason
    assert "--without con" in reason


def test_what_the_other_seat_said_is_not_paid_again(rig):
    run_id = paused(rig, "not_the_form")
    before = [key for key in rig.seen(run_id).asked if " pro " in key]
    rig.control.reseat(run_id, {"con": rig.model_spec()})
    rig.control.steer(run_id, "go")
    after = [key for key in rig.ended(run_id).asked if " pro " in key]
    assert (len(before), len(after), len(set(after))) == (1, 3, 3)


def test_what_was_spent_counts_the_unusable_answers_too(rig):
    run_id = paused(rig, "not_the_form")
    rig.control.reseat(run_id, {"con": rig.model_spec()})
    rig.control.steer(run_id, "go")
    seen = rig.ended(run_id)
    paid = sum(round(event.price * 1_000_000) for event in seen.of("call_paid"))
    assert (seen.account.spent.money, seen.account.held.money) == (paid, 0)


def test_a_model_that_takes_a_seat_has_all_attempts_of_its_own(rig):
    run_id = paused(rig, "not_the_form")
    before = len(rig.seen(run_id).of("attempt_rejected"))
    rig.control.reseat(run_id, {"con": rig.model_spec("not_the_form")})
    rig.control.steer(run_id, "go")
    rig.until(lambda: rig.runs.read(run_id).state == "paused" and len(rig.seen(run_id).of("paused")) == 2, 30)
    assert (before, len(rig.seen(run_id).of("attempt_rejected"))) == (2, 4)


def test_a_debate_goes_on_without_a_seat(rig):
    run_id = paused(rig, "not_the_form")
    rig.control.reseat(run_id, {"con": NO_MODEL})
    rig.control.steer(run_id, "go")
    seen = rig.ended(run_id)
    silent = {event.state.agent_id for event in seen.of("seat_missed")}
    assert (silent, len(seen.asked) > 7, seen.findings) == ({"con"}, False, [])


def test_who_changed_which_seat_is_logged(rig):
    run_id = paused(rig, "not_the_form")
    rig.control.reseat(run_id, {"con": NO_MODEL}, by="ann")
    rig.control.steer(run_id, "go")
    (resumed,) = rig.ended(run_id).of("resumed")
    assert (resumed.by, resumed.seats) == ("ann", {"con": "silent"})


def test_a_run_that_nobody_watches_goes_on_and_names_the_silent_seat(rig):
    seats = {"pro": rig.model_spec(), "con": rig.model_spec("not_the_form")}
    seen = rig.play(seats=seats)
    assert ("paused" in seen.kinds, {turn.turn_outcome for turn in seen.proceedings.transcript.turns}) == (
        False,
        {"success", "error"},
    )


@pytest.mark.parametrize("fault", ["status503", "status429", "hang"])
def test_a_provider_that_stays_away_pauses_a_run_and_what_it_answers_later_ends_it(rig, fault, monkeypatch):
    monkeypatch.setattr(model_call, "LONGEST_WAIT", 0.2)
    monkeypatch.setattr(rests, "PATIENCE", 1)
    run_id = paused(rig, fault, seconds_per_call=1.0)
    rig.control.reseat(run_id, {"con": rig.model_spec()})
    rig.control.steer(run_id, "go")
    assert rig.ended(run_id).ending == Played()


def test_a_paused_run_has_no_workflow_that_waits(rig):
    run_id = paused(rig, "not_the_form")
    list_workflows = rig.service.engine.dbos.list_workflows
    rig.until(lambda: all(each.status == "SUCCESS" for each in list_workflows(workflow_ids=[run_id])))
    assert (rig.runs.light_row(run_id)["executor_id"], rig.control.abandoned(run_id)) == ("", False)


def test_cancelling_a_paused_run_keeps_what_was_paid(rig):
    run_id = paused(rig, "not_the_form")
    rig.control.steer(run_id, "cancel", "me")
    seen = rig.ended(run_id)
    assert (seen.ending, len(seen.said), seen.findings) == (Cancelled(by="me"), 1, [])


def test_a_seat_of_a_model_cannot_be_given_to_a_person(rig):
    run_id = paused(rig, "not_the_form")
    with pytest.raises(Exception, match="only go on with a model"):
        rig.control.reseat(run_id, {"con": HUMAN})
    rig.control.steer(run_id, "cancel")
    rig.ended(run_id)


def test_a_seat_of_a_running_debate_cannot_be_changed(rig):
    rig.provider.plan(delay=1.0)
    run_id = rig.start(rig.model_spec())
    with pytest.raises(Exception, match="is running"):
        rig.control.reseat(run_id, {"con": NO_MODEL})
    rig.control.steer(run_id, "cancel")
    rig.ended(run_id)


def test_a_model_that_costs_money_needs_a_budget_under_a_spending_limit(rig):
    run_id = paused(rig, "not_the_form", caps=Caps(), above=())
    with rig.database.writing() as db:
        spec = rig.runs.spec(run_id).model_copy(update={"above": ("owner:local",)})
        run_rows.change_spec(db, run_id, spec.model_dump_json())
    with pytest.raises(Exception, match="another model would cost money"):
        rig.control.reseat(run_id, {"con": rig.model_spec()})
    rig.control.steer(run_id, "cancel")
    rig.ended(run_id)


def test_paused_runs_of_one_owner_keep_no_place_from_another(rig):
    rig.close()
    rig.open(replace(DUTY, concurrency=2))
    try:
        bad = rig.model_spec("not_the_form")
        many = [rig.spec(bad, owner="a", on_failure="pause").run_id for _ in range(6)]
        rig.control.enqueue(*many)
        rig.until(lambda: {rig.runs.read(run_id).state for run_id in many} == {"paused"}, 30)
        other = rig.spec(rig.model_spec(), owner="b").run_id
        rig.control.enqueue(other)
        assert rig.ended(other, 10).ending == Played()
    finally:
        rig.close()
        rig.open()
