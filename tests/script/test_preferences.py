"""An answer that could be better goes back, a note once and a turn while it may; one that can be used is never lost."""

import pytest

from hustings.errors import SeatFailed
from hustings.script.calls import Reply
from hustings.script.forms import Form, Speech
from hustings.script.moves import Brief, or_none

from .stages import play, saying, turns

DECLINED = [Reply("", "2026-01-01T00:01:00.000Z", fault=fault) for fault in ("refused", "filtered")]
OFF, SHORT, LONG = "no JSON at all", '{"why": "so"}', '{"why": "so it is, and here is why"}'
OTHER = '{"why": "as"}'


class Reason(Form):
    why: str


def at_length(reason):
    return [] if len(reason.why) > 10 else ["say more"]


def without_doubt(reason):
    return ["leave out the doubt"] if "perhaps" in reason.why else []


BETTER = Brief("reason", Reason, "Why?").preferring(at_length)


def thought(*answers, brief=BETTER, retries=0):
    """What came of it, and how often the seat was asked."""

    async def script(stage, a, b, c):
        return await stage.consult(a, brief)

    driver, stage, waves = play(script, saying(*answers), retries=retries)
    return driver, stage, len(waves)


def taken(*answers, **more):
    driver, _, asked = thought(*answers, **more)
    return driver.result.why, asked


def test_a_note_that_could_not_be_better_is_taken_at_once():
    assert taken(LONG) == ("so it is, and here is why", 1)


def test_a_note_that_could_be_better_goes_back_and_a_better_one_is_taken():
    assert taken(SHORT, LONG) == ("so it is, and here is why", 2)


def test_the_seat_is_told_what_would_be_better():
    driver, _, _ = thought(SHORT, LONG)
    assert [event.complaints for event in driver.events if event.kind == "attempt_rejected"] == [("say more",)]


def test_a_note_that_is_no_better_the_second_time_stands():
    assert taken(SHORT, OTHER) == ("as", 2)


@pytest.mark.parametrize("retries", [0, 1, 2])
def test_a_preference_sends_a_note_back_only_once(retries):
    assert taken(SHORT, OTHER, retries=retries) == ("as", 2)


@pytest.mark.parametrize("second", [OFF, "", SeatFailed("gone"), *DECLINED])
def test_if_the_second_answer_is_unusable_the_first_stands(second):
    assert taken(SHORT, second) == ("so", 2)


@pytest.mark.parametrize("second", [OFF, SeatFailed("gone")])
def test_an_answer_that_stands_in_the_end_is_noted_without_trouble(second):
    _, stage, _ = thought(SHORT, second)
    assert [(note.kind, note.body) for note in stage.recorder.notes] == [("reason", {"why": "so"})]


def test_an_unusable_second_answer_goes_back_while_attempts_are_left():
    assert taken(SHORT, OFF, LONG, retries=2) == ("so it is, and here is why", 3)


def test_when_all_attempts_are_spent_the_first_answer_stands():
    assert taken(SHORT, OFF, OFF, retries=2) == ("so", 3)


def test_an_answer_that_breaks_a_rule_is_not_measured_by_preferences():
    strict = BETTER.under(lambda reason: ["not that word"] if reason.why == "so" else [])
    driver, _, _ = thought(SHORT, LONG, brief=strict)
    assert [event.complaints for event in driver.events if event.kind == "attempt_rejected"] == [("not that word",)]


def test_an_answer_that_was_sent_back_for_a_rule_is_not_sent_back_for_a_preference():
    assert taken(OFF, SHORT, retries=2) == ("so", 2)


def test_preferences_add_up():
    both = BETTER.preferring(without_doubt)
    driver, _, _ = thought('{"why": "perhaps"}', LONG, brief=both)
    (event,) = [event for event in driver.events if event.kind == "attempt_rejected"]
    assert event.complaints == ("say more", "leave out the doubt")


def said(*answers, retries=2):
    """The one turn that came of it, and what was sent back."""

    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.ask(a, BETTER)

    driver, stage, _ = play(script, saying(*answers), retries=retries)
    return turns(stage)[0], [event.complaints for event in driver.events if event.kind == "attempt_rejected"]


def statuses(turn):
    return [attempt.status for attempt in turn.attempts]


def test_a_turn_goes_back_for_a_preference_while_attempts_are_left_and_then_stands():
    turn, rejected = said(SHORT, SHORT, OTHER)
    assert (statuses(turn), turn.attempts[-1].content) == (["retry", "retry", "ok"], OTHER)
    assert rejected == [("say more",)] * 2


def test_without_retries_a_turn_stands_as_it_is():
    assert statuses(said(SHORT, retries=0)[0]) == ["ok"]


@pytest.mark.parametrize("last", [OFF, "", SeatFailed("gone"), *DECLINED])
def test_a_turn_that_could_be_used_stands_if_no_better_one_comes(last):
    turn, rejected = said(SHORT, last, retries=1)
    assert (statuses(turn), turn.attempts[-1].content) == (["retry", "retry", "ok"], SHORT)
    assert (turn.turn_outcome, len(rejected)) == ("success", 2)


def test_a_better_answer_that_never_came_is_told_with_its_reason():
    _, rejected = said(SHORT, SeatFailed("gone"), retries=1)
    assert rejected == [("say more",), ("no answer came: gone",)]


def test_an_attempt_that_stands_after_all_says_which_one_it_was():
    turn, _ = said(SHORT, OTHER, OFF)
    assert turn.attempts[-1].diagnostics.error_message == "attempt 2 stands, as no better answer came"


def test_a_turn_that_could_never_be_used_is_lost_all_the_same():
    async def script(stage, a, b, c):
        with stage.round("x"):
            await or_none(stage.ask(a, BETTER))

    _, stage, _ = play(script, saying(OFF, OFF), retries=1)
    assert statuses(turns(stage)[0]) == ["retry", "failed"]


def test_a_brief_on_another_form_prefers_nothing():
    driver, _, asked = thought("so", brief=BETTER.answered_on(Speech))
    assert (driver.result.text, asked) == ("so", 1)
