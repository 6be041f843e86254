"""Recordings: one file with the timed events of a debate and its judgement; record, write and read them.

Gzipped lines of JSON; the same run gives the same bytes. Reading trusts nothing: sizes are bounded, and
head, events and judgement must describe the same valid transcript.
"""

from __future__ import annotations

import gzip
import io
import os
import platform
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from hustings.db.instants import seconds_of
from hustings.errors import BrokenFile, Unsuitable
from hustings.judging.dossier import Dossier, Expense, allowances
from hustings.judging.judgement import ExecutiveSummary, Judgement
from hustings.script.complaints import complaints
from hustings.script.debate import DebateSpec, Proceedings
from hustings.script.protocol_result import ProtocolResult, Section
from hustings.transcript.canonical import digest
from hustings.transcript.empty_fields import OMIT_IF_EMPTY
from hustings.transcript.events import (
    AttemptRejected,
    BudgetChanged,
    CallDelayed,
    CallPaid,
    DebateStarted,
    Event,
    TextStreamed,
    TurnBegun,
    TurnEntered,
    wave_of,
)
from hustings.transcript.models import Transcript
from hustings.transcript.record import fold
from hustings.transcript.rules import check_document

if TYPE_CHECKING:
    from .queries import RunQueries

SUFFIX = ".jsonl.gz"
MOST_BYTES = 2**23
"""Size of a file."""
MOST_UNPACKED = 2**26
MOST_LINES = 50_000
CURE = "record it again: hustings record RUN"
NAMED_SEATS = 3
"""Up to this many seats of one model are named; more are counted."""


class Head(BaseModel, defer_build=True):
    """Description of a recording, on its first line."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    format: Literal["hustings-recording/1"] = "hustings-recording/1"
    protocol: str
    """Name and version."""
    topic: str
    language: str = "en"
    models: Mapping[str, str]
    """Model by seat id."""
    judges: tuple[str, ...] = ()
    """Models of the panel, if the debate was judged."""
    recorded: str
    """Date of the debate."""
    engine: str
    machine: str = ""
    note: str = ""
    """A remark for viewers."""
    seconds: Annotated[float, Field(ge=0)]
    """From the first call to the end."""

    @property
    def written(self) -> bool:
        """Whether every seat said what was written for it, at a pace that is made up."""
        return set(self.models.values()) == {"scripted"}

    @property
    def label(self) -> str:
        """The models and their seats, in words."""
        if self.written:
            return "played from a script: no model spoke"
        seats: dict[str, list[str]] = {}
        for seat, model in self.models.items():
            seats.setdefault(model or "an unnamed model", []).append(seat)
        if len(seats) == 1:
            return f"recorded with {next(iter(seats))} in every seat"
        told = [f"{model} ({_seats(mine)})" for model, mine in seats.items()]
        return f"recorded with {' and '.join(told)}"


class Came(BaseModel, defer_build=True):
    """An event and its time, in seconds from the first call."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    at: Annotated[float, Field(ge=0)]
    event: Event


class Judging(BaseModel, defer_build=True):
    """Enough to compute the judgement again. The judged debate is left out, because the events contain it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    debate: DebateSpec
    proceedings: Proceedings


class Remains(BaseModel, defer_build=True):
    """What the events do not contain; the last line of a recording."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    result: JsonValue = None
    """Return value of the script."""
    decision: Annotated[ProtocolResult | None, OMIT_IF_EMPTY] = None
    sections: Annotated[tuple[Section, ...], OMIT_IF_EMPTY] = ()
    """What the protocol made of that value."""
    expenses: tuple[Expense, ...] = ()
    judgement: Judgement | None = None
    judging: Judging | None = None
    summary: Annotated[ExecutiveSummary | None, OMIT_IF_EMPTY] = None


@dataclass(frozen=True)
class Recording:
    head: Head
    events: tuple[Came, ...]
    remains: Remains

    @cached_property
    def proceedings(self) -> Proceedings:
        told = fold(came.event for came in self.events)
        if told.ending is None:
            raise BrokenFile("its debate has not ended", fix="record a finished debate")
        return Proceedings(
            transcript=told.transcript,
            notes=tuple(told.notes),
            result=self.remains.result,
            ending=told.ending,
            decision=self.remains.decision,
            sections=self.remains.sections,
        )

    @property
    def dossier(self) -> Dossier:
        remains = self.remains
        return Dossier(
            proceedings=self.proceedings,
            judgement=remains.judgement,
            expenses=remains.expenses,
            summary=remains.summary,
            allowances=allowances(came.event for came in self.events),
        )

    def recomputed(self) -> Judgement | None:
        """The judgement, computed again from the judges' marks; None if the debate was not judged."""
        judging, found = self.remains.judging, self.remains.judgement
        if judging is None or found is None:
            return None
        from .judging_spec import judgement_of  # noqa: PLC0415  a replay computes nothing

        debate = judging.debate.model_copy(update={"judged": self.proceedings})
        return judgement_of(debate, judging.proceedings, found.control)


