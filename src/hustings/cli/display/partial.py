"""Makes an unfinished answer readable: plain text unchanged, partial JSON as lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from pydantic_core import from_json

from hustings.script.forms import in_lines
from hustings.text.words import count_words

LONGEST = 100_000
"""Characters parsed; the rest is shown once the turn is entered."""


@dataclass(frozen=True)
class PartialText:
    text: str
    count: int
    """Number of words."""
    whole: bool
    """Whether a JSON answer is complete; unknown, so False, for plain text."""


class PartialAnswer:
    """Collects the pieces of an answer, and parses them only when shown: many arrive between two repaints."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._reading: PartialText | None = None

    def feed(self, piece: str) -> None:
        if self._length < LONGEST:
            self._pieces.append(piece)
            self._length += len(piece)
            self._reading = None

    def read(self) -> PartialText:
        if self._reading is None:
            text, whole = readable("".join(self._pieces)[:LONGEST])
            self._reading = PartialText(text, count_words(text), whole)
        return self._reading


def readable(text: str) -> tuple[str, bool]:
    """The text to show, and whether it is complete JSON. Text that cannot be parsed is shown unchanged."""
    start = text.lstrip()
    if "```".startswith(start[:3]):
        inside = start.partition("\n")[2].lstrip()
        if inside[:1] not in {"{", "["}:
            return (start if inside else ""), False
        start = inside
    if start[:1] not in {"{", "["}:
        return start, False
    try:
        value, whole = _parsed(start)
        return in_lines(value), whole
    except (ValueError, RecursionError):
        return start, False


def _parsed(text: str) -> tuple[Any, bool]:
    raw = text.encode("utf-8", "replace")  # a model may write half a character
    try:
        return from_json(raw.rstrip(b"` \n")), True
    except ValueError:
        value = from_json(raw, allow_partial="trailing-strings")
    _drop_unfinished(value, in_number=text[-1].isdigit())
    return value, False


def _drop_unfinished(value: Any, *, in_number: bool) -> bool:
    """Drop a last number or empty list that may still grow, so that further text only adds to what was shown."""
    if not isinstance(value, dict | list):
        return in_number and isinstance(value, int | float) and not isinstance(value, bool)
    parts = cast("dict[Any, Any]", value)  # a list is read and cut in the same way
    last = next(reversed(parts), None) if isinstance(value, dict) else -1
    if value and _drop_unfinished(parts[last], in_number=in_number):
        del parts[last]
    return not value
