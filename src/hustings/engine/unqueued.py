"""Runs on record that wait and are unknown to the engine: nothing would ever begin them. Count, find and queue them.

Entering a run and queueing it is one transaction. A run can still be left over: by a process that was to execute it
itself and died, or by a release that queued after it had entered.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import sqlalchemy as sa
from pydantic import ValidationError

from hustings.db import run_rows
from hustings.db.connection import Database, each_of
from hustings.runs.spec import RunSpec

from .client import QUEUE, STATUS, WITH_PEOPLE, EngineClient, engines

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
        query = _query(db, "run.run_id, run.spec", LEFT_OVER)
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
        query = _query(db, "run.run_id, run.spec", these + (" and run.owner = :owner" if owner is not None else ""))
        given = {"run_ids": json.dumps([*run_ids]), **({"owner": owner} if owner is not None else {})}
        return _queue(db, engine, db.execute(sa.text(query), given).all())


def enqueue(db: sa.Connection, engine: EngineClient, specs: Sequence[RunSpec]) -> None:
    """Queue runs in the caller's transaction."""
    for queue in (QUEUE, WITH_PEOPLE):
        engine.enqueue(db, [spec.run_id for spec in specs if queue_of(spec) == queue], queue)


def queue_of(spec: RunSpec) -> str:
    return WITH_PEOPLE if any(player.model == "human" for player in spec.debate.cast.values()) else QUEUE


def _queue(db: sa.Connection, engine: EngineClient, rows: Sequence[sa.Row[*tuple[str, str]]]) -> list[str]:
    by_queue: dict[str, list[str]] = {QUEUE: [], WITH_PEOPLE: []}
    for run_id, spec in rows:
        try:
            by_queue[queue_of(RunSpec.model_validate_json(spec))].append(run_id)
        except ValidationError:  # the worker that takes it says so
            by_queue[QUEUE].append(run_id)
    for queue, run_ids in by_queue.items():
        engine.enqueue(db, run_ids, queue)
    found = [run_id for run_id, _ in rows]
    run_rows.let_go(db, found)
    return found


def _query(db: sa.Connection, columns: str, which: str) -> str:
    """Of the runs that wait, those without a workflow and without a worker that may be about to start one.

    A worker counts until its lease is taken away: only then it can no longer write. All values of `follows` are named
    so that the index by it and by state is used: a search of all runs would read the whole table.
    """
    return (
        f"select {columns} from hustings_run run "  # noqa: S608  our own words
        f"where run.follows in ('', 'due', 'done') and run.state = 'waiting' and {which} "
        f"and not exists (select 1 from {engines(db, STATUS)} known where known.workflow_uuid = run.run_id) "
        "and not exists (select 1 from hustings_lease lease where lease.executor_id = run.executor_id)"
    )
