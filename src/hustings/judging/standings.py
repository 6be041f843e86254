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
) -> dict[str, StandingResult]:
    """Return placements by claim, in the order of the record."""
    return standing_results(lay_out(argumentation, observations, policy), seed=seed, trust=trust)


class PanelTrust(NamedTuple):
    """How far the judges can be trusted."""

    reliable: bool = True
    """Judges who agree too little must agree more often on a class."""
    independent: bool = True
    """How certain judges of one family are cannot be told."""


@dataclass(frozen=True)
class StandingResult:
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


class ClassInputs(NamedTuple):
    """Everything that the class of a claim depends on."""

    band: Standing
    second: Standing
    """Class under quadratic energy."""
    scope: bool
    """An objection to its extent still stands."""
    withdrawn: str = ""
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
        if self.withdrawn == "all":
            return "withdrawn"
        if self.issue == "deadlocked":
            return "uncertain"
        if self.unheard and self.alone == "refuted":
            return "uncertain"
        both = {self._floored(self.band), self._floored(self.second)}
        return "uncertain" if both == {"upheld", "refuted"} else self.alone

    @property
    def guards(self) -> list[str]:
        if self.withdrawn == "all":
            return ["withdrawn"]
        if self.issue == "deadlocked":
            return ["issue deadlocked"]
        if self.unheard and self.alone == "refuted":
            return ["unheard"]
        found = ["withdrawn in part"] if self.withdrawn else []
        if self._floored(self.band) != self.band:
            found.append("core granted" if self.granted else f"issue {self.issue}")
        elif self.alone != self.band and not self.withdrawn:
            found.append("scope" if self.scope else f"issue {self.issue}")
        return found if self.standing == self.alone else [*found, "semantics disagree"]

    def _floored(self, band: Standing) -> Standing:
        """No argument is refuted whose core its opponents accept, or whose issue its author won."""
        floor = self.granted or self.issue in {"won", "contested"}
        return "partially_upheld" if floor and band == "refuted" else band

    def _held(self, band: Standing) -> Standing:
        """No argument is upheld in full if a part of it fell or was taken back, or its author came round."""
        capped = band == "upheld" and (self.scope or self.withdrawn or self.issue in {"lost", "contested"})
        return "partially_upheld" if capped else self._floored(band)


class Strengths(NamedTuple):
    """How strong a claim is by one set of marks, and what gives it its class."""

    value: float
    second: float
    """Under quadratic energy."""
    inputs: ClassInputs


def claim_strengths(case: Case, bases: Sequence[float]) -> dict[str, Strengths]:
    """Weigh each claim and its responses under both semantics."""
    first = case.graph.strengths(bases, dfquad)
    second = case.graph.strengths(bases, quadratic_energy)
    index = case.graph.index
    return {
        claim.id: Strengths(
            first[index[claim.id]], second[index[claim.id]], class_inputs(case, claim, first, second, first)
        )
        for claim in case.claims
    }


def class_inputs(
    case: Case, claim: Claim, first: Sequence[float], second: Sequence[float], objecting: Sequence[float]
) -> ClassInputs:
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
    return ClassInputs(*bands, scope, *_own_words(claim, responses), issue, unheard)


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
class _Resampled:
    """Classes and strengths of one claim over the resampled panels."""

    classes: Counter[Standing]
    strengths: list[float]

    def interval(self) -> tuple[float, float] | None:
        ordered = sorted(self.strengths)
        return (ordered[int(0.025 * len(ordered))], ordered[int(0.975 * len(ordered))]) if ordered else None


def standing_results(case: Case, *, seed: str | int, trust: PanelTrust | None = None) -> dict[str, StandingResult]:
    """The standing of each claim, by the panel's mean marks and by panels resampled from it."""
    strengths, trust = claim_strengths(case, case.weigh(case.means())), trust or PanelTrust()
    resampled = _resample(case, seed) if trust.independent else {}
    threshold = case.policy.certain if trust.reliable else case.policy.certain_if_unreliable
    return {
        claim.id: _standing_of(case, claim, strengths[claim.id], resampled.get(claim.id), threshold)
        for claim in case.claims
    }


