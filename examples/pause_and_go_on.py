"""A debate that rests until somebody is there, and goes on later, perhaps in another process: nothing is paid twice."""

import asyncio

from hustings import Debate, Unfinished


async def begin() -> str:
    held = Debate("Is a four-day week worth trying?", model="improviser", con="human", judges=None)
    try:
        async for event in held.stream():
            if event.kind == "human_awaited":
                held.pause()
    except Unfinished as rests:
        print("it rests:", rests.run_id == held.run_id)
    return held.run_id


async def go_on(run_id: str) -> None:
    held = await asyncio.to_thread(Debate.of, run_id)
    async for event in held.stream():
        if event.kind == "human_awaited":
            held.cancel()  # nobody came
    print((await held).outcome.kind)


asyncio.run(go_on(asyncio.run(begin())))
