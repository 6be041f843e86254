"""View of the quotes from documents: who quoted what, what code found, and the sentence in which the words stand."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from pydantic import BaseModel

from hustings.script.citing import Citation, citations_of, written_in
from hustings.script.documents import BLANK, SENTENCE, TextsOf, page_of
from hustings.transcript.models import Turn
from hustings.transcript.notes import Note

MOST_AROUND = 240
"""Characters before and after a quote that belong to its sentence at most."""


class Excerpt(BaseModel, frozen=True, defer_build=True):
    """A sentence of a document, and the words in it that were quoted."""

    before: str
    words: str
    after: str


class QuoteView(BaseModel, frozen=True, defer_build=True):
    """A quote from a document in a speech, and what code found."""

    id: str
    turn: str
    seat: str
    written: str
    """As it stands in the speech, brackets included; empty if it does not stand there."""
    quote: str
    named: str
    """Id of the document that the speaker named."""
    document: str
    """Id of the document in which the words stand, and else of the one that was named."""
    passage: str
    """Empty if the words stand nowhere."""
    page: int | None
    accepted: bool
    verdict: str
    why: str
    start: int
    end: int
    """Where the words stand in the text; −1 if nowhere, or if the reader may not read it."""
    excerpt: Excerpt | None
    """The sentence around the words, if the text is at hand."""


def quotes_of(turns: Iterable[Turn], notes: Iterable[Note], texts: TextsOf) -> tuple[QuoteView, ...]:
    """All quotes that were checked, in the order of the record."""
    cited = citations_of(notes)
    return tuple(
        _view(f"c-{turn.turn_id}-{number}", turn, found, texts)
        for turn in turns
        for number, found in enumerate(_in_order(turn, cited.get(turn.turn_id, ())), 1)
    )


def hidden(quote: QuoteView) -> QuoteView:
    """The same for those who may not read its document: what was said, and no more of the text."""
    return quote.model_copy(update={"page": None, "start": -1, "end": -1, "excerpt": None})


def _in_order(turn: Turn, noted: Sequence[Citation]) -> Iterator[tuple[str, Citation]]:
    """The citations of a turn as they are written in it. Brackets that nobody checked are no citations."""
    waiting = [*noted]
    for written, named, quote in written_in(turn.said):
        known = next((one for one in waiting if (one.named, one.quote) == (named, quote)), None)
        if known is not None:
            waiting.remove(known)
            yield written, known
    yield from (("", one) for one in waiting)


def _view(name: str, turn: Turn, found: tuple[str, Citation], texts: TextsOf) -> QuoteView:
    written, one = found
    document = one.document or one.named
    text = texts.get(document, "")
    there = one.accepted and 0 <= one.start < one.end <= len(text)
    return QuoteView(
        id=name,
        turn=turn.turn_id,
        seat=turn.speaker_id,
        written=written,
        quote=one.quote,
        named=one.named,
        document=document,
        passage=one.passage,
        page=(page_of(text, one.start) or None) if there else None,
        accepted=one.accepted,
        verdict=one.verdict,
        why=one.why,
        start=one.start if there else -1,
        end=one.end if there else -1,
        excerpt=excerpt_of(text, one.start, one.end) if there else None,
    )


def excerpt_of(text: str, start: int, end: int) -> Excerpt:
    """The sentences in which these words of a text stand, cut where they are long."""
    left, right = max(start - MOST_AROUND, 0), min(end + MOST_AROUND, len(text))
    begins = [found.end() for found in ENDS.finditer(text, left, start)]
    before = text[begins[-1] if begins else left : start]
    last = ENDS.search(text, end - 1, right)
    after = text[end : max(last.end(), end) if last else right]
    return Excerpt(
        before=("" if begins or not left else "… ") + _on_one_line(before).lstrip(),
        words=_on_one_line(text[start:end]),
        after=_on_one_line(after).rstrip() + ("" if last or right == len(text) else " …"),
    )


def _on_one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)


ENDS = re.compile(f"{SENTENCE.pattern}|{BLANK.pattern}")
