"""Imports debates that other programs held: each becomes a record that is read and judged like any other."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from typing import Any

import sqlalchemy as sa
from pydantic import BaseModel, TypeAdapter, ValidationError

from hustings.db import activity, budget, run_rows
from hustings.db.connection import as_operator, insert_if_absent
from hustings.db.instants import instant
from hustings.db.tables import RUN
from hustings.errors import Unsuitable
from hustings.readers.foreign_debates import read_debates
from hustings.script.background import background_of
from hustings.script.debate import DebateSpec, Language, Proceedings
from hustings.script.seats import Player, Seat
from hustings.transcript.canonical import digest
from hustings.transcript.events import DebateEnded, DebateStarted, RecordEvent, RoundOpened, TurnEntered
from hustings.transcript.imports.recognise import HowToRead, ReadTranscript
from hustings.transcript.models import SILENT_ROLES, Transcript
from hustings.transcript.notes import Played

from .judging_spec import is_person
from .queries import RunQueries
from .run_list import LAST
from .spec import ImportedFile, RunSpec, new_fence
from .staging import slug

PROTOCOL, VERSION = "imported", 1
LONGEST_FILE_NAME = 255
MOST_IDS = 5
"""Ids that are tried for a record, where others have them already."""


class ImportedRun(BaseModel, frozen=True, defer_build=True):
    """A record that was imported, now or before."""

    run_id: str
    question: str
    shape: str
    item: int
    speakers: tuple[str, ...]
    rounds: int
    turns: int
    unknown: tuple[str, ...]
    """Speakers of whom the file does not say which model they are."""
    before: bool
    """Whether it was on record already."""
    remarks: tuple[str, ...]
    """What was left out, joined or not known, in words."""
    badges: tuple[str, ...]
    """What a reader should see beside its name."""


def import_debates(runs: RunQueries, raw: bytes, name: str, how: HowToRead, actor: str) -> list[ImportedRun]:
    """Import the debates of a file for the owner of `runs`. What was imported before is found again, not doubled."""
    now, owner = instant(), runs.owner or "local"
    found = read_debates(raw, how, now)
    file = _shown(name)
    return [_kept(runs, one, _source(one, raw, file), how, owner, actor) for one in found]


def _shown(name: str) -> str:
    """The name of a file, without its folders and without half characters."""
    plain = name.replace("\\", "/").rpartition("/")[2]
    return plain.encode("utf-8", "replace").decode()[:LONGEST_FILE_NAME]


def _source(one: ReadTranscript, raw: bytes, name: str) -> ImportedFile:
    return ImportedFile(name=name, shape=one.shape, digest=sha256(raw).hexdigest(), item=one.item, remarks=one.remarks)


def _kept(
    runs: RunQueries, one: ReadTranscript, source: ImportedFile, how: HowToRead, owner: str, actor: str
) -> ImportedRun:
    """Enter the record under the first id that is free, unless it is there under one of them."""
    for run_id in _ids(one, source, how, owner):
        transcript = one.transcript.model_copy(update={"run_id": run_id, "integrity": None})
        moved = run_id != one.transcript.run_id and one.shape == "transcript"
        note = (f"Its run_id {one.transcript.run_id!r} is taken here: it is kept as {run_id!r}",) if moved else ()
        said = source.model_copy(update={"remarks": (*note, *source.remarks)})
        spec = _spec(transcript, one.topic, said, owner)
        with runs.scoped.writing() as db:
            kept = run_rows.read(db, run_id, owner)
            if kept is None and _enter(db, spec, transcript, actor):
                return _told(spec, transcript, before=False)
        if kept is not None and (there := _same(kept, transcript, source)):
            return _told(there, transcript, before=True)
    raise Unsuitable("no id is free for this debate", fix="delete an earlier import of it first")


def _ids(one: ReadTranscript, source: ImportedFile, how: HowToRead, owner: str) -> Iterator[str]:
    """Ids for the record: that of a transcript, and others that the same file always gets from the same owner."""
    own = one.transcript.run_id
    if one.shape == "transcript" and own != LAST:
        yield own
    given = json.dumps([owner, source.digest, one.shape, one.item, how.topic, how.speakers])
    key = sha256(given.encode()).hexdigest()
    for n in range(MOST_IDS):
        yield f"{slug(one.topic)[:40].strip('-')}-{key[8 * n : 8 * n + 12]}"


def _same(kept: sa.RowMapping, transcript: Transcript, source: ImportedFile) -> RunSpec | None:
    """The spec of a record on file, if it is this debate: imported from the same file, or with the same transcript."""
    spec = RunSpec.model_validate_json(kept["spec"])
    if spec.imported:
        of = (spec.imported.digest, spec.imported.shape, spec.imported.item)
        return spec if of == (source.digest, source.shape, source.item) else None
    there = kept["proceedings"] and Proceedings.model_validate_json(kept["proceedings"])
    return spec if there and digest(there.transcript.document()) == digest(transcript.document()) else None


def _told(spec: RunSpec, transcript: Transcript, *, before: bool) -> ImportedRun:
    unknown = unknown_debaters(transcript)
    return ImportedRun(
        run_id=spec.run_id,
        question=spec.debate.topic,
        shape=spec.imported.shape if spec.imported else "transcript",
        item=spec.imported.item if spec.imported else 1,
        speakers=tuple(seat.title for seat in spec.debate.seats if seat.role not in SILENT_ROLES),
        rounds=len(transcript.rounds),
        turns=len(transcript.turns),
        unknown=unknown,
        before=before,
        remarks=spec.imported.remarks if spec.imported else (),
        badges=("debaters unknown",) if unknown else (),
    )


def unknown_debaters(transcript: Transcript) -> tuple[str, ...]:
    """Speakers of whom the transcript does not say which model they are, or that they are people."""
    speaking = (seat for seat in transcript.participants if seat.role not in SILENT_ROLES)
    return tuple(seat.agent_id for seat in speaking if not seat.model_name and not is_person(seat))


# -- the record ------------------------------------------------------------------------------


def _spec(transcript: Transcript, topic: str, source: ImportedFile, owner: str) -> RunSpec:
    """A spec that says `imported`. It seats no model: names in a file must never decide what is called, or where."""
    about = transcript.debate_metadata
    language = "en"
    with suppress(ValidationError):
        language = _LANGUAGE.validate_python(about.language)
    debate = DebateSpec(
        debate_id=transcript.debate_id,
        topic=topic,
        protocol=PROTOCOL,
        version=VERSION,
        seats=tuple(
            Seat(seat.agent_id, seat.team or "", seat.role or "debater", seat.display_name or "")
            for seat in transcript.participants
        ),
        cast={seat.agent_id: Player() for seat in transcript.participants},
        language=language,
        background=background_of(about),
    )
    return RunSpec(
        run_id=transcript.run_id,
        # No lineage of a run: a file can choose its id, and must not get at answers stored under it.
        lineage=f"imported:{source.digest}",
        debate=debate,
        model_specs={},
        created_at=instant(),
        owner=owner,
        fence=new_fence(),
        made=PROTOCOL,
        imported=source,
    )


def _enter(db: sa.Connection, spec: RunSpec, transcript: Transcript, actor: str) -> bool:
    """Enter a record that is over. Return False if its id is taken."""
    proceedings = Proceedings(transcript=transcript, notes=(), result=None, ending=Played())
    events = [
        (event.kind, event.model_dump_json(exclude={"seq"}, exclude_none=True)) for event in events_of(transcript)
    ]
    row: dict[str, Any] = {
        "run_id": spec.run_id,
        "owner": spec.owner,
        "protocol": f"{PROTOCOL}/{VERSION}",
        "topic": spec.debate.label,
        "created_at": spec.created_at,
        "spec": spec.model_dump_json(),
        "state": "ended",
        "events": len(events),
        "ended_at": spec.created_at,
        "ending": proceedings.ending.model_dump_json(),
        "proceedings": proceedings.model_dump_json(),
    }
    if db.execute(insert_if_absent(db, RUN).values(row).returning(RUN.c.run_id)).first() is None:
        return False
    budget.open_budgets(db, [(spec.budget_id, spec.caps)])
    activity.note(db, actor, spec.owner, "debate imported", spec.run_id)
    as_operator(db)  # logs are written by workers, never by owners; the run is this owner's
    run_rows.append(db, spec.run_id, 0, events)
    return True


def events_of(transcript: Transcript) -> Iterable[RecordEvent]:
    """The events whose fold is this transcript."""
    yield DebateStarted(header=transcript.model_copy(update={"rounds": []}))
    for round_ in transcript.rounds:
        yield RoundOpened(
            round_index=round_.round_index,
            label=round_.label or f"round {round_.round_index}",
            imported=round_.model_copy(update={"turns": []}),
        )
        yield from (TurnEntered(turn=turn) for turn in round_.turns)
    yield DebateEnded(ending=Played())


_LANGUAGE: TypeAdapter[str] = TypeAdapter(Language)
