"""A recording told again: its events in their order, and the words of each turn piece by piece, as one reads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hustings.core.events import CallPaid, Event, TextStreamed, TurnBegun, TurnEntered

from .recording import Recording

READING_PACE = 4.0
"""Words a second, as people read."""
LONGEST_PAUSE = 1.5
"""Seconds that a replay waits for nothing, however long it once took."""


def paced(recording: Recording, speed: float) -> Iterator[tuple[float, Event]]:
    """Every event with the seconds to wait before it; nobody waits longer than it once took, but to read."""
    words, turns = _words(recording)
    last, pause = 0.0, 1 / (READING_PACE * speed)
    for place, came in enumerate(recording.events):
        event, wait = came.event, (came.at - last) / speed
        last = came.at
        # An answer is paid for when all of it has come; a person's is not paid for.
        address = event.address if isinstance(event, CallPaid) else turns.get(place, "")
        for piece in pieces(words.pop(address, "")):
            wait -= pause
            yield pause, TextStreamed(address=address, attempt=0, text=piece)
        yield min(max(wait, 0.0), LONGEST_PAUSE), event


def _words(recording: Recording) -> tuple[dict[str, str], dict[int, str]]:
    """Address of a question to the words that answered it on record, and place of that turn to the address."""
    asked: dict[str, str] = {}
    words: dict[str, str] = {}
    turns: dict[int, str] = {}
    for place, came in enumerate(recording.events):
        event = came.event
        if isinstance(event, TurnBegun) and event.on_record:
            asked[event.seat] = event.address
        elif isinstance(event, TurnEntered) and event.turn.speaker_id in asked:
            address = asked.pop(event.turn.speaker_id)
            last = event.turn.attempts[-1]
            # An answer on a form came as it was filled in, and not in the words the others read.
            words[address], turns[place] = last.content if last.status == "ok" else "", address
    return words, turns


def pieces(text: str) -> list[str]:
    """A text word by word; what is written without spaces comes in short runs of signs."""
    return _PIECE.findall(text)


_PIECE = re.compile(r"\s*\S{1,16}|\s+$")