# -- recording -----------------------------------------------------------------------------


def record(runs: RunQueries, run_id: str, *, note: str = "", machine: str = "") -> Recording:
    """Record a finished debate, with its latest judging or the one that is named."""
    debate = runs.read(run_id).judged or run_id
    spec, report = runs.spec(debate), runs.read(debate)
    if spec.debate.judged is not None:
        raise Unsuitable(f"{run_id!r} is a judge test, not a debate", fix="record a finished debate")
    from .dossiers import dossier, judging_of  # noqa: PLC0415  a replay of a file needs no database

    about, judging = dossier(runs, run_id), judging_of(runs, run_id)
    events = _without_delays(runs.events(debate))
    came = _timed(events, _calls(runs.call_times(debate)), report.created_at, report.ended_at or report.created_at)
    remains = Remains(
        result=about.proceedings.result,
        decision=about.proceedings.decision,
        sections=about.proceedings.sections,
        expenses=about.expenses,
        judgement=about.judgement,
        judging=_judging(runs, judging) if judging and about.judgement else None,
        summary=about.summary,
    )
    head = Head(
        **told_by(about.proceedings.transcript),
        judges=tuple(dict.fromkeys(judge.model for judge in about.judgement.panel)) if about.judgement else (),
        recorded=report.created_at[:10],
        engine=f"hustings {version('hustings')}",
        machine=machine or this_machine(),
        note=note,
        seconds=came[-1].at if came else 0.0,
    )
    made = Recording(head, came, remains)
    if made.proceedings != about.proceedings:
        raise BrokenFile(f"the log of {debate!r} is incomplete", fix="record another debate")
    return made


def _without_delays(events: Sequence[Event]) -> list[Event]:
    """Leave out how calls were delayed: a recording is shared, and these name the server."""
    shared = [event for event in events if not isinstance(event, CallDelayed)]
    return [event.model_copy(update={"seq": place}) for place, event in enumerate(shared)]


def this_machine() -> str:
    return f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}"


def _judging(runs: RunQueries, run_id: str) -> Judging:
    debate = runs.spec(run_id).debate.model_copy(update={"judged": None})
    return Judging(debate=debate, proceedings=runs.finished(run_id))


def _calls(times: Sequence[tuple[str, float, str]]) -> dict[str, tuple[float, float]]:
    """Times sent and answered by address of a call. Inherited and deleted answers are left out."""
    return {key.rpartition(" #")[0]: (sent, seconds_of(answered)) for key, sent, answered in times}


def _timed(
    events: Sequence[Event], calls: Mapping[str, tuple[float, float]], created_at: str, ended_at: str
) -> tuple[Came, ...]:
    """Add times to the events. The log has only their order; the ledger and the record have the times of calls."""
    start = min((sent for sent, _ in calls.values()), default=seconds_of(created_at))
    waves: dict[int, float] = {}
    for address, (sent, _) in calls.items():  # sent together, though some had to queue or were sent again
        waves[wave_of(address)] = min(sent, waves.get(wave_of(address), sent))
    came: list[Came] = []
    last = 0.0
    for event in events:
        match event:
            case TurnBegun() if wave_of(event.address) in waves:
                moment = waves[wave_of(event.address)]
            case CallPaid() if event.address in calls:
                moment = calls[event.address][1]
            case AttemptRejected():
                moment = seconds_of(event.attempt.timestamp)
            case TurnEntered() if event.turn.attempts:
                moment = seconds_of(event.turn.attempts[-1].timestamp)
            case BudgetChanged():
                moment = seconds_of(ended_at)
            case _:
                moment = start
        last = max(last, round(moment - start, 3))
        came.append(Came(at=last, event=event))
    return tuple(came)


