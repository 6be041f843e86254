"""What tests cost, by folder and one by one, from the JUnit files of a lane (`make durations`). JSON comes last."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

LONGEST = 40


@dataclass(frozen=True)
class Cost:
    """Of one test: seconds on the clock, and of computing, its setup and teardown included."""

    test: str
    seconds: float
    cpu: float

    @property
    def folder(self) -> str:
        """Its first two: tests/runs."""
        return "/".join(self.test.split(".")[:2])


def read(path: Path) -> Iterator[Cost]:
    for case in ET.parse(path).iter("testcase"):
        told = {each.get("name"): each.get("value", "0") for each in case.iter("property")}
        test = f"{case.get('classname')}.{case.get('name')}"
        yield Cost(test, float(case.get("time", "0")), float(told.get("cpu", "0")))


def by_folder(costs: Iterable[Cost]) -> dict[str, list[float]]:
    """Folder to number of tests, seconds and seconds of computing; the dearest first."""
    sums: dict[str, list[float]] = defaultdict(lambda: [0, 0.0, 0.0])
    for cost in costs:
        for n, more in enumerate((1, cost.seconds, cost.cpu)):
            sums[cost.folder][n] = round(sums[cost.folder][n] + more, 2)
    return dict(sorted(sums.items(), key=lambda one: -one[1][1]))


def main(folder: str) -> None:
    costs = [cost for path in sorted(Path(folder).glob("*.xml")) for cost in read(path)]
    print(f"{'seconds':>9} {'computing':>9}")
    for cost in sorted(costs, key=lambda cost: -cost.seconds)[:LONGEST]:
        print(f"{cost.seconds:9.1f} {cost.cpu:9.1f}  {cost.test}")
    sums = by_folder(costs)
    print(f"\n{'seconds':>9} {'computing':>9} {'tests':>6}")
    for name, (count, seconds, cpu) in sums.items():
        print(f"{seconds:9.1f} {cpu:9.1f} {count:6}  {name}")
    print(json.dumps({"tests": len(costs), "seconds": round(sum(cost.seconds for cost in costs), 1), "folders": sums}))


if __name__ == "__main__":
    main(sys.argv[1])
