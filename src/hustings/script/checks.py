"""Checks of answers that many briefs share (length, completeness, quotes), and links to the seats they name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from hustings.text.quotes import is_quoted, mentions
from hustings.text.words import count_words

from .debate import Seat
from .forms import Form, Link
from .moves import Check, Linker
from .rubric import Rubric

F = TypeVar("F", bound=Form)


def at_most(words: int, of: Callable[[F], str], what: str) -> Check[F]:
    """The text has at most `words` words."""

    def check(answer: F) -> Sequence[str]:
        count = count_words(of(answer))
        return [f"{what} has {count} words; {words} is the most"] if count > words else []

    return check


def once_each(wanted: Sequence[str], of: Callable[[F], Iterable[str]], verb: str) -> Check[F]:
    """Each wanted name occurs once, in any order; the choices of the brief refuse all other names."""

    def check(answer: F) -> Sequence[str]:
        given = list(of(answer))
        return [
            *(f"{name} is not {verb}" for name in wanted if name not in given),
            *(f"{name} is {verb} {given.count(name)} times" for name in wanted if given.count(name) > 1),
        ]

    return check


def quoting(of: Callable[[F], Iterable[tuple[str, Sequence[str]]]]) -> Check[F]:
    """Each quote occurs in one of the texts it is said to come from."""

    def check(answer: F) -> Sequence[str]:
        missing = [quote for quote, texts in of(answer) if not is_quoted(quote, texts)]
        return [
            f"{quote!r} is too short to prove anything: quote three words or more, word for word"
            if count_words(quote) < 3
            else f"nobody said {quote[:80]!r}: quote word for word"
            for quote in missing
        ]

    return check


def grounded(texts: Sequence[str]) -> Check[Rubric]:
    """Every score and every flag quotes words of these texts: no quote, no score."""

    def grounds(marks: Rubric) -> Iterable[tuple[str, Sequence[str]]]:
        scored = [mark.quote for mark in marks.marks().values() if mark.score is not None]
        return [(quote, texts) for quote in (*scored, *(quote for _, quote in marks.flags()))]

    return quoting(grounds)


def naming(seats: Iterable[Seat], speaker: Seat) -> Linker[Form]:
    """Link an answer to every seat that it names, with the sentence that names it."""
    names = {word: seat.id for seat in seats if seat != speaker for word in (seat.id, seat.title)}
    return lambda answer: [Link(seat=seat, quote=sentence) for seat, sentence in mentions(answer.said(), names)]
