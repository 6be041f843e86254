"""Finding out from plain words whom they answer."""

from __future__ import annotations

from collections.abc import Iterable

from hustings.text.mentions import mentions

from .forms import Form, Link
from .moves import Linker
from .seats import Seat


def naming(seats: Iterable[Seat], speaker: Seat) -> Linker[Form]:
    """Everybody whom an answer names, with the sentence that does."""
    names = {word: seat.id for seat in seats if seat != speaker for word in (seat.id, seat.title)}
    return lambda answer: [Link(seat=seat, quote=sentence) for seat, sentence in mentions(answer.said(), names)]
