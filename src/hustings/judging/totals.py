"""Computes each side's total out of ten from the panel's mean marks, with intervals over resampled panels.

Only accepted observations count: a judge who gave nothing enters no mean, and no count of half the panel.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from math import fsum
from operator import mul
from typing import cast

from .judgement import Gap, Margin, Total
from .marks import Observation
from .rng import Rng

Key = tuple[str, int]
"""A judge, and one order of presentation."""


def side_totals(
    observations: Iterable[Observation], weights: Mapping[str, float], side_of: Mapping[str, str], seed: str
) -> tuple[Total, ...]:
    """Return one total for each side that has items, in the order in which `side_of` first names it."""
    return _Tally(observations, weights, side_of).totals(seed)


def gap(
    observations: Iterable[Observation],
    weights: Mapping[str, float],
    side_of: Mapping[str, str],
    sides: tuple[str, str],
    seed: str,
) -> Gap | None:
    """Return the first side's total minus the second's, or None if a side has nothing scored.

    Both totals of a draw come from the same observations. A single observation cannot be resampled, so its spread is
    unknown: the interval is then as wide as the scale and contains 0, and the sides are evenly matched.
    """
    return _Tally(observations, weights, side_of).gap(sides, seed)


def observed(observations: Iterable[Observation], weights: Mapping[str, float]) -> dict[Key, dict[str, float]]:
    """Return each observation's totals for the items that it scored in every weighted dimension."""
    return {
        (seen.judge, seen.order): {
            item: fsum(share * marks[name] for name, share in weights.items())
            for item, marks in seen.scores.items()
            if weights.keys() <= marks.keys()
        }
        for seen in observations
    }


def panel_means(
    observations: Sequence[Observation], weights: Mapping[str, float], items: Iterable[str]
) -> dict[str, dict[str, float]]:
    """Return each item's mean per weighted dimension; means from fewer than half of the observations are left out."""
    means: dict[str, dict[str, float]] = {}
    for item in items:
        given = {name: _given(observations, item, name) for name in weights}
        means[item] = {
            name: fsum(marks) / len(marks)
            for name, marks in given.items()
            if marks and 2 * len(marks) >= len(observations)
        }
    return means


def item_scores(means: Mapping[str, Mapping[str, float]], weights: Mapping[str, float]) -> dict[str, float | None]:
    """Return weighted panel means; None for an item that lacks one of them."""
    return {
        item: fsum(share * given[name] for name, share in weights.items()) if weights.keys() <= given.keys() else None
        for item, given in means.items()
    }


@lru_cache(maxsize=16)
def resampled(keys: tuple[Key, ...], seed: str) -> tuple[tuple[int, ...], ...]:
    """How often each observation is drawn: judges, then each drawn judge's orders, both with replacement.

    Kept, because every side and every gap of a debate is computed from the same draws.
    """
    rng = Rng(seed, "totals")
    orders = {judge: [n for n, (name, _) in enumerate(keys) if name == judge] for judge, _ in keys}
    judges, draws = list(orders), list[tuple[int, ...]]()
    for _ in range(DRAWS):
        times = [0] * len(keys)
        for _ in judges:
            drawn = orders[rng.choice(judges)]
            for _ in drawn:
                times[rng.choice(drawn)] += 1
        draws.append(tuple(times))
    return tuple(draws)


def central(values: Iterable[float]) -> tuple[float, float] | None:
    """Return the central 95 % of the draws, rounded, with equal tails."""
    ordered = sorted(values)
    if not ordered:
        return None
    low = int(0.025 * len(ordered))
    return rounded(ordered[low]), rounded(ordered[-1 - low])


