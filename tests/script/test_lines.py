"""Lines of a script: side by side, meanwhile, and to the end."""

import gc

import pytest

from hustings.errors import OffTheRecord, SeatFailed, Standstill, Unsuitable
from hustings.script.moves import or_none
from hustings.transcript.notes import Cancelled

from .stages import SPEAK, THINK, improvise, play, put_on, rounds, speakers


def without(*gone):
    """The improviser, but these seats are away."""
    return lambda call: SeatFailed(f"{call.seat} left") if call.seat.id in gone else improvise(call)


# -- together ----------------------------------------------------------------------------


def test_branches_of_several_moves_advance_in_step():
    async def twice(stage, seat):
        await stage.consult(seat, THINK)
        return await stage.consult(seat, THINK)

    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.together(twice(stage, a), stage.ask(b, SPEAK), twice(stage, c))

    _, _, waves = play(script)
    assert waves == [
        ["000.0 a thought", "000.1 b speech", "000.2 c thought"],
        ["001.0 a thought", "001.1 c thought"],
    ]


def test_branches_are_blind_to_each_other_to_their_end():
    seen = {}

    async def twice(stage, seat):
        await stage.ask(seat, SPEAK)
        await stage.consult(seat, THINK)

    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.ask(c, SPEAK)
            await stage.together(twice(stage, a), twice(stage, b))
            await stage.consult(c, THINK)

    def watching(call):
        seen[call.address] = [turn.speaker_id for turn in call.knowledge.turns]
        return improvise(call)

    play(script, watching)
    assert seen == {
        "000.0 c speech": [],
        "001.0 a speech": ["c"],
        "001.1 b speech": ["c"],
        "002.0 a thought": ["c", "a"],
        "002.1 b thought": ["c", "b"],
        "003.0 c thought": ["c", "a", "b"],
    }


def test_a_branch_inside_a_branch_knows_what_its_own_line_said():
    seen = {}

    async def inner(stage, seat):
        await stage.consult(seat, THINK)

    async def outer(stage, a, b):
        await stage.ask(a, SPEAK)
        await stage.together(inner(stage, a), inner(stage, b))

    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.together(outer(stage, a, b), stage.ask(c, SPEAK))

    def watching(call):
        seen[call.address] = [turn.speaker_id for turn in call.knowledge.turns]
        return improvise(call)

    play(script, watching)
    assert seen["001.0 a thought"] == seen["001.1 b thought"] == ["a"]


def test_a_failure_in_one_branch_lets_the_wave_finish_and_calls_off_the_rest():
    cleaned = []

    async def twice(stage, seat):
        try:
            await stage.ask(seat, SPEAK)
            await stage.consult(seat, THINK)
        finally:
            cleaned.append(seat.id)

    async def script(stage, a, b, c):
        with stage.round("x"):
            try:
                await stage.together(twice(stage, a), twice(stage, b), twice(stage, c))
            except SeatFailed as failure:
                return str(failure)

    driver, stage, waves = play(script, without("b"))
    assert driver.result == "b left"
    assert speakers(stage) == ["a", "c"]
    assert len(waves) == 1
    assert cleaned == ["b", "a", "c"]


def test_of_several_failures_the_first_in_order_is_thrown():
    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.together(stage.ask(a, SPEAK), stage.ask(b, SPEAK), stage.ask(c, SPEAK))

    driver, _, _ = play(script, without("b", "c"))
    assert driver.ending.reason == "b left"


def test_who_wants_survivors_catches_inside_the_part():
    async def script(stage, a, b, c):
        with stage.round("x"):
            heard = await stage.together(*(or_none(stage.ask(seat, SPEAK)) for seat in (a, b, c)))
        return [speech is not None for speech in heard]

    driver, _, _ = play(script, without("b"))
    assert driver.result == [True, False, True]


# -- meanwhile ---------------------------------------------------------------------------


def test_an_aside_joins_the_next_wave():
    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.ask(a, SPEAK)
            stage.meanwhile(stage.consult(c, THINK))
            await stage.ask(b, SPEAK)

    _, stage, waves = play(script)
    assert waves == [["000.0 a speech"], ["001.0 b speech", "001.1 c thought"]]
    assert stage.recorder.notes[0].after_turn == "r1.t0"


def test_an_aside_sees_the_debate_as_it_stood_when_it_began():
    seen = []

    async def long_aside(stage, seat):
        for _ in range(3):
            await stage.consult(seat, THINK)

    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.ask(a, SPEAK)
            stage.meanwhile(long_aside(stage, c))
            await stage.ask(b, SPEAK)

    def watching(call):
        if call.seat.id == "c":
            seen.append([turn.speaker_id for turn in call.knowledge.turns])
        return improvise(call)

    play(script, watching)
    assert seen == [["a"]] * 3


def test_a_script_can_wait_for_its_aside():
    async def script(stage, a, b, c):
        aside = stage.meanwhile(stage.consult(c, THINK))
        with stage.round("x"):
            await stage.ask(a, SPEAK)
        return await aside

    driver, _, waves = play(script)
    assert driver.result.text.endswith("(000.1)")
    assert waves == [["000.0 a speech", "000.1 c thought"]]


def test_a_debate_ends_when_its_asides_have():
    async def script(stage, a, b, c):
        stage.meanwhile(stage.consult(c, THINK))
        return "over"

    driver, _, waves = play(script)
    assert (driver.result, waves) == ("over", [["000.0 c thought"]])


