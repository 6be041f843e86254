"""Buffers the live text of speeches in progress, so that a late viewer gets each from its beginning."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from hustings.script.calls import wave_of
from hustings.transcript.events import TextStreamed

MOST_LETTERS = 100_000
"""Characters kept of one speech; a model that never stops must not fill the memory."""
MOST_RUNS = 1_000
Place = tuple[int, int]
"""Position of a viewer in a speech: the attempt, and the number of its pieces already sent."""


@dataclass
class LiveSpeech:
    attempt: int
    pieces: list[str] = field(default_factory=list[str])
    length: int = 0


class LiveWords:
    """Written by many threads, read by one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: dict[str, dict[str, LiveSpeech]] = {}

    def on_text(self, run_id: str, piece: TextStreamed) -> None:
        with self._lock:
            speeches = self._runs.get(run_id)
            if speeches is None:
                speeches = self._runs[run_id] = {}
                if len(self._runs) > MOST_RUNS:  # drop the one that began first
                    del self._runs[next(iter(self._runs))]
            speech = speeches.get(piece.address)
            if speech is None:
                self._forget(speeches, wave_of(piece.address))
            if speech is None or speech.attempt != piece.attempt:
                speech = speeches[piece.address] = LiveSpeech(piece.attempt)
            if speech.length < MOST_LETTERS:
                speech.pieces.append(piece.text)
                speech.length += len(piece.text)

    def since(self, run_id: str, address: str, heard: Place | None) -> tuple[TextStreamed | None, Place]:
        """Text at an address since a position, as one piece, and the new position."""
        with self._lock:
            speech = self._runs.get(run_id, {}).get(address)
            if speech is None:
                return None, heard or (0, 0)
            attempt, count = heard or (speech.attempt, 0)
            fresh = speech.pieces[count if attempt == speech.attempt else 0 :]
            place = speech.attempt, len(speech.pieces)
        return (TextStreamed(address=address, attempt=place[0], text="".join(fresh)) if fresh else None), place

    @staticmethod
    def _forget(speeches: dict[str, LiveSpeech], wave: int) -> None:
        """Drop the speeches of earlier waves, which are over."""
        for address in [address for address in speeches if wave_of(address) < wave]:
            del speeches[address]
