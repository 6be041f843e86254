"""How well a synthesis states what mattered: how much of it, how truly, and whether for all sides alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hustings.lab.artefact import SynthesisFigures
from hustings.lab.judge_answers import SynthesisAnswer


def synthesis_figures(
    name: str, covered: Mapping[str, bool], side_of: Mapping[str, str], traced: int, stated: int
) -> SynthesisFigures:
    """Coverage of the points that mattered, fidelity of its sentences, their harmonic mean, and balance of the sides.

    `covered` says of each point whether it is stated; `traced` of `stated` sentences come from a point and are fair.
    """
    coverage = sum(covered.values()) / len(covered) if covered else None
    fidelity = traced / stated if stated else None
    if coverage is None or fidelity is None:
        return SynthesisFigures(id=name, coverage=coverage, fidelity=fidelity)
    quality = 2 * coverage * fidelity / (coverage + fidelity) if coverage + fidelity else 0.0
    by_side: dict[str, list[bool]] = {}
    for point, was in covered.items():
        by_side.setdefault(side_of.get(point, ""), []).append(was)
    shares = [sum(some) / len(some) for some in by_side.values()]
    balance = min(shares) / max(shares) if len(shares) > 1 and max(shares) else None
    return SynthesisFigures(id=name, quality=quality, coverage=coverage, fidelity=fidelity, balance=balance)


def panel_synthesis(
    name: str, mattered: Mapping[str, str], sentences: int, answers: Sequence[SynthesisAnswer]
) -> SynthesisFigures:
    """One synthesis of a number of sentences, read by a panel; `mattered` is each point and the side that made it.

    A point is stated, and a sentence true to its source, if more than half of the judges say so.
    """
    if not answers:
        return SynthesisFigures(id=name)
    half = len(answers) / 2
    covered = {
        point: sum(any(p.about == point and p.stated for p in answer.points) for answer in answers) > half
        for point in mattered
    }
    true = [
        number
        for number in range(1, sentences + 1)
        if sum(any(s.number == number and s.source and s.fair for s in a.sentences) for a in answers) > half
    ]
    asserting = [
        number
        for number in range(1, sentences + 1)
        if sum(any(s.number == number for s in answer.sentences) for answer in answers) > half
    ]
    return synthesis_figures(name, covered, mattered, len(true), len(asserting))
