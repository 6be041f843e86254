"""What a protocol makes of its own result: what the result decides, and its sections on pages and in files.

A protocol says both once, when its script has returned. They are kept with the record, so that nobody who reads,
judges or shows a debate has to know its protocol, or run the file it came from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Literal, TypeAlias

from pydantic import BaseModel

from hustings.text.tables import TextTable

SeatNames: TypeAlias = Callable[[str], str]
"""Turns the id of a seat or a team into the name that readers know."""


class ArgumentRuling(BaseModel, frozen=True, defer_build=True):
    """What the protocol itself found out about an argument; it counts before how well the argument was argued."""

    standing: Literal["upheld", "partially_upheld", "refuted"]
    reason: str
    """Why, as the end of a sentence."""
    happened: str
    """How it was examined, in a few words."""


class ProtocolResult(BaseModel, frozen=True, defer_build=True):
    """What a protocol's own result decides; judging applies it before it counts votes or points."""

    verdict: str | None
    """One of the protocol's `VERDICTS`, if it has those; None: open, and `reason` says why."""
    reason: str
    sentence: str
    """The verdict for people, or that there is none."""
    would_change: str = ""
    """What would have to be otherwise for another verdict."""
    limit: str = ""
    """What weakens any verdict that comes about like this."""
    rulings: Mapping[str, ArgumentRuling] = {}
    """By the id of the argument."""


class ResultSection(BaseModel, frozen=True, defer_build=True):
    """A part of a protocol's result, in words."""

    title: str
    lines: tuple[str, ...] = ()
    table: TextTable | None = None


class FigureSection(BaseModel, frozen=True, defer_build=True):
    """A part that is not known when the script ends: reports fill it from the notes and from what judges found."""

    title: str
    figure: Literal["issues", "minority", "own views", "positions"]
    """Issues and their state, who ended apart from the majority, stances by round, or who moved and by what."""


Section: TypeAlias = FigureSection | ResultSection


def listed_sections(parts: Mapping[str, Iterable[str]]) -> Iterable[ResultSection]:
    """A section of lines under each title; none for a title without lines."""
    for title, lines in parts.items():
        if texts := tuple(filter(None, lines)):
            yield ResultSection(title=title, lines=texts)
