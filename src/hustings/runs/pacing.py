"""Replay timing: play back a recording's events in order, streaming each turn at reading speed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hustings.transcript.events import CallPaid, Event, TextStreamed, TurnEntered
from hustings.transcript.models import Turn

from .recording import Recording

READING_PACE = 4.0
"""Words per second at which people read."""
LONGEST_PAUSE = 1.5
"""Longest pause of a replay in seconds, however long the original took."""


def paced(recording: Recording, speed: float) -> Iterator[tuple[float, Event]]:
    """Yield every event with the seconds to wait before it: at most the original time, or the time to read."""
    entered = [came.event for came in recording.events if isinstance(came.event, TurnEntered)]
    words = {event.address: _streamed(event.turn) for event in entered if event.address}
    last, pause = 0.0, 1 / (READING_PACE * speed)
    for came in recording.events:
        event, wait = came.event, (came.at - last) / speed
        last = came.at
        # A call is paid when its whole answer has come; a person's answer is never paid.
        if isinstance(event, CallPaid | TurnEntered) and event.address:
            for piece in pieces(words.pop(event.address, "")):
                wait -= pause
                yield pause, TextStreamed(address=event.address, attempt=0, text=piece)
        yield min(max(wait, 0.0), LONGEST_PAUSE), event


def _streamed(turn: Turn) -> str:
    """The text as it was streamed: for a form, the form as it was filled in, not the words that others read."""
    last = turn.attempts[-1]
    return last.content if last.status == "ok" else ""


def pieces(text: str) -> list[str]:
    """Split a text into words; text without spaces is split into short runs of characters."""
    return _PIECE.findall(text)


_PIECE = re.compile(r"\s*\S{1,16}|\s+$")
