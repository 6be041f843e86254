"""What a script may and may not do, and what the driver makes of it."""

import asyncio
import gc

import pytest

from hustings.core.errors import NotAMove, OffTheRecord, RoundError, SeatFailed, Standstill, UnknownSeat
from hustings.core.moves import Move, or_none
from hustings.core.outcome import Cancelled
from tests.core.stagecraft import SPEAK, THINK, improvise, play, put_on, rounds, speakers, turns


def without(*gone):
    """The improviser, but these seats are away."""
    return lambda call: SeatFailed(f"{call.seat} left") if call.seat.id in gone else improvise(call)


# -- no I/O ------------------------------------------------------------------------------


@pytest.mark.parametrize("forbidden", [lambda: asyncio.sleep(0.01), lambda: asyncio.gather(asyncio.sleep(0))])
def test_a_script_cannot_do_io(forbidden):
    async def script(stage, a, b, c):
        await forbidden()

    async def on_a_loop():
        put_on(script)

    with pytest.raises(NotAMove, match="moves only"):
        asyncio.run(on_a_loop())


def test_the_line_that_awaited_something_else_is_named():
    async def inner():
        await asyncio.sleep(0)

    async def script(stage, a, b, c):
        await inner()

    line = inner.__code__.co_firstlineno + 1
    with pytest.raises(NotAMove, match=rf"test_scripts\.py, line {line}, in inner"):
        put_on(script)


def test_a_branch_that_awaits_something_else_is_named_too():
    async def branch():
        await asyncio.sleep(0)

    async def script(stage, a, b, c):
        await stage.together(branch(), stage.consult(a, THINK))

    with pytest.raises(NotAMove, match="in branch"):
        put_on(script)


def test_a_seat_that_is_not_at_the_table_is_refused_with_those_that_are():
    async def script(stage, a, b, c):
        stage.seat("ghost")

    with pytest.raises(UnknownSeat, match=r"'ghost' at this table \(a, b, c\)"):
        put_on(script)


# -- rounds ------------------------------------------------------------------------------


def test_a_turn_needs_a_round():
    async def script(stage, a, b, c):
        await stage.ask(a, SPEAK)

    with pytest.raises(RoundError, match="a spoke outside of any round"):
        play(script)


def test_rounds_do_not_nest():
    async def script(stage, a, b, c):
        with stage.round("outer"), stage.round("inner"):
            pass

    with pytest.raises(RoundError, match="'inner' inside round 'outer'"):
        put_on(script)


def test_a_round_is_opened_around_branches_and_not_in_them():
    async def branch(stage):
        with stage.round("mine"):
            pass

    async def script(stage, a, b, c):
        await stage.together(branch(stage), stage.consult(a, THINK))

    with pytest.raises(RoundError, match="open it around them"):
        put_on(script)


@pytest.mark.parametrize("again", ["ask", "say"])
def test_a_seat_speaks_once_a_round(again):
    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.ask(a, SPEAK)
            if again == "say":
                stage.say(a, "and another thing")
            else:
                await stage.ask(a, SPEAK)

    with pytest.raises(RoundError, match="a spoke twice in round 'x'"):
        play(script)


def test_words_without_a_model_take_the_time_of_the_latest_reply():
    async def script(stage, a, b, c):
        with stage.round("x"):
            stage.say(a, "before")
            await stage.ask(b, SPEAK)
            stage.say(c, "after")

    _, stage, _ = play(script)
    assert [turn.attempts[0].timestamp for turn in turns(stage)] == [
        "2026-01-01T00:00:00.000Z",
        "2026-01-01T00:01:00.000Z",
        "2026-01-01T00:01:00.000Z",
    ]


def test_the_order_of_a_round_is_the_plan_or_else_the_order_of_asking():
    async def script(stage, a, b, c):
        with stage.round("planned", c, a):
            await stage.ask(c, SPEAK)
            await stage.ask(a, SPEAK)
        with stage.round("as it comes"):
            await stage.ask(b, SPEAK)

    _, stage, _ = play(script)
    assert [r.planned_speaking_order for r in rounds(stage)] == [["c", "a"], ["b"]]


def test_a_round_in_which_a_planned_seat_was_never_heard_is_partial():
    async def script(stage, a, b, c):
        with stage.round("x", a, b):
            await stage.ask(a, SPEAK)
            await or_none(stage.ask(b, SPEAK))

    _, stage, _ = play(script, without("b"))
    assert rounds(stage)[0].round_status == "partial"


def test_what_a_round_could_read_is_found_out_from_what_its_turns_knew():
    async def script(stage, a, b, c):
        with stage.round("blind"):
            await stage.together(stage.ask(a, SPEAK), stage.ask(b, SPEAK))
        with stage.round("in turn"):
            await stage.ask(a, SPEAK)
            await stage.ask(b, SPEAK)
        with stage.round("only the last", only_previous=True):
            await stage.ask(a, SPEAK)
        with stage.round("mixed"):
            await stage.ask(a, SPEAK)
            await stage.together(stage.ask(b, SPEAK), stage.ask(c, SPEAK))

    _, stage, _ = play(script)
    assert [r.transcript_visibility for r in rounds(stage)] == ["isolated", "full", "prior_round_only", "partial"]
    last = rounds(stage)[-1].turns
    assert last[0].turn_id in last[2].metadata.context_turn_ids
    assert last[1].turn_id not in last[2].metadata.context_turn_ids


