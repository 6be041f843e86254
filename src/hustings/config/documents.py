"""What to debate, as it is typed: a question in words, a document by its file name, or standard input."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from hustings.errors import BrokenFile, Unsuitable
from hustings.readers.document import HTML, MOST_READ, content_of, decoded, document_from, kind_of, read_document
from hustings.readers.folder import FolderDocuments, documents_in_folder
from hustings.script.background import Background, is_question, title_of
from hustings.script.complaints import complaints
from hustings.script.documents import MOST_DOCUMENTS, PAGE_END, DocumentText

STDIN = "-"
DOCUMENTS = frozenset(
    {"md", "markdown", "txt", "text", "rst", "adoc", "org", "tex", "html", "htm", "json", "toml", "yaml", "yml"}
    | {"pdf", "doc", "docx", "odt", "rtf", "ppt", "pptx", "odp", "xls", "xlsx", "ods", "eml", "msg"}
)
"""Endings by which one word is the name of a file, and not a question."""


@dataclass(frozen=True)
class DebateSubject:
    """What is debated, and the documents that come with it."""

    question: str
    """Empty: it is left to the title of the background."""
    background: Background | None = None
    documents: tuple[DocumentText, ...] = ()
    remarks: tuple[str, ...] = ()
    """What was taken from folders, and what was left out."""


class FirstFile(NamedTuple):
    """A file that is debated, or comes with the question: its pages stand in one text."""

    title: str
    text: str
    question: bool = False
    """Whether its text is the question itself."""


def subject_of(motion: str, files: Sequence[str] = (), folders: Sequence[str] = ()) -> DebateSubject:
    """The question and its documents. The first file for all is the background, unless the motion itself is one."""
    if [motion, *(for_seats(file)[1] for file in files)].count(STDIN) > 1:
        raise Unsuitable("standard input can be read once", fix="write - in one place, and name files in the others")
    question, background = _motion(motion)
    further = [*files]
    if background is None and (first := next((file for file in files if not for_seats(file)[0]), "")):
        background = document_in(first)
        further.remove(first)
    documents = [further_document(file) for file in further]
    remarks: list[str] = []
    for folder in folders:
        seats, name = for_seats(folder)
        found = documents_in_folder(name, seats)
        documents += found.documents
        remarks += _told(name, found)
    if len(documents) > MOST_DOCUMENTS:
        raise Unsuitable(f"these are {len(documents)} documents, and {MOST_DOCUMENTS} is the most", fix="name fewer")
    return DebateSubject(question, background, tuple(documents), tuple(remarks))


def _motion(motion: str) -> tuple[str, Background | None]:
    """A question in words, the question that a file holds, or a file that is debated itself."""
    if not (named := file_in(motion)):
        return motion, None
    found = _content(named)
    return (found.text.strip(), None) if found.question else ("", _background(found, named))


def further_document(file: str, folder: Path | None = None) -> DocumentText:
    """A document by its name, in this folder or as it was typed; `pro:memo.md` is for a seat, team or role alone."""
    seats, name = for_seats(file, folder or Path())
    if name == STDIN and folder is None:
        return document_from(sys.stdin.buffer.read(MOST_READ + 1), "standard input", seats=seats)
    if re.match(r"\w+://|//", name):
        raise BrokenFile(f"{file!r} is an address, and documents are read from files", fix="save the page, and name it")
    return read_document((folder or Path()) / Path(name).expanduser(), seats=seats)


def for_seats(file: str, folder: Path = Path()) -> tuple[tuple[str, ...], str]:
    """The seats, teams or roles that a file name begins with, and the name. A file that is called so is just that."""
    before, colon, name = file.partition(":")
    named = re.fullmatch(r"[A-Za-z]\w*(,[A-Za-z]\w*)*", before) and colon and name
    return (tuple(before.split(",")), name) if named and not (folder / file).exists() else ((), file)


def _told(folder: str, found: FolderDocuments) -> Iterator[str]:
    names = [document.title for document in found.documents]
    yield f"From {folder}: {_some(names)}"
    if found.left_out:
        yield left_out(found)


def left_out(found: FolderDocuments) -> str:
    """What was left out of a folder, and why."""
    return f"Left out: {_some([f'{name} ({why})' for name, why in sorted(found.left_out.items())])}"


def _some(names: Sequence[str]) -> str:
    more = f", and {len(names) - MOST_TOLD} more" if len(names) > MOST_TOLD else ""
    return ", ".join(names[:MOST_TOLD]) + more


MOST_TOLD = 20
"""Files of a folder that are named."""


def document_in(file: str) -> Background:
    """A file, or standard input, as a document."""
    return _background(_content(file), file)


def document_of(content: bytes, name: str) -> Background:
    """What a file held, as a document."""
    return _background(_first(content, name, ""), name)


def panel_in(text: str) -> str:
    """Panelists in words, or those of a file: one on each line; lines that begin with # are remarks."""
    if not (file := file_in(text)):
        return text
    lines = [line.strip() for line in _content(file).text.splitlines()]
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


def _content(file: str) -> FirstFile:
    """What the first file of a debate holds."""
    if file == STDIN:
        content, name, stem = sys.stdin.buffer.read(MOST_READ + 1), "standard input", ""
    else:
        path = Path(file).expanduser()
        if not os.path.exists(path):  # noqa: PTH110  a `Path` raises what it may not see
            raise BrokenFile(
                f"there is no file {file!r}",
                fix='check the name; to debate these words, put them as a question: hustings "Should …?"',
            )
        content, name, stem = content_of(path), file, path.stem
    return _first(content, name, stem)


def _first(content: bytes, name: str, stem: str) -> FirstFile:
    if kind_of(content, name) is None and Path(name).suffix.lstrip(".").lower() not in HTML:
        text = decoded(content, name)
        return FirstFile(title_of(text, stem), text, is_question(text))
    found = document_from(content, name)
    return FirstFile(found.title, found.text.replace(PAGE_END, "\n\n"))


def _background(found: FirstFile, file: str) -> Background:
    if not found.text.strip():
        raise BrokenFile(f"{file!r} is empty", fix="name a file with text in it")
    try:
        return Background(title=found.title, text=found.text.strip())
    except ValidationError as error:
        raise BrokenFile(f"{file!r} cannot be debated", why="; ".join(complaints(error))) from None
