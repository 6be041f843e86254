"""Notes of a debate (scores, plans, dockets, violations) and its outcome: beside the transcript, never inside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, JsonValue

from .empty_fields import OMIT_IF_EMPTY

NOTES_VERSION = "1.0.0"
RULES = "rules"
"""Author of notes that code writes."""


@dataclass(frozen=True)
class Remark:
    """A note that code makes about an answer; the driver adds place and time."""

    kind: str
    body: Mapping[str, JsonValue]


class Subject(BaseModel, frozen=True, defer_build=True):
    """What a note is about: a turn, one of its claims, or a round."""

    turn_id: str | None = None
    claim_id: str | None = None
    round_index: int | None = None


class Note(BaseModel, frozen=True, defer_build=True):
    note_id: str
    kind: str
    by: str
    """A seat, or `rules` for notes that code writes."""
    about: tuple[Subject, ...] = ()
    visible_to: tuple[str, ...] = ()
    """Seats that could read it during the debate; its author always could."""
    after_turn: str | None = None
    """The last turn its author knew."""
    created_at: str
    body: dict[str, JsonValue]


class Notes(BaseModel, frozen=True, defer_build=True):
    """All notes of a run, bound to its transcript by digest."""

    notes_version: str = NOTES_VERSION
    run_id: str
    transcript_digest: str
    notes: tuple[Note, ...]

    def document(self) -> dict[str, Any]:
        return self.model_dump(mode="json", exclude_none=True)


class Played(BaseModel, frozen=True, defer_build=True):
    """The script came to its end; the verdict is for judging."""

    kind: Literal["played"] = "played"


class Decided(BaseModel, frozen=True, defer_build=True):
    kind: Literal["decided"] = "decided"
    what: str
    extent: Literal["full", "partial"]
    margin: float | None = None
    interval: tuple[float, float] | None = None


class TooClose(BaseModel, frozen=True, defer_build=True):
    kind: Literal["too_close"] = "too_close"
    margin: float
    interval: tuple[float, float] | None = None
    reasons: tuple[str, ...] = ()


class NoQuorum(BaseModel, frozen=True, defer_build=True):
    kind: Literal["no_quorum"] = "no_quorum"
    needed: int
    had: int
    families: tuple[str, ...] = ()
    abstentions: int = 0


class Deadlocked(BaseModel, frozen=True, defer_build=True):
    kind: Literal["deadlocked"] = "deadlocked"
    issues: tuple[str, ...]


class BudgetStopped(BaseModel, frozen=True, defer_build=True):
    kind: Literal["budget_stopped"] = "budget_stopped"
    spent: float
    cap: float
    unit: str = "USD"
    held: Annotated[float, OMIT_IF_EMPTY] = 0.0
    """Set aside for calls that broke off or are under way, and may have been billed."""
    held_calls: Annotated[int, OMIT_IF_EMPTY] = 0
    needed: Annotated[float, OMIT_IF_EMPTY] = 0.0
    """What the next call could have taken at most."""


class Cancelled(BaseModel, frozen=True, defer_build=True):
    kind: Literal["cancelled"] = "cancelled"
    by: str


class Failed(BaseModel, frozen=True, defer_build=True):
    kind: Literal["failed"] = "failed"
    code: str
    reason: str = ""


NOBODY_SPOKE = "nobody could speak"
"""How the reason begins of a debate that failed because no seat could say a word."""
Ending = Annotated[Played | BudgetStopped | Cancelled | Failed, Field(discriminator="kind")]
Outcome = Annotated[
    Decided | TooClose | NoQuorum | Deadlocked | BudgetStopped | Cancelled | Failed, Field(discriminator="kind")
]
