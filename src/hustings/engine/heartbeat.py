"""Heartbeat: renew this worker's lease, and requeue the runs of workers whose leases expired.

After a database outage all leases are old. So a worker takes leases from others only after its own
has held for a whole term without a gap.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence

import sqlalchemy as sa
from dbos._dbos import _get_dbos_instance  # pyright: ignore[reportPrivateUsage]
from sqlalchemy.exc import SQLAlchemyError

from hustings.db import leases, run_rows
from hustings.db.connection import Database
from hustings.db.faults import unusable

from .client import ENGINE, QUEUE, run_of
from .durable_run import give_up

log = logging.getLogger(__name__)


class Heartbeat:
    """A thread that renews the lease and, once the engine is up, requeues runs of dead workers."""

    def __init__(
        self, database: Database, executor_id: str, ttl: float, on_fenced: Callable[[], None], *, sweeps: bool
    ) -> None:
        self._database, self._executor_id, self._ttl = database, executor_id, ttl
        self._on_fenced, self._sweeps = on_fenced, sweeps
        self._stop = threading.Event()
        self._since = self._until = time.monotonic()
        self._thread = threading.Thread(target=self._beat, name="hustings-heartbeat", daemon=True)

    def start(self) -> None:
        self._until = time.monotonic() + self._ttl
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()

    def _beat(self) -> None:
        while not self._stop.wait(self._ttl / 3):
            asked = time.monotonic()
            if asked > self._until:
                self._since = asked
            try:
                if not leases.renew(self._database, self._executor_id, self._ttl):
                    self._on_fenced()
                    return
                self._until = asked + self._ttl
                if self._sweeps and asked - self._since >= self._ttl:
                    self.sweep()
            except SQLAlchemyError as error:  # a failed beat is a late beat: the database may be unavailable
                log.warning("could not renew the lease: %s", unusable(error).what)
            except Exception:  # the thread must survive any error of the engine, or the worker loses its lease
                log.exception("could not hand over debates of dead workers; trying again")

    def sweep(self) -> list[str]:
        """Fence out dead workers first, then requeue their runs. Safe to repeat and to run concurrently."""
        gone = set(leases.expired(self._database)) - {self._executor_id}
        if gone:
            leases.take_away(self._database, gone)
        dead = sorted(self._busy() - leases.known(self._database) - {self._executor_id})
        if dead:
            hand_on(dead)
        self._give_up_hopeless()
        return dead

    def _busy(self) -> set[str]:
        """Workers that have active runs, according to the engine's table."""
        with self._database.reading() as db:
            return set(db.scalars(self._engines("select distinct executor_id from {} where status = 'PENDING'")))

    def _give_up_hopeless(self) -> None:
        """Mark runs as broken that the engine dropped silently after too many recoveries."""
        query = "select workflow_uuid from {} where status = 'MAX_RECOVERY_ATTEMPTS_EXCEEDED'"
        with self._database.reading() as db:
            runs = map(run_of, db.scalars(self._engines(query)))
            dropped = [run_id for run_id in runs if run_rows.is_open(db, run_id)]
        for run_id in dropped:
            with self._database.writing() as db:
                give_up(db, run_id, "it was restarted too often without progress")

    def _engines(self, query: str) -> sa.TextClause:
        """A query on the engine's own table."""
        schema = "dbos." if self._database.dialect == "postgresql" else ""
        return sa.text(query.format(f"{schema}workflow_status"))


def hand_on(dead: Sequence[str]) -> None:
    """Requeue the runs of dead workers; exactly one free worker takes each.

    Uses a private API: the engine's own recovery would put runs without a queue where every command
    that executes its own run picks them up. A contract test checks the private functions used here.
    """
    engine = _get_dbos_instance()._sys_db  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
    for executor_id in dead:
        for run in engine.get_pending_workflows(executor_id, ENGINE):
            engine.reenqueue_for_recovery(run.workflow_id, list(dead), QUEUE)
