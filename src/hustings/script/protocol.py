"""The parts of a protocol, as read from its file."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from .catalogue import Catalogue
from .debate import ProtocolFile
from .protocol_result import ProtocolResult, SeatNames, Section
from .seats import Player, Seat
from .stage import Settings, Stage

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
    """One line. What stands before its colon is the heading of a debate."""
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
    table: bool = True
    """Whether all of its seats take part."""
    reads_documents: bool = True
    """Whether its seats are shown the texts of further documents, or the titles alone."""
    about_document: bool = False
    """Whether pages ask for a document, without which there is nothing to argue about."""
    verdicts: tuple[str, ...] = ()
    """Those that its result may give, from the mildest to the strictest."""
    judge_result: Callable[[Any], ProtocolResult | None] | None = None
    """What the return value of the script decides."""
    describe_result: Callable[[Any, SeatNames], Iterable[Section]] | None = None
    """The return value of the script in sections."""
    audit: bool = False
    """Whether it is a script about a finished debate, which runs off the record."""
    file: ProtocolFile | None = None
    """The file of the user's that it was loaded from; None for one of a package."""
