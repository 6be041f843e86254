"""How positions move: divergence, overlap, alarm, stop rule, instability, drift. What is not known is None."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import fsum, log2
from statistics import fmean

from .artefact import StopReading
from .bundle import Distribution, distance

AGREED, STILL, FRESH = 0.05, 0.05, 0.20
"""Divergence up to which seats agree, movement up to which they stand still, and novelty up to which nothing is new."""
CLOSER = 0.05
"""How far divergence must fall for an alarm."""


def entropy(p: Distribution) -> float:
    """In bits."""
    return -fsum(value * log2(value) for value in p.values() if value > 0)


def divergence(seats: Sequence[Distribution]) -> float | None:
    """Jensen-Shannon divergence in bits: 0 if all say the same; at most 1 for two options."""
    if len(seats) < 2:
        return None
    mixture = {option: fmean(seat[option] for seat in seats) for option in seats[0]}
    return max(0.0, entropy(mixture) - fmean(map(entropy, seats)))


def overlap(grounds: Sequence[frozenset[str]]) -> float | None:
    """Mean Jaccard index over pairs of seats that both cite something."""
    pairs = [len(a & b) / len(a | b) for a, b in combinations([some for some in grounds if some], 2)]
    return fmean(pairs) if pairs else None


@dataclass(frozen=True)
class Look:
    """The table after a round. Stances and grounds are the seats' latest: a silent seat keeps its last."""

    stances: Mapping[str, Distribution]
    grounds: Mapping[str, frozenset[str]]
    claims: int = 0
    """Claims made in this round."""
    new_points: int = 0
    """Points that no earlier round made."""
    rho: float | None = None
    round: int = 0

    @property
    def js(self) -> float | None:
        return divergence(list(self.stances.values()))

    @property
    def ov(self) -> float | None:
        return overlap(list(self.grounds.values()))

    @property
    def novelty(self) -> float | None:
        return self.new_points / self.claims if self.claims else None


def movement(before: Look, after: Look) -> float | None:
    """Mean total variation of the seats that were heard in both."""
    both = [seat for seat in before.stances if seat in after.stances]
    return fmean(distance(before.stances[seat], after.stances[seat]) for seat in both) if both else None


def alarm(before: Look, after: Look) -> bool | None:
    """Whether agreement grew while common ground shrank; None where one of them is not known."""
    js, ov = (before.js, after.js), (before.ov, after.ov)
    if js[0] is None or js[1] is None or ov[0] is None or ov[1] is None:
        return None
    return js[1] - js[0] < -CLOSER and ov[1] - ov[0] < 0


def stop_after(looks: Sequence[Look], cap: int) -> StopReading | None:
    """Whether the debate may end now. Two looks suffice, so it can act after the second round."""
    round_ = looks[-1].round if looks else 0
    if len(looks) < 2:
        return StopReading(after_round=round_, why="cap") if len(looks) >= cap else None
    before, now = looks[-2:]
    moved, hollow = movement(before, now), bool(alarm(before, now))
    if _agreed(now) and not hollow:
        kind = "from the start" if _agreed(looks[0]) else "genuine"
        return StopReading(after_round=round_, why="agreed", agreement=kind)
    if moved is not None and moved <= STILL and now.novelty is not None and now.novelty <= FRESH:
        return StopReading(after_round=round_, why="exhausted", agreement="hollow" if hollow else "")
    if len(looks) >= cap:
        return StopReading(after_round=round_, why="cap", agreement="hollow" if hollow else "")
    return None


def _agreed(look: Look) -> bool:
    return look.js is not None and look.js <= AGREED


def first_stop(looks: Sequence[Look], cap: int) -> StopReading | None:
    """The first round after which the stop rule would have ended the debate."""
    return next((found for n in range(1, len(looks) + 1) if (found := stop_after(looks[:n], cap))), None)


# -- instability and drift ---------------------------------------------------------------


def returns(paths: Iterable[Sequence[str | None]]) -> float | None:
    """Share of returns A-B-A among the places where one was possible; None if no seat was heard three times."""
    heard = [[option for option in path if option is not None] for path in paths]
    possible = sum(max(0, len(path) - 2) for path in heard)
    found = sum(path[n] == path[n - 2] != path[n - 1] for path in heard for n in range(2, len(path)))
    return found / possible if possible else None


def roughness(values: Sequence[float]) -> float | None:
    """0 if a figure went straight or stood still, towards 1 if it went to and fro; None for fewer than two rounds."""
    if len(values) < 2:
        return None
    way = fsum(abs(b - a) for a, b in pairwise(values))
    return max(0.0, 1 - abs(values[-1] - values[0]) / way) if way > 1e-12 else 0.0


def instability(of_positions: float | None, of_quality: float | None) -> float | None:
    """Mean of what is known."""
    known = [value for value in (of_positions, of_quality) if value is not None]
    return fmean(known) if known else None


def drift(
    first: Mapping[str, Distribution], last: Mapping[str, Distribution], changes: int, reasoned: int
) -> float | None:
    """Mean divergence of first and last stance, times the share of changes without a quoted reason."""
    both = [seat for seat in first if seat in last]
    if not both:
        return None
    far = fmean(divergence([first[seat], last[seat]]) or 0.0 for seat in both)
    return far * (1 - reasoned / changes) if changes else 0.0


# -- influence and silence ---------------------------------------------------------------


def influence(seats: Iterable[str], moved_by: Sequence[tuple[str, str]]) -> dict[str, int]:
    """Of each seat, how many reasoned changes of others name a claim of it; pairs are who moved and by which seat."""
    return {seat: sum(who != seat == by for who, by in moved_by) for seat in seats}


def gini(values: Sequence[float]) -> float | None:
    """0 if all have the same, (n - 1)/n if one has all; None for fewer than two, or if there is nothing to share."""
    n, total = len(values), fsum(values)
    if n < 2 or total <= 0:
        return None
    return fsum(abs(a - b) for a in values for b in values) / (2 * n * total)


def silence(challenges: int, unanswered: int) -> float | None:
    """Share of the challenges to a seat that it never answered."""
    return unanswered / challenges if challenges else None
