"""Many debates at once: `python -m benchmarks.hosts.side_by_side async|threads|notebook 32`; prints seconds."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from hustings import adebate, debate

QUESTION = "Should towns close their centres to cars?"


async def awaited(many: int) -> list[str]:
    results = await asyncio.gather(*(adebate(QUESTION, model="improviser", judges=None) for _ in range(many)))
    return [result.ending.kind for result in results]


def in_threads(many: int) -> list[str]:
    with ThreadPoolExecutor(many) as pool:
        waiting = [pool.submit(debate, QUESTION, model="improviser", judges=None) for _ in range(many)]
        return [each.result().ending.kind for each in waiting]


def main() -> None:
    way, many = sys.argv[1], int(sys.argv[2])
    begun = time.monotonic()
    endings = in_threads(many) if way == "threads" else asyncio.run(awaited(many))
    took = round(time.monotonic() - begun, 1)
    sys.stdout.write(
        json.dumps({"way": way, "at_once": many, "played": endings.count("played"), "seconds": took}) + "\n"
    )


if __name__ == "__main__":
    main()
