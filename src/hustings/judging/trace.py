"""Builds the trace table: the result of each argument, why, what moved it most, and what would change it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from .arguments import ClaimResponse
from .case import Case, PanelMark, core
from .explanation import NOUNS, Explanation, examined, reason
from .graph import dfquad, quadratic_energy
from .judgement import ArgumentResult, Flip, Standing, StrengthChange
from .standings import SLACK, PanelTrust, StandingResult, claim_strengths, class_inputs, standing_results


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
    placed = standing_results(case, seed=seed, trust=trust)
    responses = {response.id: response for response in case.record}
    means = case.means()
    found: list[ArgumentResult] = []
    for claim in case.claims:
        narrowed = replace(case, claims=(claim,), graph=case.graph.upstream(claim.id))
        account = Explanation(narrowed, claim, responses, means, narrowed.weigh(means), names or {}, last)
        argument = _argument(account, placed[claim.id], totals.get(claim.id), dimensions.get(claim.id, {}))
        found.append(argument)
    return tuple(found)


def _argument(
    account: Explanation, result: StandingResult, score: float | None, dimensions: Mapping[str, float]
) -> ArgumentResult:
    claim, scored = account.claim, result.strength is not None
    moved = contributions(account) if scored else []
    certain = result.standing == result.at_mean and not OPEN.intersection(result.guards)
    return ArgumentResult(
        id=claim.id,
        seat=claim.seat,
        side=claim.side,
        turn_id=claim.turn_id,
        claim=claim.claim,
        quote=claim.quote,
        examined=examined(account),
        standing=result.standing,
        strength=_rounded(result.strength),
        interval=result.interval and (round(result.interval[0], 6), round(result.interval[1], 6)),
        second_opinion=_rounded(result.second_opinion),
        shares={standing: round(share, 6) for standing, share in result.shares.items()},
        certainty=_rounded(result.certainty),
        guards=result.guards,
        reason=reason(account, result, moved),
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
    standing = claim_strengths(account.case, account.bases)[account.claim.id].inputs.standing
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
    worst = class_inputs(case, claim, first[0], second[0], first[1])
    best = class_inputs(case, claim, first[1], second[1], first[0])
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


OPEN = frozenset({"unexamined", "unscored", "withdrawn", "issue deadlocked"})
"""Guards that no change of a mark can lift."""
