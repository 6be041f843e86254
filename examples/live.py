"""A debate as it goes on: every event as it happens, words as they come included."""

import asyncio

from hustings import Debate


async def main() -> None:
    held = Debate("Should a small team keep its code in one repository?", model="improviser", judges=None)
    async for event in held.stream():
        match event.kind:
            case "round_opened":
                print(f"\n== {event.label}")
            case "turn_begun":
                print(f"{event.seat} is asked for {event.brief}")
            case "text_streamed":
                print(f"  {len(event.text)} letters more")
            case "turn_entered":
                print(f"{event.turn.speaker_id}: {event.turn.said.splitlines()[0]}")
            case _:
                pass


asyncio.run(main())
