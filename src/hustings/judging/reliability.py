"""Measures how reliable the judges are: how well they agree, and how order and length bias their marks.

A table has a row for each item and a column for each judge, with None for a gap. Undefined figures are None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from math import fsum, log2

from .judgement import Reliability, Trust
from .marks import Observation
from .rng import Rng
from .totals import DRAWS, Key, central, rounded

Table = Sequence[Sequence[float | None]]
Totals = Mapping[Key, Mapping[str, float]]
"""Observation to item to its total."""


def reliability(
    observations: Iterable[Observation],
    totals: Totals,
    words: Mapping[str, int],
    side_of: Mapping[str, str],
    seed: str,
) -> Reliability:
    """Compute all figures, rounded; a judge's mark for an item is the mean over its orders."""
    judges = sorted({judge for (judge, _), given in totals.items() if given})
    items = sorted({item for given in totals.values() for item in given})
    table = tabulated(totals, items, judges)
    alpha, (single, panel) = _rounded(krippendorff_alpha(table)), icc_agreement(table)
    lengths = [(words[item], _mean(row)) for item, row in zip(items, table, strict=True) if words.get(item)]
    slope = _rounded(length_slope(lengths))
    bias = _rounded(position_bias(by_place(observations, totals, side_of)))
    word, remark = trust_of(table, alpha, len(judges))
    few = f"Only {len(items)} scored items ({FEW_ITEMS} are better)" if len(items) < FEW_ITEMS else ""
    return Reliability(
        word=word,
        items=len(items),
        judges=len(judges),
        observations=sum(1 for given in totals.values() if given),
        alpha=alpha,
        alpha_interval=alpha_interval(table, seed),
        icc_single=_rounded(single),
        icc_panel=_rounded(panel),
        kendall_w=_rounded(kendall_w(table)),
        order_flip_rate=_rounded(order_flip_rate(by_order(totals, side_of))),
        position_bias=bias,
        length_slope=slope,
        mean_difference=_rounded(mean_difference(table)),
        remarks=(*filter(None, (remark, few)), *biases(bias, slope)),
    )


def biases(position: float | None, slope: float | None) -> tuple[str, ...]:
    """Describe a position bias and a length slope that exceed their limits."""
    said: list[str] = []
    if position is not None and abs(position) > POSITION_LIMIT:
        said.append(f"Order matters: arguments read first scored {_more(position)}")
    if slope is not None and abs(slope) > LENGTH_LIMIT:
        longer = "Longer" if slope > 0 else "Shorter"
        by = f"{abs(slope):.1f} points for twice the length"
        said.append(f"{longer} arguments scored higher, {by}: read scores with care")
    return tuple(said)


def doublings(words: Mapping[str, int], side_of: Mapping[str, str], sides: tuple[str, str]) -> float:
    """How often the typical length of the second side's items must be doubled to reach the first side's."""
    logs = [[log2(n) for item, n in words.items() if n and side_of.get(item) == side] for side in sides]
    first, second = logs
    return rounded(fsum(first) / len(first) - fsum(second) / len(second)) if first and second else 0.0


# -- agreement ---------------------------------------------------------------------------


def tabulated(totals: Totals, items: Sequence[str], judges: Sequence[str]) -> list[list[float | None]]:
    """Tabulate mean marks, rounded so that a difference in the last bit does not count."""
    rows: list[list[float | None]] = []
    for item in items:
        marks = [
            [given[item] for (name, _), given in totals.items() if name == judge and item in given] for judge in judges
        ]
        rows.append([round(fsum(some) / len(some), 9) if some else None for some in marks])
    return rows


def krippendorff_alpha(table: Table) -> float | None:
    """Interval scale: 1 − observed disagreement / expected; items with fewer than two scores do not count."""
    units = _units(table)
    return _alpha(units, map(_disagreement, units))


def _alpha(units: Sequence[Sequence[float]], disagreements: Iterable[float]) -> float | None:
    values = list(chain.from_iterable(units))
    expected = _squares(values)
    return 1 - fsum(disagreements) * (len(values) - 1) / (len(values) * expected) if expected else None


