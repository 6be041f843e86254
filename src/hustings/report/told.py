"""Tables and labelled sentences of a report, as finished text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import BaseModel


class Told(BaseModel, frozen=True, defer_build=True):
    """A sentence with its label."""

    label: str
    text: str


class Ready(BaseModel, frozen=True, defer_build=True):
    """A table of finished texts."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def ready(caption: str, heads: Iterable[str], rows: Iterable[Sequence[str]]) -> Ready:
    return Ready(caption=caption, heads=tuple(heads), rows=tuple(map(tuple, rows)))
