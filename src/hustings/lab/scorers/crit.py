"""CRIT: how well a turn reasons, from judges' levels to ρ and θ. Judges never give a mean or a verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from hustings.lab.artefact import CritDetails, CritSummary
from hustings.lab.judge_answers import PILLARS, CritAnswer, CritFailure, FailureKind, Pillar

LEVELS = (0.0, 0.20, 0.40, 0.55, 0.70, 0.85, 1.0)
"""Marks of the levels 0 to 6: the published anchors."""
PILLAR_OF: Mapping[FailureKind, Pillar] = {
    "contradiction": "logical_validity",
    "conclusion_drift": "logical_validity",
    "unsupported_claim": "evidential_support",
    "premature_certainty": "evidential_support",
    "ignored_critique": "alternative_consideration",
    "causal_overreach": "causal_alignment",
}
"""Failure to the pillar that it caps."""
TARGET, FIT, FEWEST_PILLARS, LITTLE_SPREAD = 0.8, 0.5, 3, 0.03
TINY = 1e-9
"""A mean of marks must not miss its limit by the last bit."""


def highest_level(failures: int) -> int:
    """The highest level of a pillar that has this number of failures of its own."""
    return 6 if failures == 0 else 4 if failures == 1 else 3 if failures <= 3 else 2


@dataclass(frozen=True)
class CritMark:
    """Marks of a turn, by one judge or by a panel."""

    pillars: Mapping[Pillar, float]
    theta: float | None = None
    failures: tuple[CritFailure, ...] = ()

    def rho(self) -> float | None:
        """Mean of the pillars; None if too few could be read."""
        return fmean(self.pillars.values()) if len(self.pillars) >= FEWEST_PILLARS else None

    def passes(self) -> bool | None:
        return reaches(self.rho(), self.theta)


def reaches(rho: float | None, theta: float | None) -> bool | None:
    """Whether ρ and θ reach their limits; None if one of them is not known."""
    return None if rho is None or theta is None else rho >= TARGET - TINY and theta >= FIT - TINY


def judged(answer: CritAnswer) -> CritMark:
    """One judge, one turn. Each failure caps its own pillar, and no other."""
    own = Counter(PILLAR_OF[failure.kind] for failure in answer.failures)
    given: dict[Pillar, float] = {
        pillar: LEVELS[min(level, highest_level(own[pillar]))]
        for pillar in PILLARS
        if (level := answer.levels.get(pillar)) is not None
    }
    return CritMark(given, None if answer.fit is None else LEVELS[answer.fit], answer.failures)


def panel_mark(marks: Sequence[CritMark]) -> CritMark:
    """Means over the judges, pillar by pillar; a failure counts if more than half of them quote it."""
    marked: dict[Pillar, list[float]] = {
        pillar: [mark.pillars[pillar] for mark in marks if pillar in mark.pillars] for pillar in PILLARS
    }
    pillars: dict[Pillar, float] = {pillar: fmean(given) for pillar, given in marked.items() if given}
    thetas = [mark.theta for mark in marks if mark.theta is not None]
    kept: list[FailureKind] = [kind for kind, count in quoted_by(marks).items() if 2 * count > len(marks)]
    # The first quote in the alphabet, so that the order of judges does not matter.
    failures = tuple(
        CritFailure(kind=kind, quote=min(f.quote for mark in marks for f in mark.failures if f.kind == kind))
        for kind in kept
    )
    return CritMark(pillars, fmean(thetas) if thetas else None, failures)


def quoted_by(marks: Sequence[CritMark]) -> dict[FailureKind, int]:
    """Failure to the number of judges who quote it."""
    counts: dict[FailureKind, int] = {
        kind: sum(any(f.kind == kind for f in mark.failures) for mark in marks) for kind in PILLAR_OF
    }
    return {kind: count for kind, count in counts.items() if count}


def spread_of(values: Iterable[float | None]) -> float | None:
    """Standard deviation of the values that are known; None for fewer than two."""
    known = [value for value in values if value is not None]
    return pstdev(known) if len(known) > 1 else None


def crit_summary(turns: Sequence[CritMark], *, independent: bool = True) -> tuple[CritSummary, CritDetails]:
    """Means over the turns; nothing is known if fewer than half of the turns have a ρ and a θ."""
    found = [(mark.rho(), mark.theta) for mark in turns]
    whole = [(rho, theta) for rho, theta in found if rho is not None and theta is not None]
    details = CritDetails(turns=len(turns), scored=len(whole))
    if not whole or 2 * len(whole) < len(turns):
        return CritSummary(), details
    gamma, theta = fmean(rho for rho, _ in whole), fmean(theta for _, theta in whole)
    spread = spread_of(rho for rho, _ in whole)
    remark = "These marks hardly tell turns apart." if spread is not None and spread < LITTLE_SPREAD else ""
    summary = CritSummary(
        gamma_mean=gamma, theta_mean=theta, threshold_pass=reaches(gamma, theta) if independent else None
    )
    return summary, details.model_copy(update={"spread": spread, "remark": remark})
