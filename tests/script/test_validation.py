"""Attempts, complaints, and what becomes of an answer that will not do."""

import pytest
from pydantic import Field

from hustings.errors import Malformed, OutOfOrder, SeatFailed, Unsuitable
from hustings.script.calls import Reply
from hustings.script.forms import MAX_ANSWER, Form, Link, SeatId
from hustings.script.moves import Brief, or_none
from hustings.transcript.notes import Remark
from hustings.transcript.rules import check_document

from .stages import SPEAK, THINK, improvise, play, put_on, rounds, saying, turns

LONG = SPEAK.under(lambda speech: [] if len(speech.text) > 10 else ["too short"])


class Vote(Form):
    yes: bool


class Pick(Form):
    who: SeatId


VOTE = Brief("vote", Vote, "Vote.")


async def one_long_speech(stage, a, b, c):
    with stage.round("x"):
        return await stage.ask(a, LONG)


async def one_vote(stage, a, b, c):
    with stage.round("x"):
        return await stage.ask(a, VOTE)


async def one_thought(stage, a, b, c):
    return await stage.consult(a, VOTE)


def attempts(stage):
    return [(attempt.status, attempt.content) for attempt in turns(stage)[0].attempts]


def test_what_was_left_out_of_an_answer_stands_in_its_attempt():
    _, stage, _ = play(one_vote, saying('{"yes": true, "reasoning": "I kept to the form."}'))
    (attempt,) = turns(stage)[0].attempts
    assert (attempt.status, attempt.diagnostics.error_message) == ("ok", "left out: reasoning: no such field")
    assert not check_document(stage.recorder.record.transcript.document())


def test_what_was_left_out_of_a_note_stands_in_a_note_beside_it():
    _, stage, _ = play(one_thought, saying('{"yes": true, "reasoning": "I kept to the form."}'))
    thought, note = stage.recorder.notes
    assert (thought.body, note.kind, note.body["left_out"]) == ({"yes": True}, "left_out", ["reasoning: no such field"])


# -- with retries ------------------------------------------------------------------------


def test_a_broken_rule_costs_an_attempt():
    driver, stage, waves = play(one_long_speech, saying("short", "long enough by now"), retries=1)
    assert driver.result.text == "long enough by now"
    assert waves == [["000.0 a speech"], ["001.0 a speech"]]
    assert attempts(stage) == [("retry", "short"), ("ok", "long enough by now")]
    assert turns(stage)[0].attempts[0].diagnostics.error_type == "rule"


def test_the_seat_is_told_what_was_wrong_and_what_it_said():
    asked = []

    def watching(call):
        asked.append((call.complaints, call.rejected))
        return saying("short")(call) if len(asked) == 1 else saying("long enough by now")(call)

    play(one_long_speech, watching, retries=1)
    assert asked == [((), ""), (("too short",), "short")]


def test_an_answer_off_its_form_goes_back_with_the_reason():
    driver, stage, _ = play(one_vote, saying("yes!", '{"yes": 1}', '{"yes": true}'), retries=2)
    assert driver.result.yes is True
    errors = [attempt.diagnostics for attempt in turns(stage)[0].attempts[:2]]
    assert [e.error_type for e in errors] == ["form", "form"]
    assert "yes: must be true or false" in errors[1].error_message


@pytest.mark.parametrize(("answers", "error"), [(("short",) * 2, OutOfOrder), (("",) * 2, Malformed)])
def test_a_seat_that_never_does_is_lost_and_the_script_is_told(answers, error):
    driver, stage, _ = play(one_long_speech, saying(*answers), retries=1)
    assert driver.ending.code == error.__name__
    assert [status for status, _ in attempts(stage)] == ["retry", "failed"]
    assert rounds(stage)[0].round_status == "partial"


