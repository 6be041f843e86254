"""Oversight: a monitor looks at the debate between rounds, and what it wants told reaches each seat with its question.

A monitor is a script that may only consult, and its seat is blind: it reads what each brief shows it, and nothing else
of the debate. Only recorded answers enter a decision, so a replay decides the same.
"""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from pydantic import JsonValue

from hustings.transcript.models import (
    SILENT_ROLES,
    ControllerSnapshot,
    ControlState,
    Intervention,
    Transcript,
    Turn,
)
from hustings.transcript.notes import RULES

from .calls import DebateContext
from .checks import resting_on_quotes
from .documents import TextsOf
from .moves import Ask
from .recorder import Recorder
from .seats import Seat
from .stage import Stage
from .visibility import Knowledge

CONTROLLED = "controller"
"""Kind of the note that keeps what a look found and what follows from it."""


@dataclass(frozen=True)
class Directive:
    """What a seat is to be told with its next question; without words, what it was to be told is dropped."""

    seat: str
    trigger: str
    words: str


@dataclass(frozen=True)
class ControlAction:
    """What follows from one look."""

    directives: tuple[Directive, ...]
    snapshot: ControllerSnapshot
    state: ControlState
    terms: Mapping[str, JsonValue]
    """All that the decision rests on, for the record."""
    strict: bool = False
    """Whether an answer without a quote that stands somewhere goes back, as long as it may."""


class Monitor(Protocol):
    """Looks at a debate between its rounds."""

    seat: Seat

    def context(self, debate: DebateContext) -> DebateContext:
        """What its seat knows of the debate."""
        ...

    def look(self, stage: Stage[Any], turns: Sequence[Turn]) -> Coroutine[Any, Any, ControlAction]:
        """Look at the turns since the last look; a script that may only consult."""
        ...

    def turn_dial(self, order: str) -> ControlAction:
        """Obey a person who takes the dial or gives it back."""
        ...


@dataclass
class Oversight:
    """When a monitor looks, and what the seats have yet to be told."""

    monitor: Monitor
    recorder: Recorder
    state: ControlState | None = None
    strict: bool = False
    _looked: int = 0
    """Turns, and closed rounds, at the last look."""
    _closed: int = 0
    _waiting: dict[str, dict[str, tuple[Directive, ControllerSnapshot]]] = field(
        default_factory=dict[str, dict[str, tuple[Directive, ControllerSnapshot]]]
    )

    def fresh(self) -> list[Turn]:
        """Turns to look at now: none unless a round has closed and, on average, every seat heard has spoken since."""
        transcript = self.recorder.record.transcript
        closed = len(transcript.rounds) - (self.recorder.here is not None)
        spoken = speeches(transcript)
        since = spoken[self._looked :]
        if closed <= self._closed or not since or len(since) < len({turn.speaker_id for turn in spoken}):
            return []
        self._looked, self._closed = len(spoken), closed
        return since

    def act(self, action: ControlAction) -> None:
        """Note what was found, and keep what seats are to be told; the newest word of each kind counts."""
        turns = self.recorder.record.transcript.turns
        self.recorder.note(CONTROLLED, RULES, action.terms, after=turns[-1].turn_id if turns else None)
        self.state, self.strict = action.state, action.strict
        for directive in action.directives:
            waiting = self._waiting.setdefault(directive.seat, {})
            waiting.pop(directive.trigger, None)
            if directive.words:
                waiting[directive.trigger] = (directive, action.snapshot)

    def checked(self, ask: Ask[Any], known: Knowledge, texts: TextsOf) -> Ask[Any]:
        """The same question; while quotes are asked for, a speaker's answer must have one that code finds."""
        if not self.strict or ask.seat.role in SILENT_ROLES:
            return ask
        quotable = [*(turn.said for turn in known.turns), *texts.values()]
        return replace(ask, brief=ask.brief.preferring(resting_on_quotes(quotable)))

    def due(self, seat: str) -> list[tuple[Directive, ControllerSnapshot]]:
        """What a seat is told with the question that goes out to it now."""
        return list(self._waiting.pop(seat, {}).values())


def speeches(transcript: Transcript) -> list[Turn]:
    """Turns of the speakers, in order, as far as words came of them."""
    silent = {each.agent_id for each in transcript.participants if each.role in SILENT_ROLES}
    return [turn for turn in transcript.turns if turn.said and turn.speaker_id not in silent]


def intervention(recorder: Recorder, directive: Directive, snapshot: ControllerSnapshot | None = None) -> Intervention:
    """The entry of the log for what a seat is told. Of a monitor's words it is known with which round they go."""
    here = recorder.here if snapshot else None
    return Intervention(
        intervention_id=f"iv{len(recorder.record.transcript.intervention_log or [])}",
        timestamp=recorder.now,
        scope="round" if here else "global",
        round_index=here.index if here else None,
        speaker_id=directive.seat,
        trigger=directive.trigger,
        instruction_sent=directive.words,
        controller_snapshot=snapshot,
    )
