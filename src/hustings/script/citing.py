"""Citations of documents in what seats say: found by their notation, checked word for word, shown to all readers."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from pydantic import JsonValue

from hustings.text.quote_check import Verdict
from hustings.text.quotes import complaint, found_in
from hustings.transcript.notes import Note, Remark

from .documents import UNVOUCHED, TextsOf, on_page, page_of, passages
from .forms import Form, marked
from .moves import Brief

F = TypeVar("F", bound=Form)
NOTE = "citations"
"""Kind of the note that holds the citations of a turn."""
ACCEPTED = ("verbatim", "near")
"""Verdicts on words that stand in the document."""


@dataclass(frozen=True)
class Citation:
    """Words that a speaker gives as those of a document, and what code found there."""

    named: str
    """Id of the document that the speaker named."""
    quote: str
    verdict: Verdict | Literal["unknown"]
    """Unknown: the speaker has no document of that name."""
    document: str = ""
    """Id of the document in which the words stand: the one named, if they stand there."""
    passage: str = ""
    start: int = -1
    end: int = -1
    """Where they stand in the text of the document."""
    why: str = ""
    page: int = 0
    """On which they begin; 0: the document has no pages."""
    fetched: bool = False
    """Whether a tool brought the document."""

    @property
    def accepted(self) -> bool:
        return self.verdict in ACCEPTED

    @property
    def mark(self) -> str:
        """What readers are told of it, in our words."""
        if not self.accepted:
            return f"{self.named}: {self.verdict}, not accepted" + (f" ({self.why})" if self.why else "")
        there = "verified" if self.document == self.named else "verified there"
        return f"{on_page(self.passage, self.page)}: {there}{f' ({UNVOUCHED})' if self.fetched else ''}"

    def body(self) -> dict[str, JsonValue]:
        return {name: value for name, value in vars(self).items() if name not in {"page", "fetched"} or value}


def citations_in(words: str, texts: TextsOf, fetched: Collection[str] = ()) -> tuple[Citation, ...]:
    """The citations in these words, checked against the documents that their speaker may read.

    `fetched` are the ids of those that a tool brought.
    """
    found = (_checked(named, quote, texts) for named, quote in quotes_in(words))
    return tuple(replace(one, fetched=True) if one.document in fetched else one for one in found)


def quotes_in(words: str) -> list[tuple[str, str]]:
    """Document and quote of each citation in these words, unchecked."""
    return [(named, quote) for _, named, quote in written_in(words)]


def written_in(words: str) -> list[tuple[str, str, str]]:
    """Each citation as it is written, with its document and its quote, unchecked."""
    return [(found[0], found[1], " ".join(found[2].split())) for found in CITED.finditer(words)]


def _checked(named: str, quote: str, texts: TextsOf) -> Citation:
    if named not in texts:
        return Citation(named, quote, "unknown", why="its speaker has no document of that name")
    finding = found_in(quote, [texts[named]])
    place = named
    if not finding.accepted:
        # A slip in the id takes nothing from words that stand in another document.
        elsewhere = ((name, found_in(quote, [text])) for name, text in texts.items() if name != named)
        place, finding = next(((name, one) for name, one in elsewhere if one.accepted), (named, finding))
    found = Citation(named, quote, finding.verdict, start=finding.start, end=finding.end, why=finding.why)
    if not finding.accepted:
        return found
    at, page = _passage(place, texts[place], finding.start), page_of(texts[place], finding.start)
    return replace(found, document=place, passage=at, page=page)


def _passage(document: str, text: str, place: int) -> str:
    found = [one.id for one in passages(document, text) if one.start <= place]
    return found[-1] if found else document


def cited(brief: Brief[F], known: Callable[[], tuple[TextsOf, Collection[str]]]) -> Brief[F]:
    """The same brief for a seat with documents: a false quote goes back while it may; all citations are noted.

    `known` gives the texts that the seat may cite by now, and which of them a tool brought.
    """

    def check(answer: F) -> Sequence[str]:
        texts, _ = known()
        return [_complaint(one, texts) for one in citations_in(answer.said(), texts) if not one.accepted]

    def observe(answer: F) -> Iterable[Remark]:
        texts, fetched = known()
        if found := (*citations_in(answer.said(), texts, fetched), *_in_fields(answer, texts)):
            yield Remark(NOTE, {"each": [one.body() for one in found]})

    return brief.preferring(check).noting(observe)


def _in_fields(answer: Form, texts: TextsOf) -> Iterator[Citation]:
    """Citations in fields for words of a document, which do not say of which one."""
    for kind, quote in marked(answer, "x-quote"):
        if kind == "document" and quote and texts:
            one = _checked(next(iter(texts)), quote, texts)
            yield replace(one, named=one.document or one.named)


def _complaint(citation: Citation, texts: TextsOf) -> str:
    if citation.verdict == "unknown":
        return f"there is no document {citation.named} for you: {', '.join(texts) or 'nothing'} can be cited"
    return f"{citation.named}: {complaint(citation.quote, found_in(citation.quote, [texts[citation.named]]))}"


def citations_of(notes: Iterable[Note]) -> dict[str, list[Citation]]:
    """Citations by turn, as they were checked when the turn was entered."""
    found: dict[str, list[Citation]] = {}
    for note in notes:
        if note.kind == NOTE:
            for turn in dict.fromkeys(subject.turn_id for subject in note.about if subject.turn_id):
                found.setdefault(turn, []).extend(_noted(note.body))
    return found


def _noted(body: Mapping[str, JsonValue]) -> list[Citation]:
    each = body["each"]
    return [Citation(**one) for one in each]  # pyright: ignore - as `body` wrote it


CITED = re.compile(
    r"\[(DOC-[1-9][0-9]{0,3})(?:\.[0-9]+)?(?:\s\(p\.\s?[0-9]+\))?\s*+(?:[:,]\s*+)?[\"“„«‘](.{1,600}?)[\"”“»’]\s*+\]",
    re.DOTALL,
)
"""The notation: [DOC-2.14: "words of the document"], with or without the page as prompts show it."""
