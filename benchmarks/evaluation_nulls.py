"""All null tests of evaluation over their seeds: `python -m benchmarks.evaluation_nulls`; the last line is JSON."""

import argparse
import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor

from tests.lab.evaluation_nulls import EVALUATION_NULLS

SEEDS = 20


def main() -> int:
    options = arguments()
    started = time.monotonic()
    tasks = [
        (name, protocol, seed)
        for name, (_, protocols) in EVALUATION_NULLS.items()
        for protocol in protocols
        for seed in range(options.seeds)
    ]
    figures = {name: {"debates": 0, "wrong": 0} for name in EVALUATION_NULLS}
    with ProcessPoolExecutor(options.jobs) as pool:
        for (name, protocol, seed), wrong in zip(tasks, pool.map(one, tasks, chunksize=2), strict=True):
            figures[name]["debates"] += 1
            figures[name]["wrong"] += bool(wrong)
            for why in wrong:
                sys.stdout.write(f"{name}, {protocol}, seed {seed}: {why}\n")
    wrong = sum(each["wrong"] for each in figures.values())
    total = {"debates": len(tasks), "wrong": wrong, "seeds": options.seeds}
    sys.stdout.write(json.dumps({**figures, "total": total, "seconds": round(time.monotonic() - started, 1)}) + "\n")
    return 1 if wrong else 0


def one(task: tuple[str, str, int]) -> list[str]:
    name, protocol, seed = task
    return list(EVALUATION_NULLS[name][0](protocol, seed))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.evaluation_nulls", description=__doc__)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
