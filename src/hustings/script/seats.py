"""Who takes part in a debate: seats, the players in them, and those who serve at no table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from hustings.transcript.empty_fields import OMIT_IF_EMPTY


@dataclass(frozen=True)
class Seat:
    """A place at the table; all a script knows of a speaker."""

    id: str
    team: str = ""
    role: str = "debater"
    name: str = ""
    duty: str = ""
    """What this seat is there to do, in words addressed to its player."""
    background: Annotated[str, OMIT_IF_EMPTY] = ""
    """What those at the table know of the person: their work, never origin or fame."""

    def __str__(self) -> str:
        return self.id

    @property
    def title(self) -> str:
        return self.name or self.id

    @property
    def side(self) -> str:
        """Who shares its allowances: its team, or itself."""
        return self.team or self.id


HOST = "host"
"""Speaks for seats that the program plays itself that calls hustings; `host/NAME` if it says which model it is."""


def is_hosted(model: str) -> bool:
    """Whether a seat with this model is played by the program that calls hustings."""
    return model.partition("/")[0] == HOST


@dataclass(frozen=True)
class Player:
    """Who sits in a seat: a model or a person, and how they argue."""

    persona: str = ""
    """How they argue: a personality or a lens, in words addressed to them."""
    model: str = ""
    """`provider/model`, `human`, `host`, or the name of a shipped actor."""
    manners: Annotated[tuple[str, ...], OMIT_IF_EMPTY] = ()
    """Names of the personality, lens or starting point."""

    @property
    def small(self) -> bool:
        """Whether the model's name says that it has less than a billion parameters: it copies any example."""
        sizes = re.findall(r"(?<![\w.])(\d+(?:\.\d+)?)([mb])(?![a-z])", self.model.lower().replace("_", "-"))
        return any(unit == "m" or float(number) < 1 for number, unit in sizes)

    @property
    def hosted(self) -> bool:
        return is_hosted(self.model)


LIBRARIAN = Seat("librarian", role="librarian", name="Librarian")
"""Finds passages in the documents. It is at no table: scripts do not see it, and no model speaks for it."""


def pick(seats: Sequence[Seat], request: str) -> Seat:
    """The requested seat, if it is among these; otherwise the first."""
    return next((seat for seat in seats if seat.id == request), seats[0])
