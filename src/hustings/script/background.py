"""The document that comes with a question: its title, its text, and how it is named on screens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from hashlib import sha256
from itertools import pairwise
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError, field_validator

from hustings.text.links import replace_links
from hustings.text.words import count_words
from hustings.transcript.models import DebateMetadata

MOST_TEXT = 400_000
"""Characters of a document: every speaker and every judge reads all of it."""
MOST_TITLE = 150
FIELD = "x_background"
"""Where a transcript keeps the document: the schema leaves names that begin with `x_` to their writers."""


class Background(BaseModel, frozen=True, defer_build=True):
    title: Annotated[str, Field(pattern=r"\S", max_length=2 * MOST_TITLE)]
    text: Annotated[str, Field(pattern=r"\S")]

    @field_validator("title")
    @classmethod
    def _one_line(cls, title: str) -> str:
        return " ".join(title.split())

    @field_validator("text")
    @classmethod
    def _bounded(cls, text: str) -> str:
        if len(text) > MOST_TEXT:
            raise ValueError(
                f"the document has {len(text):,} characters, and {MOST_TEXT:,} is the most, since every speaker "
                "reads all of it: cut it down to what the question is about, or bring a shorter one first and this one "
                "as a further document, in which speakers look things up"
            )
        if "\0" in text:  # not every database can store it
            raise ValueError("the document holds the character NUL: save it as plain text")
        return text

    @cached_property
    def words(self) -> int:
        return count_words(self.text)

    @property
    def remark(self) -> str:
        return f"with a background document of {self.words:,} words"

    @property
    def shown(self) -> str:
        """The text under its title, unless it begins with that already."""
        return self.text if self.title in self.text[: 4 * MOST_TITLE] else f"{self.title}\n\n{self.text}"

    @cached_property
    def digest(self) -> str:
        return sha256(f"{self.title}\n{self.text}".encode()).hexdigest()[:16]

    def document(self) -> dict[str, Any]:
        """As a transcript keeps it."""
        return {"title": self.title, "words": self.words, "text": self.text}


def background_of(metadata: DebateMetadata) -> Background | None:
    """The document that a transcript keeps; None without one, or if another writer put something else there."""
    try:
        return Background.model_validate((metadata.model_extra or {}).get(FIELD))
    except ValidationError:
        return None


def title_of(text: str, name: str = "") -> str:
    """Title of a document: the first heading at its beginning, else its first line, else the name of its file."""
    lines = list(_lines(text[:LONGEST_HEAD]))
    headings = (found for line, after in lines if (found := _heading(line, after)))
    titles = (title for line in (next(headings, ""), *(line for line, _ in lines)) if (title := _plain(line)))
    return _shortened(next(titles, "") or name or "Document")


def question_about(title: str) -> str:
    """The question that a document alone puts."""
    return title if title.endswith("?") else f"Is “{title.rstrip('.:!')}” sound?"


def is_question(text: str) -> bool:
    """Whether a text is itself the question: one line, no longer than a few sentences."""
    return len(text.strip().splitlines()) == 1 and len(text.strip()) <= LONGEST_QUESTION


LONGEST_QUESTION = 1_000
LONGEST_HEAD = 100_000
"""Characters in which a title is looked for."""


def _lines(text: str) -> Iterator[tuple[str, str]]:
    """Lines with words, each with the line after it; without code, comments and the settings at the head."""
    body = FRONT.sub("", text.lstrip("\ufeff \n"))
    lines = CODE.sub("", _without_comments(body)).splitlines()
    for line, after in pairwise([*lines, ""]):
        if line.strip():
            yield line.strip(), after.strip()


def _without_comments(text: str) -> str:
    """A text without its comments; one that nothing closes stays."""
    kept, place = list[str](), 0
    while (start := text.find("<!--", place)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        kept.append(text[place:start])
        place = end + 3
    return "".join((*kept, text[place:]))


def _heading(line: str, after: str) -> str:
    if hashes := re.match(r"#{1,6}\s+", line):
        return line[hashes.end() :].rstrip("#").rstrip()
    return line if re.fullmatch(r"=+|-{2,}", after) and re.search(r"\w", line) else ""


def _plain(line: str) -> str:
    """A line without the marks of Markdown; empty if it has no words."""
    line = replace_links(line, "", begin="![")
    line = replace_links(line, "{label}")
    line = re.sub(r"\*{1,3}|__|`|^#+\s*|^>\s*|^[-+]\s+", "", line).strip()
    return " ".join(line.split()) if re.search(r"\w", line) else ""


def _shortened(title: str) -> str:
    return title if len(title) <= MOST_TITLE else f"{title[:MOST_TITLE].rpartition(' ')[0] or title[:MOST_TITLE]}…"


FRONT = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.DOTALL | re.MULTILINE)