def test_only_the_previous_round_is_read_where_the_script_says_so():
    read = {}

    async def script(stage, a, b, c):
        for n in range(3):
            with stage.round(f"{n}", only_previous=True):
                await stage.ask(a, SPEAK)
                await stage.ask(b, SPEAK)

    def watching(call):
        read[call.address] = [turn.turn_id for turn in call.knowledge.turns]
        return improvise(call)

    play(script, watching)
    assert read["002.0 a speech"] == read["003.0 b speech"] == ["r1.t0", "r1.t1"]
    assert read["005.0 b speech"] == ["r2.t0", "r2.t1"]


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

    performance, stage, waves = play(script, without("b"))
    assert performance.result == "b left"
    assert speakers(stage) == ["a", "c"]
    assert len(waves) == 1
    assert cleaned == ["b", "a", "c"]


def test_of_several_failures_the_first_in_order_is_thrown():
    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.together(stage.ask(a, SPEAK), stage.ask(b, SPEAK), stage.ask(c, SPEAK))

    performance, _, _ = play(script, without("b", "c"))
    assert performance.ending.reason == "b left"


def test_who_wants_survivors_catches_inside_the_part():
    async def script(stage, a, b, c):
        with stage.round("x"):
            heard = await stage.together(*(or_none(stage.ask(seat, SPEAK)) for seat in (a, b, c)))
        return [speech is not None for speech in heard]

    performance, _, _ = play(script, without("b"))
    assert performance.result == [True, False, True]


# -- meanwhile ---------------------------------------------------------------------------


def test_an_aside_joins_the_next_wave():
    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.ask(a, SPEAK)
            stage.meanwhile(stage.consult(c, THINK))
            await stage.ask(b, SPEAK)

    _, stage, waves = play(script)
    assert waves == [["000.0 a speech"], ["001.0 b speech", "001.1 c thought"]]
    assert stage.books.notes[0].after_turn == "r1.t0"


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

    performance, _, waves = play(script)
    assert performance.result.text.endswith("(000.1)")
    assert waves == [["000.0 a speech", "000.1 c thought"]]


def test_a_debate_ends_when_its_asides_have():
    async def script(stage, a, b, c):
        stage.meanwhile(stage.consult(c, THINK))
        return "over"

    performance, _, waves = play(script)
    assert (performance.result, waves) == ("over", [["000.0 c thought"]])


def test_an_aside_that_fails_is_noted_and_stops_nobody():
    async def script(stage, a, b, c):
        stage.meanwhile(stage.consult(c, THINK))
        with stage.round("x"):
            await stage.ask(a, SPEAK)

    performance, stage, _ = play(script, without("c"))
    assert performance.ending.kind == "played"
    assert speakers(stage) == ["a"]
    assert [(note.kind, note.body["error"]) for note in stage.books.notes] == [("failure", "c left")]


def test_who_waits_for_an_aside_that_failed_hears_of_it():
    async def script(stage, a, b, c):
        await stage.meanwhile(stage.consult(c, THINK))

    performance, _, _ = play(script, without("c"))
    assert performance.ending.reason == "c left"


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

    performance, stage, _ = play(script, without("b"))
    assert (performance.ending.kind, performance.ending.code, performance.ending.reason) == (
        "failed",
        "SeatFailed",
        "b left",
    )
    assert speakers(stage) == ["a"]
    assert rounds(stage)[0].round_status == "partial"
    assert performance.events[-1].kind == "debate_ended"


def test_asides_still_end_when_the_debate_has_failed():
    async def script(stage, a, b, c):
        stage.meanwhile(stage.consult(c, THINK))
        with stage.round("x"):
            await stage.ask(b, SPEAK)

    performance, stage, _ = play(script, without("b"))
    assert [note.kind for note in stage.books.notes] == ["thought"]
    assert [event.kind for event in performance.events][-2:] == ["note_taken", "debate_ended"]


def test_a_debate_that_is_stopped_keeps_its_record_and_aborts_its_round():
    async def script(stage, a, b, c):
        stage.meanwhile(stage.consult(c, THINK))
        with stage.round("x"):
            await stage.ask(a, SPEAK)
            await stage.ask(b, SPEAK)

    performance, stage = put_on(script)
    performance.resume([improvise(call) for call in performance.calls])
    performance.stop(Cancelled(by="somebody"))
    performance.stop(Cancelled(by="somebody else"))
    assert performance.calls == []
    assert performance.ending == Cancelled(by="somebody")
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


def test_a_move_that_nobody_knows_is_refused():
    class Strange(Move):
        pass

    async def script(stage, a, b, c):
        await stage.together(Strange())

    with pytest.raises(NotAMove, match="'Strange'"):
        put_on(script)


def test_a_round_in_which_nobody_was_asked_is_aborted():
    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.consult(a, THINK)

    _, stage, _ = play(script)
    assert rounds(stage)[0].round_status == "aborted"
