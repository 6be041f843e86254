"""The gold debates, judged from fair marks: standings, issue states and outcomes beside two careful readers'.

    python -m benchmarks.gold

Then the marks get noise, as in the design: 0.12 of the scale for each mark and 0.06 for each judge, and panels of three
sizes are compared with the readers.
"""

import json
import random
import sys
from collections.abc import Callable, Iterator

from hustings.lab.gold import GoldDebate, GoldScore, gold_debates, judged, played, score
from hustings.runs.staging import Rehearsal

NOISE, BIAS = 0.12 * 9, 0.06 * 9
"""Points of ten: for each mark, and for each judge."""
PANELS = {"1x1": (1, 1), "3x2": (3, 2), "5x2": (5, 2)}
SEEDS = 5


def noisy(seed: str) -> Callable[[str, int, str, int], int]:
    """A judge who errs a little at each mark, and leans a little throughout."""

    def mark(judge: str, order: int, item: str, fair: int) -> int:
        lean = random.Random(f"{seed} {judge}").gauss(0, BIAS)
        return min(10, max(1, round(fair + lean + random.Random(f"{seed} {judge} {order} {item}").gauss(0, NOISE))))

    return mark


def summed(scores: list[GoldScore]) -> dict[str, object]:
    exact = [right for one in scores for right in one.exact]
    states = [right for one in scores for right in one.right_states]
    return {
        "exact": round(sum(exact) / len(exact), 4),
        "arguments": len(exact),
        "off_by_more": sum(len(one.off_by_more) for one in scores),
        "states": f"{sum(states)}/{len(states)}",
        "outcomes": f"{sum(one.right_outcome for one in scores)}/{len(scores)}",
    }


def told(gold: GoldDebate, one: GoldScore) -> Iterator[str]:
    right = "right" if one.right_outcome else f"WRONG (readers: {', '.join(one.outcome[1])})"
    yield f"{gold.name:16} {sum(one.exact):2}/{len(one.exact):2} standings, {one.outcome[0]}: {right}"
    for argument, (computed, read) in one.standings.items():
        if computed not in read:
            yield f"    {argument}: {computed}, readers {' and '.join(dict.fromkeys(read))}"


def judged_by(debates: dict[str, tuple[GoldDebate, Rehearsal]], **how: object) -> list[GoldScore]:
    return [score(gold, judged(gold, held, **how)) for gold, held in debates.values()]


def main() -> None:
    debates = {name: (gold, played(gold)) for name, gold in gold_debates().items()}
    fair = judged_by(debates)
    for one in fair:
        sys.stdout.writelines(f"{line}\n" for line in told(debates[one.name][0], one))
    figures = summed(fair)
    for name, (judges, orders) in PANELS.items():
        some = [
            one
            for seed in range(SEEDS)
            for one in judged_by(debates, judges=judges, orders=orders, noise=noisy(f"{name} {seed}"))
        ]
        figures[f"noisy_{name}"] = summed(some)
        decided = [right for one in some for right in one.decided]
        figures[f"noisy_{name}"]["exact_if_certain"] = round(sum(decided) / len(decided), 4)
    sys.stdout.write(json.dumps(figures) + "\n")
    fails = figures["exact"] < LEAST or figures["off_by_more"] or not all(one.right_outcome for one in fair)
    sys.exit(bool(fails))


LEAST = 0.9

if __name__ == "__main__":
    main()