def _disagreement(unit: Sequence[float]) -> float:
    """What an item adds to the observed disagreement."""
    return len(unit) * _squares(unit) / (len(unit) - 1)


def alpha_interval(table: Table, seed: str) -> tuple[float, float] | None:
    """95 % interval over resampled items; draws in which all scores are equal say nothing and are skipped."""
    units = _units(table)
    if len(units) < 2 or krippendorff_alpha(units) is None:
        return None
    # Each item's own share is computed once: it is drawn a thousand times.
    rng, items = Rng(seed, "alpha"), [(unit, _disagreement(unit)) for unit in units]
    drawn = (zip(*(rng.choice(items) for _ in items), strict=True) for _ in range(DRAWS))
    return central(alpha for some, shares in drawn if (alpha := _alpha(some, shares)) is not None)


def icc_agreement(table: Table) -> tuple[float | None, float | None]:
    """ICC(A,1) and ICC(A,k), one judge and the mean of all, over the items that every judge scored.

    None where the estimated total variance is not above zero: it cannot be split into shares.
    """
    rows = _complete(table)
    n, k = len(rows), len(rows[0]) if rows else 0
    scale = _squares([value for row in rows for value in row])
    if n < 2 or k < 2 or not scale:
        return None, None
    row_means, column_means = [fsum(row) / k for row in rows], [fsum(c) / n for c in zip(*rows, strict=True)]
    grand = fsum(row_means) / n
    residuals = [v - row_means[i] - column_means[j] + grand for i, row in enumerate(rows) for j, v in enumerate(row)]
    of_rows = k * _squares(row_means) / (n - 1)
    of_columns = n * _squares(column_means) / (k - 1)
    error = fsum(r * r for r in residuals) / ((n - 1) * (k - 1))
    single = of_rows + (k - 1) * error + k * (of_columns - error) / n
    panel = of_rows + (of_columns - error) / n
    return (
        (of_rows - error) / single if single > TINY * scale else None,
        (of_rows - error) / panel if panel > TINY * scale else None,
    )


def kendall_w(table: Table) -> float | None:
    """Concordance of the judges' rankings of the items that all of them scored, corrected for ties."""
    rows = _complete(table)
    n, k = len(rows), len(rows[0]) if rows else 0
    if k < 2:
        return None
    judges = list(zip(*rows, strict=True))
    ties = sum(t**3 - t for judge in judges for t in Counter(judge).values())
    most = k * k * (n**3 - n) - k * ties
    sums = [fsum(ranks) for ranks in zip(*map(_ranks, judges), strict=True)]
    return 12 * _squares(sums) / most if most else None


def mean_difference(table: Table) -> float | None:
    """Mean absolute difference between two judges on the same item, in points."""
    apart = [abs(a - b) for unit in _units(table) for a, b in combinations(unit, 2)]
    return fsum(apart) / len(apart) if apart else None


# -- biases ------------------------------------------------------------------------------


