"""A recording told again: its events in their order, and the words of each turn piece by piece, as one reads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hustings.transcript.events import CallPaid, Event, TextStreamed, TurnEntered
from hustings.transcript.models import Turn

from .recording import Recording

READING_PACE = 4.0
"""Words a second, as people read."""
LONGEST_PAUSE = 1.5
"""Seconds that a replay waits for nothing, however long it once took."""


def paced(recording: Recording, speed: float) -> Iterator[tuple[float, Event]]:
    """Every event with the seconds to wait before it; nobody waits longer than it once took, but to read."""
    entered = [came.event for came in recording.events if isinstance(came.event, TurnEntered)]
    words = {event.address: _streamed(event.turn) for event in entered if event.address}
    last, pause = 0.0, 1 / (READING_PACE * speed)
    for came in recording.events:
        event, wait = came.event, (came.at - last) / speed
        last = came.at
        # An answer is paid for when all of it has come; a person's is not paid for.
        if isinstance(event, CallPaid | TurnEntered) and event.address:
            for piece in pieces(words.pop(event.address, "")):
                wait -= pause
                yield pause, TextStreamed(address=event.address, attempt=0, text=piece)
        yield min(max(wait, 0.0), LONGEST_PAUSE), event


def _streamed(turn: Turn) -> str:
    """An answer on a form came as it was filled in, and not in the words the others read."""
    last = turn.attempts[-1]
    return last.content if last.status == "ok" else ""


def pieces(text: str) -> list[str]:
    """A text word by word; what is written without spaces comes in short runs of signs."""
    return _PIECE.findall(text)


_PIECE = re.compile(r"\s*\S{1,16}|\s+$")
