"""What the judging of a run came to, beside its control."""

import pytest

from hustings.db.caps import Caps
from hustings.judging.audits.control import AFTER
from hustings.runs.dossiers import judgement, judging_of
from hustings.runs.judging_spec import JudgingRequest, control_spec, judging_spec
from hustings.runs.request import DebateRequest, build_spec
from hustings.transcript.notes import Played

from .panels import judgement_in

OPEN = "How should towns close their centres to cars?"


@pytest.fixture
def argued(rig):
    """A debate that is over, held by a model that counts its tokens."""
    return rig.play(rig.model_spec(model="llama-3")).run_id


@pytest.fixture
def audit(rig):
    """Has a judging or a control of a run, to its end."""

    def have(spec, run_id, *more, **request):
        old, record = rig.runs.spec(run_id), rig.runs.finished(run_id)
        made = spec(old, record, JudgingRequest(**request), {}, *more)
        rig.control.enter_here(made)
        rig.worker.start(made.run_id)
        return rig.ended(made.run_id)

    return have


@pytest.fixture
def judged(audit):
    return lambda run_id, **request: audit(judging_spec, run_id, judges=("improviser",), **request)


@pytest.fixture
def controlled(rig, audit):
    return lambda run_id, **request: audit(control_spec, run_id, rig.runs.read(run_id).tokens, **request)


# -- which judging ---------------------------------------------------------------------------


def test_a_run_that_was_not_judged_has_no_judgement(rig, argued):
    assert (judging_of(rig.runs, argued), judgement(rig.runs, argued)) == (None, None)


def test_a_judging_that_is_not_over_has_no_judgement(rig, argued):
    old, record = rig.runs.spec(argued), rig.runs.finished(argued)
    made = judging_spec(old, record, JudgingRequest(judges=("improviser",)), {})
    rig.control.enter(made)
    assert (judging_of(rig.runs, argued), judgement(rig.runs, made.run_id)) == (None, None)


def test_of_several_judgings_the_latest_is_that_of_the_run(rig, argued, judged):
    first, last = judged(argued), judged(argued, tier="standard")
    assert judging_of(rig.runs, argued) == last.run_id
    assert [len(judgement(rig.runs, run).panel) for run in (argued, first.run_id)] == [3, 1]


def test_a_judging_that_was_stopped_does_not_hide_one_that_was_not(rig, argued, judged):
    whole = judged(argued)
    judged(argued, caps=Caps(calls=1))
    assert judging_of(rig.runs, argued) == whole.run_id


def test_a_judging_that_was_stopped_is_that_of_the_run_if_there_is_no_other(rig, argued, judged):
    stopped = judged(argued, caps=Caps(calls=1))
    assert judging_of(rig.runs, argued) == stopped.run_id


def test_a_judging_is_that_of_itself(rig, argued, judged):
    first, _ = judged(argued), judged(argued)
    assert judging_of(rig.runs, first.run_id) == first.run_id


@pytest.mark.nightly("three runs")
def test_of_a_control_it_is_the_judging_of_its_debate(rig, argued, judged, controlled):
    seen = judged(argued)
    assert judging_of(rig.runs, controlled(argued).run_id) == seen.run_id


def test_without_a_control_the_judgement_is_the_one_that_was_kept(rig, argued, judged):
    seen = judged(argued)
    assert judgement(rig.runs, argued) == judgement_in(seen)


# -- the control -----------------------------------------------------------------------------


def test_a_control_is_carried_out_to_its_end_and_comes_to_no_outcome(argued, controlled):
    seen = controlled(argued)
    assert (seen.ending, "outcome_reached" in seen.kinds) == (Played(), False)


@pytest.mark.parametrize(
    "first", ["control", pytest.param("judging", marks=pytest.mark.nightly("the other order is tried on every change"))]
)
def test_a_control_stands_beside_the_judgement_whichever_came_first(rig, argued, judged, controlled, first):
    for have in (controlled, judged) if first == "control" else (judged, controlled):
        have(argued)
    found = judgement(rig.runs, argued)
    assert (found.control.comparable, found.briefing.without_debate != "") == (True, True)


def test_a_control_changes_nothing_else_of_a_judgement(rig, argued, judged, controlled):
    kept = judgement_in(judged(argued))
    controlled(argued)
    found = judgement(rig.runs, argued)
    without = {"control": None, "briefing": found.briefing.model_copy(update={"without_debate": ""})}
    assert found.model_copy(update=without) == kept


def test_the_debate_is_compared_with_as_many_tokens_as_it_took(rig, argued, judged, controlled):
    judged(argued)
    seen = controlled(argued)
    paid = [event for event in seen.of("call_paid") if AFTER.name not in event.address]
    found = judgement(rig.runs, argued).control
    assert found.debate_tokens == rig.runs.read(argued).tokens > 0
    assert found.control_tokens == sum(event.tokens_in + event.tokens_out for event in paid) > 0


def test_reading_the_debate_again_is_no_part_of_what_the_control_took(rig, argued, judged, controlled):
    judged(argued)
    seen = controlled(argued)
    assert judgement(rig.runs, argued).control.control_tokens < seen.report.tokens


@pytest.mark.nightly("four runs; the latest of several judgings is tried on every change")
def test_the_latest_of_several_controls_counts(rig, argued, judged, controlled):
    judged(argued)
    for options in (["now", "never"], ["soon", "late"]):
        controlled(argued, settings={"options": options})
    assert judgement(rig.runs, argued).control.options == ("soon", "late")


@pytest.mark.nightly("three runs")
def test_the_strongest_model_spec_is_that_of_the_argument_with_the_highest_score(rig, judged, controlled):
    model_specs = {"pro": rig.model_spec(model="llama-3"), "con": rig.model_spec(model="qwen-3")}
    run_id = rig.play(seats=model_specs).run_id
    judged(run_id)
    seen = controlled(run_id)
    found = judgement(rig.runs, run_id)
    best = max(found.trace, key=lambda traced: traced.score)
    seat = next(
        s for s, model_spec in rig.runs.spec(seen.run_id).model_specs.items() if model_spec == model_specs[best.seat]
    )
    blind = {note.body["voice"]: note.body["answer"] for note in seen.proceedings.notes if note.kind == "blind"}
    assert found.control.single == blind[seat]


def test_an_open_question_without_options_asks_nobody_and_is_not_comparable(rig, judged, controlled):
    made = build_spec(DebateRequest(protocol="structured", question=OPEN, model="improviser"), {})
    rig.control.enter_here(made)
    rig.worker.start(made.run_id)
    run_id = rig.ended(made.run_id).run_id
    judged(run_id)
    assert (controlled(run_id).report.calls, judgement(rig.runs, run_id).control.comparable) == (0, False)
