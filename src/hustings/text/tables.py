"""A table and a labelled sentence, already in words: pages, HTML and Markdown show them as they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import BaseModel


class LabelledText(BaseModel, frozen=True, defer_build=True):
    """A sentence under its label."""

    label: str
    text: str


class TextTable(BaseModel, frozen=True, defer_build=True):
    """A table whose cells are texts."""

    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def text_table(caption: str, heads: Iterable[str], rows: Iterable[Sequence[str]]) -> TextTable:
    return TextTable(caption=caption, heads=tuple(heads), rows=tuple(map(tuple, rows)))
