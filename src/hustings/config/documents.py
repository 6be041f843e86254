"""What to debate, as it is typed: a question in words, a document by its file name, or standard input."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from pydantic import ValidationError

from hustings.errors import BrokenFile, Unsuitable
from hustings.script.background import MOST_TEXT, Background, is_question, title_of
from hustings.script.forms import complaints

from .paths import decoded, read_bytes

STDIN = "-"
MOST_BYTES = 4 * MOST_TEXT
"""No character takes more than four bytes."""
DOCUMENTS = frozenset(
    [
        "md",
        "markdown",
        "txt",
        "text",
        "rst",
        "adoc",
        "org",
        "tex",
        "html",
        "htm",
        "pdf",
        "doc",
        "docx",
        "odt",
        "rtf",
        "json",
        "toml",
        "yaml",
        "yml",
    ]
)
"""Endings by which one word is the name of a file, and not a question."""
OFFICE = frozenset(["pdf", "doc", "docx", "odt", "rtf"])


def subject_of(motion: str, file: str = "") -> tuple[str, Background | None]:
    """The question and its document. Without a question, the question is left to the document's title."""
    named = file_in(motion)
    if not named:
        return motion, document_in(file) if file else None
    text, name = _content(named)
    if is_question(text):
        return text.strip(), document_in(file) if file else None
    if file:
        raise Unsuitable(
            f"{named!r} and {file!r} are both documents, and a debate has one",
            fix=f'put the question in words: hustings "…?" --file {file}',
        )
    return "", _background(text, name, named)


def document_in(file: str) -> Background:
    """A file, or standard input, as a document."""
    return _background(*_content(file), file)


def panel_in(text: str) -> str:
    """Panelists in words, or those of a file: one on each line; lines that begin with # are remarks."""
    if not (file := file_in(text)):
        return text
    lines = [line.strip() for line in _content(file)[0].splitlines()]
    return "\n".join(line for line in lines if line and not line.startswith("#"))


def file_in(motion: str) -> str:
    """The file that a motion names; empty if the motion is meant in words."""
    if motion == STDIN or motion.startswith("@"):
        return motion.removeprefix("@")
    if "\n" in motion or len(motion) > LONGEST_NAME:
        return ""
    ending = motion.rpartition(".")[2].lower() if "." in motion else ""
    word = not re.search(r"\s", motion)
    if word and (ending in DOCUMENTS or re.match(r"(\.{1,2}|~)?[/\\]", motion)):
        return motion
    return motion if ending in DOCUMENTS and Path(motion).is_file() else ""


LONGEST_NAME = 4_000


def _content(file: str) -> tuple[str, str]:
    """Text of a file, and its name without the ending."""
    if file == STDIN:
        content, name = sys.stdin.buffer.read(MOST_BYTES + 1), "standard input"
        return decoded(content, name, MOST_BYTES), ""
    path = Path(file).expanduser()
    if not path.exists():
        raise BrokenFile(
            f"there is no file {file!r}",
            fix='check the name; to debate these words, put them as a question: hustings "Should …?"',
        )
    if path.suffix.lstrip(".").lower() in OFFICE:
        raise BrokenFile(
            f"{file!r} cannot be read", why="it is no plain text", fix="save it as text or Markdown, and name that file"
        )
    return decoded(read_bytes(path, MOST_BYTES, "a text file"), file, MOST_BYTES), path.stem


def _background(text: str, name: str, file: str) -> Background:
    if not text.strip():
        raise BrokenFile(f"{file!r} is empty", fix="name a file with text in it")
    try:
        return Background(title=title_of(text, name), text=text.strip())
    except ValidationError as error:
        raise BrokenFile(f"{file!r} cannot be debated", why="; ".join(complaints(error))) from None
