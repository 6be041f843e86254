"""Runs on record that wait and are unknown to the engine: nothing would ever begin them. Count, find and queue them.

Entering a run and queueing it is one transaction. A run can still be left over: by a process that was to execute it
itself and died, or by a release that queued after it had entered.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import sqlalchemy as sa

from hustings.db import leases, run_holders, run_rests, run_rows
from hustings.db.connection import Database, each_of
from hustings.transcript.events import Recovered, logged

from .client import STATUS, WORKFLOW_OF_RUN, EngineClient, engines

OPEN_STATES = "('waiting', 'running', 'paused')"
WANTED = "run.run_id, run.resumptions, run.executor_id"
GRACE = 10.0
"""Seconds after which a run that waits, unknown to the engine, is taken for left over."""
LEFT_OVER = "run.control <> 'pause' and run.created_at < :before"
"""A run that was told to pause before it began waits for a person, not for a worker."""


def count(database: Database, before: str) -> int:
    """How many runs wait since before an instant that no worker could take. 0 if all is well."""
    with database.reading() as db:
        if not sa.inspect(db).has_table(STATUS, schema="dbos" if db.dialect.name == "postgresql" else None):
            return 0  # a reader made this file, and nothing can have been entered
        return count_in(db, before)


def count_in(db: sa.Connection, before: str) -> int:
    """The same in an open transaction, where the engine's tables are known to exist."""
    return db.scalar(sa.text(_query(db, "count(*)", LEFT_OVER)), {"before": before}) or 0


def queue_left_over(database: Database, engine: EngineClient, before: str, most: int) -> list[str]:
    """Queue runs that have waited since before an instant; return their ids. Safe to run concurrently."""
    engine.connect()
    with database.writing() as db:
        query = _query(db, WANTED, LEFT_OVER)
        found = db.execute(sa.text(f"{query} order by run.created_at limit :most"), {"before": before, "most": most})
        return _queue(db, engine, found.all())


def queue_these(
    database: Database, engine: EngineClient, run_ids: Sequence[str], owner: str | None = None
) -> list[str]:
    """Queue those of the runs that wait, are unknown to the engine, and that no live worker holds; return their ids."""
    if not run_ids:
        return []
    engine.connect()
    with database.writing() as db:
        these = f"run.run_id in (select value from {each_of(db)} fresh)"  # noqa: S608  our own words
        query = _query(db, WANTED, these + (" and run.owner = :owner" if owner is not None else ""))
        given = {"run_ids": json.dumps([*run_ids]), **({"owner": owner} if owner is not None else {})}
        return _queue(db, engine, db.execute(sa.text(query), given).all())


def _queue(db: sa.Connection, engine: EngineClient, rows: Sequence[sa.Row[*tuple[str, int, str]]]) -> list[str]:
    engine.enqueue(db, [run_id for run_id, resumptions, holder in rows if not (resumptions or holder)])
    for run_id, resumptions, holder in rows:
        if holder:
            hand_on(db, engine, run_id, holder, resumptions, by="queue")
        elif resumptions:
            engine.enqueue_again(db, run_id, resumptions)
    return [run_id for run_id, _, _ in rows]


def hand_on(
    db: sa.Connection, engine: EngineClient, run_id: str, dead: str, number: int, by: str
) -> run_holders.TakenUp | None:
    """Queue a run of a dead worker. None if it is over, rests, or has changed hands by now."""
    if (taken := run_holders.hand_on(db, run_id, dead, number)) is not None:
        note_taken(db, run_id, taken, by)
        engine.enqueue_again(db, run_id, taken.resumptions)
    return taken


def note_taken(db: sa.Connection, run_id: str, taken: run_holders.TakenUp, by: str) -> None:
    """Log that a run goes on after its worker died."""
    if taken.began and taken.after not in ("", by):
        run_rows.note_event(db, run_id, logged(Recovered(by=by)))


def queue_rested(database: Database, engine: EngineClient, most: int, run_ids: Sequence[str] | None = None) -> int:
    """Queue runs whose rest is over, but those that stay with a live worker of their own. Return how many."""
    with database.reading() as db:
        due = [run_id for run_id, _ in run_rests.rested(db, most, run_ids)]
    if not due:
        return 0
    engine.connect()
    queued = 0
    for run_id in due:
        with database.writing() as db:
            run_rests.lock(db, run_id)
            rows = run_rests.rested(db, 1, [run_id])
            if not rows or (rows[0].executor_id and leases.lives(db, rows[0].executor_id)):
                continue
            resumptions = run_holders.take_rested(db, run_id)
            if resumptions is not None:
                engine.enqueue_again(db, run_id, resumptions)
                queued += 1
    return queued


def _query(db: sa.Connection, columns: str, which: str) -> str:
    """Of the runs that wait, those without a workflow and without a worker that may be about to start one.

    A worker counts until its lease is taken away: only then it can no longer write. All values of `follows` are named
    so that the index by it and by state is used: a search of all runs would read the whole table.
    """
    return (
        f"select {columns} from hustings_run run "  # noqa: S608  our own words
        f"where run.follows in ('', 'due', 'done') and run.state in {OPEN_STATES} and {which} "
        "and run.rests_until is null and run.executor_id not like 'host:%' "
        f"and not exists (select 1 from {engines(db, STATUS)} known where known.workflow_uuid = {WORKFLOW_OF_RUN}) "
        "and not exists (select 1 from hustings_lease lease where lease.executor_id = run.executor_id)"
    )
