"""What the judging of a run came to, beside its control."""

import pytest

from hustings.core.outcome import Played
from hustings.evaluate.audits.control import AFTER
from hustings.run.judging import JudgingWish, commission_control, commission_judging
from hustings.run.verdicts import judgement, judging_of
from hustings.run.wish import Wish, draw_up
from hustings.store.caps import Caps
from tests.run.panels import judgement_in

OPEN = "How should towns close their centres to cars?"


@pytest.fixture
def argued(house):
    """A debate that is over, held by a model that counts its tokens."""
    return house.play(house.voice(model="llama-3")).run_id


@pytest.fixture
def audit(house):
    """Has a judging or a control of a run, to its end."""

    def have(commission, run_id, *more, **wish):
        old, record = house.runs.commission(run_id), house.runs.finished(run_id)
        made = commission(old, record, JudgingWish(**wish), {}, *more)
        house.control.enter(made)
        house.worker.start(made)
        return house.ended(made.run_id)

    return have


@pytest.fixture
def judged(audit):
    return lambda run_id, **wish: audit(commission_judging, run_id, judges=("improviser",), **wish)


@pytest.fixture
def controlled(house, audit):
    return lambda run_id, **wish: audit(commission_control, run_id, house.runs.read(run_id).tokens, **wish)


# -- which judging ---------------------------------------------------------------------------


def test_a_run_that_was_not_judged_has_no_judgement(house, argued):
    assert (judging_of(house.runs, argued), judgement(house.runs, argued)) == (None, None)


def test_a_judging_that_is_not_over_has_no_judgement(house, argued):
    old, record = house.runs.commission(argued), house.runs.finished(argued)
    made = commission_judging(old, record, JudgingWish(judges=("improviser",)), {})
    house.control.enter(made)
    assert (judging_of(house.runs, argued), judgement(house.runs, made.run_id)) == (None, None)


def test_of_several_judgings_the_latest_is_that_of_the_run(house, argued, judged):
    first, last = judged(argued), judged(argued, tier="standard")
    assert judging_of(house.runs, argued) == last.run_id
    assert [len(judgement(house.runs, run).panel) for run in (argued, first.run_id)] == [3, 1]


def test_a_judging_that_was_stopped_does_not_hide_one_that_was_not(house, argued, judged):
    whole = judged(argued)
    judged(argued, caps=Caps(calls=1))
    assert judging_of(house.runs, argued) == whole.run_id


def test_a_judging_that_was_stopped_is_that_of_the_run_if_there_is_no_other(house, argued, judged):
    stopped = judged(argued, caps=Caps(calls=1))
    assert judging_of(house.runs, argued) == stopped.run_id


def test_a_judging_is_that_of_itself(house, argued, judged):
    first, _ = judged(argued), judged(argued)
    assert judging_of(house.runs, first.run_id) == first.run_id


def test_of_a_control_it_is_the_judging_of_its_debate(house, argued, judged, controlled):
    seen = judged(argued)
    assert judging_of(house.runs, controlled(argued).run_id) == seen.run_id


def test_without_a_control_the_judgement_is_the_one_that_was_kept(house, argued, judged):
    seen = judged(argued)
    assert judgement(house.runs, argued) == judgement_in(seen)


# -- the control -----------------------------------------------------------------------------


def test_a_control_is_carried_out_to_its_end_and_comes_to_no_outcome(argued, controlled):
    seen = controlled(argued)
    assert (seen.ending, "outcome_reached" in seen.kinds) == (Played(), False)


@pytest.mark.parametrize("first", ["control", "judging"])
def test_a_control_stands_beside_the_judgement_whichever_came_first(house, argued, judged, controlled, first):
    for have in (controlled, judged) if first == "control" else (judged, controlled):
        have(argued)
    found = judgement(house.runs, argued)
    assert (found.control.comparable, found.briefing.without_debate != "") == (True, True)


def test_a_control_changes_nothing_else_of_a_judgement(house, argued, judged, controlled):
    kept = judgement_in(judged(argued))
    controlled(argued)
    found = judgement(house.runs, argued)
    without = {"control": None, "briefing": found.briefing.model_copy(update={"without_debate": ""})}
    assert found.model_copy(update=without) == kept


def test_the_debate_is_compared_with_as_many_tokens_as_it_took(house, argued, judged, controlled):
    judged(argued)
    seen = controlled(argued)
    paid = [event for event in seen.of("call_paid") if AFTER.name not in event.address]
    found = judgement(house.runs, argued).control
    assert found.debate_tokens == house.runs.read(argued).tokens > 0
    assert found.control_tokens == sum(event.tokens_in + event.tokens_out for event in paid) > 0


def test_reading_the_debate_again_is_no_part_of_what_the_control_took(house, argued, judged, controlled):
    judged(argued)
    seen = controlled(argued)
    assert judgement(house.runs, argued).control.control_tokens < seen.report.tokens


def test_the_latest_of_several_controls_counts(house, argued, judged, controlled):
    judged(argued)
    for options in (["now", "never"], ["soon", "late"]):
        controlled(argued, settings={"options": options})
    assert judgement(house.runs, argued).control.options == ("soon", "late")


def test_the_strongest_voice_is_that_of_the_argument_with_the_highest_score(house, judged, controlled):
    voices = {"pro": house.voice(model="llama-3"), "con": house.voice(model="qwen-3")}
    run_id = house.play(seats=voices).run_id
    judged(run_id)
    seen = controlled(run_id)
    found = judgement(house.runs, run_id)
    best = max(found.trace, key=lambda fate: fate.score)
    seat = next(s for s, voice in house.runs.commission(seen.run_id).model_specs.items() if voice == voices[best.seat])
    blind = {note.body["voice"]: note.body["answer"] for note in seen.proceedings.notes if note.kind == "blind"}
    assert found.control.single == blind[seat]


def test_an_open_question_without_options_asks_nobody_and_is_not_comparable(house, judged, controlled):
    made = draw_up(Wish(protocol="structured", topic=OPEN, model="improviser"), {})
    house.control.enter(made)
    house.worker.start(made)
    run_id = house.ended(made.run_id).run_id
    judged(run_id)
    assert (controlled(run_id).report.calls, judgement(house.runs, run_id).control.comparable) == (0, False)
