"""Writes the record: every entry becomes an event, and each event is folded at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import JsonValue

from hustings.errors import RoundError
from hustings.text.quotes import has_words
from hustings.transcript.events import (
    DebateStarted,
    NoteTaken,
    PenaltyGiven,
    RecordEvent,
    RoundClosed,
    RoundOpened,
    ScoreGiven,
    SeatMissed,
    TurnEntered,
)
from hustings.transcript.models import (
    Address,
    Attempt,
    ParticipantState,
    Round,
    RoundStatus,
    Transcript,
    Turn,
    TurnMetadata,
    TurnOutcome,
    TurnType,
    Visibility,
)
from hustings.transcript.notes import Note, Subject
from hustings.transcript.record import Record

from .calls import NONE_SENT, Sampling, must_be_instant
from .forms import Link
from .seats import Seat
from .visibility import Entered, Knowledge


@dataclass
class _OpenRound:
    index: int
    label: str
    order: tuple[str, ...]
    only_previous: bool
    asked: list[str] = field(default_factory=list[str])


@dataclass(frozen=True)
class NewTurn:
    """A turn about to be entered."""

    speaker: str
    kind: str
    turn_type: TurnType
    attempts: Sequence[Attempt]
    asked: int
    """The wave in which it was asked for."""
    knowledge: Knowledge
    readers: frozenset[str] | None = None
    links: Sequence[Link] = ()
    model: str = ""
    outcome: TurnOutcome = "success"
    address: str | None = None
    words: int | None = None
    sampling: Sampling = NONE_SENT


class Recorder:
    """The record of a debate in progress."""

    def __init__(self, header: Transcript) -> None:
        must_be_instant(header.created_at)
        self.now = header.created_at
        """Time of the latest reply: a logical clock."""
        self.wave = 0
        self.entered: list[Entered] = []
        self.events: list[RecordEvent] = []
        self.record = Record(header)
        self.here: _OpenRound | None = None
        self._claims: dict[str, Turn] = {}
        self._knew: dict[str, tuple[int, frozenset[str]]] = {}
        """For each turn, the wave in which it was asked for and the turns its speaker knew then."""
        self._seats = frozenset(p.agent_id for p in header.participants)
        self.emit(DebateStarted(header=header))

    @property
    def notes(self) -> list[Note]:
        return self.record.notes

    @property
    def only_round(self) -> int | None:
        """The one round that seats may read from now on, if the open round limits them to it."""
        return self.here.index - 1 if self.here and self.here.only_previous else None

    def emit(self, event: RecordEvent) -> None:
        event = event.model_copy(update={"seq": len(self.events)})
        self.events.append(event)
        self.record.apply(event)

    # -- rounds ------------------------------------------------------------------------

    def open_round(self, label: str, order: Iterable[Seat], *, only_previous: bool) -> None:
        if self.here is not None:
            raise RoundError(f"round {label!r} inside round {self.here.label!r}: close that one first")
        index, planned = len(self.record.transcript.rounds) + 1, tuple(seat.id for seat in order)
        if len(set(planned)) < len(planned):
            raise RoundError(f"round {label!r} plans a seat twice: {', '.join(planned)}")
        self.here = _OpenRound(index, label, planned, only_previous)
        self.emit(RoundOpened(round_index=index, label=label))

    def expect(self, seat: str) -> None:
        """Register that a seat is about to speak; it may do so once a round."""
        if self.here is None:
            raise RoundError(f"{seat} spoke outside of any round: open one with `with stage.round(...)`")
        if seat in self.here.asked:
            raise RoundError(f"{seat} spoke twice in round {self.here.label!r}: each exchange is a round of its own")
        planned, asked = self.here.order, [*self.here.asked, seat]
        if planned and asked != [other for other in planned if other in asked]:
            raise RoundError(f"round {self.here.label!r} plans {', '.join(planned)}, not {', '.join(asked)}")
        self.here.asked.append(seat)

    def close_round(self, *, aborted: bool) -> None:
        assert self.here is not None  # noqa: S101 - the context manager that calls this has opened it
        here, self.here = self.here, None
        round_ = self.record.transcript.rounds[-1]
        spoke = [turn.speaker_id for turn in round_.turns]
        order = here.order or (*spoke, *(seat for seat in here.asked if seat not in spoke))
        visibility, contexts = self._visibility(round_, only_previous=here.only_previous)
        self.emit(
            RoundClosed(
                round_index=here.index,
                status="aborted" if aborted else _status(round_, order),
                visibility=visibility,
                order=order,
                contexts=contexts,
            )
        )

    def _visibility(self, round_: Round, *, only_previous: bool) -> tuple[Visibility, dict[str, tuple[str, ...]]]:
        """What the speakers of a round could read, derived from what each of them knew."""
        if only_previous:
            return "prior_round_only", {}
        heard = [e.turn.turn_id for e in self.entered if e.turn.said]
        asked = [self._knew[turn.turn_id][0] for turn in round_.turns]
        knew = {turn.turn_id: self._knew[turn.turn_id][1] for turn in round_.turns if turn.said}
        before = frozenset(heard[: len(heard) - len(knew)])
        full = all(len(known) == heard.index(turn_id) for turn_id, known in knew.items())
        blind = all(known == before for known in knew.values())
        side_by_side = len(set(asked)) < len(asked)
        if full and not (blind and side_by_side):
            return "full", {}
        return ("isolated", {}) if blind else ("partial", {name: tuple(sorted(known)) for name, known in knew.items()})

    # -- turns -------------------------------------------------------------------------

    def enter(self, entry: NewTurn) -> Turn:
        assert self.here is not None  # noqa: S101 - `expect` has been called before
        index = len(self.record.transcript.rounds[-1].turns)
        last = len(entry.attempts) - 1
        readers = None if entry.readers is None else sorted(entry.readers)
        turn = Turn(
            turn_id=f"r{self.here.index}.t{index}",
            round_index=self.here.index,
            turn_index_in_round=index,
            speaker_id=entry.speaker,
            attempts=list(entry.attempts),
            turn_type=entry.turn_type,
            addresses=self.addresses(entry.links, entry.knowledge) or None,
            metadata=TurnMetadata(
                kind=entry.kind, model_name=entry.model or None, readers=readers, **vars(entry.sampling)
            ),
            final_attempt_index=last,
            turn_outcome=entry.outcome,
            retry_count=last,
        )
        self._knew[turn.turn_id] = (entry.asked, frozenset(t.turn_id for t in entry.knowledge.turns))
        self.entered.append(Entered(turn, self.wave, entry.readers))
        self.emit(TurnEntered(turn=turn, address=entry.address, words=entry.words))
        return turn

    def mint(self, claims: Iterable[str], turn: Turn) -> None:
        """Make ids of arguments addressable from now on; the first turn to use an id keeps it."""
        for claim in claims:
            self._claims.setdefault(claim, turn)

    def addresses(self, links: Iterable[Link], knowledge: Knowledge) -> list[Address]:
        """Resolve links to turns that their speaker knew. Links to unknown seats are dropped."""
        known = {turn.turn_id: turn for turn in knowledge.turns}
        found: list[Address] = []
        for link in links:
            turn = known.get(link.turn) or self._claims.get(link.claim)
            if turn is None or turn.turn_id not in known or (link.seat and link.seat != turn.speaker_id):
                theirs = [t for t in reversed(known.values()) if t.speaker_id == link.seat]
                turn = next((t for t in theirs if link.quote and has_words(link.quote, t.said)), None)
                turn = turn or next(iter(theirs), None)
            target = link.seat or (turn.speaker_id if turn else "")
            if target in self._seats:
                found.append(
                    Address(
                        target_agent_id=target,
                        target_claim_id=link.claim or None,
                        target_turn_id=turn.turn_id if turn else None,
                        evidence=link.quote or None,
                        move=link.move,
                    )
                )
        return found

    def miss(self, seat: str, reason: str) -> None:
        """Record that a seat did not answer in this round."""
        index = self.here.index if self.here else None
        state = ParticipantState(
            timestamp=self.now, agent_id=seat, event_type="timeout", reason=reason, round_index=index
        )
        self.emit(SeatMissed(state=state))

    # -- notes -------------------------------------------------------------------------

    def note(
        self,
        kind: str,
        by: str,
        body: Mapping[str, JsonValue],
        *,
        about: Iterable[Subject] = (),
        visible_to: Iterable[str] = (),
        after: str | None = None,
    ) -> Note:
        fields: dict[str, Any] = {"about": tuple(about), "visible_to": tuple(visible_to), "after_turn": after}
        name = f"n{len(self.notes)}"
        note = Note(note_id=name, kind=kind, by=by, created_at=self.now, body=dict(body), **fields)
        event = {"score": ScoreGiven, "penalty": PenaltyGiven}.get(kind, NoteTaken)
        self.emit(event(note=note))
        return note


def _status(round_: Round, order: Sequence[str]) -> RoundStatus:
    spoke = {turn.speaker_id for turn in round_.turns if turn.said}
    if not order:
        return "aborted"
    return "complete" if spoke >= set(order) else "partial"
