"""Quality, cost and calibration of a debate, and two debates side by side. Figures that are not defined are None."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb, fsum, sqrt
from statistics import fmean

from .bundle import BundleClaim, Distribution, mean_beliefs

EXPECTED_POINTS = 15
"""The source's yardstick for diversity: an arbitrary bound, kept so that its targets can be tested."""
FEWEST_PAIRS, FEWEST_OUTCOMES = 30, 30
NEVER = 2.0
"""A threshold that no complexity reaches."""

Points = Mapping[str, int]
"""Point to how many claims make it."""


def points_of(claims: Iterable[BundleClaim]) -> dict[str, int]:
    return dict(Counter(claim.point for claim in claims))


def effective_points(points: Points) -> float | None:
    """How many equally frequent points the claims amount to (inverse Simpson index)."""
    return sum(points.values()) ** 2 / sum(n * n for n in points.values()) if points else None


def argument_diversity(points: Points) -> float | None:
    found = effective_points(points)
    return None if found is None else min(found / EXPECTED_POINTS, 1.0)


def points_at_length(points: Points, claims: int) -> float | None:
    """Distinct points to expect in this number of claims drawn at random: compares debates of unequal length."""
    n = sum(points.values())
    if not 0 < claims <= n:
        return None
    return fsum(1 - comb(n - made, claims) / comb(n, claims) for made in points.values())


def reasoning_depth(claims: Sequence[BundleClaim], answered: Mapping[str, bool]) -> float | None:
    """Mean share of what a claim can have: a reason, a ground, a limit of its own, and all challenges answered.

    `answered` names the claims that were challenged; the others need no answer.
    """
    shares: list[float] = []
    for claim in claims:
        parts = [bool(claim.reasons), bool(claim.grounds), bool(claim.limits)]
        parts += [answered[claim.id]] if claim.id in answered else []
        shares.append(sum(parts) / len(parts))
    return fmean(shares) if shares else None


def decision_confidence(last: Sequence[Distribution]) -> tuple[str, float] | None:
    """The option that the last stances favour, and their mean probability for it; of equals, the first by name."""
    mixed = mean_beliefs(last)
    if not mixed:
        return None
    option = max(sorted(mixed), key=lambda one: round(mixed[one], 9))
    return option, mixed[option]


def cost_efficiency(challenged_points: int, tokens: int | None) -> float | None:
    """Distinct points that were challenged, per 1,000 tokens of the debate."""
    return 1000 * challenged_points / tokens if tokens else None


def redundancy(turns: Iterable[Sequence[tuple[str, str]]]) -> float | None:
    """Share of claims whose point only other seats had made before.

    Each group is what was said without hearing the others of it, as seat and point: one turn, or an isolated round.
    """
    first: dict[str, set[str]] = {}
    again = claims = 0
    for group in turns:
        again += sum(point in first and seat not in first[point] for seat, point in group)
        claims += len(group)
        fresh: dict[str, set[str]] = {}
        for seat, point in group:
            fresh.setdefault(point, set()).add(seat)
        first = {**fresh, **first}
    return again / claims if claims else None


# -- calibration -------------------------------------------------------------------------


def brier(forecasts: Sequence[tuple[float, bool]]) -> float | None:
    """Mean squared distance of confidence from what came true: 0 is best, .25 is a coin."""
    return fmean((p - hit) ** 2 for p, hit in forecasts) if forecasts else None


def calibration_error(forecasts: Sequence[tuple[float, bool]], bins: int = 10) -> float | None:
    """ECE: how far stated confidence is from the share that came true, bin by bin, weighted by size."""
    held: dict[int, list[tuple[float, bool]]] = {}
    for p, hit in forecasts:
        held.setdefault(min(int(p * bins + 1e-9), bins - 1), []).append((p, hit))
    gaps = [abs(fsum(p for p, _ in some) - sum(hit for _, hit in some)) for some in held.values()]
    return fsum(gaps) / len(forecasts) if forecasts else None


def wilson(hits: int, n: int, z: float = 1.959964) -> tuple[float, float]:
    """95 % interval of a share; all of [0, 1] if nothing was counted."""
    if not n:
        return 0.0, 1.0
    p, w = hits / n, z * z / n
    half, middle = z * sqrt(p * (1 - p) / n + w / (4 * n)) / (1 + w), (p + w / 2) / (1 + w)
    return max(0.0, middle - half), min(1.0, middle + half)


# -- three seats against five ------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """What two debates are compared by."""

    depth: float | None
    points: Points
    confidence: float | None
    tokens: int | None
    cost: float | None


@dataclass(frozen=True)
class Gains:
    """What the extended debate has over the standard one, under the source's names."""

    quality_improvement: float | None
    diversity_gain: float | None
    diversity_gain_equal_length: float | None
    confidence_improvement: float | None
    cost_multiplier: float | None
    token_multiplier: float | None
    gain_per_dollar: float | None


def gains(extended: Measured, standard: Measured) -> Gains:
    length = min(sum(extended.points.values()), sum(standard.points.values()))
    quality, money = _minus(extended.depth, standard.depth), _minus(extended.cost, standard.cost)
    return Gains(
        quality_improvement=quality,
        diversity_gain=_minus(argument_diversity(extended.points), argument_diversity(standard.points)),
        diversity_gain_equal_length=_minus(
            points_at_length(extended.points, length), points_at_length(standard.points, length)
        ),
        confidence_improvement=_minus(extended.confidence, standard.confidence),
        cost_multiplier=_over(extended.cost, standard.cost),
        token_multiplier=_over(extended.tokens, standard.tokens),
        gain_per_dollar=quality / money if quality is not None and money is not None and money > 0 else None,
    )


def threshold(
    pairs: Sequence[tuple[float, float, float]], price: float, fewest: int = FEWEST_PAIRS
) -> tuple[float, float] | None:
    """The complexity from which the extended debate pays most, and its mean net gain; `NEVER` if it never pays.

    A pair is a question held both ways: complexity, gain, extra dollars. `price` is what a dollar is worth in gain.
    """
    if len(pairs) < fewest:
        return None
    scores = {score for score, _, _ in pairs} | {NEVER}
    net = {c: fsum(gain - price * more for score, gain, more in pairs if score >= c) / len(pairs) for c in scores}
    best = max(net, key=lambda score: (round(net[score], 12), score))
    return best, net[best]


def _minus(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else a - b


def _over(a: float | None, b: float | None) -> float | None:
    return a / b if a is not None and b else None
