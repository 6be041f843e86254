"""Finds out from plain words which seats they address."""

from __future__ import annotations

from collections.abc import Iterable

from hustings.text.mentions import mentions

from .forms import Form, Link
from .moves import Linker
from .seats import Seat


def naming(seats: Iterable[Seat], speaker: Seat) -> Linker[Form]:
    """Link an answer to every seat that it names, with the sentence that names it."""
    names = {word: seat.id for seat in seats if seat != speaker for word in (seat.id, seat.title)}
    return lambda answer: [Link(seat=seat, quote=sentence) for seat, sentence in mentions(answer.said(), names)]
