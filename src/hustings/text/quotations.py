"""Finds what stands in quotation marks in a text, in any script."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .next_place import NextPlace


def quotations_in(text: str) -> list[str]:
    """Passages in quotation marks, without the marks, in order."""
    return [text[start + 1 : end - 1].strip() for start, end in _places(text)]


def without_quotations(text: str) -> str:
    """The text with a space in place of each quotation."""
    kept, done = list[str](), 0
    for start, end in _places(text):
        kept.append(text[done:start])
        done = end
    return " ".join((*kept, text[done:]))


def _places(text: str) -> Iterator[tuple[int, int]]:
    """Where quotations begin and end."""
    closing, done = {mark: NextPlace(ends, text) for mark, ends in CLOSING.items()}, 0
    for opening in OPENING.finditer(text):
        start = opening.start()
        if start < done:
            continue
        end = closing[opening[0]].after(start + 1) + 1
        apostrophe = opening[0] == "‘" and WORD.match(text, end)
        if end <= len(text) and not apostrophe:
            yield start, end
            done = end


CLOSING = {"“": "”", '"': '"', "«": "»", "„": "“”", "「": "」", "『": "』", "‘": "’"}
"""Marks that open a quotation, and those that close it."""
OPENING = re.compile(f"[{''.join(CLOSING)}]")
WORD = re.compile(r"\w")
