"""Worker: executes runs. `Duty` sets how long its lease lasts and how much it does.

A worker is a process that takes runs from the queue, or part of a program that executes runs of its own. If it is
killed at any moment, its runs continue elsewhere.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Self
from uuid import uuid4

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from hustings.db import leases, migrate, run_holders
from hustings.db.connection import Database, connect
from hustings.db.writer import Writer
from hustings.errors import HustingsError
from hustings.llm.model import Model
from hustings.llm.model_spec import ModelSpec
from hustings.runs.protocol_files import with_protocol
from hustings.runs.spec import RunSpec
from hustings.transcript.events import TextStreamed

from .client import EngineClient, engine_tables, missing_tables
from .durable_run import Rests, give_up, perform
from .heartbeat import Heartbeat
from .leaving import Leaving
from .live_text import Bus, PostgresRelay
from .model_call import WorkerContext
from .rests import Rest, Waits
from .run_loop import RunLoop
from .sweep import hand_over, sweep
from .throttle import AT_ONCE, Throttle

log = logging.getLogger(__name__)

LAST_SECONDS = 0.5
"""For a worker that leaves at once."""
LOST = 75
"""Exit code of a worker whose runs went to others."""


@dataclass(frozen=True)
class Duty:
    """Settings of a worker."""

    concurrency: int = 32
    """Runs at a time; further ones wait for a place."""
    ttl: float = 15.0
    """Seconds without a heartbeat after which other workers take over."""
    takes: bool = True
    """Take runs from the queue and from dead workers; otherwise only those started here."""
    at_once: int = AT_ONCE
    """Calls to one endpoint at a time."""
    polling: float = 0.25
    drain: int = 30
    """Seconds that answers under way get to arrive when the worker stops."""


class Worker:
    """Use it as a context manager: inside, runs are executed."""

    def __init__(
        self,
        url: str,
        models: Callable[[ModelSpec], Model],
        duty: Duty | None = None,
        on_lost: Callable[[HustingsError], None] | None = None,
    ) -> None:
        """`on_lost` is told that the lease was lost or the database's file is gone; without it, the process ends."""
        self.duty = duty or Duty()
        mine = "" if self.duty.takes else leases.OWN
        self.executor_id = f"{mine}{socket.gethostname()}-{os.getpid()}-{uuid4().hex[:12]}"
        self.database: Database = connect(url)
        self.bus = Bus()
        self._relay = PostgresRelay(self.bus, url, self.executor_id) if self.database.dialect == "postgresql" else None
        self._models = models
        self._engine = EngineClient(url)
        self._heartbeat = Heartbeat(
            self.database, self.executor_id, self.duty.ttl, self._on_lost, self.sweep if self.duty.takes else None
        )
        self._tell_lost = on_lost or _leave
        self.lost: HustingsError | None = None
        """Why nothing that it does counts any more, if that is so."""
        self.leaving = Leaving()
        self._open: ExitStack
        self._at_work: dict[str, Future[None]] = {}
        self._in_line: set[str] = set()
        self._places = asyncio.Semaphore(self.duty.concurrency)
        self._loop: RunLoop
        self.writer: Writer
        self.context: WorkerContext
        self._limits: Throttle

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._begin(stack)
            self._open = stack.pop_all()  # what fails before lets go of all that was taken
        return self

    def _begin(self, stack: ExitStack) -> None:
        stack.callback(self.database.close)
        migrate.upgrade(self.database, engine_tables if self.duty.takes else missing_tables)
        if self._relay:
            self._relay.start()
            stack.callback(self._relay.close)
        self._limits = Throttle(self.database, at_once=self.duty.at_once)
        stack.callback(self._limits.close)
        leases.take(self.database, self.executor_id, self.duty.ttl)  # first: work may arrive at once
        stack.callback(self._give_lease_back, self.database)
        self.writer = Writer(self.database, self.executor_id)
        stack.callback(self.writer.close)
        self.context = WorkerContext(
            self.executor_id,
            self.writer,
            self._limits,
            self._models,
            self._on_text,
            self.duty.takes,
            self.leaving,
        )
        stack.enter_context(closing(self._engine))
        self._heartbeat.start()
        stack.callback(self._heartbeat.stop)
        self._loop = RunLoop()
        stack.callback(lambda: self._loop.close(self._seconds_left))
        if self.duty.takes:
            from .intake import Intake  # noqa: PLC0415  heavy, and never in a program that has an engine of its own

            intake = Intake(self.database.url, self.executor_id, self._take_up)
            stack.callback(lambda: intake.close(self._seconds_left))
            intake.open(self.duty.concurrency, self.duty.polling)
            hand_over(self.database, self._engine, self.executor_id)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let the answers under way arrive, then release the lease so that others can continue at once."""
        if kind is None:
            self.leaving.begin()
        self._open.close()

    @property
    def _seconds_left(self) -> int:
        """For what is under way when the worker stops; none if it stops for an error."""
        return self.leaving.seconds_left(self.duty.drain) if self.leaving.begun else 0

    def leave_at_once(self) -> None:
        """Give the lease back, so that others go on at once. The process ends next. Safe in a signal handler."""
        self._heartbeat.let_go()

        def give() -> None:
            with closing(connect(self.database.url)) as database:
                self._give_lease_back(database)

        giving = threading.Thread(target=give, daemon=True)  # with a connection of its own: this one may hold any lock
        giving.start()
        giving.join(LAST_SECONDS)

    def _give_lease_back(self, database: Database) -> None:
        with suppress(SQLAlchemyError):  # it runs out by itself
            leases.release(database, self.executor_id)

    def _on_lost(self, error: HustingsError) -> None:
        self.lost = error
        self._tell_lost(error)

    def start(self, run_id: str, resumptions: int = 0, models: Callable[[ModelSpec], Model] | None = None) -> None:
        """Execute a run here, alongside others; with models of its own, if its caller has other keys."""
        context = replace(self.context, models=models) if models else self.context
        self._in_line.add(run_id)
        work = self._loop.submit(self._in_turn(context, run_id, resumptions))
        self._at_work[run_id] = work
        work.add_done_callback(lambda _: self._at_work.get(run_id) is work and self._at_work.pop(run_id))

    def is_at_work(self, run_id: str) -> bool:
        """Whether a run that was started here is being executed, or waits for a place."""
        return run_id in self._at_work

    def has_begun(self, run_id: str) -> bool:
        """Whether a run that was started here no longer waits for a place."""
        return run_id not in self._in_line

    @property
    def run_ids(self) -> list[str]:
        """Runs that were started here and are not over."""
        return [*self._at_work]

    def sweep(self) -> list[str]:
        """Queue the runs of workers that are dead."""
        return sweep(self.database, self._engine, self.executor_id)

    async def _in_turn(self, context: WorkerContext, run_id: str, resumptions: int) -> None:
        if self._places.locked():
            log.info("%s waits: %d debates run here at a time", run_id, self.duty.concurrency, extra={"run_id": run_id})
        async with self._places:
            self._in_line.discard(run_id)
            await take_up(context, run_id, resumptions)

    def _take_up(self, run_id: str, resumptions: int) -> Future[None]:
        return self._loop.submit(take_up(self.context, run_id, resumptions))

    def _on_text(self, run_id: str, piece: TextStreamed) -> None:
        (self._relay or self.bus).publish(run_id, piece)


async def take_up(context: WorkerContext, run_id: str, resumptions: int) -> None:
    """Execute a run that was given to this worker until it is over or rests, unless another has taken it up since."""
    about = {"run_id": run_id}
    row = await context.write(lambda db: run_holders.claim(db, run_id, context.executor_id, resumptions))
    if row is None:
        log.info("%s: not taken up", run_id, extra=about)
        return
    log.info("%s: begun", run_id, extra=about)
    try:
        ending = await perform(context, await _with_protocol(context, RunSpec.model_validate_json(row["spec"])))
    except Rests:
        log.info("%s: rests", run_id, extra=about)
    except Exception as error:  # noqa: BLE001  protocols may come from anyone
        log.info("%s: broken (%s)", run_id, type(error).__name__, extra=about)
        why = f"{type(error).__name__}: {error}"
        await context.write(lambda db: give_up(db, run_id, why))
    else:
        log.info("%s: over: %s", run_id, ending.kind, extra=about)


async def _with_protocol(context: WorkerContext, spec: RunSpec) -> RunSpec:
    """The run with the protocol of its file; if that can't be used here, the run is set aside."""
    try:
        return await asyncio.to_thread(with_protocol, spec)
    except HustingsError as error:
        why = str(error)
    level = logging.WARNING if context.takes else logging.INFO  # a command says it when the run has paused
    log.log(level, "left %s: %s", spec.run_id, why, extra={"run_id": spec.run_id})
    await context.write(lambda db: _set_aside(db, context, spec, why))
    raise Rests


def _set_aside(db: sa.Connection, context: WorkerContext, spec: RunSpec, why: str) -> None:
    """Let a run rest until it is resumed; one that was cancelled is over."""
    if not Rest(spec, Waits(without_protocol=why), context).begin(db):
        give_up(db, spec.run_id, f"it was cancelled, and {why}")


def settle_in() -> None:
    """Freeze loaded objects, so that the garbage collector does not scan them again while debates run."""
    import hustings.llm.pydantic_ai_adapter  # noqa: F401, PLC0415  # pyright: ignore[reportUnusedImport]

    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


def _leave(_why: HustingsError) -> None:
    """Exit at once: nothing that the worker does counts any more."""
    os._exit(LOST)
