"""How many calls an evaluation makes, wave by wave, and how many of them came to nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from hustings.transcript.notes import RULES, Note

from .build_bundles import DebateMaterial
from .scorers import claim_listing, crit_sheet, point_matching, rca_sheet, stance_reading, synthesis_sheet, t3_sheet
from .scorers.synthesis_sheet import points_that_mattered, sentence_counts

ANSWERS = frozenset(
    {
        stance_reading.NOTE,
        claim_listing.NOTE,
        point_matching.NOTE,
        crit_sheet.NOTE,
        rca_sheet.NOTE,
        t3_sheet.NOTE,
        synthesis_sheet.NOTE,
    }
)
"""Kinds of notes that code takes of an answer: one for each call that was answered."""
OF_TURNS = frozenset({"crit", "rca", "t3"})


@dataclass(frozen=True)
class CallPlan:
    """Calls of an evaluation without repairs: T (readers + 1) + (T − 1) + K (3 T + syntheses) at most.

    T turns and K readings by judges. A turn of an assigned side has no reader, a debate on forms no clerk, and a turn
    without claims nothing to judge.
    """

    read: int
    listed: int
    matched: int
    judged: int
    """By one judge who reads once."""
    readings: int
    """Judges times readings."""

    @property
    def waves(self) -> tuple[int, int, int]:
        return self.read + self.listed, self.matched, self.judged * self.readings

    @property
    def calls(self) -> int:
        return sum(self.waves)


def call_plan(material: DebateMaterial, parts: Iterable[str], readings: int) -> CallPlan:
    """What the evaluation of this material asks; with notes of an evaluation, exactly what it asked."""
    parts, turns = list(parts), material.spoken
    asserting = sum(bool(material.claims_of(turn.turn_id)) for turn in turns)
    clerk = not material.on_forms
    counts = sentence_counts(material)
    syntheses = [name for name, count in counts.items() if count and points_that_mattered(material, name)]
    return CallPlan(
        read=len(material.read_turns),
        listed=len(turns) if clerk else 0,
        matched=sum(bool(material.claims_before(turn.turn_id)) for turn in turns) if clerk else 0,
        judged=asserting * len(OF_TURNS.intersection(parts)) + (len(syntheses) if "synthesis" in parts else 0),
        readings=readings,
    )


def answered(notes: Iterable[Note]) -> Mapping[str, int]:
    """Seat to how many of its calls were answered."""
    found = Counter[str]()
    for note in notes:
        if note.by == RULES and note.kind in ANSWERS:
            found[str(note.body.get("judge") or note.body.get("reader") or "clerk")] += 1
    return found
