"""Builds the trace table: the result of each argument, why, what moved it most, and what would change it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import fsum

from hustings.script.forms import OBJECTIONS

from .arguments import Argumentation, Claim, ClaimResponse
from .case import Case, PanelMark, StandingPolicy, core, lay_out
from .graph import dfquad, quadratic_energy
from .judgement import ArgumentResult, Flip, Standing, StrengthChange
from .marks import Observation
from .standings import SLACK, Placement, band, footing, placements, weighed


def trace(
    argumentation: Argumentation,
    observations: Sequence[Observation],
    policy: StandingPolicy,
    *,
    seed: str | int,
    unreliable: bool = False,
    totals: Mapping[str, float | None],
    dimensions: Mapping[str, Mapping[str, float]],
) -> tuple[ArgumentResult, ...]:
    """Return results in the order of the record; `totals` and `dimensions` are the rubric's, by claim."""
    case = lay_out(argumentation, observations, policy)
    placed = placements(case, seed=seed, unreliable=unreliable)
    responses = {response.id: response for response in argumentation.responses}
    means = case.means()
    found: list[ArgumentResult] = []
    for claim in argumentation.claims:
        narrowed = replace(case, claims=(claim,), graph=case.graph.upstream(claim.id))
        account = Explanation(narrowed, claim, responses, means, narrowed.weigh(means))
        argument = _argument(account, placed[claim.id], totals.get(claim.id), dimensions.get(claim.id, {}))
        found.append(argument)
    return tuple(found)


@dataclass(frozen=True)
class Explanation:
    """One claim and everything that bears on it."""

    case: Case
    claim: Claim
    responses: Mapping[str, ClaimResponse]
    """All responses of the record, in its order."""
    means: Sequence[float | None]
    bases: Sequence[float]

    @property
    def direct(self) -> Sequence[ClaimResponse]:
        return self.case.responses.get(self.claim.id, ())

    def answers(self, response: ClaimResponse) -> Sequence[ClaimResponse]:
        return [r for r in self.case.responses.get(response.id, ()) if r.kind == "answer"]

    def mark(self, name: str) -> float | None:
        """The panel's mean mark for a claim or a response, out of ten."""
        given = [mean for mark in self.case.bases[name].marks if (mean := self.means[mark]) is not None]
        return fsum(given) / len(given) if given else None


