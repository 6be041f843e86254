"""The stage: what a script sees of the debate, and the six methods with which it directs it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Coroutine, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar, cast

from pydantic import BaseModel, ConfigDict

from hustings.errors import NotAMove, OffTheRecord, RoundError, ScriptError, SeatError, UnknownSeat
from hustings.transcript.models import Attempt, Turn, TurnType

from .calls import DebateContext
from .citing import cited
from .debate import Proceedings
from .forms import Form, Link
from .moves import Aside, Ask, Brief, Move, Part, Together
from .recorder import NewTurn, Recorder
from .rubric import Rubric
from .seats import Seat
from .visibility import Knowledge, Standpoint, knowledge


class Settings(BaseModel, defer_build=True):
    """No settings at all; protocols add their own fields, each with its bounds and a sentence."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


T = TypeVar("T")
F = TypeVar("F", bound=Form)
S = TypeVar("S", bound=Settings)

LineKind = Literal["main", "branch", "aside"]


@dataclass(frozen=True)
class AuditSubject:
    """What an audit is given: a finished debate, and all rubrics by name."""

    judged: Proceedings
    rubrics: Mapping[str, type[Rubric]]


@dataclass
class LookUpCount:
    """Look-ups so far: by side, to keep sides equal, and by seat, to number them."""

    of_side: Counter[str] = field(default_factory=Counter[str])
    of_seat: Counter[str] = field(default_factory=Counter[str])


class Stage(Generic[S]):
    """A debate in progress. Scripts read it and direct it, and use nothing beyond it."""

    def __init__(
        self,
        context: DebateContext,
        recorder: Recorder,
        settings: S,
        rubric: type[Rubric] = Rubric,
        subject: AuditSubject | None = None,
    ) -> None:
        self.context = context
        self.recorder = recorder
        self.settings = settings
        self.rubric = rubric
        self.subject = subject
        self.line: LineKind = "main"
        """Which kind of line is running; the driver sets it, together with its standpoint."""
        self.standpoint = Standpoint()
        self.looked_up = LookUpCount()
        self._asides: list[Aside[Any]] = []

    # -- what a script may look at -----------------------------------------------------

    @property
    def topic(self) -> str:
        return self.context.topic

    @property
    def seats(self) -> Sequence[Seat]:
        return self.context.seats

    def seat(self, seat_id: str) -> Seat:
        for seat in self.context.seats:
            if seat.id == seat_id:
                return seat
        known = ", ".join(seat.id for seat in self.context.seats)
        raise UnknownSeat(f"no seat {seat_id!r} at this table ({known}); a seat named by a model goes through `pick`")

    def team(self, name: str) -> list[Seat]:
        return [seat for seat in self.context.seats if seat.team == name]

    def heard_by(self, seat: Seat) -> list[Turn]:
        """What others have said that this seat may read now, in order."""
        return [turn for turn in self._known_to(seat).turns if turn.speaker_id != seat.id]

    def documents_of(self, seat: Seat) -> list[str]:
        """What this seat may quote from: its documents, or else the question."""
        return [*self.context.texts_for(seat.id).values()] or [self.context.topic]

    # -- the six methods that direct it -------------------------------------------------

    @contextmanager
    def round(self, label: str, *order: Seat, only_previous: bool = False) -> Generator[None]:
        """Everything said inside is one round; `order` is the plan, if there is one beforehand."""
        if self.line == "branch":
            raise RoundError(f"round {label!r} inside `together`: open it around them")
        self._must_be_on_record(f"round {label!r}")
        self.recorder.open_round(label, order, only_previous=only_previous)
        aborted = True
        try:
            yield
            aborted = False
        except SeatError:
            aborted = False
            raise
        finally:
            self.recorder.close_round(aborted=aborted)

    def ask(self, seat: Seat, brief: Brief[F], *, to: Iterable[Seat] | None = None) -> Ask[F]:
        """The seat speaks: its answer becomes a turn, read by all seats or by those in `to`."""
        if self.context.texts_for(seat.id) or self.context.tools_for(seat.id):
            # Asked for later: a tool may bring a document after the script has asked and before the seat answers.
            brief = cited(brief, lambda: (self.context.texts_for(seat.id), self.context.unvouched))
        return Ask(seat, brief, on_record=True, readers=None if to is None else _ids(seat, to))

    def consult(self, seat: Seat, brief: Brief[F], *, to: Iterable[Seat] = ()) -> Ask[F]:
        """The seat thinks: its answer becomes a note that only it and the seats in `to` read."""
        return Ask(seat, brief, on_record=False, readers=_ids(seat, to))

    def together(self, *parts: Part[T]) -> Together[T]:
        """Side by side and blind to each other; answers come back in the order given."""
        return Together(tuple(map(_part, parts)))

    def meanwhile(self, part: Part[T]) -> Aside[T]:
        """Off the record, beside whatever comes next; await it for its result."""
        aside: Aside[T] = Aside(_part(part))
        self._asides.append(aside)
        return aside

    def say(
        self,
        seat: Seat,
        words: str,
        *,
        kind: str = "statement",
        turn_type: TurnType = "meta",
        links: Iterable[Link] = (),
    ) -> None:
        """Words that need no model: a moderator's question, a prepared statement."""
        self._must_be_on_record(f"{seat} saying {kind!r}")
        if not words.strip():
            raise ScriptError(f"{seat} saying {kind!r} has no words: say nothing instead")
        recorder = self.recorder
        recorder.expect(seat.id)
        spoken = Attempt(attempt_index=0, timestamp=recorder.now, status="ok", content=words)
        known = self._known_to(seat)
        recorder.enter(NewTurn(seat.id, kind, turn_type, [spoken], recorder.wave, known, links=tuple(links)))

    # -- for the driver ----------------------------------------------------------------

    def asides_started(self) -> list[Aside[Any]]:
        started, self._asides = self._asides, []
        return started

    def _known_to(self, seat: Seat) -> Knowledge:
        told = self.recorder
        return knowledge(seat.id, told.entered, told.notes, self.standpoint, only_round=told.only_round)

    def _must_be_on_record(self, what: str) -> None:
        if self.line == "aside":
            raise OffTheRecord(f"{what}: a script that runs meanwhile may only consult")


def _part(part: Part[T]) -> Part[T]:
    given = cast("object", part)
    if not isinstance(given, Move | Coroutine):
        what = type(given).__name__
        raise NotAMove(f"{what!r} is neither a move nor a script of moves; a list of them is handed over with a star")
    return part


def _ids(seat: Seat, others: Iterable[Seat]) -> frozenset[str]:
    return frozenset({seat.id, *(other.id for other in others)})
