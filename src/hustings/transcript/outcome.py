"""How a debate ends: the `Ending` that the driver declares, and the `Outcome` that judging finds."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field


class Played(BaseModel, frozen=True):
    """The script came to its end; the verdict is for judging."""

    kind: Literal["played"] = "played"


class Decided(BaseModel, frozen=True):
    kind: Literal["decided"] = "decided"
    what: str
    extent: Literal["full", "partial"]
    margin: float | None = None
    interval: tuple[float, float] | None = None


class TooClose(BaseModel, frozen=True):
    kind: Literal["too_close"] = "too_close"
    margin: float
    interval: tuple[float, float] | None = None
    reasons: tuple[str, ...] = ()


class NoQuorum(BaseModel, frozen=True):
    kind: Literal["no_quorum"] = "no_quorum"
    needed: int
    had: int
    families: tuple[str, ...] = ()
    abstentions: int = 0


class Deadlocked(BaseModel, frozen=True):
    kind: Literal["deadlocked"] = "deadlocked"
    issues: tuple[str, ...]


class BudgetStopped(BaseModel, frozen=True):
    kind: Literal["budget_stopped"] = "budget_stopped"
    spent: float
    cap: float
    unit: str = "USD"


class Cancelled(BaseModel, frozen=True):
    kind: Literal["cancelled"] = "cancelled"
    by: str


class Failed(BaseModel, frozen=True):
    kind: Literal["failed"] = "failed"
    code: str
    reason: str = ""


Ending = Annotated[Played | BudgetStopped | Cancelled | Failed, Field(discriminator="kind")]
Outcome = Annotated[
    Decided | TooClose | NoQuorum | Deadlocked | BudgetStopped | Cancelled | Failed, Field(discriminator="kind")
]
