"""Request and response models of an owner's own pages: saved panels, open questions, and the check-up."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StrictBool

from .schemas import DebateBody

PanelName = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f\x7f]*$")]


class NewPanel(DebateBody):
    """A debate without its question, under a name, to begin others with. It replaces the panel of the same name."""

    name: PanelName
    protocol: str  # pyright: ignore[reportGeneralTypeIssues]  it is required here
    repeats: Annotated[int, Field(ge=1, le=20, strict=True)] = 1
    swapped: StrictBool = False
    """Whether it is held again with the models of both sides swapped."""


class PanelList(BaseModel, frozen=True):
    panels: tuple[NewPanel, ...]
    """In the order of the alphabet."""


class AwaitedDebate(BaseModel, frozen=True):
    """A debate that waits for people."""

    run_id: str
    topic: str
    seats: tuple[str, ...]
    keys: tuple[str, ...]
    """Of their questions: another key is another question."""


class AwaitedList(BaseModel, frozen=True):
    debates: tuple[AwaitedDebate, ...]


class Finding(BaseModel, frozen=True):
    """One check of the installation."""

    state: Literal["ok", "warn", "FAIL"]
    about: str
    said: str
    fix: str
    """Empty if nothing needs to be done."""


class Checkup(BaseModel, frozen=True):
    """All findings, as `hustings doctor` tells them."""

    at: str
    findings: tuple[Finding, ...]
