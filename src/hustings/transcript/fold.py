"""Folds events into transcript and notes: the only way in which either is made."""

from __future__ import annotations

from collections.abc import Iterable

from hustings.errors import BrokenFile

from .events import (
    DebateEnded,
    Event,
    InterventionMade,
    NoteTaken,
    PenaltyGiven,
    RoundClosed,
    RoundOpened,
    ScoreGiven,
    SeatMissed,
    TurnEntered,
)
from .models import Round, Transcript, TurnMetadata
from .notes import Note
from .outcome import Ending


class Record:
    """The transcript, the notes and the ending, as far as events have been applied."""

    def __init__(self, header: Transcript) -> None:
        self.transcript = header.model_copy(deep=True)
        self.notes: list[Note] = []
        self.ending: Ending | None = None

    def apply(self, event: Event) -> None:
        """Apply one event. Events that tell how the record came about, rather than what it says, change nothing."""
        match event:
            case RoundOpened():
                self.transcript.rounds.append(Round(round_index=event.round_index, turns=[], label=event.label))
            case TurnEntered():
                # Copy only the metadata, which closing the round changes; the rest never changes.
                metadata = event.turn.metadata and event.turn.metadata.model_copy()
                self.transcript.rounds[-1].turns.append(event.turn.model_copy(update={"metadata": metadata}))
            case NoteTaken() | ScoreGiven() | PenaltyGiven():
                self.notes.append(event.note)
            case SeatMissed():
                log = self.transcript.participant_state_log or []
                self.transcript.participant_state_log = [*log, event.state]
            case InterventionMade():
                self.transcript.intervention_log = [*(self.transcript.intervention_log or []), event.intervention]
            case RoundClosed():
                self._close(event)
            case DebateEnded():
                self.ending = event.ending
            case _:
                pass

    def _close(self, event: RoundClosed) -> None:
        here = self.transcript.rounds[-1]
        here.round_status, here.transcript_visibility = event.status, event.visibility
        here.planned_speaking_order = list(event.order)
        for turn in here.turns:
            if turn.turn_id in event.contexts:
                turn.metadata = turn.metadata or TurnMetadata()
                turn.metadata.context_turn_ids = list(event.contexts[turn.turn_id])


def fold(events: Iterable[Event]) -> Record:
    """Build the record from its events; the first must be `debate_started`."""
    rest = iter(events)
    first = next(rest, None)
    if first is None or first.kind != "debate_started":
        begins = repr(first.kind) if first else "its end"
        raise BrokenFile(
            f"a log of events begins with 'debate_started', not with {begins}", fix="read it from its start"
        )
    record = Record(first.header)
    for event in rest:
        record.apply(event)
    return record
