"""Checks of answers that many briefs share (length, completeness, quotes), and links to the seats they answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeVar

from hustings.text.names import mentions
from hustings.text.quotations import quotations_in
from hustings.text.quotes import complaint, found_in, has_words
from hustings.text.words import count_words
from hustings.transcript.models import Turn
from hustings.transcript.notes import Remark

from .forms import Form, Link
from .moves import Brief, Check, Linker
from .rubric import Rubric
from .seats import Seat

F = TypeVar("F", bound=Form)
FEWEST = 3
"""Words of a quote: fewer are found by chance, and prove nothing."""


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
        found = [(quote, found_in(quote, texts)) for quote, texts in of(answer)]
        return [complaint(quote, finding) for quote, finding in found if not finding.accepted]

    return check


def grounded(texts: Sequence[str]) -> Check[Rubric]:
    """Every score and every flag quotes words of these texts: no quote, no score."""

    def grounds(marks: Rubric) -> Iterable[tuple[str, Sequence[str]]]:
        scored = [mark.quote for mark in marks.marks().values() if mark.score is not None]
        return [(quote, texts) for quote in (*scored, *(quote for _, quote in marks.flags()))]

    return quoting(grounds)


def answering(seats: Iterable[Seat], speaker: Seat, heard: Sequence[Turn]) -> Linker[Form]:
    """Link an answer to the turns that it quotes or names by their ids, and to every other seat that it names."""
    people = [seat for seat in seats if seat != speaker]
    short = Counter(_short(seat) for seat in people)
    names = {_short(seat): seat.id for seat in people if short[_short(seat)] == 1}
    names |= {word: seat.id for seat in people for word in (seat.id, seat.title)}
    turns = {turn.turn_id: turn.speaker_id for turn in heard}

    def link(answer: Form) -> Iterable[Link]:
        said = answer.said()
        named = dict(mentions(said, names))
        shown = mentions(said, {turn: turn for turn in turns})
        by_id = [Link(turns[turn], quote=sentence, turn=turn) for turn, sentence in shown]
        quoted = [_quoted(passage, heard, named) for passage in quotations_in(said) if count_words(passage) >= FEWEST]
        exact = list({one.turn: one for one in (*by_id, *filter(None, quoted))}.values())
        met = {one.seat for one in exact}
        return [*exact, *(Link(seat, quote=sentence) for seat, sentence in named.items() if seat not in met)]

    return link


def _short(seat: Seat) -> str:
    """What others call a seat: `Mia` for `Mia, engineer`."""
    return seat.title.partition(",")[0]


def _quoted(passage: str, heard: Sequence[Turn], named: Collection[str]) -> Link | None:
    """The turn that a passage comes from; of several, the first of a speaker whom the answer names."""
    said = [turn for turn in heard if has_words(passage, turn.said)]
    said.sort(key=lambda turn: turn.speaker_id not in named)
    return Link(said[0].speaker_id, quote=passage, turn=said[0].turn_id) if said else None


def to_others(brief: Brief[F], seats: Iterable[Seat], speaker: Seat, heard: Sequence[Turn]) -> Brief[F]:
    """The same brief, for a turn that answers others: one that shows nobody whom it answers goes back, or is noted."""
    linked = answering(seats, speaker, heard)
    if not heard:
        return brief.linking(linked)
    nobody: Callable[[Form], bool] = lambda answer: not any(True for _ in linked(answer))  # noqa: E731
    return (
        brief.linking(linked)
        .preferring(lambda answer: [NAME_SOMEONE] if nobody(answer) else [])
        .noting(
            lambda answer: [Remark("violation", {"rule": ANSWERS_NOBODY, "seat": speaker.id})] if nobody(answer) else []
        )
    )


ANSWERS_NOBODY = "answers_nobody"
NAME_SOMEONE = "it answers no speaker: name the one you answer, and quote or state the claim you mean"
