"""Decides who may read what, and is the only place that does.

A seat reads what was said in public, what was said to it, and its own notes, as far as the line of the script that
asks it has witnessed them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from hustings.transcript.events import (
    AttemptRejected,
    BudgetChanged,
    CallDelayed,
    CallPaid,
    Event,
    HumanAwaited,
    NoteTaken,
    PenaltyGiven,
    ScoreGiven,
    TextStreamed,
    TurnEntered,
)
from hustings.transcript.models import Turn
from hustings.transcript.notes import Note


@dataclass(frozen=True)
class Standpoint:
    """What a line of the script has witnessed: the record as it stood when it started, and its own words since."""

    turns: int | None = None
    """How many turns and notes there were then; None for the main line, which sees everything."""
    notes: int | None = None
    own: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Entered:
    """A turn on the record, the wave that brought it, and who may read it (None: all seats)."""

    turn: Turn
    wave: int
    readers: frozenset[str] | None


@dataclass(frozen=True)
class Knowledge:
    """What one seat knows when it is asked."""

    public: tuple[tuple[Turn, ...], ...] = ()
    """Grouped by the wave that brought them; the same for every seat, and only ever added to."""
    private: tuple[Turn | Note, ...] = ()
    """What only this seat, or its team, may read now."""
    only_round: int | None = None
    """The one round it was shown, if others were withheld."""

    @property
    def turns(self) -> list[Turn]:
        """All turns it knows, in the order of the record."""
        own = [item for item in self.private if isinstance(item, Turn)]
        known = [*(turn for wave in self.public for turn in wave), *own]
        return sorted(known, key=lambda turn: (turn.round_index, turn.turn_index_in_round))


def knowledge(
    seat: str, turns: Sequence[Entered], notes: Sequence[Note], standpoint: Standpoint, *, only_round: int | None = None
) -> Knowledge:
    """What a seat may read from the standpoint of its line; `only_round` limits the turns to that round."""
    heard = [e for e in turns if e.turn.said and only_round in (None, e.turn.round_index)]
    before = set(map(id, heard if standpoint.turns is None else turns[: standpoint.turns]))
    public = [e for e in heard if id(e) in before and e.readers is None]
    private = [
        e.turn
        for e in heard
        if (e.readers is None or seat in e.readers)
        and (e.readers is not None if id(e) in before else e.turn.turn_id in standpoint.own)
    ]
    return Knowledge(
        tuple(tuple(e.turn for e in wave) for _, wave in groupby(public, key=lambda e: e.wave)),
        (*private, *_latest(note for n, note in enumerate(notes) if _may_read(seat, note, n, standpoint))),
        only_round,
    )


def may_follow(seat: str, event: Event) -> bool:
    """Whether a person at a seat may read an event of the log while the debate goes on."""
    match event:
        case TurnEntered():
            readers = event.turn.metadata and event.turn.metadata.readers
            return readers is None or seat in readers
        case NoteTaken() | ScoreGiven() | PenaltyGiven():
            return seat == event.note.by or seat in event.note.visible_to
        case AttemptRejected() | HumanAwaited():
            return event.seat == seat
        case CallPaid() | CallDelayed() | BudgetChanged() | TextStreamed():
            return False
        case _:
            return True


def _may_read(seat: str, note: Note, place: int, standpoint: Standpoint) -> bool:
    witnessed = standpoint.notes is None or place < standpoint.notes or note.note_id in standpoint.own
    return witnessed and (seat == note.by or seat in note.visible_to)


def _latest(notes: Iterator[Note]) -> list[Note]:
    """Keep the latest note of each author and kind about the same thing."""
    last: dict[tuple[object, ...], Note] = {}
    for note in notes:
        key = (note.by, note.kind, note.about)
        last.pop(key, None)
        last[key] = note
    return list(last.values())
