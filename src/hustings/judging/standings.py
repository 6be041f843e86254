"""Computes the standing of each claim from the argument graph and the panel's marks.

A claim is a node that responses attack and support, weighed by the marks. Resampling the panel from its own judges
tells how certain the class is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hustings.script.forms import OBJECTIONS

from .arguments import Argumentation, Claim, ClaimResponse
from .case import POLICY, Case, IssueEnd, StandingPolicy, lay_out
from .graph import dfquad, quadratic_energy
from .judgement import Standing
from .marks import Observation
from .rng import Rng


def standings(
    argumentation: Argumentation,
    observations: Sequence[Observation],
    policy: StandingPolicy = POLICY,
    *,
    seed: str | int,
    trust: PanelTrust | None = None,
) -> dict[str, Placement]:
    """Return placements by claim, in the order of the record."""
    return placements(lay_out(argumentation, observations, policy), seed=seed, trust=trust)


class PanelTrust(NamedTuple):
    """How far the judges can be trusted."""

    reliable: bool = True
    """Judges who agree too little must agree more often on a class."""
    independent: bool = True
    """How certain judges of one family are cannot be told."""


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
    """How often resampled panels give the standing that is reported."""
    guards: tuple[str, ...]


class Footing(NamedTuple):
    """Everything that the class of a claim depends on."""

    band: Standing
    second: Standing
    """Class under quadratic energy."""
    scope: bool
    """An objection to its extent still stands."""
    taken_back: str = ""
    """How much of it its own side withdrew: all or a part."""
    granted: bool = False
    """Every other side that spoke to it accepts at least its core in the end."""
    issue: IssueEnd | None = None
    """How the issue that it speaks to ended for its author, unless others have conceded the claim."""
    unheard: bool = False
    """Its author had no turn left after everything that was said against it."""

    @property
    def alone(self) -> Standing:
        """The class without the second opinion."""
        return self._held(self.band)

    @property
    def standing(self) -> Standing:
        if self.taken_back == "all":
            return "withdrawn"
        if self.issue == "deadlocked":
            return "uncertain"
        if self.unheard and self.alone == "refuted":
            return "uncertain"
        both = {self._floored(self.band), self._floored(self.second)}
        return "uncertain" if both == {"upheld", "refuted"} else self.alone

    @property
    def guards(self) -> list[str]:
        if self.taken_back == "all":
            return ["withdrawn"]
        if self.issue == "deadlocked":
            return ["issue deadlocked"]
        if self.unheard and self.alone == "refuted":
            return ["unheard"]
        found = ["withdrawn in part"] if self.taken_back else []
        if self._floored(self.band) != self.band:
            found.append("core granted" if self.granted else f"issue {self.issue}")
        elif self.alone != self.band and not self.taken_back:
            found.append("scope" if self.scope else f"issue {self.issue}")
        return found if self.standing == self.alone else [*found, "semantics disagree"]

    def _floored(self, band: Standing) -> Standing:
        """No argument is refuted whose core its opponents accept, or whose issue its author won."""
        floor = self.granted or self.issue in {"won", "contested"}
        return "partially_upheld" if floor and band == "refuted" else band

    def _held(self, band: Standing) -> Standing:
        """No argument is upheld in full if a part of it fell or was taken back, or its author came round."""
        capped = band == "upheld" and (self.scope or self.taken_back or self.issue in {"lost", "contested"})
        return "partially_upheld" if capped else self._floored(band)


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
    responses = case.responses.get(claim.id, ())
    scopes = [
        objecting[case.graph.index[r.id]] / getattr(policy, r.kind) * policy.partial
        for r in responses
        if r.kind in OBJECTIONS
    ]
    scope = max(scopes, default=0.0) >= policy.scope - SLACK or _one_point_alone(responses)
    if first[node] >= policy.borne_out - SLACK and _borne_out(claim, responses):
        scope = False
    bands = band(first[node], policy), band(second[node], policy)
    issue = _issue(case.issues.get(claim.id), responses)
    if first[node] >= policy.undisputed - SLACK and not issue and _undisputed(claim, responses):
        bands = ("upheld", "upheld")
    objections = [r for r in responses if r.kind in OBJECTIONS]
    unheard = bool(objections) and not any(r.answerable for r in objections)
    return Footing(*bands, scope, *_own_words(claim, responses), issue, unheard)


def _issue(end: IssueEnd | None, responses: Sequence[ClaimResponse]) -> IssueEnd | None:
    """How its issue bears on a claim: not at all if others concede as much as its author gave up or held on to."""
    conceded = {r.extent or "core" for r in responses if r.kind == "concede" and not r.owner}
    if "all" in conceded or (end != "lost" and "core" in conceded):
        return None
    moved = any(r.kind in {"concede", "withdraw"} for r in responses)
    return "contested" if end == "deadlocked" and moved else end


def _one_point_alone(responses: Sequence[ClaimResponse]) -> bool:
    """Whether others say the same of one point, and nobody of more."""
    return any(r.kind == "agree" and r.extent == "point" for r in responses) and not any(map(_accepts, responses))


def _borne_out(claim: Claim, responses: Sequence[ClaimResponse]) -> bool:
    """Whether a side that does not object to it itself accepts it."""
    objecting = {r.side for r in responses if r.kind in OBJECTIONS}
    return any(_accepts(r) and r.side not in {claim.side, *objecting} for r in responses)


def _accepts(response: ClaimResponse) -> bool:
    return response.kind in {"support", "agree", "concede"} and response.extent != "point"


def _undisputed(claim: Claim, responses: Sequence[ClaimResponse]) -> bool:
    """Whether another side accepts or supports it, and nobody objects."""
    accepted = any(_accepts(r) and r.side != claim.side for r in responses)
    return accepted and not any(r.kind in OBJECTIONS for r in responses)


def _own_words(claim: Claim, responses: Sequence[ClaimResponse]) -> tuple[str, bool]:
    """How much its own side took back, and whether all others accept its core in the end."""
    # Without its core nothing is left of a claim.
    taken = {"a part" if r.extent == "point" else "all" for r in responses if r.withdraws}
    others = [r for r in responses if r.side != claim.side and r.kind in {*OBJECTIONS, "concede"}]
    conceded = {r.side for r in others if r.kind == "concede" and r.extent != "point"}
    granted = all(r.kind == "partial" or r.side in conceded for r in others if r.kind != "concede")
    accepted = any(r.kind == "partial" for r in others) or bool(conceded)
    return "all" if "all" in taken else next(iter(taken), ""), granted and accepted


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


def placements(case: Case, *, seed: str | int, trust: PanelTrust | None = None) -> dict[str, Placement]:
    found, trust = weighed(case, case.weigh(case.means())), trust or PanelTrust()
    redrawn = _redrawn(case, seed) if trust.independent else {}
    threshold = case.policy.certain if trust.reliable else case.policy.certain_if_unreliable
    return {
        claim.id: _placement(case, claim, found[claim.id], redrawn.get(claim.id), threshold) for claim in case.claims
    }


def _placement(case: Case, claim: Claim, found: Weighing, redrawn: _Redrawn | None, threshold: float) -> Placement:
    scored = case.bases[claim.id].scored
    if found.footing.taken_back == "all":
        return _withdrawn(found, scored=scored)
    open_for = [] if _examined(case, claim, found.strength) else ["unexamined"]
    open_for += [] if all(case.bases[name].scored for name in case.tested_by[claim.id]) else ["unscored"]
    at_mean: Standing = "uncertain" if open_for else found.footing.standing
    standing, guards = at_mean, (found.footing.guards if scored else []) + open_for + _unconfirmed(case, claim)
    shares: dict[Standing, float] = {}
    if redrawn and not open_for:
        draws = redrawn.classes.total()
        shares = {s: redrawn.classes[s] / draws for s in CLASSES if redrawn.classes[s]}
        if shares.get(at_mean, 0.0) < threshold - SLACK:
            standing, guards = "uncertain", [*guards, "panel divided"]
    guards += _near(case.policy, found) if scored and not open_for and standing != "uncertain" else []
    return Placement(
        standing=standing,
        at_mean=at_mean,
        strength=found.strength if scored else None,
        second_opinion=found.second if scored else None,
        interval=redrawn.interval() if redrawn and scored else None,
        shares=shares,
        certainty=shares.get(standing),
        guards=(*guards, *_unmeasured(case, redrawn)),
    )


def _withdrawn(found: Weighing, *, scored: bool) -> Placement:
    """Its author's word settles it: no mark can change that, so nothing is weighed or resampled."""
    strength = found.strength if scored else None
    return Placement("withdrawn", "withdrawn", strength, None, None, {}, None, ("withdrawn",))


