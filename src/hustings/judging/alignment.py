"""Aligns the turns of two debates by place: the same round label, seat, and number of its turn there."""

from __future__ import annotations

from collections import Counter

from pydantic import BaseModel

from hustings.transcript.models import Turn

from .dossier import Dossier

Place = tuple[str, str, int]
"""Label of the round, seat, and number of the seat's turn there."""


class Aligned(BaseModel, frozen=True):
    """Turns of two debates in the same place."""

    label: str
    seat: str
    turns: tuple[str | None, str | None]
    words: tuple[str, str]


def aligned(first: Dossier, second: Dossier) -> tuple[Aligned, ...]:
    """Return every turn of either once, in the order of the first; turns of the second alone keep their place."""
    ours, theirs = _places(first), _places(second)
    order, after = list(ours), 0
    for place in theirs:
        if place in ours:
            after = order.index(place) + 1
        else:
            order.insert(after, place)
            after += 1
    return tuple(
        Aligned(
            label=place[0],
            seat=place[1],
            turns=(_name(ours.get(place)), _name(theirs.get(place))),
            words=(_words(ours.get(place)), _words(theirs.get(place))),
        )
        for place in order
    )


def _places(dossier: Dossier) -> dict[Place, Turn]:
    found: dict[Place, Turn] = {}
    times = Counter[tuple[str, str]]()
    for round_ in dossier.proceedings.transcript.rounds:
        label = round_.label or f"round {round_.round_index}"
        for turn in round_.turns:
            times[label, turn.speaker_id] += 1
            found[label, turn.speaker_id, times[label, turn.speaker_id]] = turn
    return found


def _name(turn: Turn | None) -> str | None:
    return turn.turn_id if turn else None


def _words(turn: Turn | None) -> str:
    return turn.said if turn else ""
