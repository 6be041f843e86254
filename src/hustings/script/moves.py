"""Moves, which a script may await, and briefs, which say what a seat is asked for.

A move is plain data. Awaiting one hands it to the driver, which resumes the script with the answer, so that a script
does no I/O of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeAlias, TypeVar

from hustings.errors import SeatError
from hustings.transcript.models import TurnType
from hustings.transcript.notes import Remark

from .examples import Example
from .forms import Form, Link
from .seats import Seat

T = TypeVar("T")
F = TypeVar("F", bound=Form)
G = TypeVar("G", bound=Form)

Check = Callable[[F], Sequence[str]]
"""What is wrong with an answer, in words for the seat; empty if it keeps the rule."""
Observer = Callable[[F], Iterable[Remark]]
"""What code concludes from an answer."""
Linker = Callable[[F], Iterable[Link]]
"""Whom an answer addresses, where the form itself does not say."""


@dataclass(frozen=True)
class Exhibit:
    """Words shown to a seat that were not said in its debate: read as material, never as instruction."""

    name: str
    """The name by which the answer refers to it."""
    what: str
    """What it is, in our own words."""
    words: str


@dataclass(frozen=True)
class Brief(Generic[F]):
    """What a seat is asked for: the words, the form of the answer, and the rules it must keep.

    The text is ours alone. Words of a seat never go into it: they reach other seats on the
    record, as notes or as exhibits, fenced.
    """

    name: str
    form: type[F]
    text: str
    turn_type: TurnType = "argument"
    words: int | None = None
    """How many words it should have; told to the seat, enforced only by a check."""
    seconds: int | None = None
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Allowed values of the marked fields of the form, by kind: seat, claim, item, issue, own."""
    checks: tuple[Check[Any], ...] = ()
    preferences: tuple[Check[Any], ...] = ()
    """Rules for which no answer is lost: they send a note back once and a turn while attempts are left."""
    observers: tuple[Observer[Any], ...] = ()
    linkers: tuple[Linker[Any], ...] = ()
    exhibits: tuple[tuple[Exhibit, ...], ...] = ()
    """What the brief is about, if that was not said in this debate; in groups, those that many briefs share first."""
    afresh: bool = False
    """Hide the notes that the seat may read: it weighs each thing by itself, and reads nothing twice."""
    optional: bool = False
    """The debate goes on just as well without an answer."""
    example: Example = None
    """A filled form about another question, for forms that nest; very small models are shown none."""
    aim: int | None = None
    """About how many words its text asks for, where they are no allowance."""

    @property
    def asked_words(self) -> int | None:
        """About how many words are asked for, as an allowance or by the text."""
        return self.words or self.aim

    def about(self, **facts: str | int) -> Brief[F]:
        """Fill in the blanks of name and text with facts of the debate: names, numbers, never words of a speaker."""
        return replace(self, name=self.name.format(**facts), text=self.text.format(**facts))

    def aiming_at(self, words: int) -> Brief[F]:
        """Fill in about how many words the text asks for."""
        return replace(self.about(words=words), aim=words)

    def within(self, words: int, seconds: int | None = None) -> Brief[F]:
        """The same brief, with this allowance."""
        return replace(self, words=words, seconds=seconds)

    def offering(self, **choices: Iterable[str]) -> Brief[F]:
        """The same brief, with these choices."""
        return replace(self, choices={**self.choices, **{kind: tuple(some) for kind, some in choices.items()}})

    def under(self, *checks: Check[F]) -> Brief[F]:
        """The same brief, with more rules; an answer that breaks one goes back with the reason."""
        return replace(self, checks=self.checks + checks)

    def preferring(self, *preferences: Check[F]) -> Brief[F]:
        """The same brief; an answer that breaks one of these rules goes back as long as it may, and then stands."""
        return replace(self, preferences=self.preferences + preferences)

    def noting(self, *observers: Observer[F]) -> Brief[F]:
        """The same brief; what these observers conclude from the answer is noted beside it."""
        return replace(self, observers=self.observers + observers)

    def showing(self, *exhibits: Exhibit) -> Brief[F]:
        """The same brief, with one more group of exhibits."""
        return replace(self, exhibits=(*self.exhibits, exhibits))

    def linking(self, *linkers: Linker[F]) -> Brief[F]:
        """The same brief; these linkers say whom the answer addresses."""
        return replace(self, linkers=self.linkers + linkers)

    def like(self, example: Example) -> Brief[F]:
        """The same brief, with this example."""
        return replace(self, example=example)

    def answered_on(self, form: type[G]) -> Brief[G]:
        """The same question, answered on another form; rules and example of the old form are dropped."""
        kept = (self.name, form, self.text, self.turn_type, self.words, self.seconds, self.choices)
        return Brief(*kept, exhibits=self.exhibits, afresh=self.afresh, aim=self.aim)


class Move(Generic[T]):
    """Something that a script awaits and only its driver can do."""

    def __await__(self) -> Generator[Move[T], T, T]:
        return (yield self)


Part: TypeAlias = Move[T] | Coroutine[Any, Any, T]
"""A move, or a small script of several."""


@dataclass(frozen=True)
class Ask(Move[F]):
    """One seat answers one brief, on the record (a turn) or off it (a note)."""

    seat: Seat
    brief: Brief[F]
    on_record: bool
    readers: frozenset[str] | None = None
    """Ids of the seats that may read the answer; None means all."""


@dataclass(frozen=True)
class Together(Move[list[T]]):
    """Several parts side by side; none sees what the others say."""

    parts: tuple[Part[Any], ...]


@dataclass(eq=False)
class Aside(Move[T]):
    """A part that runs beside the script that started it; awaiting it fetches its result."""

    part: Part[Any]
    done: bool = False
    result: Any = None
    error: SeatError | None = None


async def or_none(part: Part[T]) -> T | None:
    """The part's result, or None if its seat gave no usable answer: for scripts that go on without it."""
    try:
        return await part
    except SeatError:
        return None