def told_by(transcript: Transcript) -> dict[str, Any]:
    """Fields of a head that the transcript contains, too."""
    about = transcript.debate_metadata
    return {
        "protocol": transcript.run_metadata.protocol or "",
        "topic": about.topic or "",
        "language": about.language or "en",
        "models": {seat.agent_id: seat.model_name or "" for seat in transcript.participants},
    }


def _seats(ids: Sequence[str]) -> str:
    return ", ".join(ids) if len(ids) <= NAMED_SEATS else f"{len(ids)} seats"


# -- writing and reading -------------------------------------------------------------------


def dump(recording: Recording) -> bytes:
    """Encode a recording; the same recording gives the same bytes."""
    lines = [
        recording.head.model_dump_json(),
        *(came.model_dump_json(exclude_none=True) for came in recording.events),
        recording.remains.model_dump_json(),
    ]
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, mtime=0) as file:
        file.write("".join(f"{line}\n" for line in lines).encode())
    return packed.getvalue()


def load(raw: bytes, name: str) -> Recording:
    """Decode and check a recording. `name` is the file's name in error messages."""
    lines = _unpacked(raw, name).splitlines()
    if not 3 <= len(lines) <= MOST_LINES:
        raise BrokenFile(f"{name} has {len(lines)} lines, a recording 3 to {MOST_LINES}", fix=CURE)
    recording = Recording(
        _read(Head, lines[0], f"{name}, line 1"),
        tuple(_read(Came, line, f"{name}, line {n}") for n, line in enumerate(lines[1:-1], 2)),
        _read(Remains, lines[-1], f"{name}, line {len(lines)}"),
    )
    if wrong := next(_faults(recording), ""):
        raise BrokenFile(f"{name} is not a valid recording", why=wrong, fix=CURE)
    return recording


def peek(raw: bytes, name: str) -> Head:
    """Read only the head, for listings."""
    return _read(Head, _unpacked(raw, name, first=True), f"{name}, line 1")


def packaged() -> list[Traversable]:
    """Recordings in the package, in order."""
    folder = files("hustings") / "data" / "recordings"
    return sorted((file for file in folder.iterdir() if file.name.endswith(SUFFIX)), key=lambda file: file.name)


def name_of(file: Traversable) -> str:
    """Name of a recording in the package: that of its file, without its number."""
    return file.name.removesuffix(SUFFIX).partition("-")[2]


M = TypeVar("M", bound=BaseModel)


def _read(model: type[M], line: bytes, where: str) -> M:
    try:
        return model.model_validate_json(line)
    except ValidationError as error:
        raise BrokenFile(f"{where} is not valid in a recording", why=complaints(error)[0], fix=CURE) from None


def _unpacked(raw: bytes, name: str, *, first: bool = False) -> bytes:
    if len(raw) > MOST_BYTES:
        raise BrokenFile(f"{name} has more than {MOST_BYTES / 1_000_000:.0f} MB, too much for a recording", fix=CURE)
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as file:
            text = file.readline(MOST_UNPACKED + 1) if first else file.read(MOST_UNPACKED + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise BrokenFile(f"{name} is not a gzipped recording", why=str(error), fix=CURE) from None
    if len(text) > MOST_UNPACKED:
        raise BrokenFile(f"{name} unpacks to more than {MOST_UNPACKED} bytes, too much for a recording", fix=CURE)
    return text


def _faults(recording: Recording) -> Iterator[str]:
    """Reasons why a recording is invalid; each check relies on those before it."""
    events = [came.event for came in recording.events]
    if any(isinstance(event, TextStreamed) or event.seq != n for n, event in enumerate(events)):
        yield "its events are not numbered without a gap"
    if sum(isinstance(event, DebateStarted) for event in events) != 1:
        yield "its events are not those of one debate"
    if any(later.at < earlier.at for earlier, later in pairwise(recording.events)):
        yield "time runs backwards in it"
    try:
        document = recording.proceedings.document()
    except BrokenFile as error:
        yield error.what
        return
    except (IndexError, ValueError):
        yield "its events give no transcript"
        return
    if errors := [finding for finding in check_document(document) if finding.severity == "error"]:
        yield f"its transcript breaks {errors[0].code} at {errors[0].pointer or 'its root'} ({errors[0].message})"
    transcript, judgement = recording.proceedings.transcript, recording.remains.judgement
    if any(getattr(recording.head, name) != value for name, value in told_by(transcript).items()):
        yield "its head is about another debate than its events"
    if judgement and (judgement.judged, judgement.digest) != (transcript.run_id, digest(document)):
        yield "its judgement is about another debate"
