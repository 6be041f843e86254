"""Search the questions and speeches of an owner's debates, with the words that were found marked in excerpts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pydantic import BaseModel

from hustings.db import search
from hustings.db.search import IndexedPassage

from .debate_rows import DebateRow, debate_rows_of
from .queries import RunQueries

BEFORE, ROOM = 60, 180
"""Characters before the first word found, and of a whole excerpt."""


class ExcerptPart(BaseModel, frozen=True, defer_build=True):
    text: str
    found: bool = False
    """Whether these are words that were sought."""


class FoundSpeech(BaseModel, frozen=True, defer_build=True):
    run_id: str
    topic: str
    turn_id: str
    seat: str
    excerpt: tuple[ExcerptPart, ...]


class FoundDebate(BaseModel, frozen=True, defer_build=True):
    debate: DebateRow
    excerpt: tuple[ExcerptPart, ...]
    """Its question."""


class SearchResult(BaseModel, frozen=True, defer_build=True):
    """What was found, by kind, the best first."""

    debates: tuple[FoundDebate, ...] = ()
    speeches: tuple[FoundSpeech, ...] = ()


def find_words(runs: RunQueries, query: str, most: int = 8) -> SearchResult:
    """Debates and speeches that have all words of a query; the last may be the beginning of one."""
    words = search.words_of(query)
    if not words:
        return SearchResult()
    topics, said = (_passages(runs, words, most, topics=topics) for topics in (True, False))
    rows = {row.run_id: row for row in debate_rows_of(runs, [one.run_id for one in topics])}
    return SearchResult(
        debates=tuple(
            FoundDebate(debate=rows[one.run_id], excerpt=excerpt(one.text, words))
            for one in topics
            if one.run_id in rows
        ),
        speeches=tuple(
            FoundSpeech(
                run_id=one.run_id,
                topic=one.topic,
                turn_id=one.turn_id,
                seat=one.seat,
                excerpt=excerpt(one.text, words),
            )
            for one in said
        ),
    )


def _passages(runs: RunQueries, words: Sequence[str], most: int, *, topics: bool) -> list[IndexedPassage]:
    with runs.database.reading() as db:
        ids = search.matching(db, words, runs.owner, most, topics=topics)
    with runs.scoped.reading() as db:
        return search.passages(db, ids, runs.owner)


def excerpt(text: str, words: Sequence[str]) -> tuple[ExcerptPart, ...]:
    """The place of a text where the words stand, on one line, with each of them marked."""
    plain = " ".join(text.split())
    sought = re.compile(rf"(?<![^\W_])(?:{'|'.join(map(re.escape, words))})[^\W_]*", re.IGNORECASE)
    first = sought.search(plain)
    start = max(0, first.start() - BEFORE) if first else 0
    if start:
        start = plain.find(" ", start) + 1 or start
    end = min(len(plain), start + ROOM)
    if end < len(plain):
        end = plain.rfind(" ", start + BEFORE, end) if " " in plain[start + BEFORE : end] else end
    shown = f"{'… ' if start else ''}{plain[start:end]}{' …' if end < len(plain) else ''}"
    return tuple(_parts(shown, sought))


def _parts(text: str, sought: re.Pattern[str]) -> Iterator[ExcerptPart]:
    at = 0
    for found in sought.finditer(text):
        if found.start() > at:
            yield ExcerptPart(text=text[at : found.start()])
        yield ExcerptPart(text=found.group(), found=True)
        at = found.end()
    if at < len(text):
        yield ExcerptPart(text=text[at:])
