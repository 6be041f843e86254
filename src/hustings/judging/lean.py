"""Computes to which of two sides the arguments that stand in the end speak, on the question exactly as put."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum, prod

from .judgement import ArgumentResult, Lean
from .marks import Observation


def lean(trace: Iterable[ArgumentResult], seen: Sequence[Observation], sides: tuple[str, str]) -> Lean | None:
    """Return None if no judge marked how much the arguments bear on the question."""
    rows = [row for row in trace if row.strength is not None and row.standing != "withdrawn"]
    panel = _cases(rows, bearing(rows, seen), sides)
    if panel is None:
        return None
    value = panel[0] - panel[1]
    each = [cases for one in seen if (cases := _cases(rows, bearing(rows, [one]), sides))]
    same = [(first - second) * value > 0 for first, second in each]
    return Lean(
        sides=sides,
        cases=(round(panel[0], 6), round(panel[1], 6)),
        value=round(value, 6),
        alike=round(sum(same) / len(same), 6) if same else 0.0,
    )


def bearing(rows: Iterable[ArgumentResult], seen: Sequence[Observation]) -> dict[str, float]:
    """How much each argument bears on the question: the mean of the judges who marked it, out of ten."""
    given = {
        row.id: [one.scores[row.id][BEARING] for one in seen if BEARING in one.scores.get(row.id, {})] for row in rows
    }
    return {item: fsum(marks) / len(marks) for item, marks in given.items() if marks}


def _cases(
    rows: Sequence[ArgumentResult], bears: Mapping[str, float], sides: tuple[str, str]
) -> tuple[float, float] | None:
    """A side's arguments add up as independent reasons do: 1 − Π(1 − strength · bearing)."""
    if not bears:
        return None
    left = {side: [1.0] for side in sides}
    for row in rows:
        if row.side in left and row.id in bears:
            left[row.side].append(1 - (row.strength or 0.0) * (bears[row.id] - 1) / 9)
    first, second = (1 - prod(sorted(left[side])) for side in sides)
    return first, second


BEARING = "bearing"
CLEAR = 0.12
"""From this difference on, what stands speaks clearly for one side."""
MOST_ALIKE = 2 / 3
"""Share of the observations that must lean the same way."""
