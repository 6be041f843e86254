"""Several debates at the same time: one engine carries them all."""

import asyncio

from hustings import adebate

MOTIONS = ("Is a four-day week worth trying?", "Should homework be abolished?", "Is nuclear power needed?")


async def main() -> None:
    results = await asyncio.gather(*(adebate(motion, model="improviser") for motion in MOTIONS))
    for result in results:
        print(result.outcome.kind, result.scores, result.motion)


asyncio.run(main())