def test_a_lost_turn_is_read_by_nobody():
    seen = []

    async def script(stage, a, b, c):
        with stage.round("x"):
            await or_none(stage.ask(a, LONG))
            await stage.ask(b, SPEAK)

    def watching(call):
        seen.append([turn.speaker_id for turn in call.knowledge.turns])
        return saying("short")(call) if call.seat.id == "a" else improvise(call)

    play(script, watching, retries=1)
    assert seen[-1] == []


def test_a_seat_that_does_not_answer_has_a_lost_turn_and_an_excuse():
    driver, stage, _ = play(one_long_speech, saying(SeatFailed("a left")), retries=1)
    assert driver.ending.code == "SeatFailed"
    assert attempts(stage) == [("failed", "")]
    assert turns(stage)[0].turn_outcome == "timeout"
    assert stage.recorder.record.transcript.participant_state_log[0].reason == "a left"


def test_attempts_of_one_wave_have_addresses_of_their_own():
    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.together(stage.ask(a, LONG), stage.ask(b, SPEAK))

    _, _, waves = play(script, saying("short", "b speaks at length", "now long enough"), retries=1)
    assert waves == [["000.0 a speech", "000.1 b speech"], ["001.0 a speech"]]


# -- without -----------------------------------------------------------------------------


def test_without_retries_a_broken_rule_was_said_and_is_noted():
    driver, stage, _ = play(one_long_speech, saying("short"))
    assert driver.result.text == "short"
    assert attempts(stage) == [("ok", "short")]
    assert [(n.kind, n.by, n.body["complaints"]) for n in stage.recorder.notes] == [
        ("violation", "rules", ["too short"])
    ]


def test_without_retries_words_off_the_form_were_said_but_are_no_answer():
    driver, stage, _ = play(one_vote, saying("I vote yes"))
    assert driver.ending.code == "Malformed"
    assert attempts(stage) == [("ok", "I vote yes")]
    assert [note.kind for note in stage.recorder.notes] == ["unparsed"]


def test_without_retries_a_refusal_was_said_but_is_no_answer():
    refusal = Reply("I would rather not", "2026-01-01T00:01:00.000Z", fault="refused")
    driver, stage, _ = play(one_long_speech, lambda call: refusal)
    assert driver.ending.code == "Malformed"
    assert attempts(stage) == [("ok", "I would rather not")]
    assert stage.recorder.notes[0].body["why"] == "refused"


@pytest.mark.parametrize("silence", ["", "  \n", SeatFailed("a left")])
def test_without_retries_silence_leaves_no_turn_but_an_excuse(silence):
    driver, stage, _ = play(one_long_speech, saying(silence))
    assert driver.ending.kind == "failed"
    assert turns(stage) == []
    assert [state.agent_id for state in stage.recorder.record.transcript.participant_state_log] == ["a"]
    assert rounds(stage)[0].round_status == "partial"


# -- thoughts ----------------------------------------------------------------------------


def test_a_thought_may_always_be_mended_once():
    driver, stage, waves = play(one_thought, saying("hm", '{"yes": false}'))
    assert driver.result.yes is False
    assert len(waves) == 2
    assert [note.kind for note in stage.recorder.notes] == ["vote"]


def test_a_thought_that_cannot_be_mended_is_an_abstention():
    driver, stage, _ = play(one_thought, saying("hm", "hm"))
    assert driver.ending.code == "Malformed"
    assert [(note.kind, note.body["brief"]) for note in stage.recorder.notes] == [("failure", "vote")]


def test_a_thought_is_read_by_its_author_and_those_it_is_meant_to_reach():
    read = {}

    async def script(stage, a, b, c):
        await stage.consult(b, THINK, to=[c])
        for seat in (a, b, c):
            await stage.consult(seat, VOTE)

    def watching(call):
        read[call.seat.id] = [note.kind for note in call.knowledge.private]
        return improvise(call)

    play(script, watching)
    assert read == {"a": [], "b": ["thought"], "c": ["thought"]}


