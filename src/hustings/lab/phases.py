"""Phases of turns: whether a turn opens, criticises, revises or sums up, by its protocol and kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from hustings.judging.arguments import opposed, speaking
from hustings.transcript.models import Transcript, Turn, TurnType

from .bundle import Phase

Phases = tuple[Phase, ...]
OPENING: Phases = ("opening",)
CRITIQUE: Phases = ("critique",)
REVISION: Phases = ("revision",)
SYNTHESIS: Phases = ("synthesis",)
BOTH: Phases = ("critique", "revision")
OPENING_THEN_BOTH: Phases = ("opening", "critique", "revision")
"""The first turn of a seat opens; later ones criticise and revise."""
NO_PHASE: Phases = ()

PHASES: Mapping[tuple[str, str], Phases] = {
    ("structured", "opening"): OPENING,
    ("structured", "cross-examination"): CRITIQUE,
    ("structured", "closing"): REVISION,
    ("competition", "opening"): OPENING,
    ("competition", "questions"): CRITIQUE,
    ("competition", "answers"): REVISION,
    ("competition", "summary"): CRITIQUE,
    ("competition", "free debate"): CRITIQUE,
    ("competition", "closing"): REVISION,
    ("roundtable", "contribution"): OPENING_THEN_BOTH,
    ("adaptive", "position"): OPENING_THEN_BOTH,
    ("adaptive", "refinement"): SYNTHESIS,
    ("moderated", "opening"): OPENING,
    ("moderated", "devil's advocate"): CRITIQUE,
    ("moderated", "question"): NO_PHASE,
    ("moderated", "answer"): BOTH,
}
"""By protocol and kind of turn."""
ASSIGNED_PROTOCOLS = frozenset({"structured", "competition"})
ASSIGNED_KINDS = frozenset({("moderated", "devil's advocate")})


@dataclass(frozen=True)
class PhasedTurn:
    """A turn that is evaluated, and how."""

    turn: Turn
    phases: Phases
    assigned: bool
    """Whether the speaker argues what it was told to: then no stance is read, and no change is a flip."""


def phases_of(protocol: str, kind: str, nth: int, turn_type: TurnType | None = None) -> Phases:
    """Phases of a seat's nth turn, from 0; for kinds that we do not know, by the type of the turn."""
    known = PHASES.get((protocol, kind))
    if known is None:
        known = SYNTHESIS if turn_type == "synthesis" else NO_PHASE if turn_type == "meta" else OPENING_THEN_BOTH
    if known == OPENING_THEN_BOTH:
        return BOTH if nth else OPENING
    return known


def is_assigned(protocol: str, kind: str) -> bool:
    """Whether a turn of this kind argues for a side that was given to it."""
    return protocol in ASSIGNED_PROTOCOLS or (protocol, kind) in ASSIGNED_KINDS


def evaluated_turns(transcript: Transcript) -> list[PhasedTurn]:
    """Turns of debaters that were heard, in order of the record, with their phases."""
    protocol = (transcript.run_metadata.protocol or "").partition("/")[0]
    debaters = {participant.agent_id for participant in speaking(transcript)}
    sides = opposed(transcript) is not None
    spoken: Counter[str] = Counter()
    found: list[PhasedTurn] = []
    for turn in transcript.turns:
        if not turn.said or turn.speaker_id not in debaters:
            continue
        kind = (turn.metadata.kind if turn.metadata else None) or ""
        if phases := phases_of(protocol, kind, spoken[turn.speaker_id], turn.turn_type):
            found.append(PhasedTurn(turn, phases, sides or is_assigned(protocol, kind)))
            spoken[turn.speaker_id] += 1
    return found
