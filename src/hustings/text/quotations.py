"""Finds what stands in quotation marks in a text, in any script."""

from __future__ import annotations

import re


def quotations_in(text: str) -> list[str]:
    """Passages in quotation marks, without the marks, in order."""
    return [found.group()[1:-1].strip() for found in QUOTED.finditer(text)]


def without_quotations(text: str) -> str:
    """The text with a space in place of each quotation."""
    return QUOTED.sub(" ", text)


QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|«[^»]*»|„[^“”]*[“”]|「[^」]*」|『[^』]*』|‘[^’]*’(?!\w)")
