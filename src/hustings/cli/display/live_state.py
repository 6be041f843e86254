"""State behind the live display, folded from events: seats and their colours, who speaks or thinks, the cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hustings.judging.score_board import STAGES, stage_of
from hustings.report.delay_text import WAITED_ENOUGH
from hustings.report.remarks import docket_line
from hustings.script.forms import Form
from hustings.transcript.events import (
    AttemptRejected,
    CallDelayed,
    CallPaid,
    DebateEnded,
    DebateStarted,
    Event,
    HumanAwaited,
    NoteTaken,
    Paused,
    Resumed,
    RoundOpened,
    SeatMissed,
    TextStreamed,
    TurnBegun,
    TurnEntered,
)
from hustings.transcript.models import Participant

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
    """Folded from events; only the clocks come from outside."""

    clock: Callable[[], float]
    time_of_day: Callable[[], float] = time.time
    """The clock by which events name the next try of a call."""
    keys: str = RUNS_HERE
    """Key hint for the person at the terminal."""
    pausing: bool = False
    """The person asked for a pause, and answers are still to come."""
    patience: Patience | None = None
    """None if it is not known, as in a replay."""
    round: str = ""
    stage: str = ""
    """Number of the stage and of all stages, where known in advance."""
    docket: str = ""
    open: dict[str, Speaking] = field(default_factory=dict[str, Speaking])
    """Calls whose answer is not entered so far, by address."""
    calls: int = 0
    spent: float = 0.0
    unpriced: bool = False
    paused: bool = False
    over: bool = False
    moved: float | None = None
    """When the last word or event came that is no delay."""
    _asked: dict[str, None] = field(default_factory=dict[str, None])
    """Addresses of the calls in this wave."""
    _staged: bool = False
    _forms: Sequence[type[Form]] = ()
    _early: dict[str, StreamedWords] = field(default_factory=dict[str, StreamedWords])

    def take(self, event: Event) -> None:
        if isinstance(event, CallDelayed):
            self._delay(event)
            return
        self.moved = self.clock()
        match event:
            case DebateStarted():
                self.round, self.stage, self.docket, self.over = "", "", "", False
                self._staged = any(seat.team for seat in event.header.participants)
                self.calls, self.spent, self.unpriced = 0, 0.0, False
                self._forms = forms_of(event.header.run_metadata.protocol or "")
                self._clear()
            case RoundOpened():
                self.round, stage = f"{event.round_index}. {event.label}", stage_of(event.label)
                if self._staged and stage in STAGES:
                    self.stage = f"stage {[*STAGES].index(stage) + 1} of {len(STAGES)}"
            case TextStreamed():
                self._on_text(event)
            case TurnBegun():
                self._begin(event)
            case HumanAwaited():
                if waiting := self.open.get(event.address):
                    waiting.waits_for_person = True
            case AttemptRejected():
                self.open.pop(event.address, None)
            case _:
                self._account(event)

    def _account(self, event: Event) -> None:
        match event:
            case CallPaid():
                self._answer(event.address)
                self.calls += 1
                self.spent += event.price or 0.0
                self.unpriced |= event.price is None
            case TurnEntered():
                self.open.pop(event.address or "", None)
            case SeatMissed():
                self._keep(lambda one: one.asked.seat != event.state.agent_id)
            case NoteTaken() if event.note.kind == "docket":
                self.docket = docket_line(event.note.body)
            case Paused() | Resumed():
                self.paused, self.pausing = isinstance(event, Paused), False
            case DebateEnded():
                self.over = True
                self._clear()
            case _:
                pass

    def _answer(self, address: str) -> None:
        """Keep an answer in sight until its turn is entered, which may be long after: another seat may try again."""
        speaking = self.open.get(address)
        if speaking and speaking.asked.on_record:
            speaking.answered, speaking.delay = True, None
        else:
            self.open.pop(address, None)

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

    def _begin(self, event: TurnBegun) -> None:
        wave = _wave(event.address)
        if any(_wave(address) != wave for address in self._asked):
            # In a written sample, some of the wave before still speak.
            self._keep(lambda one: one.asked.on_record and not one.answered)
            self._asked = {}
        self._asked[event.address] = None
        words = self._early.pop(event.address, None) or StreamedWords(forms=self._forms)
        self.open[event.address] = Speaking(event, self.clock(), words)
        self._early = {address: early for address, early in self._early.items() if _wave(address) >= wave}

    def _keep(self, which: Callable[[Speaking], bool]) -> None:
        self.open = {address: one for address, one in self.open.items() if which(one)}

    def _clear(self) -> None:
        self.open, self._early, self._asked = {}, {}, {}

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
    def wave(self) -> int:
        """Number of calls in this wave."""
        return len(self._asked)

    @property
    def answered(self) -> int:
        """Calls of this wave whose answer is complete, judging by its text where it is not yet on record."""
        open_ = [one for address in self._asked if (one := self.open.get(address))]
        return sum(one.answered or one.words.answer.read().whole for one in open_)

    def waited_for(self, one: Speaking) -> list[str]:
        """Seats without whose answers this one is not entered."""
        wave = _wave(one.asked.address)
        others = (other for other in self.open.values() if _wave(other.asked.address) == wave and not other.answered)
        return [*dict.fromkeys(other.asked.seat for other in others)]


def _wave(address: str) -> str:
    """Number of the wave, padded so that it compares as text."""
    return address.partition(".")[0].zfill(9)
