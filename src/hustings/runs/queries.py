"""RunQueries: open a database and read runs, logs, results, audits, votes, ratings. How often readers poll."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from hustings.db import documents, instructions, leases, ledger, migrate, row_security, run_rows
from hustings.db.caps import OVER, State
from hustings.db.connection import Database, connect, file_of
from hustings.db.faults import unusable
from hustings.db.labels import TurnLabel, labels_of
from hustings.db.ratings import Rating, ratings_of
from hustings.db.real_outcomes import RealOutcome, recorded
from hustings.errors import NotFound, Unsuitable
from hustings.script.debate import Proceedings
from hustings.script.documents import FETCHED, FIRST, ListedDocument, first_listed, listed_in
from hustings.script.fetching import fetched_texts
from hustings.transcript.events import EVENT, Event, NoteTaken
from hustings.transcript.notes import Note

from .run_summary import RunSummary, summaries_of
from .spec import RunSpec

if TYPE_CHECKING:
    from hustings.judging.judgement import Judgement


@contextmanager
def open_runs(url: str) -> Generator[RunQueries]:
    """Open all runs of a database for reading. Creates a missing SQLite file."""
    with open_database(url, migrate.upgrade, migrate.must_be_current) as database:
        yield RunQueries(database)


@contextmanager
def open_database(
    url: str,
    create: Callable[[Database], None],
    check: Callable[[str | None], None] = migrate.must_not_be_newer,
) -> Generator[Database]:
    """Connect to a database. `create` makes a missing SQLite file; `check` refuses versions of the tables."""
    try:
        with closing(connect(url)) as database:
            if (path := file_of(url)) is not None and not path.exists():
                create(database)
            else:
                check(migrate.version_of(database))
            yield database
    except DBAPIError as error:
        path = file_of(url)
        raise unusable(error, path and path.parent) from None


LAST = "last"
"""Alias for the newest debate."""
EVERY = 1_000_000
"""Upper limit on the runs read for a batch."""
POLL_SECONDS = 0.2
"""Seconds between two reads of a log that is being followed."""


@dataclass(frozen=True)
class RunQueries:
    """Reads the runs of one owner, as if no others existed; without an owner, all runs."""

    database: Database
    """As the operator sees it, with the leases of workers."""
    owner: str | None = None

    def acting_for(self, owner: str) -> RunQueries:
        return replace(self, owner=owner)

    @cached_property
    def scoped(self) -> Database:
        """As the owner sees it, where PostgreSQL itself separates owners."""
        if self.owner is not None and row_security.enabled(self.database):
            return self.database.acting_for(self.owner)
        return self.database

    # -- lists of runs -------------------------------------------------------------------

    def find(self, text: str) -> str:
        """Find a run by its id, the beginning of its id, or `last`."""
        with self.scoped.reading() as db:
            if run_rows.read_light(db, text, self.owner) is not None:
                return text
            found = run_rows.beginning(db, "" if text == LAST else text, 2 if text != LAST else 1, self.owner)
        if len(found) > 1:
            raise Unsuitable(f"{text!r} matches several debates", fix=f"type more of it: {', '.join(found)}, …")
        return found[0] if found else text

    def latest(self, *, batch: str | None = None, state: State | None = None, most: int = 50) -> list[RunSummary]:
        """Return the newest runs."""
        with self.scoped.reading() as db:
            return summaries_of(db, run_rows.latest(db, owner=self.owner, batch=batch, state=state, most=most))

    def tally(self, batch: str, *, audits: bool = False) -> dict[str, int]:
        """Count the runs of a batch by state; with `audits`, its judgings alone."""
        with self.scoped.reading() as db:
            return run_rows.tally(db, batch, self.owner, audits=audits)

    def judgements(self, run_ids: Sequence[str]) -> dict[str, Judgement]:
        """The stored judgement of each debate that was judged; the runs must be the owner's."""
        from hustings.judging.judgement import Judgement  # noqa: PLC0415  heavy, and few commands need it

        with self.scoped.reading() as db:
            found = run_rows.judgements(db, run_ids)
        return {run_id: Judgement.model_validate_json(kept) for run_id, kept in found.items()}

    # -- one run -------------------------------------------------------------------------

    def exists(self, run_id: str) -> bool:
        with self.scoped.reading() as db:
            return run_rows.read_light(db, run_id, self.owner) is not None

    def read(self, run_id: str) -> RunSummary:
        """Summary of a run."""
        row = self.light_row(run_id)
        with self.scoped.reading() as db:
            return summaries_of(db, [row])[0]

    def spec(self, run_id: str) -> RunSpec:
        return RunSpec.model_validate_json(self.row(run_id)["spec"])

    def whole_spec(self, run_id: str) -> RunSpec:
        """The spec with the texts of its documents, for prompts and estimates."""
        spec = self.spec(run_id)
        if spec.debate.documents is None:
            return spec
        with self.scoped.reading() as db:
            return spec.with_texts(documents.texts_of(db, run_id))

    def document_texts(self, run_id: str) -> dict[str, str]:
        """Texts of the documents of a debate by id, that of its background included."""
        spec = self.whole_spec(run_id)
        background = spec.debate.background
        fetched = fetched_texts(_notes(self.events(run_id))) if spec.debate.tools else {}
        return {**({FIRST: background.text} if background else {}), **spec.texts, **fetched}

    def documents(self, run_id: str) -> tuple[ListedDocument, ...]:
        """All documents of a debate: the one that came with the question first, what tools brought last."""
        debate = self.spec(run_id).debate
        fetched = (
            listed_in(note for note in _notes(self.events(run_id)) if note.kind == FETCHED) if debate.tools else ()
        )
        return (*first_listed(debate.background), *(debate.documents.each if debate.documents else ()), *fetched)

    def stored(self, run_ids: Sequence[str]) -> dict[str, tuple[State, RunSpec]]:
        """State and spec of those runs that are on record."""
        with self.scoped.reading() as db:
            found = run_rows.stored(db, run_ids, self.owner)
        return {run_id: (state, RunSpec.model_validate_json(spec)) for run_id, (state, spec) in found.items()}

    def proceedings(self, run_id: str) -> Proceedings | None:
        """What a run produced; None while it is not over."""
        kept = self.row(run_id)["proceedings"]
        return None if kept is None else Proceedings.model_validate_json(kept)

    def finished(self, run_id: str) -> Proceedings:
        """What a run produced; raises an error if the run is not over."""
        if (proceedings := self.proceedings(run_id)) is None:
            raise Unsuitable(
                f"{run_id!r} has not ended",
                fix=f"hustings show {run_id}, or continue it: hustings resume {run_id}",
            )
        return proceedings

    def audits(self, run_id: str) -> list[RunSummary]:
        """Audits of a run in any state, oldest first."""
        self.light_row(run_id)
        with self.scoped.reading() as db:
            return summaries_of(db, run_rows.following(db, run_id))

    def finished_audits(self, run_id: str, script: str) -> list[str]:
        """Ids of the ended audits of a run by one script, newest first."""
        self._must_be_mine(run_id)
        with self.scoped.reading() as db:
            return run_rows.about(db, run_id, script)

    def version(self, run_id: str) -> str:
        """Differs from what it was before as soon as the debate of a run, its log or one of its audits changes."""
        row = self.light_row(run_id)
        debate = self.light_row(row["judged"]) if row["judged"] else row
        with self.scoped.reading() as db:
            rows = [debate, *run_rows.following(db, debate["run_id"])]
            reports = summaries_of(db, rows)
        facts = [(one["events"], report.model_dump_json()) for one, report in zip(rows, reports, strict=True)]
        return sha256(repr((run_id, facts)).encode("utf-8", "surrogatepass")).hexdigest()

    def votes(self, run_id: str) -> dict[str, str]:
        """Voter and vote, in the order of arrival."""
        self.light_row(run_id)
        with self.scoped.reading() as db:
            return run_rows.votes_on(db, run_id)

    def ratings(self, run_id: str) -> list[Rating]:
        """How readers rate a debate, the latest last."""
        self.light_row(run_id)
        with self.scoped.reading() as db:
            return ratings_of(db, run_id)

    def real_outcome(self, run_id: str) -> RealOutcome | None:
        """What really happened in the matter of a debate, if that was recorded."""
        self.light_row(run_id)
        with self.scoped.reading() as db:
            return recorded(db, [run_id]).get(run_id)

    def labels(self, run_id: str) -> list[TurnLabel]:
        """How people labelled turns of a debate."""
        self.light_row(run_id)
        with self.scoped.reading() as db:
            return labels_of(db, [run_id]).get(run_id, [])

    # -- its log and its calls -----------------------------------------------------------

    def events(self, run_id: str, *, after: int = -1) -> list[Event]:
        """Events of the log after a position."""
        self._must_be_mine(run_id)
        found: list[Event] = []
        while True:
            with self.scoped.reading() as db:
                rows = run_rows.events(db, run_id, after=after)
            if not rows:
                return found
            found += [EVENT.validate_python({**json.loads(body), "seq": seq}) for seq, body in rows]
            after = rows[-1][0]

    def follow(self, run_id: str, *, after: int = -1, until: Callable[[], bool] = lambda: False) -> Iterator[Event]:
        """Yield events as they come, until the run is over, stays paused or breaks, or `until` returns true."""
        while True:
            row, enough = self.light_row(run_id), until()
            for event in self.events(run_id, after=after):
                after = event.seq if event.kind != "text_streamed" else after
                yield event
            rests = row["state"] == "paused" and row["control"] == "pause"
            if enough or rests or row["state"] in OVER:
                return
            time.sleep(POLL_SECONDS)

    def answers(self, run_id: str) -> dict[str, str]:
        """Key and answer of every answered call."""
        lineage = self.spec(run_id).lineage
        with self.scoped.reading() as db:
            return ledger.answers(db, lineage)

    def instructions(self, run_id: str) -> list[instructions.Instruction]:
        """What people told seats, as far as waves have taken it."""
        self._must_be_mine(run_id)
        with self.scoped.reading() as db:
            return instructions.taken(db, run_id)

    def call_times(self, run_id: str) -> list[tuple[str, float, str]]:
        """Key, time sent and time answered of every answered call."""
        lineage = self.spec(run_id).lineage
        with self.scoped.reading() as db:
            return ledger.times(db, lineage)

    def calls_of_wave(self, run_id: str) -> list[ledger.CallOnRecord]:
        """Calls of the latest wave, with their tries."""
        lineage, wave = self.spec(run_id).lineage, self.light_row(run_id)["waves"] - 1
        with self.scoped.reading() as db:
            return ledger.of_wave(db, lineage, wave)

    def in_flight(self, run_id: str) -> bool:
        """Whether calls of a run wait for their answers."""
        lineage = self.spec(run_id).lineage
        with self.scoped.reading() as db:
            return bool(ledger.in_flight(db, lineage))

    # -- rows and workers ----------------------------------------------------------------

    def row(self, run_id: str) -> sa.RowMapping:
        with self.scoped.reading() as db:
            return _there(run_id, run_rows.read(db, run_id, self.owner))

    def light_row(self, run_id: str) -> sa.RowMapping:
        """Row without spec, follow-ups and results."""
        with self.scoped.reading() as db:
            return _there(run_id, run_rows.read_light(db, run_id, self.owner))

    def due(self, most: int) -> list[str]:
        """Ids of runs that are over and have a follow-up due."""
        with self.scoped.reading() as db:
            return run_rows.due(db, most)

    def workers(self) -> set[str]:
        """Ids of the live workers."""
        return leases.known(self.database) - set(leases.expired(self.database))

    def _must_be_mine(self, run_id: str) -> None:
        """Check the owner: events, audits and instructions are looked up by run id alone."""
        if self.owner is not None:
            self.light_row(run_id)


def _there(run_id: str, row: sa.RowMapping | None) -> sa.RowMapping:
    if row is None:
        raise NotFound(f"no debate {run_id!r} in this database", fix="see your debates: hustings list")
    return row


def _notes(events: Iterable[Event]) -> Iterator[Note]:
    return (event.note for event in events if isinstance(event, NoteTaken))
