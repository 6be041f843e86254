"""Notes of a debate: scores, plans, dockets, violations. Kept beside the transcript, never inside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, JsonValue

NOTES_VERSION = "1.0.0"
RULES = "rules"
"""Author of notes that code writes."""


@dataclass(frozen=True)
class Remark:
    """A note that code makes about an answer; the driver adds place and time."""

    kind: str
    body: Mapping[str, JsonValue]


class Subject(BaseModel, frozen=True):
    """What a note is about: a turn, one of its claims, or a round."""

    turn_id: str | None = None
    claim_id: str | None = None
    round_index: int | None = None


class Note(BaseModel, frozen=True):
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


class Notes(BaseModel, frozen=True):
    """All notes of a run, bound to its transcript by digest."""

    notes_version: str = NOTES_VERSION
    run_id: str
    transcript_digest: str
    notes: tuple[Note, ...]

    def document(self) -> dict[str, Any]:
        return self.model_dump(mode="json", exclude_none=True)
