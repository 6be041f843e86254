"""All null tests over all their seeds: `python -m benchmarks.nulls [--seeds N] [--jobs N]`; the last line is JSON.

A false verdict is a winner where the words bear none, or another one than they bear. There must be none.
"""

import argparse
import json
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import product

from tests.judging.nulls import NULLS

SEEDS = 20


def main() -> int:
    options = arguments()
    started, figures = time.monotonic(), {}
    with ProcessPoolExecutor(options.jobs) as pool:
        tasks = [(name, protocol) for name, (_, protocols) in NULLS.items() for protocol in protocols]
        rounds = list(product(tasks, range(options.seeds)))
        found = pool.map(one, rounds, chunksize=4)
        counted = {task: Counter() for task in tasks}
        reasons = {task: Counter() for task in tasks}
        for (task, _), findings in zip(rounds, found, strict=True):
            for finding in findings:
                counted[task].update(debates=1, wrong=bool(finding.wrong), false_verdicts=finding.false_verdict)
                counted[task][f"verdict {finding.verdict}"] += 1
                reasons[task].update(finding.wrong)
    for name in NULLS:
        figures[name] = {"seeds": options.seeds, **told(name, counted, reasons)}
    total = {key: sum(one[key] for one in figures.values()) for key in ("debates", "wrong", "false_verdicts")}
    total |= {"seeds": options.seeds, "seconds": round(time.monotonic() - started, 1)}
    sys.stdout.write(json.dumps({**figures, "total": total}) + "\n")
    return 1 if total["wrong"] else 0


def one(task):
    (name, protocol), seed = task
    return list(NULLS[name][0](protocol, seed))


def told(name, counted, reasons):
    """A line for each protocol, and its figures over all of them."""
    figures = Counter({"debates": 0, "wrong": 0, "false_verdicts": 0})
    for (null, protocol), counts in counted.items():
        if null != name:
            continue
        figures.update({key: counts[key] for key in figures})
        verdicts = ", ".join(f"{k[8:]} {n}" for k, n in sorted(counts.items()) if k.startswith("verdict "))
        sys.stdout.write(
            f"{name:22}{protocol:13}{counts['debates']:4} debates {counts['wrong']:4} wrong "
            f"{counts['false_verdicts']:4} false verdicts   {verdicts}\n"
        )
        for why, n in reasons[null, protocol].most_common(3):
            sys.stdout.write(f"{'':35}{n:4} × {why}\n")
    return dict(figures)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Null tests of the whole judging.")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
