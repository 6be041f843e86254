"""Describes a run in text lines, event by event: what is said, private notes, live marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Literal

from pydantic import JsonValue

from hustings.cli.display.live_state import Roster
from hustings.cli.display.partial import forms_of, heading_of, readable
from hustings.judging.board import Board
from hustings.judging.score_board import DECIMALS, STAGES, board, stage_of
from hustings.report import remarks
from hustings.report.delay_text import LONG_WAIT, delay_words, endpoint_line, times
from hustings.rubrics.speech import SpeechScore
from hustings.script.documents import listed_in
from hustings.script.forms import Form, in_lines
from hustings.script.look_ups import looked_up_by
from hustings.script.seats import LIBRARIAN
from hustings.text.figures import decimal
from hustings.text.words import count_words
from hustings.transcript.events import (
    AttemptRejected,
    CallDelayed,
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
    ScoreGiven,
    SeatMissed,
    TurnEntered,
)
from hustings.transcript.notes import RULES, Note
from hustings.transcript.record import Record


def worded(note: Note) -> Iterator[str]:
    """Lines for a note; many kinds have none."""
    match note.kind, note.body:
        case "docket", issues:
            yield f"issues: {remarks.docket_line(issues) or 'none'}"
        case "documents" | "fetched", _:
            yield from (document.remark for document in listed_in([note]))
        case "violation", {"rule": str(), "seat": str()} as body:
            yield remarks.broken(body)
        case "unparsed", {"seat": str(seat), "why": "truncated"}:
            yield f"{seat}: {remarks.CUT_OFF}"
        case "assessment", {"reason": str(reason), "rounds": int(rounds)}:
            yield f"planned: {rounds} rounds ({reason})"
        case _:
            yield from _audited(note)


def _audited(note: Note) -> Iterator[str]:
    """Lines for the notes of an audit."""
    match note.kind, note.body:
        case "drawn", {"turn": turn, "claims": [_, *more]}:
            yield f"{len(more) + 1} arguments in {turn}" if more else f"one argument in {turn}"
        case "failure", {"seat": seat, "brief": brief, "why": why}:
            yield f"{seat}: no usable answer to {brief}: {why}"
        case "marks", {"judge": judge, "order": int(order), "sheet": int(sheet), "rubric": rubric, "shown": shown}:
            tried = "".join(f", {note.body[name]}" for name in ("base", "variant") if name in note.body)
            count = len(shown) if isinstance(shown, list) else 0
            yield f"{judge} scored {count} by {rubric} (reading {sheet + 1}, order {order + 1}{tried})"
        case "blind", {"voice": model_spec, "answer": answer, "confidence": sure}:
            yield f"Without debate: {answer} ({model_spec}, {sure}% sure)"
        case "after", {"voice": model_spec, "answer": answer, "confidence": sure}:
            yield f"After reading it: {answer} ({model_spec}, {sure}% sure)"
        case _:
            pass


class Scoring:
    def __init__(self) -> None:
        self.scores: dict[str, float | None] = {}
        """Weighted score of each turn; None if a mark is missing."""
        self._stage = self._due = ""

    def take(self, note: Note, judge: str) -> str:
        """Record a judge's marks for a speech, and return them as one line."""
        turn = next((about.turn_id for about in note.about if about.turn_id), None) or note.after_turn or ""
        marks = {name: row.get("score") for name, row in note.body.items() if isinstance(row, dict) and "score" in row}
        weights = SpeechScore.weights()
        points = {name: mark for name, mark in marks.items() if isinstance(mark, int | float)}
        whole = points.keys() == weights.keys()
        total = round(fsum(points[name] * share for name, share in weights.items()), DECIMALS) if whole else None
        self.scores[turn] = total
        shown = " · ".join(f"{name.replace('_', ' ')} {'-' if mark is None else mark}" for name, mark in marks.items())
        sum_of_it = "no score" if total is None else decimal(total)
        return f"{judge} on {note.body.get('about', '')} ({turn}): {sum_of_it} = {shown}"

    def opened(self, label: str) -> None:
        """Note that a round opened: a stage of a competition is over when another one begins."""
        before, self._stage = self._stage, stage_of(label)
        if before in STAGES and before != self._stage:
            self._due = before

    def due(self, record: Record) -> bool:
        """Whether a stage is over and all its speeches are marked; marks arrive during the next speech."""
        rounds = [r for r in record.transcript.rounds if self._due and stage_of(r.label) == self._due]
        return bool(rounds) and all(turn.turn_id in self.scores for r in rounds for turn in r.turns if turn.said)

    def board(self, record: Record, *, final: bool = False) -> Iterator[str]:
        """Lines of the board: teams and speakers, highest score first."""
        after, self._due = self._due, ""
        if not self.scores:
            return
        found = board(record.transcript, record.notes, self.scores, (), SpeechScore)
        yield ""
        yield f"-- {'final scoreboard' if final else f'scoreboard after {after}'} (final scores come from the judges)"
        for team in sorted(found.teams, key=lambda team: -team.total):
            parts = f"speeches {team.speeches:.1f}, penalties {team.penalties}"
            yield f"  {team.team.upper():<10} {team.total:7.1f}  {parts}"
        yield from _speakers(found)
        if final and found.best:
            yield f"  Best debater: {', '.join(found.best)}"


