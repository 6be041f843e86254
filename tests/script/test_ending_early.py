"""A debate that ends with the answers of a wave: `resume(replies, last=…)`."""

import pytest

from hustings.errors import SeatFailed, Unsuitable
from hustings.script.calls import Reply
from hustings.transcript.events import EVENT, HumanAwaited
from hustings.transcript.notes import BudgetStopped, Failed

from .stages import SPEAK, START, put_on, rounds, turns

BROKE = BudgetStopped(spent=1.0, cap=1.0)


async def two_rounds(stage, a, b, _):
    for name in ("one", "two"):
        with stage.round(name):
            await stage.together(stage.ask(a, SPEAK), stage.ask(b, SPEAK))
    return "done"


async def raising(stage, a, _, __):
    with stage.round("one"):
        await stage.ask(a, SPEAK)
    return 1 // 0


def said(*texts):
    return [Reply(text, START) for text in texts]


def test_the_answers_of_the_last_wave_are_entered():
    driver, stage = put_on(two_rounds)
    driver.resume(said("x", "y"), last=BROKE)
    assert ([turn.said for turn in turns(stage)], driver.ending) == (["x", "y"], BROKE)


def test_nobody_is_asked_after_the_last_wave():
    driver, _ = put_on(two_rounds)
    driver.resume(said("x", "y"), last=BROKE)
    assert (driver.calls, [e.kind for e in driver.events].count("turn_begun")) == ([], 2)


def test_a_round_that_was_over_stays_complete():
    driver, stage = put_on(two_rounds)
    driver.resume(said("x", "y"), last=BROKE)
    assert rounds(stage)[0].round_status == "complete"


def test_an_answer_that_would_be_sent_back_is_not_asked_again():
    driver, stage = put_on(two_rounds, retries=1)
    driver.resume([Reply("x", START), Reply("", START, fault="empty")], last=BROKE)
    assert (driver.ending, driver.calls, rounds(stage)[0].round_status) == (BROKE, [], "aborted")


def test_the_end_is_that_of_the_wave_even_if_a_seat_failed_in_it():
    driver, _ = put_on(two_rounds)
    driver.resume([Reply("x", START), SeatFailed("gone")], last=BROKE)
    assert driver.ending == BROKE


def test_the_end_is_that_of_the_wave_even_if_the_script_was_over():
    driver, _ = put_on(two_rounds)
    driver.resume(said("x", "y"))
    driver.resume(said("x", "y"), last=BROKE)
    assert (driver.ending, driver.result) == (BROKE, "done")


def test_a_script_that_falls_over_can_be_stopped_with_what_was_said():
    driver, stage = put_on(raising)
    with pytest.raises(ZeroDivisionError):
        driver.resume(said("x"))
    driver.stop(Failed(code="ZeroDivisionError"))
    assert (len(turns(stage)), driver.ending.code, driver.calls) == (1, "ZeroDivisionError", [])


def test_nothing_can_be_handed_in_after_the_end():
    driver, _ = put_on(two_rounds)
    driver.resume(said("x", "y"), last=BROKE)
    with pytest.raises(Unsuitable):
        driver.resume([], last=BROKE)


def test_the_end_is_told_once():
    driver, _ = put_on(two_rounds)
    driver.resume(said("x", "y"), last=BROKE)
    driver.stop(Failed(code="later"))
    assert [e.ending for e in driver.events if e.kind == "debate_ended"] == [BROKE]


def test_whoever_shows_a_question_to_a_person_finds_all_of_it_in_the_event():
    form = {"type": "object", "properties": {"stand": {"type": "string"}}}
    event = HumanAwaited(address="000.0 pro opening", seat="pro", key="000.0 pro opening #1", task="Speak.", form=form)
    assert EVENT.validate_json(event.model_dump_json()) == event


def test_a_question_in_plain_words_has_no_form():
    assert HumanAwaited(address="000.0 pro opening", seat="pro").form is None
