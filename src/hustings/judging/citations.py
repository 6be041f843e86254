"""Data model of what the arguments of a debate with documents rest on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from hustings.transcript.empty_fields import OMIT_IF_EMPTY

Basis = Literal["cited", "own knowledge", "false quote"]
"""What an argument rests on."""


class CitedBySeat(BaseModel, frozen=True, defer_build=True):
    """How often a seat cited the documents, and how often its words stood there."""

    seat: str
    references: int
    accepted: int


class Support(BaseModel, frozen=True, defer_build=True):
    """What the arguments of a debate with documents rest on, as code found it."""

    references: int
    accepted: int
    """Citations whose words stand in the document."""
    failed: Mapping[str, int] = {}
    """Other citations by what is wrong with them."""
    arguments: int
    cited: int
    """Arguments with citations, all of them accepted."""
    bases: Mapping[str, Basis] = {}
    """Argument to what it rests on."""
    seats: tuple[CitedBySeat, ...] = ()
    precision: float | None = None
    """Of all quotes in arguments: those that are true and support their claim at least partly, by the judges."""
    recall: float | None = None
    """Of all arguments: those with a quote that supports them fully."""
    looked_up: Annotated[Mapping[str, int], OMIT_IF_EMPTY] = Field(default_factory=dict)
    """Seat to how often it had something looked up."""
