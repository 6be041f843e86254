"""Programs that leave a debate: its stream, its result, or before it has begun. It pauses, and they are told its id."""

import asyncio
import inspect
import logging
import time

import pytest

from hustings import Debate, adebate, aresume, resume
from hustings.api.handle import handle_of
from hustings.api.live_events import begun
from hustings.errors import Unsuitable

MOTION = "Should towns close their centres to cars?"
PLAIN = {"model": "improviser", "judges": None}
DELAY = 1.0
"""Seconds for an answer."""


@pytest.fixture
def of(provider):
    """A debate of six calls, two at a time, whose answers take a while."""
    provider.reset()
    provider.plan(delay=DELAY)
    yield lambda: Debate(MOTION, model=f"openai_compatible/m@{provider.base_url}", judges=None)
    provider.plan(delay=0.0)


async def rested(held):
    """Wait until it has paused, or ended."""
    if handle := handle_of(held.run_id):
        await asyncio.to_thread(handle.result.exception, 20)


def went_on(held, provider):
    """Whether it had stopped before its end, how it ended when it went on, and all calls: none was made twice."""
    before = len(provider.calls())
    provider.plan(delay=0.0)
    return before < 6, resume(held.run_id, judges=None).outcome.kind, len(provider.calls())


def test_a_loop_over_a_stream_that_is_kept_pauses_as_it_is_left(of, provider):
    held = of()

    async def leave():
        events = held.stream()
        async for event in events:
            if event.kind == "turn_begun":
                break
        await rested(held)
        return events

    assert asyncio.run(leave())
    assert went_on(held, provider) == (True, "played", 6)


def test_a_stream_is_left_with_its_block(of, provider):
    held = of()

    async def leave():
        async with held.stream() as events:
            while (await anext(events)).kind != "turn_begun":
                pass
        await rested(held)
        return events

    assert asyncio.run(leave())
    assert went_on(held, provider) == (True, "played", 6)


def test_a_time_out_tells_how_to_go_on(of, provider, caplog):
    held = of()
    how = f"paused. Continue: hustings.resume('{held.run_id}')"
    with caplog.at_level(logging.WARNING, "hustings"), pytest.raises(TimeoutError) as late:
        asyncio.run(asyncio.wait_for(held, DELAY / 2))
    assert caplog.messages == [how]
    assert late.value.__cause__.__notes__ == [how]
    asyncio.run(rested(held))
    assert went_on(held, provider) == (True, "played", 6)


def test_whoever_is_cancelled_before_the_debate_has_begun_leaves_it_paused(of, provider):
    held = of()

    def slowly():
        time.sleep(DELAY)
        return held._begin(lambda _: None)

    async def leave():
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(begun(slowly), DELAY / 2)
        await asyncio.sleep(DELAY)
        await rested(held)

    asyncio.run(leave())
    assert went_on(held, provider) == (True, "played", 6)


def test_functions_to_await_are_coroutine_functions():
    assert inspect.iscoroutinefunction(adebate)
    assert inspect.iscoroutinefunction(aresume)

    async def as_a_task():
        return await asyncio.create_task(adebate(MOTION, **PLAIN))

    assert asyncio.run(as_a_task()).motion == MOTION


def test_a_wrong_argument_of_one_does_not_end_those_beside_it():
    async def both():
        return await asyncio.gather(adebate(MOTION, **PLAIN, seats=3), adebate(MOTION, **PLAIN), return_exceptions=True)

    wrong, right = asyncio.run(both())
    assert (str(wrong), right.motion) == ("seats is 3: give a dict", MOTION)


@pytest.mark.parametrize("waiting", [lambda held: adebate(MOTION, **PLAIN), lambda held: anext(held.stream())])
def test_an_event_loop_of_another_kind_is_told_what_to_do(waiting):
    awaited = waiting(Debate(MOTION, **PLAIN))
    with pytest.raises(Unsuitable, match=r"under asyncio .*trio\.to_thread\.run_sync\(held\.run\)"):
        awaited.send(None)