def test_a_thought_replaces_the_one_before_it_about_the_same_thing():
    read = []

    async def script(stage, a, b, c):
        for _ in range(3):
            await stage.consult(a, THINK)

    def watching(call):
        read.append([note.note_id for note in call.knowledge.private])
        return improvise(call)

    play(script, watching)
    assert read == [[], ["n0"], ["n1"]]


# -- what follows from an answer ---------------------------------------------------------


def test_a_form_is_noted_as_it_was_read():
    _, stage, _ = play(one_vote, saying('{"yes": true}'))
    assert turns(stage)[0].said == "yes: yes"
    assert turns(stage)[0].attempts[0].content == '{"yes": true}'
    assert [(note.kind, note.body) for note in stage.recorder.notes] == [("form", {"yes": True})]


def test_a_choice_outside_those_offered_breaks_a_rule():
    async def script(stage, a, b, c):
        return await stage.consult(a, Brief("pick", Pick, "Pick.").offering(seat=["b", "c"]))

    driver, _, _ = play(script, saying('{"who": "ghost"}', '{"who": "c"}'))
    assert driver.result.who == "c"


def test_what_code_concludes_is_noted_beside_the_answer():
    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.ask(a, SPEAK.noting(lambda speech: [Remark("penalty", {"points": -2})]))

    driver, stage, _ = play(script)
    assert [(n.kind, n.by, n.about[0].turn_id) for n in stage.recorder.notes] == [("penalty", "rules", "r1.t0")]
    assert "penalty_given" in [event.kind for event in driver.events]


def test_a_link_leads_to_the_last_turn_that_the_speaker_knew():
    async def script(stage, a, b, c):
        for n in range(2):
            with stage.round(f"{n}"):
                await stage.ask(a, SPEAK)
        with stage.round("answer"):
            await stage.ask(
                b, SPEAK.linking(lambda _: [Link(seat="a", move="refute"), Link(seat="ghost"), Link(claim="X-1")])
            )

    _, stage, _ = play(script)
    (address,) = turns(stage)[-1].addresses
    assert (address.target_agent_id, address.target_turn_id, address.move) == ("a", "r2.t0", "refute")


# -- answers that nobody could keep -------------------------------------------------------


def test_half_a_character_is_kept_as_its_escape():
    _, stage, _ = play(one_long_speech, saying("a long speech\ud800 and its end"))
    assert turns(stage)[0].said == "a long speech\\ud800 and its end"


@pytest.mark.parametrize("retries", [0, 1])
def test_of_an_endless_answer_only_so_much_is_kept(retries):
    asked = []

    def endless(call):
        asked.append(call.rejected)
        return saying("word " * MAX_ANSWER)(call)

    _, stage, _ = play(one_long_speech, endless, retries=retries)
    assert [len(attempt.content) for attempt in turns(stage)[0].attempts] == [MAX_ANSWER] * (retries + 1)
    assert max(map(len, asked)) <= 4_000
    assert check_document(stage.recorder.record.transcript.document()) == []


def test_white_space_is_no_answer_to_a_field():
    class Reason(Form):
        why: str = Field(min_length=3)

    async def script(stage, a, b, c):
        return await stage.consult(a, Brief("reason", Reason, "Why?"))

    driver, _, _ = play(script, saying('{"why": "      "}', '{"why": " so it is "}'))
    assert driver.result.why == "so it is"


@pytest.mark.parametrize("fault", ["refused", "filtered"])
def test_whoever_declines_is_not_asked_again(fault):
    declined = Reply("", "2026-01-01T00:01:00.000Z", fault=fault)
    driver, stage, waves = play(one_long_speech, lambda call: declined, retries=2)
    assert driver.ending.code == "Malformed"
    assert len(waves) == 1
    assert turns(stage)[0].attempts[0].diagnostics.error_type == fault


