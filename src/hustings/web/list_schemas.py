"""Request and response models of the list of debates: filters, rows, tags, deleting several, and going on from one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, Field, StrictBool

from hustings.db.caps import State as RunState
from hustings.db.listing import DebateFilter, ListOrder, OutcomeKind
from hustings.runs.debate_rows import DebateRow

from .schemas import Id, Line, RequestBody

ShortText = Annotated[str, Field(max_length=200, pattern=r"^[^\x00]*$")]


class ListQuery(RequestBody):
    """Which debates a list shows, as its address tells it. What is empty is not asked."""

    cursor: Annotated[str, Field(max_length=300)] = ""
    limit: Annotated[int, Field(ge=1, le=200)] = 50
    state: RunState | None = None
    q: ShortText = ""
    """Part of a question, words that were said, or the beginning of an id."""
    protocol: ShortText = ""
    model: ShortText = ""
    tag: ShortText = ""
    outcome: OutcomeKind | None = None
    batch: ShortText = ""
    grouped: bool = False
    """Whether the newest debate of a batch stands for all of them."""
    order: ListOrder = "newest"

    @property
    def wanted(self) -> DebateFilter:
        fields = self.model_dump(exclude={"cursor", "limit", "q"})
        return DebateFilter(**fields, query=self.q)


class NewRetry(RequestBody):
    """How a debate that failed, stopped or hangs goes on. Answers that were given and paid for are kept."""

    seats: Mapping[str, str] = {}
    """Maps a seat, team or role to another model."""
    budget: Annotated[float, Field(gt=0, le=1_000)] | None = None
    """Dollars; null: as before."""
    seconds: Annotated[float, Field(gt=0, le=3_600)] | None = None
    """Seconds that an answer may take; null: as before."""
    instead: StrictBool = False
    """Whether it takes the place of a debate that is still under way, which is stopped then."""


class NewRepeat(RequestBody):
    """The same debate once more, from its first turn."""

    swapped: StrictBool = False
    """Whether each side has the models of the other."""


class NewFollowUp(RequestBody):
    """A further question, debated with the record of this debate as its background."""

    question: Line


class NewTags(RequestBody):
    tags: Annotated[tuple[Annotated[str, Field(min_length=1, max_length=40)], ...], Field(max_length=20)]
    """All tags of the debate; those that it had before and that are not named are taken away."""


class NewDeletion(RequestBody):
    runs: Annotated[tuple[Id, ...], Field(min_length=1, max_length=200)]


class Tagged(BaseModel, frozen=True):
    tags: tuple[str, ...]


class Deleted(BaseModel, frozen=True):
    deleted: tuple[str, ...]
    kept: tuple[str, ...]
    """Those that have not ended: stop them first."""


class Page(BaseModel, frozen=True):
    debates: tuple[DebateRow, ...]
    next: str | None
    """Cursor of the next page."""
    awaited: dict[str, tuple[str, ...]] = {}
    """Seats that wait for a person, by debate."""
    tags: tuple[str, ...] = ()
    """Every tag in use."""
