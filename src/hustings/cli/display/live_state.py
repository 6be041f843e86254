"""State behind the live display: what goes on, and beside it words as they come, clocks, and colours of seats."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hustings.judging.score_board import STAGES, stage_of
from hustings.report.delay_text import WAITED_ENOUGH
from hustings.report.remarks import docket_line
from hustings.script.forms import Form
from hustings.transcript.events import (
    CallDelayed,
    DebateEnded,
    DebateStarted,
    Event,
    NoteTaken,
    Paused,
    Resumed,
    TextStreamed,
    TurnBegun,
    wave_of,
)
from hustings.transcript.models import Participant
from hustings.transcript.record import RunProgress

from .partial import PartialAnswer, forms_of

SIDES = {"pro": "blue", "con": "red", "judge": "yellow", "moderator": "yellow", "clerk": "yellow"}
OTHERS = ("cyan", "magenta", "green", "bright_magenta", "bright_cyan", "bright_green")
PLAIN_ROLES = frozenset({"", "debater", "panelist", "voice"})
"""Roles that tell no more about a seat than its name does."""


class Roster:
    """Titles and colours of the seats of one debate."""

    def __init__(self, participants: Iterable[Participant] = ()) -> None:
        seats = list(participants)
        self._side = {seat.agent_id: _side(seat) for seat in seats}
        others = dict.fromkeys(side for side in self._side.values() if side not in SIDES)
        self._colour = {**SIDES, **{side: OTHERS[n % len(OTHERS)] for n, side in enumerate(others)}}

    @property
    def seats(self) -> frozenset[str]:
        return frozenset(self._side)

    def title(self, seat: str) -> str:
        """`PRO pro_2`; only the seat if it equals its side."""
        side = self._side.get(seat, seat)
        return seat.upper() if side == seat else f"{side.upper()} {seat}"

    def colour(self, seat: str) -> str:
        return self._colour.get(self._side.get(seat, seat), "")


def _side(seat: Participant) -> str:
    """The seat's team, else its role where that distinguishes it, else its id."""
    role = seat.role or ""
    return (seat.team or ("" if role in PLAIN_ROLES else role) or seat.agent_id).lower()


MOST_EARLY = 64
"""Answers buffered whose text arrived before the event of their question."""


@dataclass(frozen=True)
class Patience:
    """How long and how often a model is asked."""

    retries: int
    """How often a bad answer goes back to its seat."""
    seconds: Mapping[str, float]
    """Most seconds that an answer may take, by seat."""

    def tries(self, *, on_record: bool) -> int:
        """A note may always be corrected once."""
        return 1 + (self.retries if on_record else max(self.retries, 1))


@dataclass
class StreamedWords:
    """An answer in progress."""

    attempt: int = 0
    forms: Sequence[type[Form]] = ()
    """Forms that it may be an answer on."""
    moved: float = 0.0
    """When the last piece arrived."""

    def __post_init__(self) -> None:
        self.answer = PartialAnswer(self.forms)

    def add(self, piece: TextStreamed, now: float) -> None:
        if piece.attempt != self.attempt:
            self.attempt, self.answer = piece.attempt, PartialAnswer(self.forms)
        self.answer.feed(piece.text)
        self.moved = now


@dataclass
class Speaking:
    """A seat that was asked, until its answer is entered or sent back."""

    asked: TurnBegun
    since: float
    words: StreamedWords
    answered: bool = False
    """Its answer is on record, and is entered once the others of its wave have theirs."""
    waits_for_person: bool = False
    delay: CallDelayed | None = None
    """Why its words do not come, until they do."""


QUIET = 10.0
"""Seconds without a word after which a person may wonder whether anything is lost."""
RUNS_HERE = "Ctrl-C to pause"


