"""Builds the trace table: the result of each argument, why, what moved it most, and what would change it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import fsum

from hustings.script.forms import OBJECTIONS
from hustings.text.figures import percent
from hustings.text.words import shortened

from .arguments import Claim, ClaimResponse
from .case import Case, PanelMark, core
from .graph import dfquad, quadratic_energy
from .judgement import ArgumentResult, Flip, Standing, StrengthChange
from .standings import SLACK, PanelTrust, Placement, band, footing, placements, weighed


def trace(
    case: Case,
    *,
    seed: str | int,
    trust: PanelTrust | None = None,
    totals: Mapping[str, float | None],
    dimensions: Mapping[str, Mapping[str, float]],
    names: Mapping[str, str] | None = None,
    last: Collection[str] = (),
) -> tuple[ArgumentResult, ...]:
    """Return results in the order of the record.

    `totals` and `dimensions` are the rubric's, by claim; `names` are those of the seats; `last` are turns after which
    no other side spoke.
    """
    placed = placements(case, seed=seed, trust=trust)
    responses = {response.id: response for response in case.record}
    means = case.means()
    found: list[ArgumentResult] = []
    for claim in case.claims:
        narrowed = replace(case, claims=(claim,), graph=case.graph.upstream(claim.id))
        account = Explanation(narrowed, claim, responses, means, narrowed.weigh(means), names or {}, last)
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
    names: Mapping[str, str]
    last: Collection[str]

    def name(self, said: Claim | ClaimResponse) -> str:
        return self.names.get(said.seat, said.seat)

    @property
    def unanswerable(self) -> bool:
        """Whether no other side spoke after it."""
        return self.claim.turn_id in self.last

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
    """Name what was scored, such as "Con's challenge" or "the argument's logic"."""
    response = account.responses.get(mark.item)
    if response is None:
        return f"{'the argument' if mark.item == account.claim.id else mark.item}'s {mark.dimension}"
    near = {account.claim.id, *(r.id for r in account.direct)}
    target = "" if response.target in near else f" ({response.target})"
    return f"{account.name(response)}'s {NOUNS[response.kind]}{target}"


# -- in words ------------------------------------------------------------------------------


def examined(account: Explanation) -> str:
    """Describe the responses to a claim, such as "Con challenged it, answered"."""
    said: dict[str, None] = {}
    for response in account.direct:
        words = _did(account, response)
        if response.kind in OBJECTIONS:
            silent = "" if response.drawn else ", no answer"
            words += ", answered" if account.answers(response) else silent
        said[words] = None
    return "; ".join(said) or ("Made in the last round" if account.unanswerable else "Nobody challenged it")


def _did(account: Explanation, response: ClaimResponse) -> str:
    """What a response did to its target."""
    who = account.name(response)
    if response.withdraws:
        return f"{who} withdrew {'part of it' if response.extent == 'point' else 'it'}"
    if response.kind == "concede":
        return f"{who} conceded {_conceded(response)}"
    if response.kind == "partial" and response.disputes in {"claim", "reasoning", "evidence"}:
        return f"{who} accepted its core, disputed its {response.disputes}"
    if response.kind in {"support", "agree"} and response.side == account.claim.side:
        return f"{who} added to it"
    return f"{who} {VERBS[response.kind]}"


def _conceded(response: ClaimResponse) -> str:
    if response.extent == "point":
        return f"one point (“{shortened(response.quote, QUOTED)}”)" if response.quote else "one point"
    return "its core" if response.extent == "core" else "it"


def reason(account: Explanation, placement: Placement, moved: Sequence[StrengthChange]) -> str:
    """Explain the standing, from the graph alone."""
    because = _open(account, placement) or _taken_back(account, placement) or _weighing(account, moved)
    also = [words for words in _guards(placement) if TOOK_BACK not in because or words != TAKEN_IN_PART]
    return " ".join([f"{WORDS[placement.standing]}: {because}.", *(f"{words}." for words in also)])


def _taken_back(account: Explanation, placement: Placement) -> str:
    if placement.standing != "withdrawn":
        return ""
    response = next(r for r in account.direct if r.withdraws)
    quote = f": “{shortened(response.quote, QUOTED)}”" if response.quote else ""
    return f"{account.name(response)} took it back{quote}"


def _open(account: Explanation, placement: Placement) -> str:
    if placement.strength is None:
        return "too few judges scored it"
    if "unscored" in placement.guards:
        return "too few judges scored the replies to it"
    if "issue deadlocked" in placement.guards:
        return "both sides of its issue held on"
    if "unexamined" not in placement.guards:
        return ""
    if any(response.kind == "concede" for response in account.direct):
        return "untested, apart from the point that was conceded"
    return "untested, because " + ("it came in the last round" if account.unanswerable else "nobody challenged it")


def _weighing(account: Explanation, moved: Sequence[StrengthChange]) -> str:
    """Name the response that moved it most the way it went, after its own merit if that alone gives its class."""
    own = account.mark(account.claim.id) or 0.0
    bare = account.bases[account.case.graph.index[account.claim.id]]
    after = weighed(account.case, account.bases)[account.claim.id]
    direct = {response.id: response for response in account.direct}
    shares = {c.response: c.share for c in moved if c.response in direct}
    with_it = [response for response, share in shares.items() if share * (after.strength - bare) > 0]
    lead = next(iter([*with_it, *shares, *direct]))
    merit = f"judges scored it {_grade(own, 'strong')} ({own:.1f} of 10); "
    return (merit if band(bare, account.case.policy) == after.footing.band else "") + _effect(account, direct[lead])


def _effect(account: Explanation, response: ClaimResponse) -> str:
    who = account.name(response)
    if response.withdraws:
        return f"{who} {TOOK_BACK}" if response.extent == "point" else f"{who} withdrew it"
    if response.kind == "agree":
        return f"{who} agreed"
    if response.kind == "concede":
        return f"{who} conceded {_conceded(response)}"
    mark = account.mark(response.id) or 0.0
    said = f"{who}'s {NOUNS[response.kind]} was {_grade(mark, 'strong')} ({mark:.1f} of 10)"
    if not response.attacks:
        return said
    best = max((account.mark(answer.id) or 0.0 for answer in account.answers(response)), default=None)
    if best is None:
        return f"{said}, {_no_answer(account, response)}"
    left = {"weak": "left most of that standing", "fair": "met part of that"}.get(_grade(best, ""), "met it")
    return f"{said}, and {account.name(account.claim)}'s answer {left} ({best:.1f})"


def _no_answer(account: Explanation, response: ClaimResponse) -> str:
    """Say that nobody answered only where that is shown: a clerk may have missed an answer in plain words."""
    if not response.drawn:
        return "and got no answer"
    if response.answerable:
        return "and no answer to it was found"
    return f"and {account.name(account.claim)} had no further turn"


def _grade(mark: float, high: str) -> str:
    return "weak" if mark < 4 else "fair" if mark < 6.5 else high


def _guards(placement: Placement) -> list[str]:
    said = {
        "scope": "Holds only in part: an objection still stands",
        "withdrawn in part": TAKEN_IN_PART,
        "issue won": "The panel came round to its answer, so it is not refuted",
        "issue contested": "Its issue stayed open, and part of it was conceded or withdrawn",
        "issue lost": "Its author came round to the other answer, so it holds in part at most",
        "core granted": "Its opponents accept its core, so it is not refuted",
        "near upheld": "Close to the line between upheld and partly upheld",
        "near refuted": "Close to the line between partly upheld and refuted",
        "semantics disagree": "A second method disagrees",
        "unconfirmed": "Conceded once, not confirmed in the closing",
        "panel divided": f"Judges are split: {told_shares(placement.shares)}",
    }
    held = placement.standing != "refuted"
    return [words for guard, words in said.items() if guard in placement.guards and (held or guard not in IN_PART)]


def told_shares(shares: Mapping[Standing, float]) -> str:
    """How often resampled panels give each class, the most frequent first."""
    found: list[Standing] = [standing for standing in shares if shares[standing]]
    most: list[Standing] = sorted(found, key=lambda standing: -shares[standing])
    told = [f"{WORDS[standing].lower()} in {percent(shares[standing])}" for standing in most]
    return ", ".join([f"{told[0]} of resamples", *told[1:]]) if told else ""


OPEN = frozenset({"unexamined", "unscored", "withdrawn", "issue deadlocked"})
"""Guards that no change of a mark can lift."""


WORDS: Mapping[Standing, str] = {
    "upheld": "Upheld",
    "partially_upheld": "Partly upheld",
    "refuted": "Refuted",
    "withdrawn": "Withdrawn",
    "uncertain": "Unsettled",
}

VERBS = {
    "refute": "disputed it",
    "challenge": "challenged it",
    "partial": "accepted it in part",
    "agree": "agreed",
    "support": "supported it",
    "answer": "answered it",
}
IN_PART = ("scope", "withdrawn in part", "issue lost")
"""Guards that say that an argument holds in part: not said of one that does not hold at all."""
TOOK_BACK = "took part of it back"
TAKEN_IN_PART = "Its author took part of it back, so it holds only in part"
QUOTED = 12
"""Most words of a quote in a reason."""

NOUNS = {
    "refute": "refutation",
    "challenge": "challenge",
    "partial": "partial objection",
    "concede": "concession",
    "withdraw": "withdrawal",
    "agree": "agreement",
    "support": "support",
    "answer": "answer",
}
