"""The parts of a protocol, as read from its file."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from .catalogue import Catalogue
from .debate import Player, Seat, Settings
from .stage import Stage

S = TypeVar("S", bound=Settings)


@dataclass(frozen=True)
class SeatingContext(Generic[S]):
    """What a protocol chooses its seats by."""

    settings: S
    topic: str
    catalogue: Catalogue


@dataclass(frozen=True)
class Protocol:
    """One protocol file: its docstring, its script, and what the script needs."""

    name: str
    summary: str
    description: str
    version: int
    play: Callable[[Stage[Any]], Coroutine[Any, Any, Any]]
    settings: type[Settings]
    seating: Callable[[SeatingContext[Any]], Mapping[Seat, Player]]
    rules: str
    rubric: str | None = None
    retries: int = 0
    """How often an answer goes back by default."""
    order: Literal["fixed", "rotating", "adaptive"] = "fixed"
    regime: Literal["natural", "structured", "mixed"] = "natural"
    """How turns are answered, where no setting says: in plain words, on forms, or both."""
    audit: bool = False
    """Whether it is a script about a finished debate, which runs off the record."""
