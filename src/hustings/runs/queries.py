"""RunQueries: reads specs, logs, documents, results and calls of runs; sets how often waiting programs look again."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hustings.db import documents, instructions, ledger, migrate, run_rests, run_rows
from hustings.db.caps import OVER, State
from hustings.errors import Unsuitable
from hustings.script.debate import Proceedings
from hustings.script.documents import FETCHED, FIRST, ListedDocument, fetched_texts, listed_in
from hustings.transcript.events import EVENT, Event, NoteTaken
from hustings.transcript.notes import Note

from .run_list import RunList, open_database
from .spec import RunSpec

if TYPE_CHECKING:
    from hustings.judging.judgement import Judgement


@contextmanager
def open_runs(url: str) -> Generator[RunQueries]:
    """Open all runs of a database for reading. Creates a missing SQLite file."""
    with open_database(url, migrate.upgrade, migrate.must_be_current) as database:
        yield RunQueries(database)


EVERY = 1_000_000
"""Upper limit on the runs read for a batch."""
POLL_SECONDS = 0.2
"""Seconds between two reads of a log that is being followed."""


@dataclass(frozen=True)
class RunQueries(RunList):
    """Reads the runs of one owner whole: specs, logs, results, calls."""

    def judgements(self, run_ids: Sequence[str]) -> dict[str, Judgement]:
        """The stored judgement of each debate that was judged; the runs must be the owner's."""
        from hustings.judging.judgement import Judgement  # noqa: PLC0415  heavy, and few commands need it

        with self.scoped.reading() as db:
            found = run_rows.judgements(db, run_ids)
        return {run_id: Judgement.model_validate_json(kept) for run_id, kept in found.items()}

    # -- one run -------------------------------------------------------------------------

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
        return (*debate.listed, *fetched)

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

    def follow(
        self,
        run_id: str,
        *,
        after: int = -1,
        until: Callable[[], bool] = lambda: False,
        pause: Callable[[], float] = lambda: POLL_SECONDS,
    ) -> Iterator[Event]:
        """Yield events as they come, until the run is over, stays paused or breaks, or `until` returns true.

        `pause` says how many seconds pass between two looks.
        """
        while True:
            row, enough = self.light_row(run_id), until()
            for event in self.events(run_id, after=after):
                after = event.seq if event.kind != "text_streamed" else after
                yield event
            rests = row["state"] == "paused" and row["control"] == "pause"
            if enough or rests or row["state"] in OVER:
                return
            time.sleep(pause())

    def answers(self, run_id: str) -> dict[str, str]:
        """Key and answer of every answered call."""
        lineage = self.spec(run_id).lineage
        with self.scoped.reading() as db:
            return ledger.answers(db, lineage)

    def is_answered(self, run_id: str, key: str) -> bool:
        """Whether the answer to a call is on record."""
        lineage = self.spec(run_id).lineage
        with self.scoped.reading() as db:
            return ledger.known(db, lineage, key) is not None

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

    def calls_of_wave(self, run_id: str) -> list[ledger.Reservation]:
        """Calls of the latest wave, with their tries."""
        lineage, wave = self.spec(run_id).lineage, self.light_row(run_id)["waves"] - 1
        with self.scoped.reading() as db:
            return ledger.of_wave(db, lineage, wave)

    def is_rested(self, run_id: str, executor_id: str) -> bool:
        """Whether the rest of a run is over that stayed with this worker."""
        if self.light_row(run_id)["rests_until"] is None:
            return False
        with self.scoped.reading() as db:
            return any(row.executor_id == executor_id for row in run_rests.rested(db, 1, [run_id]))

    def in_flight(self, run_id: str) -> bool:
        """Whether calls of a run wait for their answers."""
        lineage = self.spec(run_id).lineage
        with self.scoped.reading() as db:
            return bool(ledger.in_flight(db, lineage))


def _notes(events: Iterable[Event]) -> Iterator[Note]:
    return (event.note for event in events if isinstance(event, NoteTaken))
