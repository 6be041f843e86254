"""Further documents of a debate: what is known of each, the passages it is quoted by, and who may read it.

The texts themselves are handed in from outside, by id. A passage is a cut through the text, computed and never stored,
so that every id leads back to the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError, field_validator

from hustings.text.words import count_words
from hustings.transcript.canonical import canonical
from hustings.transcript.notes import RULES, Note

from .background import MOST_TITLE

CUT = 1
"""Version of the cut into passages."""
WORDS = 120
"""Words of a passage, about."""
LONGEST_PASSAGE = 2_000
"""Characters, whatever the words are."""
MOST_CHARACTERS = 20_000_000
MOST_DOCUMENTS = 200
FIRST = "DOC-1"
"""Id of the document that came with the question, where there are others."""
Media = Literal["text", "markdown", "code", "html"]
TextsOf = Mapping[str, str]
"""Id of a document to its text."""
NOTED = "documents"
"""Kind of the note that lists them."""


class DocumentText(BaseModel):
    """A document as it is brought along: its text, and the seats, teams or roles that may read it (none: all)."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: Annotated[str, Field(pattern=r"\S", max_length=2 * MOST_TITLE)]
    text: Annotated[str, Field(pattern=r"\S")]
    seats: Annotated[tuple[Annotated[str, Field(min_length=1, max_length=128)], ...], Field(max_length=100)] = ()
    media: Media = "text"
    reader: str = "given"
    """What made the text of the file, and its version: another version may read it otherwise."""
    version: int = 1

    @field_validator("title")
    @classmethod
    def _one_line(cls, title: str) -> str:
        return " ".join(title.split())

    @field_validator("text")
    @classmethod
    def _bounded(cls, text: str) -> str:
        if len(text) > MOST_CHARACTERS:
            raise ValueError(f"the document has {len(text):,} characters, and {MOST_CHARACTERS:,} is the most: cut it")
        if "\0" in text:  # not every database can store it
            raise ValueError("the document holds the character NUL: save it as plain text")
        return text


class ListedDocument(BaseModel, frozen=True):
    """A document as the record lists it."""

    id: Annotated[str, Field(pattern=r"^DOC-[1-9][0-9]{0,3}$")]
    title: str
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """SHA-256 of the text."""
    words: int
    seats: tuple[str, ...] = ()
    """Ids of the seats that may read it; none: all."""

    @property
    def remark(self) -> str:
        """How lists name it; the title comes from outside, and is not escaped."""
        words = f"{self.words:,} {'word' if self.words == 1 else 'words'}"
        return f"{self.id}: {self.title} ({words}, {self.readers})"

    @property
    def readers(self) -> str:
        return f"read by {', '.join(self.seats)} alone" if self.seats else "read by all"


class Document(ListedDocument, frozen=True):
    """What is known of a document but its text."""

    characters: int
    media: Media
    reader: str
    version: int


