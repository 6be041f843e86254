"""A person in one of the seats: the stream says when it is their turn, and `say` speaks for them."""

import asyncio

from hustings import Debate


async def main() -> None:
    held = Debate(
        "Should towns close their centres to cars?",
        protocol="roundtable",
        model="improviser",
        seats={"ada": "human"},
        settings={"rounds": 1},
        judges=None,
    )
    async for event in held.stream():
        if event.kind == "human_awaited":
            print(f"{event.seat} is asked: {event.task.splitlines()[0]}")
            await asyncio.to_thread(held.say, event.seat, "I live there, and I walk.")
        if event.kind == "turn_entered" and event.turn.speaker_id == "ada":
            print("on record:", event.turn.said)


asyncio.run(main())
