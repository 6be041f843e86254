"""Compares several debates on one motion: which arguments recur, and whether their standings agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from hustings.errors import Unsuitable

from .comparison import ComparedArgument, DebateFacts, arguments, paired, same_question
from .judgement import Standing

CAUTIOUS: tuple[Standing, ...] = ("uncertain", "partially_upheld", "withdrawn", "refuted", "upheld")
"""Tie-break: of equally frequent standings, the one that claims less."""


class Stability(BaseModel, frozen=True, defer_build=True):
    """One argument over several runs of one motion."""

    claim: str
    ids: Mapping[str, str]
    """Run id to the argument's id in that run."""
    standings: Mapping[str, Standing]
    most: Standing
    share: float
    """Share of the runs with this argument that give it its most frequent standing."""
    split: tuple[int, ...] = ()
    """How many runs each of the most frequent standings has, where several are as frequent; else empty."""


def stability(runs: Sequence[DebateFacts]) -> tuple[Stability, ...]:
    """Arguments that two or more judged runs share, the most frequent first; the order of runs does not matter."""
    judged = sorted((held for held in runs if held.dossier.judgement), key=lambda held: held.run_id)
    if any(not same_question(held, other) for held in runs for other in runs[:1]):
        raise Unsuitable("they are about different questions", fix="name runs of one motion")
    groups: list[dict[str, ComparedArgument]] = []
    for held in judged:
        found = arguments(held)
        pairs = paired([next(iter(group.values())) for group in groups], found)
        for place, argument in pairs.items():
            groups[place][held.run_id] = argument
        known = {id(argument) for argument in pairs.values()}
        groups += [{held.run_id: argument} for argument in found if id(argument) not in known]
    several = [group for group in groups if len(group) > 1]
    return tuple(_weighed(group) for group in sorted(several, key=len, reverse=True))


def _weighed(group: Mapping[str, ComparedArgument]) -> Stability:
    standings: dict[str, Standing] = {run: row.result.standing for run, row in group.items() if row.result}
    counts = Counter(standings.values())
    most = max(CAUTIOUS, key=lambda standing: counts[standing])
    leading = tuple(count for count in counts.values() if count == counts[most])
    return Stability(
        claim=next(iter(group.values())).argument.claim,
        ids={run: row.argument.id for run, row in group.items()},
        standings=standings,
        most=most,
        share=counts[most] / len(standings),
        split=leading if len(leading) > 1 else (),
    )
