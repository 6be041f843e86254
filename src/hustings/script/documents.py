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
from hustings.transcript.empty_fields import OMIT_IF_EMPTY
from hustings.transcript.notes import RULES, Note

from .background import MOST_TITLE, Background
from .tools import PREFIX

CUT = 1
"""Version of the cut into passages."""
WORDS = 120
"""Words of a passage, about."""
LONGEST_PASSAGE = 2_000
"""Characters, whatever the words are."""
MOST_CHARACTERS = 20_000_000
MOST_DOCUMENTS = 200
MOST_LOOK_UPS = 100
FIRST = "DOC-1"
"""Id of the document that came with the question."""
Media = Literal["text", "markdown", "code", "html", "pdf", "word", "slides", "sheet", "mail"]
PAGED: frozenset[Media] = frozenset({"pdf", "slides", "sheet"})
"""Those that have pages: a form feed parts them, and stands in no other text."""
PAGE_END = "\f"
TextsOf = Mapping[str, str]
"""Id of a document to its text."""
NOTED = "documents"
"""Kind of the note that lists them."""
FETCHED = "fetched"
"""Kind of the note that lists a document which a tool brought."""
UNVOUCHED = "fetched, not vouched for"
Origin = Literal["given", "fetched"]


class DocumentText(BaseModel, defer_build=True):
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


class ListedDocument(BaseModel, frozen=True, defer_build=True):
    """A document as the record lists it."""

    id: Annotated[str, Field(pattern=r"^DOC-[1-9][0-9]{0,3}$")]
    title: str
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """SHA-256 of the text."""
    words: int
    seats: tuple[str, ...] = ()
    """Ids of the seats that may read it; none: all."""
    origin: Origin = "given"
    """Whether people brought it or a tool did."""

    @property
    def remark(self) -> str:
        """How lists name it; the title comes from outside, and is not escaped."""
        words = f"{self.words:,} {'word' if self.words == 1 else 'words'}"
        vouched = ", not vouched for" if self.origin == "fetched" else ""
        return f"{self.id}: {self.title} ({words}, {self.readers}{vouched})"

    @property
    def readers(self) -> str:
        return f"read by {', '.join(self.seats)} alone" if self.seats else "read by all"


class Document(ListedDocument, frozen=True):
    """What is known of a document but its text."""

    characters: int
    media: Media
    reader: str
    version: int


class FetchedDocument(ListedDocument, frozen=True):
    """A document that a tool brought in the course of a debate, with its text."""

    text: str
    tool: str
    side: str
    note: str
    """Id of the note that holds it: who reads the note reads the document."""
    after: tuple[int, int]
    """Round and place of the last turn before it: what was said until then cannot cite it."""


class Documents(BaseModel, frozen=True, defer_build=True):
    """All further documents of a debate, in the order in which they were brought."""

    cut: int = CUT
    each: Annotated[tuple[Document, ...], Field(min_length=1, max_length=MOST_DOCUMENTS)]
    look_ups: Annotated[int, Field(ge=0, le=MOST_LOOK_UPS), OMIT_IF_EMPTY] = 0
    """How often each side may have something looked up; 0: all prompts hold the documents whole."""

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
        return self.model_copy(update={"each": self.shared}) if self.shared else None

    def changed(self, texts: TextsOf) -> Document | None:
        """The first document whose text is missing or is not the one that was brought."""
        return next((one for one in self.each if digest_of(texts.get(one.id, "")) != one.digest), None)


def note_body(listed: Iterable[ListedDocument]) -> dict[str, JsonValue]:
    """What the record says of the documents of a debate."""
    kept = set(ListedDocument.model_fields)
    return {"each": [one.model_dump(mode="json", include=kept) for one in listed]}


def listed_in(notes: Iterable[Note]) -> tuple[ListedDocument, ...]:
    """The documents that the notes of a debate list, those that tools brought last.

    None if another writer put something else there.
    """
    own = [note for note in notes if note.by == RULES]
    found = [note.body.get("each") for note in own if note.kind == NOTED]
    try:
        given = _LISTED.validate_python(found[0] if found else ())
        return (*given, *(ListedDocument.model_validate(note.body) for note in own if note.kind == FETCHED))
    except ValidationError:
        return ()


def first_listed(background: Background | None) -> tuple[ListedDocument, ...]:
    """The document that came with the question, as lists name it; empty without one."""
    if background is None:
        return ()
    text = background.text
    return (ListedDocument(id=FIRST, title=background.title, digest=digest_of(text), words=background.words),)


def laid_down(given: Sequence[DocumentText], first: int = 1) -> tuple[Documents | None, TextsOf]:
    """Documents numbered from `first` on, whose seats are seat ids by now, and their texts."""
    if not given:
        return None, {}
    each = tuple(_document(f"DOC-{first + n}", one) for n, one in enumerate(given))
    return Documents(each=each), {one.id: brought.text for one, brought in zip(each, given, strict=True)}


def digest_of(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def fetched_texts(notes: Iterable[Note]) -> dict[str, str]:
    """Texts of the documents that tools brought, by id: each is in the recorded answer that has its digest."""
    texts: dict[str, str] = {}
    known: dict[str, str] = {}
    for note in notes:
        text = note.body.get("text")
        if note.by.startswith(PREFIX) and isinstance(text, str):
            known[digest_of(text)] = text
        if note.kind == FETCHED and (found := known.get(str(note.body.get("digest")))) is not None:
            texts[str(note.body.get("id"))] = found
    return texts


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


_LISTED: TypeAdapter[tuple[ListedDocument, ...]] = TypeAdapter(
    tuple[ListedDocument, ...], config=ConfigDict(defer_build=True)
)


# -- passages ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Passage:
    id: str
    """Document and number, like DOC-2.14."""
    start: int
    end: int
    page: int = 0
    """Counted from 1; 0: the text has no pages."""

    @property
    def label(self) -> str:
        """How it is shown: DOC-2.14 (p. 7)."""
        return on_page(self.id, self.page)


def on_page(passage_id: str, page: int) -> str:
    return f"{passage_id} (p. {page})" if page else passage_id


def page_count(text: str) -> int:
    """How many pages a text has; 0 without any."""
    return page_of(text, len(text))


def page_of(text: str, place: int) -> int:
    """The page on which a place stands, counted from 1; 0 in a text without pages."""
    return text.count(PAGE_END, 0, place) + 1 if PAGE_END in text else 0


def passages(document_id: str, text: str) -> Iterator[Passage]:
    """Paragraphs, or sentences of long ones, gathered up to about 120 words, never over the end of a page.

    All but white space is in one of them.
    """
    number, paged, first = 0, PAGE_END in text, 0
    for page, words in enumerate(text.split(PAGE_END), 1):
        for begin, end in _gathered(text, first, first + len(words)):
            number += 1
            yield Passage(f"{document_id}.{number}", begin, end, page if paged else 0)
        first += len(words) + len(PAGE_END)


def _gathered(text: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    begin, end, size = first, first, 0
    for start, stop in _pieces(text, first, last):
        words = count_words(text[start:stop])
        if end > first and (size + words > WORDS or stop - begin > LONGEST_PASSAGE):
            yield begin, end
            end, size = first, 0
        begin, end, size = begin if end > first else start, stop, size + words
    if end > first:
        yield begin, end


def _pieces(text: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Paragraphs; those that are too long in sentences, and such sentences where they must be cut."""
    for paragraph in _between(text, first, last, BLANK):
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
