"""The two folds of a run's events: `Record`, what was said, and `RunProgress`, what goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from hustings.errors import BrokenFile

from .events import (
    AttemptRejected,
    CallPaid,
    DebateEnded,
    DebateStarted,
    Event,
    HumanAwaited,
    InterventionMade,
    NoteTaken,
    Paused,
    PenaltyGiven,
    Resumed,
    RoundClosed,
    RoundOpened,
    ScoreGiven,
    SeatMissed,
    TurnBegun,
    TurnEntered,
    wave_of,
)
from .models import Round, Transcript, TurnMetadata
from .notes import Ending, Note


class Record:
    """The transcript, the notes and the ending, as far as events have been applied."""

    def __init__(self, header: Transcript) -> None:
        self.transcript = header.model_copy(deep=True)
        self.notes: list[Note] = []
        self.ending: Ending | None = None

    def apply(self, event: Event) -> None:
        """Apply one event. Events that tell how the record came about, rather than what it says, change nothing."""
        match event:
            case RoundOpened():
                opened = event.imported or Round(round_index=event.round_index, turns=[], label=event.label)
                self.transcript.rounds.append(opened.model_copy(update={"turns": []}))
            case TurnEntered():
                # Copy only the metadata, which closing the round changes; the rest never changes.
                metadata = event.turn.metadata and event.turn.metadata.model_copy()
                self.transcript.rounds[-1].turns.append(event.turn.model_copy(update={"metadata": metadata}))
            case NoteTaken() | ScoreGiven() | PenaltyGiven():
                self.notes.append(event.note)
            case SeatMissed():
                log = self.transcript.participant_state_log or []
                self.transcript.participant_state_log = [*log, event.state]
            case InterventionMade():
                self.transcript.intervention_log = [*(self.transcript.intervention_log or []), event.intervention]
            case RoundClosed():
                self._close(event)
            case DebateEnded():
                self.ending = event.ending
            case _:
                pass

    def _close(self, event: RoundClosed) -> None:
        here = self.transcript.rounds[-1]
        here.round_status, here.transcript_visibility = event.status, event.visibility
        here.planned_speaking_order = list(event.order)
        for turn in here.turns:
            if turn.turn_id in event.contexts:
                turn.metadata = turn.metadata or TurnMetadata()
                turn.metadata.context_turn_ids = list(event.contexts[turn.turn_id])


def fold(events: Iterable[Event]) -> Record:
    """Build the record from its events; the first must be `debate_started`."""
    rest = iter(events)
    first = next(rest, None)
    if first is None or first.kind != "debate_started":
        begins = repr(first.kind) if first else "its end"
        raise BrokenFile(
            f"a log of events begins with 'debate_started', not with {begins}", fix="read it from its start"
        )
    record = Record(first.header)
    for event in rest:
        record.apply(event)
    return record


@dataclass
class RunProgress:
    """What goes on: the round, the questions that are open, the people awaited, calls and cost so far.

    It may begin anywhere in a log. No field is ever changed in place, so a copy stays as it was.
    """

    round: RoundOpened | None = None
    open: dict[str, TurnBegun] = field(default_factory=dict[str, TurnBegun])
    """Questions whose answer is not entered, by address."""
    answered: frozenset[str] = frozenset()
    """Addresses of those whose answer is on record, which is entered once the others of its wave have theirs."""
    people: dict[str, HumanAwaited] = field(default_factory=dict[str, HumanAwaited])
    """Every question that was put to a person, by address."""
    wave: tuple[str, ...] = ()
    """Addresses of the calls in this wave."""
    calls: int = 0
    spent: float = 0.0
    """In dollars, as far as prices are known."""
    unpriced: bool = False
    """There was a call whose price is unknown."""
    paused_by: str | None = None
    ending: Ending | None = None

    @property
    def awaited(self) -> dict[str, HumanAwaited]:
        """Open questions that wait for a person, by address."""
        return {address: question for address, question in self.people.items() if address in self.open}

    @property
    def speaking(self) -> tuple[str, ...]:
        """Seats that were asked in this wave and have no answer."""
        now = (self.open[address] for address in self.wave if address in self.open and address not in self.answered)
        return tuple(dict.fromkeys(question.seat for question in now))

    @property
    def paused(self) -> bool:
        return self.paused_by is not None

    def apply(self, event: Event) -> None:
        match event:
            case DebateStarted():
                vars(self).update(vars(RunProgress()))
            case RoundOpened():
                self.round = event
            case TurnBegun():
                self._begin(event)
            case HumanAwaited():
                self.people = {**self.people, event.address: event}
            case CallPaid():
                self._pay(event)
            case AttemptRejected() | TurnEntered():
                self.close(lambda question: question.address != event.address)
            case SeatMissed():
                self.close(lambda question: question.seat != event.state.agent_id)
            case Paused() | Resumed():
                self.paused_by = event.by if isinstance(event, Paused) else None
            case DebateEnded():
                self.ending, self.paused_by, self.wave = event.ending, None, ()
                self.close(lambda _: False)
            case _:
                pass

    def _begin(self, question: TurnBegun) -> None:
        """A wave is asked at once, and the next one begins when all of it is answered or given up."""
        wave = wave_of(question.address)
        if any(wave_of(address) != wave for address in self.wave):
            # In a written sample, some of the wave before still speak. Words of people have no call that is paid.
            heard = self.answered | self.people.keys()
            self.close(lambda other: other.on_record and other.address not in heard)
            self.wave = ()
        self.wave = (*dict.fromkeys((*self.wave, question.address)),)
        self.open = {**self.open, question.address: question}

    def _pay(self, event: CallPaid) -> None:
        """A speech stays open until its turn is entered, which may be long after: another seat may try again."""
        self.calls += 1
        self.spent += event.price or 0.0
        self.unpriced |= event.price is None
        question = self.open.get(event.address)
        if question and question.on_record:
            self.answered |= {event.address}
        else:
            self.close(lambda other: other.address != event.address)

    def close(self, stays: Callable[[TurnBegun], bool]) -> None:
        """Close the questions that do not stay."""
        self.open = {address: question for address, question in self.open.items() if stays(question)}
        self.answered &= self.open.keys()


def progress_after(events: Iterable[Event], before: RunProgress | None = None) -> RunProgress:
    """What goes on after some events; what went on before them stays as it is."""
    progress = replace(before) if before else RunProgress()
    for event in events:
        progress.apply(event)
    return progress