def test_a_refusal_without_words_is_an_absence_with_its_reason():
    declined = Reply("", "2026-01-01T00:01:00.000Z", fault="refused")
    _, stage, _ = play(one_long_speech, lambda call: declined)
    assert stage.recorder.record.transcript.participant_state_log[0].reason == "the seat declined to answer"
    assert [(note.kind, note.body["why"]) for note in stage.recorder.notes] == [("unparsed", "refused")]


# -- interventions -----------------------------------------------------------------------


def test_an_intervention_reaches_the_seat_before_it_next_speaks_and_stands_in_the_record():
    asked = {}

    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.ask(a, SPEAK)
            await stage.ask(b, SPEAK)
            await stage.ask(c, SPEAK)

    driver, stage = put_on(script, retries=1)
    driver.intervene("a", "Mind the question.")
    driver.intervene("c", "Be kind.")
    while calls := driver.calls:
        asked |= {call.seat.id: call.instructions for call in calls}
        driver.resume([improvise(call) for call in calls])
    assert asked == {"a": ("Mind the question.",), "b": (), "c": ("Be kind.",)}
    applied = [turn.attempts[0].interventions_applied for turn in turns(stage)]
    assert [some and some[0].intervention_id for some in applied] == ["iv0", None, "iv1"]
    assert check_document(stage.recorder.record.transcript.document()) == []


def test_an_intervention_after_the_question_went_out_waits_for_the_next():
    async def script(stage, a, b, c):
        for n in range(2):
            with stage.round(f"{n}"):
                await stage.ask(a, SPEAK)

    driver, stage = put_on(script, retries=1)
    assert driver.calls[0].instructions == ()
    driver.intervene("a", "Mind the question.")
    driver.resume([improvise(driver.calls[0])])
    assert driver.calls[0].instructions == ("Mind the question.",)
    driver.resume([improvise(driver.calls[0])])
    assert [bool(turn.attempts[0].interventions_applied) for turn in turns(stage)] == [False, True]
    assert check_document(stage.recorder.record.transcript.document()) == []


def test_nobody_can_intervene_when_it_is_over():
    driver, _, _ = play(one_long_speech, saying("long enough by now"), retries=1)
    with pytest.raises(Unsuitable, match="over"):
        driver.intervene("a", "Mind the question.")


def test_a_debate_without_retries_takes_no_interventions():
    driver, _ = put_on(one_long_speech)
    with pytest.raises(Unsuitable, match="retries"):
        driver.intervene("a", "Mind the question.")


# -- keys --------------------------------------------------------------------------------


def test_another_question_at_the_same_address_has_another_key():
    async def reworded(stage, a, b, c):
        with stage.round("x"):
            await stage.ask(a, Brief("speech", LONG.form, "Speak up."))

    first, second = put_on(one_long_speech)[0].calls[0], put_on(reworded)[0].calls[0]
    assert first.address == second.address
    assert first.key != second.key
    assert first.key.startswith("000.0 a speech #")


def test_another_history_at_the_same_address_has_another_key():
    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.ask(a, SPEAK)
            await stage.ask(b, SPEAK)

    keys = set()
    for words in ("one thing", "another thing"):
        driver, _ = put_on(script)
        driver.resume([saying(words)(driver.calls[0])])
        keys.add(driver.calls[0].key)
    assert len(keys) == 2


def test_the_clock_of_a_reply_is_utc_with_milliseconds():
    for wrong in ("2026-01-01T00:00:00Z", "2026-02-30T00:00:00.000Z", "2026-01-01T25:00:00.000Z"):
        with pytest.raises(ValueError, match="UTC, with milliseconds"):
            Reply("x", wrong)


def test_a_reply_that_comes_before_its_question_takes_the_time_of_the_question():
    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.ask(a, SPEAK)
            await stage.ask(b, SPEAK)

    clocks = iter(["2026-01-01T00:09:00.000Z", "2026-01-01T00:05:00.000Z"])
    _, stage, _ = play(script, lambda call: Reply("words", next(clocks)))
    assert [turn.attempts[0].timestamp[14:16] for turn in turns(stage)] == ["09", "09"]
