"""What a reader makes of a file: its text, or the reason why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from hustings.script.documents import Media  # heavy, and a limited process needs none of it

MOST_CHARACTERS = 20_000_000
"""As many as a document may have; counted while a file is read."""


class FileText(NamedTuple):
    title: str
    """Empty: its first line."""
    text: str
    """Pages, slides and sheets stand apart by a form feed."""
    media: Media


class Unreadable(Exception):
    """The file is not read, for this reason; its name is added where it is known."""

    def __init__(self, why: str, fix: str = "") -> None:
        super().__init__(why)
        self.why, self.fix = why, fix


class TextSize:
    """Counts the characters that a reader has found, and stops it at the first that is too many."""

    def __init__(self, most: int = MOST_CHARACTERS) -> None:
        self.most = self.left = most

    def counted(self, text: str) -> str:
        self.left -= len(text)
        if self.left < 0:
            raise Unreadable(f"it has more than {self.most:,} characters", "cut it down to what is debated")
        return text
