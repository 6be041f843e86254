"""What is wrong with a reply is told before its question ends without an answer, so that a run can pause instead."""

from dataclasses import replace

import pytest

from hustings.errors import SeatFailed
from hustings.llm.improviser import clock
from hustings.script.calls import Reply
from hustings.script.forms import Form
from hustings.script.moves import Brief, or_none

from .stages import put_on, saying


class Vote(Form):
    yes: bool


def no_doubt(vote):
    return [] if vote.yes else ["only yes will do"]


VOTE = Brief("vote", Vote, "Vote.").under(no_doubt)
ON_RECORD, OFF_RECORD = "on the record", "a note"
OFF_FORM, BROKEN_RULE, FINE = "yes!", '{"yes": false}', '{"yes": true}'


def asked(where=ON_RECORD, *, brief=VOTE, retries=1):
    """A debate in which seat a is asked to vote."""

    async def script(stage, a, b, c):
        if where == OFF_RECORD:
            return await or_none(stage.consult(a, brief))
        with stage.round("x"):
            return await or_none(stage.ask(a, brief))

    driver, _ = put_on(script, retries=retries)
    return driver


def reply(driver, text, **more):
    return Reply(text, clock(driver.calls[0]), **more)


def answer(driver, text, **more):
    driver.resume([reply(driver, text, **more)])


def unusable(driver, text, **more):
    """Complaints about a reply to the only call, if it may be the last."""
    (call,) = driver.calls
    complaints = driver.unusable([reply(driver, text, **more)])
    assert set(complaints) <= {call.key}
    return complaints.get(call.key, ())


@pytest.mark.parametrize("where", [ON_RECORD, OFF_RECORD])
@pytest.mark.parametrize(("text", "complaint"), [(BROKEN_RULE, "only yes will do"), ("", "the answer is empty")])
def test_a_last_reply_that_will_not_do_is_unusable(where, text, complaint):
    driver = asked(where)
    answer(driver, OFF_FORM)
    assert unusable(driver, text) == (complaint,)


def test_a_last_reply_that_broke_off_is_unusable():
    driver = asked()
    answer(driver, OFF_FORM)
    assert unusable(driver, FINE, fault="truncated") == ("the answer broke off before its end; make it shorter",)


def test_a_last_reply_that_will_do_is_usable():
    driver = asked()
    answer(driver, OFF_FORM)
    assert unusable(driver, FINE) == ()


@pytest.mark.parametrize("where", [ON_RECORD, OFF_RECORD])
def test_a_seat_that_may_try_again_has_no_unusable_reply(where):
    assert unusable(asked(where), OFF_FORM) == ()


def test_without_retries_a_note_may_be_put_right_once():
    driver = asked(OFF_RECORD, retries=0)
    assert unusable(driver, BROKEN_RULE) == ()
    answer(driver, BROKEN_RULE)
    assert unusable(driver, BROKEN_RULE) == ("only yes will do",)


def test_without_retries_every_turn_stands():
    assert unusable(asked(retries=0), OFF_FORM) == ()


@pytest.mark.parametrize("fault", ["refused", "filtered"])
def test_a_seat_that_declines_has_no_unusable_reply(fault):
    driver = asked()
    answer(driver, OFF_FORM)
    assert unusable(driver, "", fault=fault) == ()


def test_a_seat_that_gives_no_reply_has_no_unusable_one():
    driver = asked()
    answer(driver, OFF_FORM)
    assert driver.unusable([SeatFailed("a left")]) == {}


def test_what_a_debate_can_do_without_is_not_unusable():
    driver = asked(OFF_RECORD, brief=replace(VOTE, optional=True))
    answer(driver, OFF_FORM)
    assert unusable(driver, OFF_FORM) == ()


def test_an_answer_that_stands_if_no_better_one_comes_leaves_nothing_unusable():
    driver = asked(brief=VOTE.preferring(lambda _: ["say why"]))
    answer(driver, FINE)
    assert unusable(driver, OFF_FORM) == ()


def test_asking_whether_a_reply_is_unusable_changes_nothing():
    driver = asked()
    answer(driver, OFF_FORM)
    (before,) = driver.calls
    unusable(driver, BROKEN_RULE)
    assert driver.calls == [before]
    answer(driver, FINE)
    assert driver.result.yes


def test_complaints_are_told_by_the_key_of_the_call():
    async def script(stage, a, b, c):
        with stage.round("x"):
            return await stage.together(*(or_none(stage.ask(seat, VOTE)) for seat in (a, b, c)))

    driver, _ = put_on(script, retries=1)
    driver.resume([saying(OFF_FORM)(call) for call in driver.calls])
    words = (BROKEN_RULE, FINE, "")
    replies = [Reply(text, clock(call)) for text, call in zip(words, driver.calls, strict=True)]
    first, _, last = (call.key for call in driver.calls)
    assert driver.unusable(replies) == {first: ("only yes will do",), last: ("the answer is empty",)}


# -- a model that takes the seat -----------------------------------------------------------


def test_a_model_that_takes_the_seat_has_all_attempts_anew():
    driver = asked()
    answer(driver, OFF_FORM)
    assert unusable(driver, OFF_FORM, player="another") == ()


def test_the_last_attempt_of_a_model_that_took_the_seat_can_be_unusable():
    driver = asked()
    answer(driver, OFF_FORM)
    answer(driver, OFF_FORM, player="another")
    assert unusable(driver, BROKEN_RULE, player="another") == ("only yes will do",)


def test_a_turn_keeps_the_attempts_of_all_models_that_had_the_seat():
    driver = asked()
    answer(driver, OFF_FORM)
    answer(driver, OFF_FORM, player="another")
    answer(driver, FINE, player="another")
    (entered,) = (event.turn for event in driver.events if event.kind == "turn_entered")
    assert [attempt.status for attempt in entered.attempts] == ["retry", "retry", "ok"]
