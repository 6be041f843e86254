"""Builds the argument graph that standings are computed from; `StandingPolicy` holds its weights and thresholds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import fsum
from typing import Literal, NamedTuple

from hustings.script.forms import OBJECTIONS

from .arguments import Argumentation, Claim, ClaimResponse, last_words
from .graph import Graph
from .marks import Observation


@dataclass(frozen=True)
class StandingPolicy:
    """The constants by which standings are computed."""

    id: str = "standing-1"
    """Names the rules in every judgement."""

    # Weight of a response, times how effective the panel found it.
    refute: float = 1.0
    challenge: float = 0.7
    partial: float = 0.5
    """Its objection to the extent of an argument."""
    support: float = 0.5
    answer: float = 1.0
    """Times how adequate the panel found it."""

    # Weight of a response, whatever the panel thinks of it.
    core: float = 0.3
    """What a partial response grants."""
    concede: float = 0.8
    concede_core: float = 0.45
    concede_point: float = 0.1
    give_up: float = 0.9
    """Against an argument whose owner takes it back."""
    give_up_part: float = 0.3
    unheard: float = 0.5
    """Times an objection after which the author of its target did not speak again."""

    # Thresholds of strength for the classes.
    upheld: float = 0.60
    refuted: float = 0.21
    scope: float = 0.09
    """An objection to its extent of at least this strength keeps an argument from being upheld in full."""

    # How often resampled panels must agree on a class.
    certain: float = 0.70
    certain_if_unreliable: float = 0.85
    draws: int = 1000
    borne_out: float = 0.75
    """From this strength on, an objection to its extent does not count if a third side accepts the argument."""
    undisputed: float = 0.45
    """From this strength on, an argument that others accept and nobody disputes is upheld."""
    near: float = 0.03
    """An argument closer than this to a threshold says so."""


POLICY = StandingPolicy()

IssueEnd = Literal["won", "lost", "deadlocked", "contested"]
"""How the issue that a claim speaks to ended for its author; contested: deadlocked, but something of it was granted."""


def lay_out(
    argumentation: Argumentation,
    observations: Sequence[Observation],
    policy: StandingPolicy = POLICY,
    issues: Mapping[str, IssueEnd] | None = None,
) -> Case:
    """`issues` maps claims to the ends of their issues, where a panel settled some."""
    argumentation = last_words(argumentation)
    panel = sorted(observations, key=lambda o: (o.judge, o.order))
    responses: dict[str, list[ClaimResponse]] = {}
    for response in argumentation.responses:
        responses.setdefault(response.target, []).append(response)
    sheet = _GraphSheet(panel)
    bases = _weights(argumentation, sheet, policy)
    points = _points(argumentation, panel)
    judges: dict[str, list[int]] = {}
    for i, observation in enumerate(panel):
        judges.setdefault(observation.judge, []).append(i)
    return Case(
        policy=policy,
        claims=argumentation.claims,
        record=argumentation.responses,
        responses=responses,
        graph=Graph.of(bases, _attacks(argumentation, responses), _supports(argumentation), points),
        points=points,
        bases=bases,
        marks=tuple(sheet.columns),
        columns=tuple(sheet.columns.values()),
        panel=tuple(map(tuple, judges.values())),
        issues=issues or {},
    )


class PanelMark(NamedTuple):
    item: str
    dimension: str


@dataclass(frozen=True)
class Base:
    """Base weight of a node: a factor, times the mean of its marks if it has any."""

    factor: float
    marks: tuple[int, ...] = ()
    scored: bool = True

    def weigh(self, means: Sequence[float | None]) -> float:
        if not self.marks:
            return self.factor
        given = [mean for mark in self.marks if (mean := means[mark]) is not None]
        return self.factor * (fsum(given) / len(given) - 1) / 9 if len(given) == len(self.marks) else 0.0


@dataclass(frozen=True)
class Case:
    """The argument graph of a debate with its marks, to be weighed by this panel or one resampled from it."""

    policy: StandingPolicy
    claims: tuple[Claim, ...]
    record: tuple[ClaimResponse, ...]
    """All responses, in the order of the debate."""
    responses: Mapping[str, Sequence[ClaimResponse]]
    """By target."""
    graph: Graph
    points: Mapping[str, str]
    """Node to the name of its point: nodes that make the same point, or the same concession, share it."""
    bases: Mapping[str, Base]
    marks: tuple[PanelMark, ...]
    columns: tuple[tuple[float | None, ...], ...]
    """For each mark, the value from each observation."""
    panel: tuple[tuple[int, ...], ...]
    """For each judge, the indexes of its observations."""
    issues: Mapping[str, IssueEnd]

    def means(self, draw: Sequence[int] | None = None) -> list[float | None]:
        """Return each mark's mean over the drawn observations, or over all."""
        chosen = [i for own in self.panel for i in own] if draw is None else draw
        return [_mean([value for i in chosen if (value := column[i]) is not None]) for column in self.columns]

    def weigh(self, means: Sequence[float | None]) -> list[float]:
        return [self.bases[name].weigh(means) for name in self.graph.names]

    @cached_property
    def tested_by(self) -> Mapping[str, tuple[str, ...]]:
        """For each claim, the nodes that must be scored: itself, its responses, and the answers to attacks."""
        return {
            claim.id: (claim.id, *(n for r in self.responses.get(claim.id, ()) for n in self._with_answers(r)))
            for claim in self.claims
        }

    def _with_answers(self, response: ClaimResponse) -> list[str]:
        answers = self.responses.get(response.id, ()) if response.attacks else ()
        return [response.id, *(answer.id for answer in answers)]


def core(response: ClaimResponse) -> str:
    """Name of the node for what a partial response grants."""
    return f"{response.id} (core)"


