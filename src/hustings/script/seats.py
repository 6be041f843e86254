"""Seats of a debate, and the players who sit in them. A script knows only the seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Seat:
    """A place at the table; all a script knows of a speaker."""

    id: str
    team: str = ""
    role: str = "debater"
    name: str = ""
    duty: str = ""
    """What this seat is there to do, in words addressed to its player."""

    def __str__(self) -> str:
        return self.id

    @property
    def title(self) -> str:
        return self.name or self.id


@dataclass(frozen=True)
class Player:
    """Who sits in a seat: a model or a person, and how they argue."""

    persona: str = ""
    """How they argue: a personality or a lens, in words addressed to them."""
    model: str = ""
    """`provider/model`, `human`, or the name of a shipped actor."""


def pick(seats: Sequence[Seat], request: str) -> Seat:
    """The requested seat, if it is among these; otherwise the first."""
    return next((seat for seat in seats if seat.id == request), seats[0])
