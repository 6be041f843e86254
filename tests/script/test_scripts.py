"""What a script may and may not do, and what the driver makes of it."""

import asyncio

import pytest

from hustings.errors import NotAMove, RoundError, ScriptError, SeatFailed, UnknownSeat
from hustings.script.moves import Move, or_none

from .stages import SPEAK, THINK, improvise, play, put_on, rounds, turns


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


def test_a_plan_is_kept_to():
    async def another_order(stage, a, b, c):
        with stage.round("x", a, b):
            await stage.ask(b, SPEAK)
            await stage.ask(a, SPEAK)

    async def a_stranger(stage, a, b, c):
        with stage.round("x", a, b):
            await stage.ask(c, SPEAK)

    async def twice(stage, a, b, c):
        with stage.round("x", a, a):
            pass

    for script in (another_order, a_stranger, twice):
        with pytest.raises(RoundError, match="plans"):
            play(script)


def test_without_a_plan_the_order_is_that_of_the_turns():
    async def part(stage, a, c):
        await stage.ask(a, SPEAK)
        stage.say(c, "and so say I")

    async def script(stage, a, b, c):
        with stage.round("x"):
            await stage.together(part(stage, a, c), stage.ask(b, SPEAK))

    _, stage, _ = play(script)
    assert rounds(stage)[0].planned_speaking_order == [turn.speaker_id for turn in turns(stage)]


def test_nothing_is_not_said():
    async def script(stage, a, b, c):
        with stage.round("x"):
            stage.say(a, "  ")

    with pytest.raises(ScriptError, match="no words"):
        play(script)


@pytest.mark.parametrize("word", ["together", "meanwhile"])
def test_a_list_of_moves_without_a_star_is_found_out(word):
    async def script(stage, a, b, c):
        getattr(stage, word)([stage.consult(a, THINK)])

    with pytest.raises(NotAMove, match="with a star"):
        play(script)