def _standing_of(
    case: Case, claim: Claim, strengths: Strengths, resampled: _Resampled | None, threshold: float
) -> StandingResult:
    """The standing of one claim: its class at the mean marks, unless resampled panels disagree too often."""
    scored, inputs = case.bases[claim.id].scored, strengths.inputs
    strength, second_opinion = (strengths.value, strengths.second) if scored else (None, None)
    if inputs.withdrawn == "all":
        # Its author's word settles it: no mark can change that.
        return StandingResult("withdrawn", "withdrawn", strength, None, None, {}, None, ("withdrawn",))

    undecidable = [] if _examined(case, claim, strengths.value) else ["unexamined"]
    if not all(case.bases[name].scored for name in case.tested_by[claim.id]):
        undecidable.append("unscored")
    at_mean: Standing = "uncertain" if undecidable else inputs.standing
    guards = [*(inputs.guards if scored else []), *undecidable, *_unconfirmed(case, claim)]

    # Panels drawn from the judges' own marks tell how often they would have come to the same class.
    standing = at_mean
    shares: dict[Standing, float] = {}
    if resampled and not undecidable:
        draws = resampled.classes.total()
        shares = {name: resampled.classes[name] / draws for name in CLASSES if resampled.classes[name]}
        if shares.get(at_mean, 0.0) < threshold - SLACK:
            standing = "uncertain"
            guards.append("panel divided")
    if scored and not undecidable and standing != "uncertain":
        guards += _near(case.policy, strengths)

    return StandingResult(
        standing=standing,
        at_mean=at_mean,
        strength=strength,
        second_opinion=second_opinion,
        interval=resampled.interval() if resampled and scored else None,
        shares=shares,
        certainty=shares.get(standing),
        guards=(*guards, *_unmeasured(case, resampled)),
    )


def _examined(case: Case, claim: Claim, strength: float) -> bool:
    """Whether a response tested it; another side's support counts as well."""
    responses = case.responses.get(claim.id, ())
    others = [r for r in responses if r.side != claim.side or r.kind in OBJECTIONS or r.withdraws]
    # To grant one point of a claim says nothing of the rest.
    only_a_point = all(r.kind == "concede" and r.extent == "point" for r in others)
    return bool(others) and not (only_a_point and strength < case.policy.upheld - SLACK)


def _near(policy: StandingPolicy, strengths: Strengths) -> list[str]:
    """Whether a small change of strength would give it another class."""
    inputs = strengths.inputs
    if inputs.standing != inputs.band:
        return []
    # What an objection still touches would not be upheld in full, however strong.
    capped = inputs.scope or inputs.withdrawn
    lines = {} if capped else {policy.upheld: "upheld"}
    # What its opponents accept in its core is not refuted, however weak.
    lines |= {} if inputs.granted else {policy.refuted: "refuted"}
    return [f"near {name}" for line, name in lines.items() if abs(strengths.value - line) < policy.near]


def _unmeasured(case: Case, resampled: _Resampled | None) -> list[str]:
    if sum(map(len, case.panel)) == 1:
        return ["one observation"]
    return ["one family"] if case.panel and not resampled else []


def _unconfirmed(case: Case, claim: Claim) -> list[str]:
    sides: dict[str, bool] = {}
    for response in case.responses.get(claim.id, ()):
        if response.kind == "concede":
            sides[response.side] = sides.get(response.side, False) or response.confirmed
    return [] if all(sides.values()) else ["unconfirmed"]


def _resample(case: Case, seed: str | int) -> dict[str, _Resampled]:
    """Resample judges, then each drawn judge's orders, both with replacement; one observation has no spread."""
    if sum(map(len, case.panel)) < 2:
        return {}
    resampled = {claim.id: _Resampled(Counter(), []) for claim in case.claims}
    needed_marks = {
        claim.id: {mark for name in case.tested_by[claim.id] for mark in case.bases[name].marks}
        for claim in case.claims
    }
    for draw, times in _draws(case.panel, Rng(seed, "standings"), case.policy.draws).items():
        means = case.means(draw)
        missing = {mark for mark, mean in enumerate(means) if mean is None}
        for claim, strengths in claim_strengths(case, case.weigh(means)).items():
            if missing.isdisjoint(needed_marks[claim]):
                resampled[claim].classes[strengths.inputs.standing] += times
                resampled[claim].strengths += [strengths.value] * times
            else:
                resampled[claim].classes["uncertain"] += times
    return resampled


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