def test_an_aside_that_fails_is_noted_and_stops_nobody():
    async def script(stage, a, b, c):
        stage.meanwhile(stage.consult(c, THINK))
        with stage.round("x"):
            await stage.ask(a, SPEAK)

    driver, stage, _ = play(script, without("c"))
    assert driver.ending.kind == "played"
    assert speakers(stage) == ["a"]
    assert [(note.kind, note.body["error"]) for note in stage.recorder.notes] == [("failure", "c left")]


def test_who_waits_for_an_aside_that_failed_hears_of_it():
    async def script(stage, a, b, c):
        await stage.meanwhile(stage.consult(c, THINK))

    driver, _, _ = play(script, without("c"))
    assert driver.ending.reason == "c left"


def test_an_aside_of_an_aside_may_only_consult_either():
    async def inner(stage, seat):
        await stage.together(stage.consult(seat, THINK), stage.ask(seat, SPEAK))

    async def script(stage, a, b, c):
        with stage.round("x"):
            stage.meanwhile(inner(stage, c))
            await stage.ask(a, SPEAK)

    with pytest.raises(OffTheRecord, match="only consult"):
        play(script)


@pytest.mark.parametrize("how", ["say", "ask", "round"])
def test_an_aside_cannot_speak(how):
    async def speaking(stage, seat):
        if how == "say":
            stage.say(seat, "hear me")
        elif how == "ask":
            await stage.ask(seat, SPEAK)
        else:
            with stage.round("mine"):
                pass

    async def script(stage, a, b, c):
        with stage.round("x"):
            stage.meanwhile(speaking(stage, c))
            await stage.ask(a, SPEAK)

    with pytest.raises(OffTheRecord, match="only consult"):
        play(script)


def test_lines_that_wait_for_each_other_are_found_out():
    async def script(stage, a, b, c):
        asides = []

        async def wait_for(n):
            await asides[n]

        asides += [stage.meanwhile(wait_for(1)), stage.meanwhile(wait_for(0))]

    with pytest.raises(Standstill):
        put_on(script)


# -- the end -----------------------------------------------------------------------------


def test_a_failure_nobody_caught_ends_the_debate_as_failed_with_its_record():
    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.ask(a, SPEAK)
            await stage.ask(b, SPEAK)

    driver, stage, _ = play(script, without("b"))
    assert (driver.ending.kind, driver.ending.code, driver.ending.reason) == (
        "failed",
        "SeatFailed",
        "b left",
    )
    assert speakers(stage) == ["a"]
    assert rounds(stage)[0].round_status == "partial"
    assert driver.events[-1].kind == "debate_ended"


def test_asides_still_end_when_the_debate_has_failed():
    async def script(stage, a, b, c):
        stage.meanwhile(stage.consult(c, THINK))
        with stage.round("x"):
            await stage.ask(b, SPEAK)

    driver, stage, _ = play(script, without("b"))
    assert [note.kind for note in stage.recorder.notes] == ["thought"]
    assert [event.kind for event in driver.events][-2:] == ["note_taken", "debate_ended"]


def test_a_debate_that_is_stopped_keeps_its_record_and_aborts_its_round():
    async def script(stage, a, b, c):
        stage.meanwhile(stage.consult(c, THINK))
        with stage.round("x"):
            await stage.ask(a, SPEAK)
            await stage.ask(b, SPEAK)

    driver, stage = put_on(script)
    driver.resume([improvise(call) for call in driver.calls])
    driver.stop(Cancelled(by="somebody"))
    driver.stop(Cancelled(by="somebody else"))
    assert driver.calls == []
    assert driver.ending == Cancelled(by="somebody")
    assert speakers(stage) == ["a"]
    assert rounds(stage)[0].round_status == "aborted"


def test_an_error_in_a_script_leaves_no_coroutine_behind():
    async def aside(stage, seat):
        await stage.consult(seat, THINK)

    async def script(stage, a, b, c):
        stage.meanwhile(aside(stage, c))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        put_on(script)
    gc.collect()  # a coroutine nobody awaited would warn now, and warnings are errors


def test_words_to_some_are_not_read_by_others_of_the_same_branch():
    seen = {}

    async def part(stage, a, b):
        await stage.ask(a, SPEAK, to=[])
        await stage.ask(b, SPEAK)

    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.together(part(stage, a, b), stage.ask(c, SPEAK))

    def watching(call):
        seen[call.seat.id] = [turn.speaker_id for turn in call.knowledge.turns]
        return improvise(call)

    play(script, watching)
    assert seen["b"] == []


def test_a_branch_keeps_its_own_words_when_one_below_it_fails():
    seen = []

    async def part(stage, a, b):
        await or_none(stage.together(stage.ask(a, SPEAK), stage.ask(b, SPEAK)))
        await stage.consult(a, THINK)

    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.together(part(stage, a, b), stage.ask(c, SPEAK))

    def watching(call):
        if call.brief.name == "thought":
            seen.append([turn.speaker_id for turn in call.knowledge.turns])
        return without("b")(call)

    play(script, watching)
    assert seen == [["a"]]


def test_replies_are_taken_for_the_whole_wave_or_not_at_all():
    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.together(stage.ask(a, SPEAK), stage.ask(b, SPEAK))

    driver, stage = put_on(script)
    with pytest.raises(Unsuitable, match="2 calls wait for a reply each, but 1 came"):
        driver.resume([improvise(driver.calls[0])])
    driver.resume([improvise(call) for call in driver.calls])
    assert speakers(stage) == ["a", "b"]
    with pytest.raises(Unsuitable, match="over"):
        driver.resume([])
    assert driver.ending.kind == "played"
