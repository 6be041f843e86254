"""Request and response models of the list of debates: filters, rows, tags, and deleting several at once."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from hustings.db.caps import State as RunState
from hustings.db.listing import DebateFilter, ListOrder, OutcomeKind
from hustings.runs.debate_rows import DebateRow

from .schemas import Id, RequestBody

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
