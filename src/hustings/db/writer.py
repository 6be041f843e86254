"""Group commit: one thread batches the waiting writes of many calls into one transaction.

A worker writes only while its lease exists. The check is in the same transaction as the writes,
so a worker that lost its lease writes nothing, however long it slept.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from .connection import Database, file_of
from .faults import is_away, unusable
from .leases import Fenced, holds

T = TypeVar("T")
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 2.0
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Job(Generic[T]):
    work: Callable[[sa.Connection], T]
    done: Future[T]


class Writer:
    """One thread, one connection, one transaction at a time."""

    def __init__(self, database: Database, executor_id: str) -> None:
        self._database, self._executor_id = database, executor_id
        path = file_of(database.url)
        self._folder = path and path.parent
        self._waiting: list[_Job[Any]] = []
        self._wake = threading.Condition()
        self._closed = False
        self._connection: sa.Connection | None = None
        """Kept open: a pool would ping the database before every transaction."""
        self.commits = 0
        self._thread = threading.Thread(target=self._run, name="hustings-writer", daemon=True)
        self._thread.start()

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        """Run some work in a transaction. Waits while the database is unavailable."""
        return await asyncio.wrap_future(self.submit(work))

    def submit(self, work: Callable[[sa.Connection], T]) -> Future[T]:
        job = _Job(work, Future[T]())
        job.done.set_running_or_notify_cancel()  # a caller that stops waiting does not undo a paid answer
        with self._wake:
            if self._closed:
                raise Fenced(f"{self._executor_id} has stopped. Another worker continues its debates")
            self._waiting.append(job)
            self._wake.notify()
        return job.done

    def close(self) -> None:
        """Write what waits, then stop."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._wake:
                while not self._waiting and not self._closed:
                    self._wake.wait()
                jobs, self._waiting = self._waiting, []
            if not jobs:
                break
            self._commit(jobs)
        self._hang_up()

    def _commit(self, jobs: Sequence[_Job[Any]]) -> None:
        try:
            results = self._stubbornly([job.work for job in jobs])
        except Exception as error:  # noqa: BLE001  one bad write must not fail the others
            if len(jobs) == 1 or isinstance(error, Fenced):
                for job in jobs:
                    job.done.set_exception(error)
                return
            for job in jobs:
                self._commit([job])
            return
        for job, result in zip(jobs, results, strict=True):
            job.done.set_result(result)

    def _stubbornly(self, works: Sequence[Callable[[sa.Connection], Any]]) -> list[Any]:
        """Retry while the database is unavailable: giving up would lose an answer that was paid for."""
        pause = FIRST_PAUSE
        while True:
            try:
                results = self._transact(works)
            except DBAPIError as error:
                self._hang_up()
                if not is_away(error) or self._closed:
                    raise
                if pause == FIRST_PAUSE:
                    log.warning("%s; trying again", unusable(error, self._folder).what)
                time.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE)
            else:
                self.commits += 1
                return results

    def _transact(self, works: Sequence[Callable[[sa.Connection], Any]]) -> list[Any]:
        if self._connection is None:
            self._connection = self._database.engine.connect()
        db = self._connection
        with db.begin():
            if not holds(db, self._executor_id):
                raise Fenced(f"{self._executor_id} has lost its lease. Another worker continues its debates")
            return [work(db) for work in works]

    def _hang_up(self) -> None:
        """Drop the connection; the next transaction opens a new one."""
        if self._connection is not None:
            with suppress(DBAPIError):
                self._connection.invalidate()
            with suppress(DBAPIError):
                self._connection.close()
        self._connection = None
