"""RunList: opens a database, finds runs by what a person types, and reads what lists tell of each."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Self

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from hustings.db import leases, migrate, row_security, run_rows
from hustings.db.caps import State
from hustings.db.connection import Database, connect, file_of, is_there
from hustings.db.faults import unusable
from hustings.db.labels import TurnLabel, labels_of
from hustings.db.ratings import Rating, ratings_of
from hustings.db.real_outcomes import RealOutcome, recorded
from hustings.errors import NotFound, Unsuitable

from .run_summary import RunSummary, summaries_of


@contextmanager
def open_run_list(url: str) -> Generator[RunList]:
    """Open all runs of a database, to list them. Creates a missing SQLite file."""
    with open_database(url, migrate.upgrade, migrate.must_be_current) as database:
        yield RunList(database)


@contextmanager
def open_database(
    url: str,
    create: Callable[[Database], None],
    check: Callable[[str | None], None] = migrate.refuse_other_version,
) -> Generator[Database]:
    """Connect to a database. `create` makes a missing SQLite file; `check` refuses versions of the tables."""
    try:
        with closing(connect(url)) as database:
            if (path := file_of(url)) is not None and not is_there(path):
                create(database)
            else:
                check(migrate.version_of(database))
            yield database
    except DBAPIError as error:
        path = file_of(url)
        raise unusable(error, path and path.parent) from None


LAST = "last"
"""Alias for the newest debate."""


@dataclass(frozen=True)
class RunList:
    """What lists tell of the runs of one owner, as if no others existed; without an owner, of all runs."""

    database: Database
    """As the operator sees it, with the leases of workers."""
    owner: str | None = None

    def acting_for(self, owner: str) -> Self:
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

    # -- one run -------------------------------------------------------------------------

    def exists(self, run_id: str) -> bool:
        with self.scoped.reading() as db:
            return run_rows.read_light(db, run_id, self.owner) is not None

    def read(self, run_id: str) -> RunSummary:
        """Summary of a run."""
        row = self.light_row(run_id)
        with self.scoped.reading() as db:
            return summaries_of(db, [row])[0]

    def has_documents(self, run_id: str) -> bool:
        """Whether it has documents, or tools that may have brought some."""
        debate = json.loads(self.row(run_id)["spec"])["debate"]
        return any(debate.get(name) for name in ("background", "documents", "tools"))

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

    # -- rows and workers ----------------------------------------------------------------

    def row(self, run_id: str) -> sa.RowMapping:
        with self.scoped.reading() as db:
            return _there(run_id, run_rows.read(db, run_id, self.owner))

    def light_row(self, run_id: str) -> sa.RowMapping:
        """Row without spec, follow-ups and results."""
        with self.scoped.reading() as db:
            return _there(run_id, run_rows.read_light(db, run_id, self.owner))

    def unattended(self, *run_ids: str) -> list[str]:
        """Those of these running runs whose process is gone, and that no worker takes over."""
        if not run_ids or self.workers():
            return []
        living = leases.alive(self.database)
        holders = {run_id: self.light_row(run_id)["executor_id"] for run_id in run_ids}
        return [each for each, by in holders.items() if by not in living and not by.startswith(run_rows.HOSTED_BY)]

    def due(self, most: int) -> list[str]:
        """Ids of runs that are over and have a follow-up due."""
        with self.scoped.reading() as db:
            return run_rows.due(db, most)

    def workers(self) -> set[str]:
        """Ids of the live workers that take runs from the queue."""
        return {name for name in leases.alive(self.database) if not name.startswith((leases.OWN, run_rows.HOSTED_BY))}

    def _must_be_mine(self, run_id: str) -> None:
        """Check the owner: events, audits and instructions are looked up by run id alone."""
        if self.owner is not None:
            self.light_row(run_id)


def _there(run_id: str, row: sa.RowMapping | None) -> sa.RowMapping:
    if row is None:
        raise NotFound(f"no debate {run_id!r} in this database", fix="see your debates: hustings list")
    return row
