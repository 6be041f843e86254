"""RunHold: one process at a time makes the paid calls of a hosted run; one that is killed holds it for seconds only."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from hustings.db import leases
from hustings.db.connection import Database
from hustings.db.leases import Fenced
from hustings.db.writer import Writer
from hustings.errors import Unsuitable

T = TypeVar("T")
TTL = 5.0
"""Seconds without a sign of life after which another process may take over."""
PATIENCE = 60.0
"""Seconds to wait for a process that has the run."""
POLL_SECONDS = 0.1


class HoldLost(BaseException):
    """Another process has taken over. No `Exception`, so that no policy for failed seats takes it."""


class PlainWriter:
    """Writes in transactions of its own, where nothing is paid and any number of processes may write."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def write(self, work: Callable[[sa.Connection], T], /) -> T:
        with self._database.writing() as db:
            return work(db)


class HeldWriter:
    """Writes only while this process holds the run."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    async def write(self, work: Callable[[sa.Connection], T], /) -> T:
        try:
            return await self._writer.write(work)
        except Fenced:
            raise HoldLost from None


@contextmanager
def run_hold(database: Database, run_id: str, executor_id: str) -> Generator[HeldWriter]:
    """Hold a run; waits for a process that has it."""
    leases.take(database, executor_id, TTL)
    stop = threading.Event()
    renewing = threading.Thread(target=_renew, args=(database, executor_id, stop), name="hustings-hold", daemon=True)
    renewing.start()
    try:
        _await_turn(database, run_id, executor_id)
        writer = Writer(database, executor_id)
        try:
            yield HeldWriter(writer)
        finally:
            writer.close()
    finally:
        stop.set()
        renewing.join()
        leases.release(database, executor_id)


def _renew(database: Database, executor_id: str, stop: threading.Event) -> None:
    while not stop.wait(TTL / 5):
        with suppress(SQLAlchemyError):  # a late renewal counts as long as no other process took over
            if not leases.renew(database, executor_id, TTL):
                return


def _await_turn(database: Database, run_id: str, executor_id: str) -> None:
    until = time.monotonic() + PATIENCE
    while True:
        with database.writing() as db:
            if leases.hold_run(db, run_id, executor_id):
                return
        if time.monotonic() > until:
            raise Unsuitable(
                f"another command is making calls for {run_id!r}", fix=f"when it is done: hustings next {run_id}"
            )
        time.sleep(POLL_SECONDS)