class Documents(BaseModel, frozen=True):
    """All further documents of a debate, in the order in which they were brought."""

    cut: int = CUT
    each: Annotated[tuple[Document, ...], Field(min_length=1, max_length=MOST_DOCUMENTS)]

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the canonical JSON of this list."""
        return _digest_of(self.cut, self.each)

    @property
    def remark(self) -> str:
        words = sum(one.words for one in self.each)
        return f"with {len(self.each)} further {'document' if len(self.each) == 1 else 'documents'} of {words:,} words"

    @cached_property
    def shared(self) -> tuple[Document, ...]:
        return tuple(document for document in self.each if not document.seats)

    def private_to(self, seat: str) -> tuple[Document, ...]:
        """Documents that this seat may read, and not all others."""
        return tuple(document for document in self.each if seat in document.seats)

    def readable_by(self, seat: str) -> tuple[Document, ...]:
        return tuple(document for document in self.each if not document.seats or seat in document.seats)

    def digest_for(self, seat: str) -> str:
        """Digest of what this seat may read; empty if that is nothing. Documents of others leave it unchanged."""
        found = self.readable_by(seat)
        return _digest_of(self.cut, found) if found else ""

    def for_all(self) -> Documents | None:
        """The documents that all may read; None without any."""
        return Documents(cut=self.cut, each=self.shared) if self.shared else None

    def note(self) -> dict[str, JsonValue]:
        """What the record says of them."""
        kept = set(ListedDocument.model_fields)
        return {"sha256": self.digest, "each": [one.model_dump(mode="json", include=kept) for one in self.each]}

    def changed(self, texts: TextsOf) -> Document | None:
        """The first document whose text is missing or is not the one that was brought."""
        return next((one for one in self.each if digest_of(texts.get(one.id, "")) != one.digest), None)


def listed_in(notes: Iterable[Note]) -> tuple[ListedDocument, ...]:
    """The documents that the notes of a debate list; none if another writer put something else there."""
    found = [note.body.get("each") for note in notes if note.kind == NOTED and note.by == RULES]
    try:
        return _LISTED.validate_python(found[0] if found else ())
    except ValidationError:
        return ()


def laid_down(given: Sequence[DocumentText], first: int = 1) -> tuple[Documents | None, TextsOf]:
    """Documents numbered from `first` on, whose seats are seat ids by now, and their texts."""
    if not given:
        return None, {}
    each = tuple(_document(f"DOC-{first + n}", one) for n, one in enumerate(given))
    return Documents(each=each), {one.id: brought.text for one, brought in zip(each, given, strict=True)}


def digest_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def _document(document_id: str, given: DocumentText) -> Document:
    return Document(
        id=document_id,
        digest=digest_of(given.text),
        characters=len(given.text),
        words=count_words(given.text),
        **given.model_dump(exclude={"text"}),
    )


def _digest_of(cut: int, each: Sequence[Document]) -> str:
    return sha256(canonical({"cut": cut, "each": [one.model_dump(mode="json") for one in each]})).hexdigest()


_LISTED: TypeAdapter[tuple[ListedDocument, ...]] = TypeAdapter(tuple[ListedDocument, ...])


# -- passages ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Passage:
    id: str
    """Document and number, like DOC-2.14."""
    start: int
    end: int


def passages(document_id: str, text: str) -> Iterator[Passage]:
    """Paragraphs, or sentences of long ones, gathered up to about 120 words. All but white space is in one of them."""
    number, begin, end, size = 0, 0, 0, 0
    for start, stop in _pieces(text):
        words = count_words(text[start:stop])
        if end and (size + words > WORDS or stop - begin > LONGEST_PASSAGE):
            number += 1
            yield Passage(f"{document_id}.{number}", begin, end)
            end, size = 0, 0
        begin, end, size = begin if end else start, stop, size + words
    if end:
        yield Passage(f"{document_id}.{number + 1}", begin, end)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Paragraphs; those that are too long in sentences, and such sentences where they must be cut."""
    for paragraph in _between(text, 0, len(text), BLANK):
        if _fits(text, *paragraph):
            yield paragraph
            continue
        for sentence in _between(text, *paragraph, SENTENCE):
            yield from [sentence] if _fits(text, *sentence) else _slices(text, *sentence)


def _between(text: str, start: int, stop: int, ends: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """The parts of a text up to each of these ends, without the white space around them."""
    for end in (*(found.end() for found in ends.finditer(text, start, stop)), stop):
        part = text[start:end]
        if words := part.strip():
            first = start + len(part) - len(part.lstrip())
            yield first, first + len(words)
        start = end


def _fits(text: str, start: int, stop: int) -> bool:
    return stop - start <= LONGEST_PASSAGE and count_words(text[start:stop]) <= WORDS


def _slices(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Slices of about as many words as a passage has, cut at the end of a line or word if there is one."""
    words = max(count_words(text[start:stop]), 1)
    length = min(max((stop - start) * WORDS // words, 1), LONGEST_PASSAGE)
    while stop - start > length:
        far = start + length
        line, space = text.rfind("\n", start, far), text.rfind(" ", start, far)
        cut = next((place + 1 for place in (line, space) if place > start), far)
        yield from _between(text, start, cut, NOWHERE)
        start = cut
    yield from _between(text, start, stop, NOWHERE)


BLANK = re.compile(r"\n[^\S\n]*\n")
SENTENCE = re.compile(r"[.!?…](?=[\"'”’»)\]]{0,3}\s)[\"'”’»)\]]{0,3}|[。！？]")
NOWHERE = re.compile(r"(?!)")
