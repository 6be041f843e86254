"""People tell speakers something while a debate goes on."""

import pytest

from hustings.db import activity, ledger
from hustings.engine.people import questions
from hustings.errors import NotFound, Unsuitable
from hustings.runs.fork import fork
from hustings.transcript.events import InterventionMade

from .rig import HUMAN


def interventions(seen):
    return [(each.speaker_id, each.instruction_sent) for each in seen.proceedings.transcript.intervention_log or ()]


def test_speakers_are_told_with_their_next_question_and_the_record_says_so(rig):
    made = rig.spec(rig.model_spec())
    assert rig.control.tell(made.run_id, " Speak of buses. ") == ["pro", "con"]
    rig.worker.start(made.run_id)
    seen = rig.ended(made.run_id)
    assert interventions(seen) == [("pro", "Speak of buses."), ("con", "Speak of buses.")]
    first = [turn.attempts[0].interventions_applied for turn in seen.proceedings.transcript.turns[:2]]
    assert [[one.intervention_id for one in applied] for applied in first] == [["iv0"], ["iv1"]]
    assert len([event for event in seen.events if isinstance(event, InterventionMade)]) == 2


def test_a_person_is_asked_with_what_was_told(rig):
    made = rig.spec(seats={"con": HUMAN})
    rig.control.tell(made.run_id, "Be brief.", "con")
    rig.worker.start(made.run_id)
    rig.wait_for(made.run_id, "human_awaited")
    rig.until(lambda: questions(rig.runs, made.run_id))
    (call,) = questions(rig.runs, made.run_id)
    assert call.instructions == ("Be brief.",)
    rig.control.steer(made.run_id, "cancel")
    rig.ended(made.run_id)


def test_who_told_it_stands_in_the_activity_log(rig):
    made = rig.spec()
    rig.control.tell(made.run_id, "Be brief.", "con")
    with rig.database.reading() as db:
        newest = activity.latest(db, 1, subject=made.run_id)[0]
    assert (newest.action, newest.detail) == ("seats told", "con")


@pytest.mark.parametrize("words", ["", "  ", "x" * 2_001, "a\0b"])
def test_words_that_say_nothing_or_too_much_are_refused(rig, words):
    with pytest.raises(Unsuitable, match="cannot be told"):
        rig.control.tell(rig.spec().run_id, words)


def test_a_seat_that_is_not_there_is_refused(rig):
    with pytest.raises(NotFound, match="no seat 'nobody'"):
        rig.control.tell(rig.spec().run_id, "Be brief.", "nobody")


def test_a_debate_without_retries_takes_no_word_from_outside(rig):
    with pytest.raises(Unsuitable, match="nobody can be told"):
        rig.control.tell(rig.spec(protocol="roundtable").run_id, "Be brief.")


def test_a_debate_that_is_over_hears_nothing(rig):
    run_id = rig.play().run_id
    with pytest.raises(Unsuitable, match="is over"):
        rig.control.tell(run_id, "Be brief.")


def test_a_fork_takes_over_what_was_told_and_pays_for_nothing_again(rig):
    made = rig.spec()
    rig.control.tell(made.run_id, "Speak of buses.")
    rig.worker.start(made.run_id)
    rig.ended(made.run_id)
    again = fork(rig.runs, made.run_id, turn="r2.t0")
    rig.control.enter_here(again)
    rig.worker.start(again.run_id)
    seen = rig.ended(again.run_id)
    assert interventions(seen) == [("pro", "Speak of buses."), ("con", "Speak of buses.")]
    with rig.database.reading() as db:
        mine, old = (ledger.answers(db, run_id) for run_id in (again.run_id, made.run_id))
    assert {key for key in old if key.startswith("000.")} <= mine.keys()


def test_what_was_told_goes_when_the_debate_goes(rig):
    made = rig.spec()
    rig.control.tell(made.run_id, "Be brief.")
    rig.worker.start(made.run_id)
    rig.ended(made.run_id)
    rig.control.forget(made.run_id)
    assert rig.runs.instructions(made.run_id) == []
