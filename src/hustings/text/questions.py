"""Finds questions in a text by their marks, in any script: what is asked in quotation marks is another speaker's."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .quotations import without_quotations


def questions_in(text: str) -> list[str]:
    """Sentences of the text that end in a question mark, outside of quotations."""
    return [found.strip() for found in QUESTION.findall(without_quotations(text))]


def repeats(question: str, asked: Iterable[str]) -> bool:
    """Whether a question is one of those that were asked, or a part of one."""
    sought = _letters(question)
    return any(sought in _letters(one) or _letters(one) in sought for one in asked)


def said_after_asking(text: str) -> str:
    """What follows the last question mark of a text, or all of it if it asks nothing."""
    return MARK.split(without_quotations(text))[-1].strip()


def _letters(text: str) -> str:
    return "".join(re.findall(r"\w", text.casefold()))


MARKS = "?？؟፧⸮"
"""Latin, full width, Arabic, Ethiopic, reversed. The Greek sign is a semicolon elsewhere, so Greek asks unseen."""
MARK = re.compile(rf"[{MARKS}]")
ENDS = rf".!。！…\n{MARKS}"
QUESTION = re.compile(rf"(?<![^{ENDS}])[^{ENDS}]*+[{MARKS}]")
