"""Computes the report on a model tried as an evaluator: what it finds, what it imagines, how well it repeats itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, pstdev
from typing import TypeVar

from pydantic import BaseModel

from .artefact import Evaluation, rounded
from .debate_metrics import wilson
from .flawed_debates import FLAWS, FlawedDebate, FlawKind

Value = TypeVar("Value")
Interval = tuple[float, float]
LEAST_WORTH = 0.5
WARNING = "Do not use this model as an evaluator."


@dataclass(frozen=True)
class TrialResult:
    """What one trial debate came to: whether its flaw was shown; None if the evaluator gave no figure for it."""

    debate: FlawedDebate
    found: bool | None


class CountedShare(BaseModel, frozen=True, defer_build=True):
    """A share with its 95 % interval (Wilson)."""

    hits: int
    of: int
    share: float | None = None
    interval: Interval = (0.0, 1.0)


class FlawReport(BaseModel, frozen=True, defer_build=True):
    """How often one flaw was found, and how often it was imagined in a clean twin."""

    detected: CountedShare
    false_alarms: CountedShare
    unknown: int = 0
    """Trials without a figure: not detected, and no false alarm."""


class Retest(BaseModel, frozen=True, defer_build=True):
    """The same debates, evaluated twice."""

    turns: int = 0
    """Turns with ρ in both."""
    mean_difference: float | None = None
    """Mean distance of the two ρ."""
    standard_deviation: float | None = None
    verdict_kappa: float | None = None
    rung_kappa: float | None = None


class EvaluatorReport(BaseModel, frozen=True, defer_build=True):
    """How a model evaluated the trial debates, and what follows."""

    model: str
    family: str
    date: str
    asked: int
    """Calls."""
    accepted: int
    flaws: Mapping[FlawKind, FlawReport]
    detected: CountedShare
    false_alarms: CountedShare
    worth: float | None
    """Detection minus false alarms: 0 for a judge who always says the same, 1 for one who is always right."""
    worth_interval: Interval | None
    verified_quotes: CountedShare
    retest: Retest | None = None
    warning: str = ""


def evaluator_report(
    results: Sequence[TrialResult],
    *,
    model: str,
    family: str,
    date: str,
    calls: tuple[int, int],
    quotes: tuple[int, int],
    retest: Retest | None = None,
) -> EvaluatorReport:
    """From the results of the trial; `calls` are those asked and accepted, `quotes` those verified and given."""
    flaws: dict[FlawKind, FlawReport] = {
        flaw: flaw_report([one for one in results if one.debate.flaw == flaw]) for flaw in FLAWS
    }
    whole = flaw_report(results)
    worth, interval = worth_of(whole.detected, whole.false_alarms)
    bad = worth is None or interval is None or worth < LEAST_WORTH or interval[0] <= 0
    return EvaluatorReport(
        model=model,
        family=family,
        date=date,
        asked=calls[0],
        accepted=calls[1],
        flaws=flaws,
        detected=whole.detected,
        false_alarms=whole.false_alarms,
        worth=worth,
        worth_interval=interval,
        verified_quotes=counted(*quotes),
        retest=retest,
        warning=WARNING if bad else "",
    )


def flaw_report(results: Sequence[TrialResult]) -> FlawReport:
    flawed, clean = ([one.found for one in results if one.debate.flawed is flawed] for flawed in (True, False))
    return FlawReport(
        detected=counted(flawed.count(True), len(flawed)),
        false_alarms=counted(clean.count(True), len(clean)),
        unknown=flawed.count(None) + clean.count(None),
    )


def counted(hits: int, of: int) -> CountedShare:
    low, high = wilson(hits, of)
    return CountedShare(hits=hits, of=of, share=_six(hits / of) if of else None, interval=(_six(low), _six(high)))


def worth_of(detected: CountedShare, alarms: CountedShare) -> tuple[float | None, Interval | None]:
    """Detection minus false alarms, with Newcombe's interval for a difference of two shares."""
    if detected.share is None or alarms.share is None:
        return None, None
    worth = detected.share - alarms.share
    (low, high), (least, most) = detected.interval, alarms.interval
    down = sqrt((detected.share - low) ** 2 + (most - alarms.share) ** 2)
    up = sqrt((high - detected.share) ** 2 + (alarms.share - least) ** 2)
    return _six(worth), (_six(worth - down), _six(worth + up))


# -- the same again ----------------------------------------------------------------------


def retest_of(pairs: Sequence[tuple[Evaluation, Evaluation]]) -> Retest:
    """How far two evaluations of the same debates agree."""
    rhos: list[float] = []
    verdicts: list[tuple[str, str]] = []
    rungs: list[tuple[str, str]] = []
    for one, other in pairs:
        again = {turn.turn_id: turn for turn in other.turn_evaluations}
        for turn in one.turn_evaluations:
            if (twin := again.get(turn.turn_id)) is None:
                continue
            first, second = turn.crit_summary.gamma_mean, twin.crit_summary.gamma_mean
            if first is not None and second is not None:
                rhos.append(first - second)
            if turn.rca_summary.verdict and twin.rca_summary.verdict:
                verdicts.append((turn.rca_summary.verdict, twin.rca_summary.verdict))
            read = {rung.claim: rung.asserts for rung in twin.x_hustings.rungs}
            rungs += [(rung.asserts, read[rung.claim]) for rung in turn.x_hustings.rungs if rung.claim in read]
    # A difference of two readings has twice the variance of one.
    spread = pstdev(rhos, 0.0) / sqrt(2) if rhos else None
    return Retest(
        turns=len(rhos),
        mean_difference=_six(fmean(map(abs, rhos))) if rhos else None,
        standard_deviation=None if spread is None else _six(spread),
        verdict_kappa=_rounded_kappa(verdicts),
        rung_kappa=_rounded_kappa(rungs),
    )


def cohen_kappa(pairs: Sequence[tuple[Value, Value]]) -> float | None:
    """Agreement beyond chance: 1 if always, 0 as often as by chance; None without pairs or if only one value occurs."""
    n = len(pairs)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(first[value] * second[value] for value in first) / n**2 if n else 1.0
    return None if chance >= 1 else (sum(a == b for a, b in pairs) / n - chance) / (1 - chance)


def _rounded_kappa(pairs: Sequence[tuple[str, str]]) -> float | None:
    kappa = cohen_kappa(pairs)
    return None if kappa is None else _six(kappa)


def _six(value: float) -> float:
    found = rounded(value)
    assert isinstance(found, float)  # noqa: S101 - a figure stays a figure
    return found
