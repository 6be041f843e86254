"""Who was expected in each round, who was away, and the round status that follows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

Body = Mapping[str, Any]


class Attendance(NamedTuple):
    """Attendance of one round."""

    status: str
    """As written; otherwise complete if every expected participant has an ok attempt."""
    missing: str | None
    """A participant who was expected and has no turn."""
    explained: bool
    """A participant concerned was away or has an event in this round, or a turn was lost."""
    away: bool
    """A participant had dropped out or not yet joined."""
    intruders: frozenset[str]
    """Participants who spoke although they were away."""


def attendance(document: Body, everybody: frozenset[str], speaking: frozenset[str]) -> list[Attendance]:
    """Attendance of every round, in one pass: searching the log for every turn would be quadratic."""
    rounds: list[Body] = document["rounds"]
    events = [e for e in document.get("participant_state_log") or () if e["agent_id"] in everybody]
    excuses = _excuses(events)
    found: dict[int, Attendance] = {}
    for i, away in _absences(rounds, events):
        planned = rounds[i].get("planned_speaking_order")
        concerned = everybody if planned is None else everybody.intersection(planned)
        expected = speaking if planned is None else concerned
        excused = excuses[None] | excuses.get(rounds[i]["round_index"], set())
        found[i] = _attended(rounds[i], frozenset(away), expected - away - excused, concerned & (away | excused))
    return [found[i] for i in range(len(rounds))]


def _attended(round_: Body, away: frozenset[str], expected: frozenset[str], explained_by: frozenset[str]) -> Attendance:
    turns: list[Body] = round_["turns"]
    spoke = {turn["speaker_id"] for turn in turns}
    kept = [turn for turn in turns if any(attempt["status"] == "ok" for attempt in turn["attempts"])]
    heard = {turn["speaker_id"] for turn in kept}
    return Attendance(
        status=round_.get("round_status") or ("complete" if heard and expected <= heard else "partial"),
        missing=min(expected - spoke, default=None),
        explained=bool(explained_by) or len(kept) < len(turns),
        away=bool(away),
        intruders=away & spoke,
    )


def _absences(rounds: list[Body], events: list[Body]) -> Iterator[tuple[int, set[str]]]:
    """Yield the rounds by number, each with the participants away in it (one set, updated from round to round)."""
    placed = [e for e in events if e.get("round_index") is not None and e["event_type"] != "timeout"]
    placed = sorted(placed, key=lambda event: event["round_index"])[::-1]
    # A participant whose first event is `joined` was not there from the start.
    first = {event["agent_id"]: event["event_type"] for event in placed}
    away = {name for name, kind in first.items() if kind == "joined"}
    for i in sorted(range(len(rounds)), key=lambda i: rounds[i]["round_index"]):
        while placed and placed[-1]["round_index"] <= rounds[i]["round_index"]:
            event = placed.pop()
            if event["event_type"] == "dropped":
                away.add(event["agent_id"])
            else:
                away.discard(event["agent_id"])
        yield i, away


def _excuses(events: list[Body]) -> defaultdict[int | None, set[str]]:
    """Participants with an event in each round; under None, those whose event names no round."""
    excuses: defaultdict[int | None, set[str]] = defaultdict(set)
    for event in events:
        excuses[event.get("round_index")].add(event["agent_id"])
    return excuses
