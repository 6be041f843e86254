"""A run in plain words: its events, what it cost, and what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from hustings.core.events import (
    AttemptRejected,
    DebateEnded,
    DebateStarted,
    Event,
    HumanAwaited,
    InterventionMade,
    NoteTaken,
    OutcomeReached,
    Paused,
    PenaltyGiven,
    Recovered,
    Resumed,
    RoundOpened,
    SeatMissed,
    TurnEntered,
)
from hustings.core.notes import Note

if TYPE_CHECKING:
    from hustings.run.desk import Report


NOBODY = "No worker is alive; start one: hustings worker"


def cost_of(report: Report) -> str:
    cap = "" if report.cap is None else f" of {report.cap:.2f}"
    return f"{report.calls} calls, {report.tokens} tokens, {report.spent:.4f}{cap} USD"


def advice(report: Report) -> str:
    """What to do next."""
    run_id, why = report.run_id, f" ({report.reason})" if report.reason else ""
    match report.state:
        case "ended":
            if report.protocol.startswith("probing/"):
                return f"Next: hustings show {run_id} --briefing"
            if report.judged:
                about = run_id if report.protocol.startswith("judging/") else report.judged
                return f"Next: hustings show {about} --briefing"
            return f"What was said: hustings show {run_id} --transcript\nNext: hustings judge {run_id}"
        case "broken":
            return f"It broke{why}. Take over what was said: hustings fork {run_id}"
        case "paused":
            return f"Paused{why}. Continue: hustings resume {run_id}"
        case _:
            return f"Look again: hustings show {run_id}. Go on with it here: hustings resume {run_id}"


def lines_of(event: Event) -> Iterator[str]:
    """An event in words; most need none."""
    match event:
        case DebateStarted():
            yield f"{event.header.run_metadata.protocol}: {event.header.debate_metadata.topic}"
        case RoundOpened():
            yield from ("", f"== {event.round_index}. {event.label}")
        case TurnEntered():
            turn = event.turn
            yield f"{turn.speaker_id} ({turn.turn_id}):"
            # Words are indented, so that none of them can pass for another speaker.
            yield from (f"    {line}" for line in (turn.said or "no usable answer").splitlines())
        case DebateEnded():
            yield ""
        case NoteTaken():
            yield from (f"  {line}" for line in _audited(event.note))
        case _:
            if aside := _aside(event):
                yield f"  {aside}"


def _audited(note: Note) -> Iterator[str]:
    """What an audit notes as it goes on; what debaters think is not told here."""
    match note.kind, note.body:
        case "drawn", {"turn": turn, "claims": [_, *more]}:
            yield f"{len(more) + 1} claims in {turn}" if more else f"one claim in {turn}"
        case "failure", {"seat": seat, "brief": brief, "why": why}:
            yield f"{seat} gave nothing for {brief}: {why}"
        case _:
            pass


def _aside(event: Event) -> str:
    """What happens beside the words."""
    match event:
        case AttemptRejected():
            return f"{event.seat} was sent back: {'; '.join(event.complaints)}"
        case SeatMissed():
            return f"{event.state.agent_id} missed its turn: {event.state.reason or 'no reason given'}"
        case PenaltyGiven():
            plain = {name: value for name, value in event.note.body.items() if isinstance(value, str | int | float)}
            return f"penalty: {', '.join(f'{name} {value}' for name, value in plain.items())}"
        case InterventionMade():
            return f"the floor is told: {event.intervention.instruction_sent}"
        case HumanAwaited():
            return f"waiting for {event.seat}: {event.task}"
        case Paused() | Resumed():
            return f"{event.kind} by {event.by}"
        case Recovered():
            return "another worker goes on"
        case OutcomeReached():
            return f"outcome: {event.outcome.kind.replace('_', ' ')}"
        case _:
            return ""