@dataclass
class LiveState:
    """What goes on by the events, with words as they come; only the clocks come from outside."""

    clock: Callable[[], float]
    time_of_day: Callable[[], float] = time.time
    """The clock by which events name the next try of a call."""
    keys: str = RUNS_HERE
    """Key hint for the person at the terminal."""
    pausing: bool = False
    """The person asked for a pause, and answers are still to come."""
    patience: Patience | None = None
    """None if it is not known, as in a replay."""
    progress: RunProgress = field(default_factory=RunProgress)
    docket: str = ""
    open: dict[str, Speaking] = field(default_factory=dict[str, Speaking])
    """Calls whose answer is not entered so far, by address."""
    moved: float | None = None
    """When the last word or event came that is no delay."""
    _staged: bool = False
    _forms: Sequence[type[Form]] = ()
    _early: dict[str, StreamedWords] = field(default_factory=dict[str, StreamedWords])

    def take(self, event: Event) -> None:
        if isinstance(event, CallDelayed):
            self._delay(event)
            return
        self.moved = self.clock()
        if isinstance(event, TextStreamed):
            self._on_text(event)
            return
        self.progress.apply(event)
        match event:
            case DebateStarted():
                self.docket, self.open, self._early = "", {}, {}
                self._staged = any(seat.team for seat in event.header.participants)
                self._forms = forms_of(event.header.run_metadata.protocol or "")
            case TurnBegun():
                self.open.pop(event.address, None)
                wave = wave_of(event.address)
                self._early = {address: early for address, early in self._early.items() if wave_of(address) >= wave}
            case NoteTaken() if event.note.kind == "docket":
                self.docket = docket_line(event.note.body)
            case Paused() | Resumed():
                self.pausing = False
            case DebateEnded():
                self._early = {}
            case _:
                pass
        self._follow()

    def answer_here(self, address: str) -> None:
        """A person has answered at this terminal, before the log says so."""
        self.progress.close(lambda question: question.address != address)
        self._follow()

    def _follow(self) -> None:
        """Show the questions that are open now, each with its words and its time."""
        progress, before, self.open = self.progress, self.open, {}
        for address, asked in progress.open.items():
            speaking = before.get(address)
            if speaking is None:
                words = self._early.pop(address, None) or StreamedWords(forms=self._forms)
                speaking = Speaking(asked, self.clock(), words)
            speaking.answered = address in progress.answered
            speaking.waits_for_person = address in progress.people
            speaking.delay = None if speaking.answered else speaking.delay
            self.open[address] = speaking

    def _on_text(self, piece: TextStreamed) -> None:
        if speaking := self.open.get(piece.address):
            speaking.words.add(piece, self.clock())
            speaking.delay = None
            return
        if piece.address not in self._early and len(self._early) >= MOST_EARLY:
            self._early.pop(next(iter(self._early)))
        self._early.setdefault(piece.address, StreamedWords(piece.attempt, self._forms)).add(piece, self.clock())

    def _delay(self, event: CallDelayed) -> None:
        """Note a delay, unless words of a later try are there already."""
        speaking = self.open.get(event.address)
        if speaking and speaking.words.attempt <= event.attempt:
            speaking.delay = event

    @property
    def round(self) -> str:
        opened = self.progress.round
        return f"{opened.round_index}. {opened.label}" if opened else ""

    @property
    def stage(self) -> str:
        """Number of the stage and of all stages, where known in advance."""
        stage = stage_of(self.progress.round.label) if self._staged and self.progress.round else ""
        return f"stage {[*STAGES].index(stage) + 1} of {len(STAGES)}" if stage in STAGES else ""

    @property
    def hint(self) -> str:
        """What a key does now, and that nothing is lost where nothing happens for long."""
        if self.keys != RUNS_HERE:
            return self.keys
        if self.pausing:
            return "Ctrl-C leaves at once"
        if seat := self._unanswered:
            return f"Ctrl-C pauses; other model: hustings resume last --seat {seat}=MODEL"
        quiet = self.open and self.moved is not None and self.clock() - self.moved >= QUIET
        return "Ctrl-C pauses; nothing is lost" if quiet else self.keys

    @property
    def _unanswered(self) -> str:
        """The seat whose model has kept everyone waiting for too long, if there is one."""
        slow = (
            one.asked.seat
            for one in self.open.values()
            if not (one.answered or one.waits_for_person or (one.words.answer.read().text and not one.delay))
            and self.clock() - one.since >= WAITED_ENOUGH
        )
        return next(slow, "")

    @property
    def to_come(self) -> int:
        """Calls whose answer is under way: sent, not complete, and not waiting for another try."""
        return sum(
            one.delay is None and not (one.answered or one.waits_for_person or one.words.answer.read().whole)
            for one in self.open.values()
        )

    @property
    def complete(self) -> int:
        """Calls of this wave whose answer is complete, judging by its text where it is not yet on record."""
        open_ = [one for address in self.progress.wave if (one := self.open.get(address))]
        return sum(one.answered or one.words.answer.read().whole for one in open_)

    def waited_for(self, one: Speaking) -> list[str]:
        """Seats without whose answers this one is not entered."""
        wave = wave_of(one.asked.address)
        others = (other for other in self.open.values() if wave_of(other.asked.address) == wave and not other.answered)
        return [*dict.fromkeys(other.asked.seat for other in others)]
