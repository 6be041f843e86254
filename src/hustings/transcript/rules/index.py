"""Index of a well-formed document: rounds, turns, attempts, attendance, and the look-ups that rules share."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from pydantic import AwareDatetime, TypeAdapter, ValidationError

from hustings.transcript.models import SILENT_ROLES

from .rulebook import Book, Found


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


Body = Mapping[str, Any]


@dataclass(frozen=True)
class Index:
    document: Body

    @cached_property
    def in_loop(self) -> bool:
        return self.document["mode"] == "in_loop"

    @cached_property
    def participants(self) -> dict[str, Body]:
        return {body["agent_id"]: body for body in self.document["participants"]}

    @cached_property
    def speaking(self) -> frozenset[str]:
        """Participants who are expected to speak."""
        return frozenset(name for name, body in self.participants.items() if body.get("role") not in SILENT_ROLES)

    @cached_property
    def rounds(self) -> tuple[IndexedRound, ...]:
        attended = attendance(self.document, frozenset(self.participants), self.speaking)
        return tuple(
            IndexedRound(body, i, _turns(body, i), attended[i]) for i, body in enumerate(self.document["rounds"])
        )

    @cached_property
    def turns(self) -> tuple[IndexedTurn, ...]:
        return tuple(turn for round_ in self.rounds for turn in round_.turns)

    @cached_property
    def attempts(self) -> tuple[IndexedAttempt, ...]:
        return tuple(attempt for turn in self.turns for attempt in turn.attempts)

    @cached_property
    def interventions(self) -> tuple[IndexedEvent, ...]:
        return _entries(self.document, "intervention_log")

    @cached_property
    def events(self) -> tuple[IndexedEvent, ...]:
        """When participants came, went or did not answer."""
        return _entries(self.document, "participant_state_log")

    @cached_property
    def round_of(self) -> dict[object, IndexedRound]:
        return {round_.number: round_ for round_ in reversed(self.rounds)}

    @cached_property
    def turn_of(self) -> dict[object, IndexedTurn]:
        return {turn.body["turn_id"]: turn for turn in reversed(self.turns)}

    @cached_property
    def intervention_of(self) -> dict[object, IndexedEvent]:
        return {entry.body["intervention_id"]: entry for entry in reversed(self.interventions)}


rule: Book[Index, Iterator[Found]] = Book()


class IndexedRound(NamedTuple):
    body: Body
    position: int
    turns: tuple[IndexedTurn, ...]
    attendance: Attendance

    @property
    def number(self) -> int:
        return self.body["round_index"]

    @property
    def speakers(self) -> list[str]:
        return [turn.speaker for turn in self.turns]

    def at(self, field: str = "") -> str:
        return f"/rounds/{self.position}{_below(field)}"


class IndexedTurn(NamedTuple):
    body: Body
    round: Body
    place: tuple[int, int]
    """Positions of its round and of itself; earlier turns compare smaller."""
    attempts: tuple[IndexedAttempt, ...]

    @property
    def speaker(self) -> str:
        return self.body["speaker_id"]

    @property
    def succeeded(self) -> bool:
        return any(attempt.status == "ok" for attempt in self.attempts)

    @property
    def times(self) -> list[AwareDatetime]:
        """Times of its attempts, as far as they can be parsed."""
        return [attempt.time for attempt in self.attempts if attempt.time is not None]

    def at(self, field: str = "") -> str:
        return f"/rounds/{self.place[0]}/turns/{self.place[1]}{_below(field)}"


class IndexedAttempt(NamedTuple):
    body: Body
    turn: Body
    place: tuple[int, int, int]
    time: AwareDatetime | None

    @property
    def status(self) -> str:
        return self.body["status"]

    @property
    def applied(self) -> list[str]:
        """Ids of the interventions it says it follows."""
        return [entry["intervention_id"] for entry in self.body.get("interventions_applied") or ()]

    def at(self, field: str = "") -> str:
        i, j, k = self.place
        return f"/rounds/{i}/turns/{j}/attempts/{k}{_below(field)}"


class IndexedEvent(NamedTuple):
    """An entry of one of the two logs."""

    body: Body
    pointer: str
    time: AwareDatetime | None

    def at(self, field: str) -> str:
        return f"{self.pointer}/{field}"


def inside(body: Body, field: str) -> Body:
    """The object in a field, or an empty one."""
    return body.get(field) or {}


def instant(text: str) -> AwareDatetime | None:
    """The parsed time, or None if it is not an RFC 3339 time with offset."""
    if not _TIME.fullmatch(text):
        return None
    try:
        return _AWARE.validate_python(text)
    except ValidationError:
        return None


def _turns(round_: Body, i: int) -> tuple[IndexedTurn, ...]:
    return tuple(IndexedTurn(turn, round_, (i, j), _attempts(turn, i, j)) for j, turn in enumerate(round_["turns"]))


def _attempts(turn: Body, i: int, j: int) -> tuple[IndexedAttempt, ...]:
    return tuple(IndexedAttempt(a, turn, (i, j, k), instant(a["timestamp"])) for k, a in enumerate(turn["attempts"]))


def _entries(document: Body, log: str) -> tuple[IndexedEvent, ...]:
    lines: list[Body] = document.get(log) or []
    return tuple(IndexedEvent(line, f"/{log}/{i}", instant(line["timestamp"])) for i, line in enumerate(lines))


def _below(field: str) -> str:
    return f"/{field}" if field else ""


_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})")
_AWARE: TypeAdapter[AwareDatetime] = TypeAdapter(AwareDatetime)
