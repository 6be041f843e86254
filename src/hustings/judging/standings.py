"""Computes the standing of each claim from the argument graph and the panel's marks.

A claim is a node that responses attack and support, weighed by the marks. Resampling the panel from its own judges
tells how certain the class is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .arguments import Argumentation, Claim
from .case import Case, StandingPolicy, lay_out
from .graph import dfquad, quadratic_energy
from .judgement import Standing
from .marks import Observation
from .rng import Rng


def standings(
    argumentation: Argumentation,
    observations: Sequence[Observation],
    policy: StandingPolicy,
    *,
    seed: str | int,
    unreliable: bool = False,
) -> dict[str, Placement]:
    """Return placements by claim, in the order of the record; an unreliable panel must agree more often."""
    return placements(lay_out(argumentation, observations, policy), seed=seed, unreliable=unreliable)


@dataclass(frozen=True)
class Placement:
    """The standing of a claim, and the figures behind it."""

    standing: Standing
    at_mean: Standing
    """Its class by the panel's mean marks, regardless of certainty."""
    strength: float | None
    second_opinion: float | None
    interval: tuple[float, float] | None
    shares: Mapping[Standing, float]
    """Share of resampled panels per class; empty where they could not change the class."""
    certainty: float | None
    guards: tuple[str, ...]


class Footing(NamedTuple):
    """Everything that the class of a claim depends on."""

    band: Standing
    second: Standing
    """Class under quadratic energy."""
    scope: bool
    """An objection to its extent still stands."""

    @property
    def alone(self) -> Standing:
        """The class without the second opinion."""
        return "partially_upheld" if self.scope and self.band == "upheld" else self.band

    @property
    def standing(self) -> Standing:
        return "uncertain" if {self.band, self.second} == {"upheld", "refuted"} else self.alone

    @property
    def guards(self) -> list[str]:
        capped = [] if self.alone == self.band else ["scope"]
        return capped if self.standing == self.alone else [*capped, "semantics disagree"]


class Weighing(NamedTuple):
    strength: float
    second: float
    footing: Footing


def weighed(case: Case, bases: Sequence[float]) -> dict[str, Weighing]:
    """Weigh each claim and its responses under both semantics."""
    first = case.graph.strengths(bases, dfquad)
    second = case.graph.strengths(bases, quadratic_energy)
    index = case.graph.index
    return {
        claim.id: Weighing(first[index[claim.id]], second[index[claim.id]], footing(case, claim, first, second, first))
        for claim in case.claims
    }


def footing(
    case: Case, claim: Claim, first: Sequence[float], second: Sequence[float], objecting: Sequence[float]
) -> Footing:
    """Classify a claim from the strengths of all nodes under both semantics.

    `objecting` are the strengths of objections, which differ from `first` where bounds are computed.
    """
    node, policy = case.graph.index[claim.id], case.policy
    scopes = [objecting[case.graph.index[r.id]] for r in case.responses.get(claim.id, ()) if r.kind == "partial"]
    scope = max(scopes, default=0.0) >= policy.scope - SLACK
    return Footing(band(first[node], policy), band(second[node], policy), scope)


def band(strength: float, policy: StandingPolicy) -> Standing:
    if strength >= policy.upheld - SLACK:
        return "upheld"
    return "refuted" if strength <= policy.refuted + SLACK else "partially_upheld"


@dataclass
class _Redrawn:
    """Classes and strengths of one claim over the resampled panels."""

    classes: Counter[Standing]
    strengths: list[float]

    def interval(self) -> tuple[float, float] | None:
        ordered = sorted(self.strengths)
        return (ordered[int(0.025 * len(ordered))], ordered[int(0.975 * len(ordered))]) if ordered else None


def placements(case: Case, *, seed: str | int, unreliable: bool = False) -> dict[str, Placement]:
    found = weighed(case, case.weigh(case.means()))
    redrawn = _redrawn(case, seed)
    threshold = case.policy.certain_if_unreliable if unreliable else case.policy.certain
    return {
        claim.id: _placement(case, claim, found[claim.id], redrawn.get(claim.id), threshold) for claim in case.claims
    }


def _placement(case: Case, claim: Claim, found: Weighing, redrawn: _Redrawn | None, threshold: float) -> Placement:
    scored = case.bases[claim.id].scored
    open_for = [] if any(r.examines for r in case.responses.get(claim.id, ())) else ["unexamined"]
    open_for += [] if all(case.bases[name].scored for name in case.tested_by[claim.id]) else ["unscored"]
    at_mean: Standing = "uncertain" if open_for else found.footing.standing
    standing, guards = at_mean, (found.footing.guards if scored else []) + open_for + _unconfirmed(case, claim)
    shares: dict[Standing, float] = {}
    if redrawn and not open_for:
        draws = redrawn.classes.total()
        shares = {s: redrawn.classes[s] / draws for s in CLASSES if redrawn.classes[s]}
        if shares.get(at_mean, 0.0) < threshold - SLACK:
            standing, guards = "uncertain", [*guards, "panel divided"]
    return Placement(
        standing=standing,
        at_mean=at_mean,
        strength=found.strength if scored else None,
        second_opinion=found.second if scored else None,
        interval=redrawn.interval() if redrawn and scored else None,
        shares=shares,
        certainty=max(shares.values(), default=None),
        guards=(*guards, *(["one observation"] if sum(map(len, case.panel)) == 1 else [])),
    )


def _unconfirmed(case: Case, claim: Claim) -> list[str]:
    sides: dict[str, bool] = {}
    for response in case.responses.get(claim.id, ()):
        if response.kind == "concede":
            sides[response.side] = sides.get(response.side, False) or response.confirmed
    return [] if all(sides.values()) else ["unconfirmed"]


def _redrawn(case: Case, seed: str | int) -> dict[str, _Redrawn]:
    """Resample judges, then each drawn judge's orders, both with replacement; one observation has no spread."""
    if sum(map(len, case.panel)) < 2:
        return {}
    found = {claim.id: _Redrawn(Counter(), []) for claim in case.claims}
    needed = {
        claim.id: {mark for name in case.tested_by[claim.id] for mark in case.bases[name].marks}
        for claim in case.claims
    }
    for draw, times in _draws(case.panel, Rng(seed, case.policy.id), case.policy.draws).items():
        means = case.means(draw)
        missing = {mark for mark, mean in enumerate(means) if mean is None}
        for claim, weighing in weighed(case, case.weigh(means)).items():
            if missing.isdisjoint(needed[claim]):
                found[claim].classes[weighing.footing.standing] += times
                found[claim].strengths += [weighing.strength] * times
            else:
                found[claim].classes["uncertain"] += times
    return found


def _draws(panel: Sequence[Sequence[int]], rng: Rng, count: int) -> Counter[tuple[int, ...]]:
    """Count identical draws together: a small panel has few different ones."""
    drawn: Counter[tuple[int, ...]] = Counter()
    for _ in range(count):
        judges = [rng.choice(panel) for _ in panel]
        drawn[tuple(sorted(rng.choice(own) for own in judges for _ in own))] += 1
    return drawn


CLASSES: tuple[Standing, ...] = ("upheld", "partially_upheld", "refuted", "uncertain")

SLACK = 1e-9
"""Tolerance: floating-point rounding decides no class."""
