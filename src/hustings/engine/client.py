"""Client of the engine's queue (DBOS): queue and delete workflows without being a worker."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from functools import cached_property
from typing import TYPE_CHECKING
from uuid import uuid4

import sqlalchemy as sa

from hustings.db.connection import connect, each_of

if TYPE_CHECKING:
    from dbos import DBOSClient

NAME = "hustings"
ENGINE = "1"
"""Raised when waves, addresses or stored formats change; a worker ignores runs of another number."""
QUEUE = "debates"


class EngineClient:
    """Connects on first use."""

    def __init__(self, url: str) -> None:
        self._url = url

    @cached_property
    def dbos(self) -> DBOSClient:
        from dbos import DBOSClient, DBOSPortableJSONSerializer  # noqa: PLC0415  takes a second to load

        return DBOSClient(system_database_url=self._url, application_name=NAME, serializer=DBOSPortableJSONSerializer())

    def connect(self) -> None:
        """Load and connect before a transaction: inside one it would keep others waiting, and time out."""
        _ = self.dbos

    def close(self) -> None:
        if "dbos" in self.__dict__:
            self.dbos.destroy()

    def enqueue(self, db: sa.Connection, run_ids: Sequence[str]) -> None:
        """Queue runs in the caller's transaction; one that the engine knows stays where it is.

        The engine takes milliseconds to write a row. So it writes one for many runs, of a run that never was: the
        database copies it for each of them, and it is gone before the transaction ends.
        """
        if len(run_ids) == 1:
            self._enqueue_one(db, run_ids[0])
        elif run_ids:
            self._enqueue_one(db, model := f"model-{uuid4().hex}")
            each = {"model": model, "run_ids": json.dumps([*run_ids])}
            for table in (STATUS, INPUT):
                db.execute(_copies(db, table), each)
                delete = f"delete from {engines(db, table)} where workflow_uuid = :model"  # noqa: S608  the engine's own
                db.execute(sa.text(delete), {"model": model})

    def enqueue_again(self, db: sa.Connection, run_id: str, resumptions: int) -> None:
        """Queue a run that has rested, in the caller's transaction."""
        self._enqueue_one(db, run_id, resumptions)

    def _enqueue_one(self, db: sa.Connection, run_id: str, resumptions: int = 0) -> None:
        workflow = workflow_id(run_id, resumptions)
        self.dbos.enqueue_in_transaction(
            db,
            {"queue_name": QUEUE, "workflow_name": "perform", "workflow_id": workflow, "app_version": ENGINE},
            run_id,
        )

    def delete(self, resumptions: Mapping[str, int]) -> None:
        """Delete the workflows of runs, each with how often it was resumed."""
        self.dbos.delete_workflows([workflow_id(run, n) for run, most in resumptions.items() for n in range(most + 1)])


def workflow_id(run_id: str, resumptions: int) -> str:
    """Id of the workflow of a run, which has a new one each time it goes on after a rest."""
    return f"{run_id}~{resumptions}" if resumptions else run_id


def run_of(workflow: str) -> tuple[str, int]:
    """The run that a workflow belongs to, and its number; no run has `~` in its id."""
    run_id, _, number = workflow.partition("~")
    return run_id, int(number or 0)


def is_queued(db: sa.Connection, workflow: str) -> bool:
    """Whether a workflow waits in the queue, or was taken from it."""
    query = sa.text(f"select 1 from {engines(db, STATUS)} where workflow_uuid = :id")  # noqa: S608  our own words
    return db.scalar(query, {"id": workflow}) is not None


WORKFLOW_OF_RUN = "run.run_id || case when run.resumptions = 0 then '' else '~' || cast(run.resumptions as text) end"
"""`workflow_id` in SQL."""


def dropped(db: sa.Connection) -> list[sa.Row[*tuple[str, str, int]]]:
    """Id, worker (none) and number of each run that was taken from the queue, and never taken up.

    Its worker died in between, or could not write. The statuses are written out, as in the engine's indexes.
    """
    named = (
        "split_part({}, '~', 1)" if db.dialect.name == "postgresql" else "substr({0}, 1, instr({0} || '~', '~') - 1)"
    )
    waits = (
        f"select run.run_id, run.executor_id, run.resumptions from {engines(db, STATUS)} known "  # noqa: S608  ours
        f"join hustings_run run on run.run_id = {named.format('known.workflow_uuid')} "
        f"and {WORKFLOW_OF_RUN} = known.workflow_uuid and run.executor_id = '' and run.rests_until is null "
        "and run.state in ('waiting', 'running', 'paused') where "
    )
    without_lease = "not exists (select 1 from hustings_lease lease where lease.executor_id = known.executor_id)"
    query = f"{waits} known.status = 'PENDING' and {without_lease} union all {waits} known.status = 'ERROR'"
    return [*db.execute(sa.text(query))]


STATUS, INPUT = "workflow_status", "workflow_input"
"""Tables in which the engine has a row for each workflow."""


def engines(db: sa.Connection, table: str) -> str:
    """Full name of one of the engine's own tables."""
    return f"dbos.{table}" if db.dialect.name == "postgresql" else table


def _copies(db: sa.Connection, table: str) -> sa.TextClause:
    """Copy the row of one workflow for others, with their ids instead of its own."""
    schema, _, name = engines(db, table).rpartition(".")
    columns = [column["name"] for column in sa.inspect(db).get_columns(name, schema=schema or None)]
    own = {"workflow_uuid": "fresh.value", "inputs": "replace(model.inputs, :model, fresh.value)"}
    values = ", ".join(own.get(column, f"model.{column}") for column in columns)
    return sa.text(
        f"insert into {engines(db, table)} ({', '.join(columns)}) "  # noqa: S608  the engine's own names
        f"select {values} from {engines(db, table)} model, {each_of(db)} fresh "
        "where model.workflow_uuid = :model on conflict do nothing"
    )


def missing_tables(url: str) -> None:
    """Create the tables of the engine if there are none; loading it takes a second."""
    with closing(connect(url, pool=1)) as database, database.reading() as db:
        there = sa.inspect(db).has_table(STATUS, schema="dbos" if db.dialect.name == "postgresql" else None)
    if not there:
        engine_tables(url)


def engine_tables(url: str) -> None:
    """Create or upgrade the tables of the engine."""
    from dbos import DBOS  # noqa: PLC0415  takes a second to load

    DBOS.migrate(url)
