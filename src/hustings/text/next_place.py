"""Looks forward in a text for a sign, once for each place: many openings before one closing cost no more than one."""

from __future__ import annotations

import re


class NextPlace:
    """The next place at which a pattern of one sign stands, for questions that go forward through a text."""

    def __init__(self, sign: str, text: str) -> None:
        self._sign, self._text, self._place = re.compile(f"[{sign}]"), text, -1

    def after(self, start: int) -> int:
        """Where the sign next stands at or behind `start`; the length of the text if it does not."""
        if self._place < start:
            match = self._sign.search(self._text, start)
            self._place = match.start() if match else len(self._text)
        return self._place