def order_flip_rate(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Share of differences that change their sign with the order; zero in one order alone is half a flip."""
    flips = [0.5 if (a == 0) != (b == 0) else float(a * b < 0) for a, b in pairs]
    return fsum(flips) / len(flips) if flips else None


def by_order(totals: Totals, side_of: Mapping[str, str]) -> list[tuple[float, float]]:
    """For each judge and pair of sides: their difference in either order, on items scored in both."""
    pairs: list[tuple[float, float]] = []
    for one, other in _both_orders(totals):
        shared = sorted(totals[one].keys() & totals[other].keys() & side_of.keys())
        items = {side: [item for item in shared if side_of[item] == side] for side in sorted(set(side_of.values()))}
        for first, second in combinations([some for some in items.values() if some], 2):
            apart = [_of(totals[key], first) - _of(totals[key], second) for key in (one, other)]
            pairs.append((round(apart[0], 9), round(apart[1], 9)))
    return pairs


def position_bias(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Points gained by being shown earlier."""
    return fsum(earlier - later for earlier, later in pairs) / len(pairs) if pairs else None


def by_place(
    observations: Iterable[Observation], totals: Totals, side_of: Mapping[str, str]
) -> list[tuple[float, float]]:
    """For each judge and item: its total where it was shown earlier, and where it was shown later."""
    places = {(seen.judge, seen.order): _places(seen.shown, side_of) for seen in observations}
    pairs: list[tuple[float, float]] = []
    for one, other in _both_orders(totals):
        here, there = places.get(one, {}), places.get(other, {})
        for item in sorted(totals[one].keys() & totals[other].keys() & here.keys() & there.keys()):
            if here[item] != there[item]:
                earlier, later = (one, other) if here[item] < there[item] else (other, one)
                pairs.append((totals[earlier][item], totals[later][item]))
    return pairs


def length_slope(lengths: Sequence[tuple[int, float]]) -> float | None:
    """Points per doubling of words, by least squares: a correlation, not a cause.

    None for few items or similar lengths, which would give an arbitrary slope.
    """
    if len(lengths) < SLOPE_ITEMS or max(lengths)[0] < SLOPE_SPREAD * min(lengths)[0]:
        return None
    logs, scores = [log2(words) for words, _ in lengths], [score for _, score in lengths]
    middle, mean = fsum(logs) / len(logs), fsum(scores) / len(scores)
    return fsum((x - middle) * (y - mean) for x, y in zip(logs, scores, strict=True)) / _squares(logs)


# -- parts -------------------------------------------------------------------------------


def trust_of(table: Table, alpha: float | None, judges: int) -> tuple[Trust, str]:
    if alpha is not None:
        return "good" if alpha >= GOOD else "tentative" if alpha >= TENTATIVE else "do not rely", ""
    if judges < 2:
        return "do not rely", "A single judge has nobody to agree with" if judges else "Nothing was scored"
    if not _units(table):
        return "do not rely", "No item was scored by two judges"
    return "good", "All scores are the same, so agreement has no figure"


def _both_orders(totals: Totals) -> Iterator[tuple[Key, Key]]:
    """Pairs of orders of the same judge."""
    return ((one, other) for one, other in combinations(sorted(totals), 2) if one[0] == other[0])


def _places(shown: Sequence[str], side_of: Mapping[str, str]) -> dict[str, tuple[int, int]]:
    """Place of each item: how many items of other sides precede it, then how many of any side.

    So all items of a side that is shown second come later, however many there are and however they were mixed.
    """
    items = [item for item in shown if item in side_of]
    return {item: (sum(1 for other in items[:n] if side_of[other] != side_of[item]), n) for n, item in enumerate(items)}


def _units(table: Table) -> list[list[float]]:
    """Scores of the items that have at least two."""
    rows = ([value for value in row if value is not None] for row in table)
    return [row for row in rows if len(row) > 1]


def _complete(table: Table) -> list[list[float]]:
    width = max(map(len, table), default=0)
    return [row for row in ([value for value in row if value is not None] for row in table) if len(row) == width]


def _squares(values: Sequence[float]) -> float:
    """Sum of squared deviations from the mean; exactly zero if all values are equal."""
    if not values or min(values) == max(values):
        return 0.0
    mean = fsum(values) / len(values)
    return fsum((value - mean) ** 2 for value in values)


def _ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1, the smallest; ties share the mean of their ranks."""
    return [sum(w < v for w in values) + (sum(w == v for w in values) + 1) / 2 for v in values]


def _of(given: Mapping[str, float], items: Sequence[str]) -> float:
    return fsum(given[item] for item in items) / len(items)


def _mean(row: Sequence[float | None]) -> float:
    given = [value for value in row if value is not None]
    return fsum(given) / len(given)


def _more(points: float) -> str:
    return f"{abs(points):.1f} points {'higher' if points > 0 else 'lower'}"


def _rounded(value: float | None) -> float | None:
    return None if value is None else rounded(value)


GOOD, TENTATIVE = 0.80, 0.67
"""Lowest α for each word."""
FEW_ITEMS = 10
SLOPE_ITEMS, SLOPE_SPREAD = 5, 1.5
"""A slope needs this number of items, and the longest must be this many times as long as the shortest."""
POSITION_LIMIT, LENGTH_LIMIT = 0.5, 0.5
"""Points, and points per doubling of words, beyond which a bias weakens the verdict."""
TINY = 1e-12
