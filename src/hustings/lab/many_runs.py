"""Figures over many debates: medians with intervals, cost, calibration, and from where on all seats pay off. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb, floor, sqrt
from statistics import median
from typing import Literal, get_args

from pydantic import BaseModel

from .debate_metrics import FEWEST_OUTCOMES, FEWEST_PAIRS, brier, calibration_error, threshold
from .human_labels import PeopleAccord, accord

FEWEST_RUNS = 10
"""Below this many runs a median says nothing, and only their number is told."""
PRICE = 0.1 / 0.75
"""What a dollar is worth in depth: source document 003 would pay 0.75 dollars more for 0.1 more."""
EXACT = 200
"""Up to this many runs the interval of a median is exact; beyond, a normal distribution is close enough."""
Origin = Literal["evaluation", "transcript", "calls", "budget", "readers"]
"""Where a figure comes from: evaluating judges, the record, times of calls, the ledger, or ratings."""
Grouping = Literal["protocol", "task", "model", "extent"]
GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)

ORIGINS: Mapping[str, Origin] = {
    "gamma_mean": "evaluation",
    "trace_consistency_rate": "evaluation",
    "argument_diversity": "evaluation",
    "reasoning_depth": "evaluation",
    "synthesis_quality": "evaluation",
    "balance": "evaluation",
    "decision_confidence": "evaluation",
    "cost_efficiency": "evaluation",
    "challenges_answered": "evaluation",
    "redundancy": "evaluation",
    "gini_of_words": "transcript",
    "idle_share": "calls",
    "tokens": "budget",
    "dollars": "budget",
    "rating": "readers",
}
"""Every figure that is told, in this order."""


EXTENTS = ("standard", "extended")
TARGETS = {"gamma_mean": 0.8, "decision_confidence": 0.85, "argument_diversity": 0.8, "dollars": 1.25}
"""Targets of source document 003 for debates with all seats. Its success rate is the share that came true."""


@dataclass(frozen=True)
class RunFigures:
    """What is known of one finished debate."""

    run_id: str
    question: str
    groups: Mapping[Grouping, str]
    """Empty where a debate has no such thing: only an adaptive one has an extent."""
    figures: Mapping[str, float]
    """Those that are known, by the names of `ORIGINS`."""
    outcome: str = ""
    """What judging came to, in words."""
    evaluated: bool = False
    complexity: float | None = None
    decision: str | None = None
    """The option that the last stances favour."""
    happened: str | None = None
    """The option that came true."""


def row_of(run: RunFigures) -> dict[str, str | float | None]:
    """One debate as a row of a table; what is not known is None."""
    known = {"run_id": run.run_id, "question": run.question, **run.groups}
    found = {"outcome": run.outcome, "complexity": run.complexity, "decision": run.decision, "happened": run.happened}
    return {**known, **found, **{name: _rounded(run.figures.get(name)) for name in ORIGINS}}


class FigureOverRuns(BaseModel, frozen=True, defer_build=True):
    """One figure over many debates; without a median where fewer than ten debates have it."""

    runs: int
    median: float | None = None
    low: float | None = None
    """With `high`, the interval that holds the median in 95 of 100 such samples."""
    high: float | None = None
    origin: Origin


class Calibration(BaseModel, frozen=True, defer_build=True):
    """Whether confidence comes true; without figures below thirty known outcomes."""

    outcomes: int
    needed: int = FEWEST_OUTCOMES
    brier: float | None = None
    """Mean squared distance of confidence from what came true: 0 is best, 0.25 is a coin."""
    error: float | None = None
    """How far stated confidence is from the share that came true (ECE)."""
    right: float | None = None
    """Share of debates whose favoured option came true."""


class ExtentThreshold(BaseModel, frozen=True, defer_build=True):
    """From which complexity on all seats pay off; without a score below thirty questions held both ways."""

    pairs: int
    needed: int = FEWEST_PAIRS
    complexity: float | None = None
    """Above 1: they never do."""
    gain: float | None = None
    """Mean gain in depth over all pairs, less the price of what it costs more."""
    price: float = PRICE
    """What a dollar is worth in depth. The threshold is told, and never applied by itself."""


class ExtentTarget(BaseModel, frozen=True, defer_build=True):
    """What source document 003 promises of debates with all seats, beside the medians that were measured."""

    figure: str
    standard: float | None
    """Median of debates between two speakers; null below ten."""
    extended: float | None
    """Median of debates with all seats; null below ten."""
    target: float
    """At least this much; of dollars, at most."""
    reached: bool | None


class RunGroup(BaseModel, frozen=True, defer_build=True):
    """Debates that have something in common."""

    value: str
    """What they have in common; empty for all of them."""
    runs: int
    evaluated: int
    outcomes: dict[str, int]
    figures: dict[str, FigureOverRuns]
    """Figures that at least one of them has."""
    dollars_by_outcome: dict[str, FigureOverRuns]
    calibration: Calibration


class Statistics(BaseModel, frozen=True, defer_build=True):
    by: Grouping | None
    since: str | None
    """Debates that began at this time or later; null: all."""
    whole: RunGroup
    groups: tuple[RunGroup, ...]
    """The largest first; empty unless they are asked for."""
    threshold: ExtentThreshold
    targets: tuple[ExtentTarget, ...] = ()
    """Empty until ten evaluated debates with all seats have one of the figures."""
    people: PeopleAccord = accord(())
    """How far the evaluations agree with people."""
    left_out: int = 0
    """Older debates beyond the number that is read."""
    ungrouped: int = 0
    """Debates that belong to no group, such as those without an extent."""


def statistics_of(
    runs: Sequence[RunFigures], by: Grouping | None = None, *, since: str | None = None, left_out: int = 0
) -> Statistics:
    members: dict[str, list[RunFigures]] = {}
    for one in runs if by else ():
        if value := one.groups.get(by, "") if by else "":
            members.setdefault(value, []).append(one)
    largest = sorted(members.items(), key=lambda item: (-len(item[1]), item[0]))
    return Statistics(
        by=by,
        since=since,
        whole=_group("", runs),
        groups=tuple(_group(value, some) for value, some in largest),
        threshold=_threshold(runs),
        targets=_targets(runs),
        left_out=left_out,
        ungrouped=len(runs) - sum(map(len, members.values())) if by else 0,
    )


def _group(value: str, runs: Sequence[RunFigures]) -> RunGroup:
    found = {name: [one.figures[name] for one in runs if name in one.figures] for name in ORIGINS}
    costs: dict[str, list[float]] = {}
    for one in runs:
        if one.outcome and "dollars" in one.figures:
            costs.setdefault(one.outcome, []).append(one.figures["dollars"])
    return RunGroup(
        value=value,
        runs=len(runs),
        evaluated=sum(one.evaluated for one in runs),
        outcomes=dict(Counter(one.outcome for one in runs if one.outcome).most_common()),
        figures={name: over_runs(values, ORIGINS[name]) for name, values in found.items() if values},
        dollars_by_outcome={outcome: over_runs(some, "budget") for outcome, some in costs.items()},
        calibration=_calibration(runs),
    )


def over_runs(values: Sequence[float], origin: Origin) -> FigureOverRuns:
    if len(values) < FEWEST_RUNS:
        return FigureOverRuns(runs=len(values), origin=origin)
    ordered, out = sorted(values), _outside(len(values))
    return FigureOverRuns(
        runs=len(values),
        median=round(median(ordered), 6),
        low=round(ordered[out], 6),
        high=round(ordered[-1 - out], 6),
        origin=origin,
    )


def _outside(n: int) -> int:
    """How many of n ordered values lie below the interval of their median, and as many above.

    Whatever the distribution, a value is below the true median with chance one half: the interval needs no other
    assumption than that debates are independent.
    """
    if n > EXACT:
        return max(0, floor(n / 2 - 1.96 * sqrt(n) / 2) - 1)
    tail, below = 0, 0
    while (tail + comb(n, below)) * 40 <= 2**n:
        tail += comb(n, below)
        below += 1
    return max(0, below - 1)


def _calibration(runs: Iterable[RunFigures]) -> Calibration:
    forecasts = [
        (one.figures["decision_confidence"], same_option(one.decision, one.happened))
        for one in runs
        if one.decision and one.happened and "decision_confidence" in one.figures
    ]
    if len(forecasts) < FEWEST_OUTCOMES:
        return Calibration(outcomes=len(forecasts))
    return Calibration(
        outcomes=len(forecasts),
        brier=_rounded(brier(forecasts)),
        error=_rounded(calibration_error(forecasts)),
        right=_rounded(sum(hit for _, hit in forecasts) / len(forecasts)),
    )


def same_option(one: str, other: str) -> bool:
    return " ".join(one.casefold().split()) == " ".join(other.casefold().split())


def _threshold(runs: Iterable[RunFigures]) -> ExtentThreshold:
    pairs = [*held_both_ways(runs)]
    found = threshold(pairs, PRICE)
    if found is None:
        return ExtentThreshold(pairs=len(pairs))
    return ExtentThreshold(pairs=len(pairs), complexity=found[0], gain=_rounded(found[1]))


def _targets(runs: Sequence[RunFigures]) -> tuple[ExtentTarget, ...]:
    ways = {way: _group(way, [one for one in runs if one.groups.get("extent") == way]) for way in EXTENTS}
    found: list[ExtentTarget] = []
    for name, target in TARGETS.items():
        measured = [ways[way].figures.get(name) for way in EXTENTS]
        standard, extended = (one.median if one else None for one in measured)
        reached = None if extended is None else extended <= target if name == "dollars" else extended >= target
        found.append(ExtentTarget(figure=name, standard=standard, extended=extended, target=target, reached=reached))
    return tuple(found) if any(one.extended is not None for one in found if one.figure != "dollars") else ()


def held_both_ways(runs: Iterable[RunFigures]) -> Iterable[tuple[float, float, float]]:
    """Questions that two speakers and all seats debated: complexity, gain in depth, extra dollars.

    The first debate of either kind makes a pair with the first of the other, the second with the second.
    """
    held: dict[str, dict[str, list[RunFigures]]] = {}
    for one in runs:
        if one.complexity is not None and {"reasoning_depth", "dollars"} <= one.figures.keys():
            question = " ".join(one.question.casefold().split())
            held.setdefault(question, {}).setdefault(one.groups.get("extent", ""), []).append(one)
    for ways in held.values():
        for short, long in zip(ways.get("standard", ()), ways.get("extended", ()), strict=False):
            gain = long.figures["reasoning_depth"] - short.figures["reasoning_depth"]
            complexity = ((short.complexity or 0.0) + (long.complexity or 0.0)) / 2
            yield complexity, gain, long.figures["dollars"] - short.figures["dollars"]


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
