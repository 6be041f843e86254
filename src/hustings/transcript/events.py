"""The events of a debate, as one typed union.

Three kinds: the driver makes *record* events, purely and the same on every replay; the runtime makes *run* events;
*passing* events are sent while a seat speaks, and never stored.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter

from .call_try import CallTry
from .empty_fields import OMIT_IF_EMPTY
from .models import (
    Attempt,
    Intervention,
    ParticipantState,
    Round,
    RoundStatus,
    Transcript,
    Turn,
    Visibility,
)
from .notes import Ending, Note, Outcome


def wave_of(address: str) -> int:
    """The wave in which the call with this address was made."""
    return int(address.partition(".")[0])


class _Numbered(BaseModel, frozen=True, defer_build=True):
    seq: int = Field(default=0, ge=0)
    """Position in the run's log, from 0 without gaps."""


# -- record ------------------------------------------------------------------------------


class DebateStarted(_Numbered, frozen=True):
    kind: Literal["debate_started"] = "debate_started"
    header: Transcript
    """The transcript before the first turn."""


class RoundOpened(_Numbered, frozen=True):
    kind: Literal["round_opened"] = "round_opened"
    round_index: int
    label: str
    imported: Annotated[Round | None, OMIT_IF_EMPTY] = None
    """The round without its turns, if the record was imported: it says no more of the round than its file does."""


class TurnBegun(_Numbered, frozen=True):
    """A seat was asked; its words or its thoughts will follow."""

    kind: Literal["turn_begun"] = "turn_begun"
    address: str
    seat: str
    brief: str
    on_record: bool
    attempt: int
    words: int | None = None
    seconds: int | None = None


class AttemptRejected(_Numbered, frozen=True):
    kind: Literal["attempt_rejected"] = "attempt_rejected"
    address: str
    seat: str
    brief: str
    on_record: bool
    attempt: Attempt
    complaints: tuple[str, ...]


class TurnEntered(_Numbered, frozen=True):
    kind: Literal["turn_entered"] = "turn_entered"
    turn: Turn
    address: str | None = None
    """Address of the call that it answers; None for words of the script."""
    words: int | None = None
    """The word limit, if there was one."""


class NoteTaken(_Numbered, frozen=True):
    kind: Literal["note_taken"] = "note_taken"
    note: Note


class ScoreGiven(_Numbered, frozen=True):
    kind: Literal["score_given"] = "score_given"
    note: Note


class PenaltyGiven(_Numbered, frozen=True):
    kind: Literal["penalty_given"] = "penalty_given"
    note: Note


class SeatMissed(_Numbered, frozen=True):
    """A seat did not answer when it was asked to speak."""

    kind: Literal["seat_missed"] = "seat_missed"
    state: ParticipantState


class InterventionMade(_Numbered, frozen=True):
    kind: Literal["intervention_made"] = "intervention_made"
    intervention: Intervention


class RoundClosed(_Numbered, frozen=True):
    kind: Literal["round_closed"] = "round_closed"
    round_index: int
    status: RoundStatus
    visibility: Visibility
    order: tuple[str, ...]
    contexts: dict[str, tuple[str, ...]] = {}
    """The turns that the speaker of each turn could read, if the visibility is partial."""


class DebateEnded(_Numbered, frozen=True):
    kind: Literal["debate_ended"] = "debate_ended"
    ending: Ending


class OutcomeReached(_Numbered, frozen=True):
    kind: Literal["outcome_reached"] = "outcome_reached"
    outcome: Outcome


# -- run ---------------------------------------------------------------------------------


class CallPaid(_Numbered, frozen=True):
    """Tokens are those of the answer; the price is that of all tries it took."""

    kind: Literal["call_paid"] = "call_paid"
    address: str
    model: str
    tokens_in: int | None = None
    tokens_cached: int | None = None
    tokens_out: int | None = None
    price: float | None = None
    """None means unknown, not free."""
    booked: float = 0.0
    """What was booked for all tries, in dollars."""
    sent_at: str | None = None
    """When it was first sent."""
    answered_at: str | None = None
    tries: tuple[CallTry, ...] = ()

    @property
    def tokens(self) -> int:
        """Tokens of all tries that are known."""
        return sum(each.tokens for each in self.tries)


class CallDelayed(_Numbered, frozen=True):
    """A try of a call failed, or the call has to wait before it is sent. Logged at once; no part of the record."""

    kind: Literal["call_delayed"] = "call_delayed"
    address: str
    seat: str
    model: str
    endpoint: str
    """Host and port of the server, or the provider's name."""
    at: str
    reason: Literal["fault", "limit", "breaker"]
    """A failed try; a rate limit, ours or the provider's; an endpoint that gets few calls after many faults."""
    attempt: int = Field(default=0, ge=0)
    """The try that failed, or that comes next, numbered as in `text_streamed`."""
    fault: str = ""
    """Kind of the fault of the last try, if one failed."""
    words: str = ""
    """The same in plain words."""
    times: int = Field(default=0, ge=0)
    """Tries of this call with this fault so far; for `breaker`, faults of the endpoint in a row."""
    most: int = Field(default=0, ge=0)
    """Tries with this fault after which the call fails; 0 if it goes on waiting."""
    wait: float | None = None
    """Seconds from `at` until the next try. None: it is not tried again, or nobody knows when."""


class BudgetChanged(_Numbered, frozen=True):
    kind: Literal["budget_changed"] = "budget_changed"
    spent: float
    held: float
    cap: float
    unit: str = "USD"


class HumanAwaited(_Numbered, frozen=True):
    kind: Literal["human_awaited"] = "human_awaited"
    address: str
    seat: str
    until: str | None = None
    key: str = ""
    """Identifies the question to the person who answers it."""
    task: str = ""
    form: dict[str, JsonValue] | None = None
    """JSON Schema of the answer; None for plain words."""


class Paused(_Numbered, frozen=True):
    kind: Literal["paused"] = "paused"
    by: str


class Resumed(_Numbered, frozen=True):
    kind: Literal["resumed"] = "resumed"
    by: str
    seats: Annotated[dict[str, str], OMIT_IF_EMPTY] = Field(default_factory=dict)
    """Seats that got another model, with its label; `silent` goes on without the seat."""


class Recovered(_Numbered, frozen=True):
    """Another worker went on where one had died."""

    kind: Literal["recovered"] = "recovered"
    by: str


# -- passing -----------------------------------------------------------------------------


class TextStreamed(BaseModel, frozen=True, defer_build=True):
    """Words as they come; nothing durable depends on them."""

    kind: Literal["text_streamed"] = "text_streamed"
    address: str
    attempt: int
    """When a call is repeated, its text starts again."""
    text: str


RecordEvent = (
    DebateStarted
    | RoundOpened
    | TurnBegun
    | AttemptRejected
    | TurnEntered
    | NoteTaken
    | ScoreGiven
    | PenaltyGiven
    | SeatMissed
    | InterventionMade
    | RoundClosed
    | DebateEnded
)
Event = Annotated[
    RecordEvent
    | OutcomeReached
    | CallPaid
    | CallDelayed
    | BudgetChanged
    | HumanAwaited
    | Paused
    | Resumed
    | Recovered
    | TextStreamed,
    Field(discriminator="kind"),
]
EVENT: TypeAdapter[Event] = TypeAdapter(Event, config=ConfigDict(defer_build=True))
"""Reads and writes any event as JSON."""


def logged(event: Event) -> tuple[str, str]:
    """Kind and body of an event for the log, which numbers it."""
    return event.kind, event.model_dump_json(exclude={"seq"}, exclude_none=True)