def grounds(argumentation: Argumentation, observations: Iterable[Observation]) -> tuple[str, ...]:
    """Dimensions that give a claim its own weight: logic and evidence, or all of a rubric that has neither."""
    given = {d for o in observations for claim in argumentation.claims for d in o.scores.get(claim.id, ())}
    return ("logic", "evidence") if given & {"logic", "evidence"} else tuple(sorted(given))


class _GraphSheet:
    """Collects the marks that the graph uses, as they are needed."""

    def __init__(self, panel: Sequence[Observation]) -> None:
        self.panel = panel
        self.columns: dict[PanelMark, tuple[float | None, ...]] = {}
        self.index: dict[PanelMark, int] = {}

    def base(self, factor: float, item: str, *dimensions: str) -> Base:
        """Unscored unless at least half of the panel marked each dimension."""
        columns = {
            PanelMark(item, dimension): tuple(o.scores.get(item, {}).get(dimension) for o in self.panel)
            for dimension in dimensions
        }
        if not columns or not all(map(_by_half, columns.values())):
            return Base(0.0, scored=False)
        self.columns.update(columns)
        return Base(factor, tuple(self.index.setdefault(mark, len(self.index)) for mark in columns))


def _by_half(column: Sequence[float | None]) -> bool:
    given = sum(value is not None for value in column)
    return given > 0 and len(column) <= 2 * given


def _weights(argumentation: Argumentation, sheet: _GraphSheet, policy: StandingPolicy) -> dict[str, Base]:
    dimensions = grounds(argumentation, sheet.panel)
    bases = {claim.id: sheet.base(1.0, claim.id, *dimensions) for claim in argumentation.claims}
    targets = {response.id: response.target for response in argumentation.responses}
    factors = {
        "refute": policy.refute,
        "challenge": policy.challenge,
        "partial": policy.partial,
        "support": policy.support,
    }
    for response in argumentation.responses:
        if response.kind in {"concede", "withdraw", "agree"}:
            bases[response.id] = Base(_weight_of(response, policy))
        elif response.kind == "answer":
            base = sheet.base(policy.answer, response.id, "adequacy")
            about = targets.get(response.target, "")
            bases[response.id] = base if base.scored else sheet.base(policy.answer, about, "responsiveness")
        else:
            heard = 1.0 if response.answerable or not response.attacks else policy.unheard
            bases[response.id] = sheet.base(heard * factors[response.kind], response.id, "effectiveness")
        if response.kind == "partial":
            bases[core(response)] = Base(policy.core)
    return bases


def _weight_of(response: ClaimResponse, policy: StandingPolicy) -> float:
    """A concession or withdrawal weighs what it says; one that does not say counts for the core."""
    if response.withdraws:
        return policy.give_up_part if response.extent == "point" else policy.give_up
    return {"all": policy.concede, "point": policy.concede_point}.get(response.extent, policy.concede_core)


def _attacks(argumentation: Argumentation, responses: Mapping[str, Sequence[ClaimResponse]]) -> list[tuple[str, str]]:
    """An answer to a concession or a support attacks nothing; attacks on a claim also attack responses it carries."""
    attacking = {response.id: response.attacks for response in argumentation.responses}
    return [
        (response.id, response.target)
        for response in argumentation.responses
        if response.attacks and (response.kind != "answer" or attacking.get(response.target))
    ] + [
        (attacker.id, response.id)
        for response in argumentation.responses
        if response.source
        for attacker in responses.get(response.source, ())
        if attacker.attacks and attacker.kind != "answer"
    ]


def _supports(argumentation: Argumentation) -> list[tuple[str, str]]:
    return [(r.id, r.target) for r in argumentation.responses if not r.attacks] + [
        (core(r), r.target) for r in argumentation.responses if r.kind == "partial"
    ]


def _points(argumentation: Argumentation, panel: Sequence[Observation]) -> dict[str, str]:
    """Nodes that count as one point.

    A side concedes a claim, or its core, once. Objections to a claim make the same point if most observations that
    scored both say so.
    """
    points: dict[str, str] = {}
    objections: dict[str, list[str]] = {}
    for response in argumentation.responses:
        if response.kind in {"concede", "withdraw", "agree"}:
            points[response.id] = f"{response.target} {'given up' if response.owner else 'conceded'} by {response.side}"
        elif response.kind == "partial":
            points[core(response)] = f"{response.target} conceded by {response.side}"
        if response.kind in OBJECTIONS:
            objections.setdefault(response.target, []).append(response.id)
    for ids in objections.values():
        points |= _same_points(sorted(ids), panel) if len(ids) > 1 else {}
    return points


def _same_points(ids: Sequence[str], panel: Sequence[Observation]) -> dict[str, str]:
    # Of three alike, a judge may link the third to either of the others, so each judge's links are completed first.
    said = [_joined(ids, [(i, o.same_point[i]) for i in ids if o.same_point.get(i) in ids]) for o in panel]
    agreed: list[tuple[str, str]] = []
    for one, other in combinations(ids, 2):
        votes = [
            point[one] == point[other]
            for o, point in zip(panel, said, strict=True)
            if all("effectiveness" in o.scores.get(i, {}) for i in (one, other))
        ]
        if 2 * sum(votes) > len(votes):
            agreed.append((one, other))
    return _joined(ids, agreed)


def _joined(ids: Sequence[str], links: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Map each id to the first id that it is linked to, directly or through others."""
    first = {i: i for i in ids}
    for one, other in links:
        low, high = sorted((first[one], first[other]))
        first = {i: low if f == high else f for i, f in first.items()}
    return first


def _mean(values: Sequence[float]) -> float | None:
    return fsum(values) / len(values) if values else None