class _Tally:
    """The marks of each side, ready to be averaged over any draw of the observations."""

    def __init__(
        self, observations: Iterable[Observation], weights: Mapping[str, float], side_of: Mapping[str, str]
    ) -> None:
        self._seen = sorted(observations, key=lambda seen: (seen.judge, seen.order))
        self._weights = weights
        scores = item_scores(panel_means(self._seen, weights, side_of), weights)
        sides = dict.fromkeys(side_of.values())
        self._items = {side: [item for item, owner in side_of.items() if owner == side] for side in sides}
        self._scored = {side: [i for i in items if scores[i] is not None] for side, items in self._items.items()}
        self._marks = {
            side: [[self._column(item, name) for name in weights] for item in items]
            for side, items in self._scored.items()
        }
        self._mean = cache(self._mean_of)

    def totals(self, seed: str) -> tuple[Total, ...]:
        means = {side: self._mean(side, self._all) for side in self._items}
        return tuple(
            Total(
                side=side,
                score=None if (mean := means[side]) is None else rounded(mean),
                interval=central(self._drawn(side, seed)) if len(self._seen) > 1 else None,
                scored=len(self._scored[side]),
                unscored=len(items) - len(self._scored[side]),
            )
            for side, items in self._items.items()
        )

    def gap(self, sides: tuple[str, str], seed: str) -> Gap | None:
        first, second = (self._mean(side, self._all) for side in sides)
        if first is None or second is None:
            return None
        value = rounded(first - second)
        interval = central(
            one - other
            for times in resampled(self._keys, seed)
            if (one := self._mean(sides[0], times)) is not None and (other := self._mean(sides[1], times)) is not None
        )
        if len(self._seen) < 2 or interval is None:
            interval = max(-SCALE, value - SCALE), min(SCALE, value + SCALE)
        return Gap(sides=sides, value=value, interval=interval, word=margin(value, interval))

    @property
    def _keys(self) -> tuple[Key, ...]:
        return tuple((seen.judge, seen.order) for seen in self._seen)

    @property
    def _all(self) -> tuple[int, ...]:
        return (1,) * len(self._seen)

    def _column(self, item: str, name: str) -> list[float | None]:
        return [seen.scores.get(item, {}).get(name) for seen in self._seen]

    def _drawn(self, side: str, seed: str) -> Iterator[float]:
        means = (self._mean(side, times) for times in resampled(self._keys, seed))
        return (mean for mean in means if mean is not None)

    def _mean_of(self, side: str, times: tuple[int, ...]) -> float | None:
        """The side's total with observations counted as in `times`; items that no drawn judge scored are left out."""
        totals: list[float] = []
        for columns in self._marks.get(side, ()):
            means = [_mean(column, times) for column in columns]
            if None not in means:
                given = zip(self._weights.values(), means, strict=True)
                totals.append(fsum(share * mean for share, mean in given if mean is not None))
        return fsum(totals) / len(totals) if totals else None


def margin(value: float, interval: tuple[float, float] | None) -> Margin:
    if abs(value) < LEAD or (interval and interval[0] <= 0 <= interval[1]):
        return "evenly matched"
    return "significant" if abs(value) > SIGNIFICANT else "lead"


def _given(observations: Iterable[Observation], item: str, name: str) -> list[float]:
    sheets = (seen.scores.get(item, {}) for seen in observations)
    return [marks[name] for marks in sheets if name in marks]


def _mean(column: Sequence[float | None], times: Sequence[int]) -> float | None:
    if column and None not in column:  # as almost all are
        return fsum(map(mul, cast("Sequence[float]", column), times)) / sum(times)
    given = [(mark, n) for mark, n in zip(column, times, strict=True) if n and mark is not None]
    return fsum(mark * n for mark, n in given) / sum(n for _, n in given) if given else None


def rounded(value: float) -> float:
    """Round as in reports, never to a negative zero."""
    return round(value, DECIMALS) + 0.0


DRAWS = 1000
DECIMALS = 6
LEAD, SIGNIFICANT = 1.0, 3.0
"""Points out of ten: a side leads from the first on, and significantly beyond the second."""
SCALE = 9.0
"""Distance from the lowest mark to the highest."""