def _examined(case: Case, claim: Claim, strength: float) -> bool:
    """Whether a response tested it; another side's support counts as well."""
    responses = case.responses.get(claim.id, ())
    others = [r for r in responses if r.side != claim.side or r.kind in OBJECTIONS or r.withdraws]
    # To grant one point of a claim says nothing of the rest.
    only_a_point = all(r.kind == "concede" and r.extent == "point" for r in others)
    return bool(others) and not (only_a_point and strength < case.policy.upheld - SLACK)


def _near(policy: StandingPolicy, found: Weighing) -> list[str]:
    """Whether a small change of strength would give it another class."""
    if found.footing.standing != found.footing.band:
        return []
    # What an objection still touches would not be upheld in full, however strong.
    capped = found.footing.scope or found.footing.taken_back
    lines = {} if capped else {policy.upheld: "upheld"}
    # What its opponents accept in its core is not refuted, however weak.
    lines |= {} if found.footing.granted else {policy.refuted: "refuted"}
    return [f"near {name}" for line, name in lines.items() if abs(found.strength - line) < policy.near]


def _unmeasured(case: Case, redrawn: _Redrawn | None) -> list[str]:
    if sum(map(len, case.panel)) == 1:
        return ["one observation"]
    return ["one family"] if case.panel and not redrawn else []


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
    for draw, times in _draws(case.panel, Rng(seed, "standings"), case.policy.draws).items():
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


CLASSES: tuple[Standing, ...] = ("upheld", "partially_upheld", "refuted", "withdrawn", "uncertain")

SLACK = 1e-9
"""Tolerance: floating-point rounding decides no class."""