def _argument(
    account: Explanation, placement: Placement, score: float | None, dimensions: Mapping[str, float]
) -> ArgumentResult:
    claim, scored = account.claim, placement.strength is not None
    moved = contributions(account) if scored else []
    certain = placement.standing == placement.at_mean and not OPEN.intersection(placement.guards)
    return ArgumentResult(
        id=claim.id,
        seat=claim.seat,
        side=claim.side,
        turn_id=claim.turn_id,
        claim=claim.claim,
        quote=claim.quote,
        examined=examined(account),
        standing=placement.standing,
        strength=_rounded(placement.strength),
        interval=placement.interval and (round(placement.interval[0], 6), round(placement.interval[1], 6)),
        second_opinion=_rounded(placement.second_opinion),
        shares={standing: round(share, 6) for standing, share in placement.shares.items()},
        certainty=_rounded(placement.certainty),
        guards=placement.guards,
        reason=reason(account, placement, moved),
        contributions=tuple(moved[:3]),
        flip=smallest_flip(account) if certain else None,
        score=_rounded(score),
        dimensions={dimension: round(value, 6) for dimension, value in dimensions.items()},
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


# -- what moved it -------------------------------------------------------------------------


def contributions(account: Explanation) -> list[StrengthChange]:
    """Return every response that changed the strength, the largest change first."""
    graph = account.case.graph
    node, values = graph.index[account.claim.id], graph.strengths(account.bases, dfquad)
    found: list[StrengthChange] = []
    for response in account.responses.values():
        if response.id in graph.index:
            without = graph.strengths(account.bases, dfquad, absent=_taken_out(account, response, values))
            share = round(values[node] - without[node], 6)
            found.append(StrengthChange(response=response.id, kind=response.kind, by=response.seat, share=share))
    return sorted((c for c in found if c.share), key=lambda c: -abs(c.share))


def _taken_out(account: Explanation, response: ClaimResponse, values: Sequence[float]) -> set[int]:
    """Remove a response with the weaker ones that make the same point: they would hide the effect of the point."""
    index, points = account.case.graph.index, account.case.points
    taken: set[int] = set()
    for name in (response.id, core(response)):
        if name in index:
            alike = [name]
            if name in points:
                alike = [n for n in account.case.bases if n in index and points.get(n) == points[name]]
            strongest = max(alike, key=lambda n: values[index[n]])
            taken.update(index[n] for n in (alike if strongest == name else [name]))
    return taken


# -- what would change it ------------------------------------------------------------------


def smallest_flip(account: Explanation) -> Flip | None:
    """Find the smallest change of one mark, in tenths of a point, that gives the claim another class."""
    standing = weighed(account.case, account.bases)[account.claim.id].footing.standing
    best, flip = 91, None
    for lever in _levers(account):
        if _kept(account, lever, 1 - best, best - 1) == standing:
            continue
        for sign in (1, -1):
            room = 10 - lever.now if sign > 0 else lever.now - 1
            kept = partial(_kept, account, lever)
            step = _first_change(kept, standing, sign, range(1, min(int(10 * room + SLACK), best - 1) + 1))
            if step:
                best = step
                flip = Flip(
                    what=_in_words(account, account.case.marks[lever.mark]),
                    now=round(lever.now, 6),
                    then=round(lever.now + sign * step / 10, 6),
                    standing=kept(sign * step, sign * step) or standing,
                )
    return flip


@dataclass(frozen=True)
class Lever:
    """A mark that bears on a claim."""

    mark: int
    now: float
    nodes: tuple[int, ...]
    """Nodes whose weight depends on it."""


def _levers(account: Explanation) -> list[Lever]:
    used: dict[int, list[int]] = {}
    for node, name in enumerate(account.case.graph.names):
        for mark in account.case.bases[name].marks:
            used.setdefault(mark, []).append(node)
    return [Lever(mark, account.means[mark] or 0.0, tuple(nodes)) for mark, nodes in sorted(used.items())]


def _first_change(
    kept: Callable[[int, int], Standing | None], standing: Standing, sign: int, steps: range
) -> int | None:
    """Bisect the steps; a half in which every step keeps one class is not searched."""
    if not steps:
        return None
    throughout = kept(*sorted((sign * steps[0], sign * steps[-1])))
    if throughout:
        return None if throughout == standing else steps[0]
    middle = len(steps) // 2
    return _first_change(kept, standing, sign, steps[:middle]) or _first_change(kept, standing, sign, steps[middle:])


def _kept(account: Explanation, lever: Lever, least: int, most: int) -> Standing | None:
    """Return the class that a claim keeps while the mark moves from `least` to `most` tenths; None if it may change."""
    case, claim = account.case, account.claim
    low, high = (_rebased(account, lever, min(10.0, max(1.0, lever.now + step / 10))) for step in (least, most))
    first, second = (case.graph.bounds(low, high, semantics) for semantics in (dfquad, quadratic_energy))
    worst = footing(case, claim, first[0], second[0], first[1])
    best = footing(case, claim, first[1], second[1], first[0])
    return worst.standing if worst == best else None


def _rebased(account: Explanation, lever: Lever, mark: float) -> list[float]:
    means, bases = list(account.means), list(account.bases)
    means[lever.mark] = mark
    for node in lever.nodes:
        bases[node] = account.case.bases[account.case.graph.names[node]].weigh(means)
    return bases


def _in_words(account: Explanation, mark: PanelMark) -> str:
    """Name a mark, such as "effectiveness of con's challenge"."""
    response = account.responses.get(mark.item)
    if response is None:
        return f"{mark.dimension} of {'the argument' if mark.item == account.claim.id else mark.item}"
    near = {account.claim.id, *(r.id for r in account.direct)}
    target = "" if response.target in near else f" ({response.target})"
    return f"{mark.dimension} of {response.seat}'s {NOUNS[response.kind]}{target}"


# -- in words ------------------------------------------------------------------------------


def examined(account: Explanation) -> str:
    """Describe the responses to a claim, such as "con challenged it; answered"."""
    said: dict[str, None] = {}
    for response in account.direct:
        verb = "given up by {}" if response.owner and response.kind == "concede" else VERBS[response.kind]
        words = verb.format(response.seat)
        if response.kind in OBJECTIONS:
            words += "; answered" if account.answers(response) else "; unanswered"
        said[words] = None
    return "; ".join(said) or "not examined"


def reason(account: Explanation, placement: Placement, moved: Sequence[StrengthChange]) -> str:
    """Explain the standing, from the graph alone."""
    because = _open(placement) or _weighing(account, moved)
    also = "; ".join(_guards(placement))
    return f"{WORDS[placement.standing]}: {because}." + (f" {also[0].upper()}{also[1:]}." if also else "")


def _open(placement: Placement) -> str:
    if placement.strength is None:
        return "too few of the panel scored it"
    if "unscored" in placement.guards:
        return "too few of the panel scored what was said to it"
    return "nobody questioned it, so nothing has tested it" if "unexamined" in placement.guards else ""


def _weighing(account: Explanation, moved: Sequence[StrengthChange]) -> str:
    """Name the response that moved it most the way it went, after its own merit if that alone gives its class."""
    own = account.mark(account.claim.id) or 0.0
    bare = account.bases[account.case.graph.index[account.claim.id]]
    after = weighed(account.case, account.bases)[account.claim.id]
    direct = {response.id: response for response in account.direct}
    shares = {c.response: c.share for c in moved if c.response in direct}
    with_it = [response for response, share in shares.items() if share * (after.strength - bare) > 0]
    lead = next(iter([*with_it, *shares, *direct]))
    merit = f"the argument was judged {_grade(own, 'strong')} ({own:.1f} of 10); "
    return (merit if band(bare, account.case.policy) == after.footing.band else "") + _effect(account, direct[lead])


def _effect(account: Explanation, response: ClaimResponse) -> str:
    if response.kind == "concede":
        return f"{response.seat} {'gave it up' if response.owner else 'conceded it'}"
    mark = account.mark(response.id) or 0.0
    said = f"{response.seat}'s {NOUNS[response.kind]} was judged {_grade(mark, 'effective')} ({mark:.1f} of 10)"
    if not response.attacks:
        return said
    best = max((account.mark(answer.id) or 0.0 for answer in account.answers(response)), default=None)
    if best is None:
        return f"{said} and was left unanswered"
    return f"{said} and its answer {_grade(best, 'sound')} ({best:.1f})"


def _grade(mark: float, high: str) -> str:
    return "weak" if mark < 4 else "fair" if mark < 6.5 else high


def _guards(placement: Placement) -> list[str]:
    alike = 100 * (placement.certainty or 0)
    said = {
        "scope": "an objection to its extent still stands, so it holds in part only",
        "semantics disagree": "a second way of weighing puts it two classes away",
        "unconfirmed": "the concession is not repeated in the closing",
        "panel divided": f"drawn again from its judges, the panel would say the same in {alike:.0f} % only",
        "one observation": "one judge looked once, so how certain this is cannot be told",
    }
    return [words for guard, words in said.items() if guard in placement.guards]


OPEN = frozenset({"unexamined", "unscored"})
"""Guards that no change of a mark can lift."""


WORDS: Mapping[Standing, str] = {
    "upheld": "Upheld",
    "partially_upheld": "Partially upheld",
    "refuted": "Refuted",
    "uncertain": "Uncertain",
}

VERBS = {
    "refute": "{} sought to refute it",
    "challenge": "{} challenged it",
    "partial": "{} granted its core, not its extent",
    "concede": "conceded by {}",
    "support": "supported by {}",
    "answer": "answered by {}",
}

NOUNS = {
    "refute": "refutation",
    "challenge": "challenge",
    "partial": "partial objection",
    "concede": "concession",
    "support": "support",
    "answer": "answer",
}
