"""How it stands, seen from outside: whether this process is ready, and the counts behind the metrics."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Generic, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from hustings.db import metering, migrate
from hustings.db.caps import State
from hustings.db.connection import Database, file_of
from hustings.db.faults import unusable
from hustings.db.instants import instant, seconds_of
from hustings.db.metering import Booked, CallGroup, CallSums, Standing, SumsByGroup
from hustings.db.tables import LEASE
from hustings.errors import Unsuitable

from . import unqueued
from .client import QUEUE, STATUS, engines

T = TypeVar("T")
STATES: tuple[State, ...] = ("waiting", "running", "paused", "ended", "broken")
FRESH_SECONDS = 1.0
"""Seconds for which one look at the database serves all who ask."""
READY_SECONDS, COUNT_SECONDS = 3.0, 30.0
"""Seconds after which a look at the database is given up."""


@dataclass(frozen=True)
class Snapshot:
    """What is counted at one moment, over all owners."""

    runs: Mapping[str, int]
    unqueued: int
    """Runs that wait and are unknown to the engine: no worker will take them."""
    queues: Mapping[str, int]
    oldest_waiting: float
    """Seconds."""
    workers: int
    usage: SumsByGroup
    booked: Booked


class Status:
    """Threads may share it. `worker` is the id of the worker in this process, and None without one.

    An empty id means that the worker has not begun yet.
    """

    def __init__(self, database: Database, worker: str | None = None) -> None:
        self._database, self.worker = database, worker
        self._tally = _CallTally()
        self._ready = _Shared(self._look, READY_SECONDS)
        self._counted = _Shared(self._count, COUNT_SECONDS)

    def not_ready(self) -> str:
        """Why this process can do no work now, with the fix; empty if it can."""
        return self._ready() or ""

    def snapshot(self) -> Snapshot:
        """Raises `Unsuitable` while the database cannot be read."""
        found = self._counted()
        if isinstance(found, str):
            raise Unsuitable(found)
        return found

    def _look(self) -> str:
        path = file_of(self._database.url)
        if path is not None and not path.exists():
            return "the database file is missing"
        version = migrate.version_of(self._database)
        if version is None:
            return "the database has no tables yet: hustings db upgrade"
        if version != migrate.HEAD:
            return str(migrate.other_version(version))
        return "" if self.worker is None else self._of_lease()

    def _of_lease(self) -> str:
        if not self.worker:
            return "the worker has not started yet"
        held = sa.select(LEASE.c.expires >= self._database.now).where(LEASE.c.executor_id == self.worker)
        with self._database.reading() as db:
            lives = db.scalar(held)
        if lives is None:
            return "the worker has lost its lease: restart it"
        return "" if lives else "the worker's lease has expired: it waits for the database"

    def _count(self) -> Snapshot | str:
        snapshot = {"isolation_level": "REPEATABLE READ"} if self._database.dialect == "postgresql" else {}
        with self._database.reading() as db:
            db.execution_options(**snapshot)
            stands = metering.standing(db)
            oldest = stands.oldest_waiting
            return Snapshot(
                runs={state: stands.states[state] for state in STATES},
                unqueued=unqueued.count_in(db, instant(time.time() - unqueued.GRACE)),
                queues=_queues(db),
                oldest_waiting=max(0.0, time.time() - seconds_of(oldest)) if oldest else 0.0,
                workers=metering.live_workers(db, self._database),
                usage=self._tally.read(db, stands),
                booked=metering.booked(db),
            )


class _CallTally:
    """CallSums of all runs. Calls of a run that is over never change, so they are read once."""

    def __init__(self) -> None:
        self._counted: set[str] = set()
        self._sums: dict[CallGroup, CallSums] = {}

    def read(self, db: sa.Connection, stands: Standing) -> SumsByGroup:
        if self._counted - stands.over:  # deleted since
            self._counted, self._sums = set(), {}
        self._sums = _added(self._sums, metering.usage(db, sorted(stands.over - self._counted)))
        self._counted = stands.over
        return _added(self._sums, metering.usage(db, sorted(stands.going)))


def _added(one: SumsByGroup, other: SumsByGroup) -> dict[CallGroup, CallSums]:
    return {**one, **{group: one.get(group, CallSums()) + more for group, more in other.items()}}


def _queues(db: sa.Connection) -> dict[str, int]:
    """Runs that no worker has taken yet, by queue."""
    waiting = f"select queue_name, count(*) from {engines(db, STATUS)} where status = 'ENQUEUED' group by queue_name"  # noqa: S608  our own names
    found: dict[str, int] = {row[0]: row[1] for row in db.execute(sa.text(waiting))}
    return {QUEUE: found.get(QUEUE, 0)}


class _Shared(Generic[T]):
    """One look at a time, for all who ask meanwhile and for a moment after. What fails is told in words."""

    def __init__(self, look: Callable[[], T], patience: float) -> None:
        self._look, self._patience = look, patience
        self._lock = threading.Lock()
        self._seen: Future[T | str] | None = None
        self._seen_at = 0.0

    def __call__(self) -> T | str:
        with self._lock:
            stale = time.monotonic() - self._seen_at > FRESH_SECONDS
            if self._seen is None or (self._seen.done() and stale):
                self._seen = Future()
                # Not a pool: one that waits for a dead database would keep the process from ending.
                threading.Thread(target=self._run, args=(self._seen,), name="hustings-status", daemon=True).start()
            seen = self._seen
        try:
            return seen.result(self._patience)
        except TimeoutError:
            return f"the database has not answered for {self._patience:.0f} seconds"

    def _run(self, seen: Future[T | str]) -> None:
        try:
            found = self._look()
        except SQLAlchemyError as error:
            found = unusable(error).what
        except Exception as error:  # noqa: BLE001  who asks must get an answer
            found = f"unknown ({type(error).__name__})"
        self._seen_at = time.monotonic()
        seen.set_result(found)