def _speakers(found: Board) -> Iterator[str]:
    for one in sorted(found.individuals, key=lambda one: -one.total):
        if one.speeches:
            mean = "unscored" if one.per_speech is None else f"{one.per_speech:.1f} per speech"
            many = "1 speech" if len(one.speeches) == 1 else f"{len(one.speeches)} speeches"
            yield f"    {one.seat:<8} {one.total:7.1f}  {mean}, {many}"


Look = Literal["title", "heading", "speaker", "words", "aside", "warning", "board", "thought"]
STYLES: Mapping[Look, str] = {
    "title": "bold",
    "heading": "bold",
    "speaker": "bold",
    "words": "",
    "aside": "dim",
    "warning": "magenta",
    "board": "yellow",
    "thought": "dim",
}


@dataclass(frozen=True)
class NarratedLine:
    """One line of output, and what kind of line it is."""

    text: str
    look: Look = "aside"
    seat: str = ""


def lines_of(event: Event) -> Iterator[str]:
    """Lines for a single event without context; most events have none."""
    return (line.text for line in Narrator().tell(event))


def _question(started: DebateStarted) -> str:
    """The question; its id, where an imported transcript has none."""
    return started.header.debate_metadata.topic or started.header.debate_id


class Narrator:
    """Describes events one after another; its state comes from the events alone.

    With `asks_here`, people are asked at this terminal, and their questions are not told twice.
    """

    def __init__(self, *, asks_here: bool = False) -> None:
        self._asks_here = asks_here
        self._begin(None)

    def _begin(self, record: Record | None) -> None:
        self.roster = Roster(record.transcript.participants if record else ())
        self._forms = forms_of(record.transcript.run_metadata.protocol or "") if record else ()
        self._record = record
        self._scoring = Scoring()
        self._docket: Mapping[str, JsonValue] = {}
        self._delays: dict[str, tuple[str, ...]] = {}
        """What was told last of each call that is delayed, and of each endpoint."""
        self._sent_back: dict[str, tuple[tuple[str, ...], int]] = {}
        """The last complaints about each seat, and how often they came in a row."""

    def tell(self, event: Event) -> Iterator[NarratedLine]:
        """Lines for an event; most events have none."""
        if isinstance(event, DebateStarted):
            self._begin(Record(event.header))
        elif self._record:
            self._record.apply(event)
        yield from self._scored(event)
        match event:
            case DebateStarted():
                heading = heading_of(event.header.run_metadata.protocol or "debate")
                yield NarratedLine(f"{heading}: {_question(event)}", "title")
            case RoundOpened():
                yield from (
                    NarratedLine("", "heading"),
                    NarratedLine(f"== {event.round_index}. {event.label}", "heading"),
                )
            case TurnEntered():
                yield from self._spoken(event)
            case NoteTaken():
                yield from self._noted(event)
            case _:
                yield from self._beside(event)

    def _beside(self, event: Event) -> Iterator[NarratedLine]:
        if isinstance(event, HumanAwaited):
            if self._asks_here:
                return
            run_id = self._record.transcript.run_id if self._record else "RUN"
            yield NarratedLine(f"  waiting for {event.seat}: {event.task}", "aside")
            yield NarratedLine(f"  answer from another terminal: hustings say {run_id} {event.seat}", "aside")
        elif isinstance(event, CallDelayed):
            yield from (NarratedLine(f"  {line}", "warning") for line in self._delayed(event))
        elif isinstance(event, AttemptRejected):
            yield NarratedLine(f"  {self._rejected(event)}", "warning")
        elif aside := _aside(event):
            warns = isinstance(event, SeatMissed | PenaltyGiven)
            yield NarratedLine(f"  {aside}", "warning" if warns else "aside")

    def _delayed(self, event: CallDelayed) -> Iterator[str]:
        """A line for each change: equal faults of a call in a row are told again, with their number, at a long wait."""
        if event.reason == "breaker":
            fresh, key = (event.words,), f"endpoint {event.endpoint}"
        else:
            fresh, key = (event.reason, event.fault, event.words), event.address
        before, self._delays[key] = self._delays.get(key), fresh
        if event.reason == "breaker":
            if before is None:
                yield endpoint_line(event)
        elif before != fresh or (event.wait or 0.0) >= LONG_WAIT:
            yield f"{self.roster.title(event.seat)} · {delay_words(event, event.wait)}"

    def _rejected(self, event: AttemptRejected) -> str:
        """Complaints of a seat; the same ones again are counted, not repeated."""
        before, count = self._sent_back.get(event.seat, ((), 0))
        count = count + 1 if before == event.complaints else 1
        self._sent_back[event.seat] = event.complaints, count
        what = "; ".join(event.complaints) if count == 1 else f"the same, {times(count)}"
        return f"{event.seat}: retrying: {what}"

    def recall(self, events: Iterable[Event]) -> None:
        """Take in events that were shown before, without output."""
        for event in events:
            for _ in self.tell(event):
                pass

    def _spoken(self, event: TurnEntered) -> Iterator[NarratedLine]:
        turn, seat, said = event.turn, event.turn.speaker_id, event.turn.said
        self._sent_back.pop(seat, None)
        length = _length(event, self._forms)
        yield NarratedLine(f"{self.roster.title(seat)} ({turn.turn_id}, {length}):", "speaker", seat)
        # Speech is indented, so that no line of it can look like another speaker.
        yield from (NarratedLine(f"    {line}", "words", seat) for line in (said or "no usable answer").splitlines())

    def _noted(self, event: NoteTaken) -> Iterator[NarratedLine]:
        """Notes by code, and notes that every seat may read. Private notes stay off the screen."""
        note, others = event.note, self.roster.seats - {event.note.by, LIBRARIAN.id}
        if note.kind == "docket":
            before, self._docket = self._docket, note.body
            if before == note.body:
                return
        if note.by == RULES and (found := remarks.quotes(note)):
            yield NarratedLine(f"  {found}", "aside")
            yield from (NarratedLine(f"  {line}", "warning") for line in remarks.false_quotes(note))
        elif note.by == RULES or note.kind == "failure":
            yield from (
                NarratedLine(f"  {line}", "warning" if note.kind in {"violation", "unparsed"} else "aside")
                for line in worded(note)
            )
        elif looked_up := looked_up_by([note]):
            seat = self.roster.title(*looked_up)
            yield NarratedLine(f"  {seat} looked something up in the documents", "aside")
        elif others and others <= {*note.visible_to}:
            yield NarratedLine(f"  {self.roster.title(note.by)} tells everyone ({note.kind}):", "thought", note.by)
            yield from (NarratedLine(f"    {line}", "thought", note.by) for line in in_lines(note.body).splitlines())

    def _scored(self, event: Event) -> Iterator[NarratedLine]:
        """Marks as they arrive, and the board when a stage is over."""
        match event:
            case ScoreGiven():
                yield NarratedLine(f"  {self._scoring.take(event.note, self.roster.title(event.note.by))}", "board")
                if self._record and self._scoring.due(self._record):
                    yield from (NarratedLine(line, "board") for line in self._scoring.board(self._record))
            case RoundOpened():
                self._scoring.opened(event.label)
            case DebateEnded():
                if self._record:
                    yield from (NarratedLine(line, "board") for line in self._scoring.board(self._record, final=True))
                yield NarratedLine("")
            case _:
                pass


def _length(event: TurnEntered, forms: Sequence[type[Form]]) -> str:
    """Word count, with the limit where we know which words it counts: a form may count only some of its fields."""
    last = event.turn.attempts[-1]
    plain = last.final_answer is None
    if event.words and (plain or forms):
        count = count_words(event.turn.said) if plain else readable(last.content, forms).count
        return f"{count} of {event.words} words"
    return f"{count_words(event.turn.said)} words"


def _aside(event: Event) -> str:
    """Text for an event that is not a speech."""
    match event:
        case SeatMissed():
            return f"{event.state.agent_id} missed its turn: {event.state.reason or 'no reason given'}"
        case PenaltyGiven():
            return remarks.penalty(event.note.body)
        case InterventionMade():
            return f"from the chair: {event.intervention.instruction_sent}"
        case Paused() | Resumed():
            return f"{event.kind} by {event.by}"
        case Recovered():
            return "recovered after a crash"
        case OutcomeReached():
            return f"outcome: {event.outcome.kind.replace('_', ' ')}"
        case _:
            return ""
