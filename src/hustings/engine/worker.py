"""Worker: hosts the durable engine and executes runs. `Duty` sets how long its lease lasts and how much it does.

DBOS is used here, in `heartbeat` and in `client`. A worker is a process that takes runs from the queue, or
part of a command that executes one run. If it is killed at any moment, its runs continue elsewhere.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Self
from uuid import uuid4

from dbos import DBOS, DBOSConfig, DBOSPortableJSONSerializer, SetWorkflowID

from hustings.db import leases, migrate, run_rows
from hustings.db.connection import IDLE_SECONDS, Database, connect
from hustings.db.writer import Writer
from hustings.llm.model import Model
from hustings.llm.model_spec import ModelSpec
from hustings.runs.spec import DAY, RunSpec
from hustings.transcript.events import TextStreamed

from .client import ENGINE, NAME, QUEUE, engine_tables, workflow_id
from .durable_run import Rests, give_up, perform
from .heartbeat import Heartbeat
from .live_text import Bus, PostgresRelay
from .model_call import WorkerContext
from .throttle import AT_ONCE, Throttle

log = logging.getLogger(__name__)

RECOVERIES = 50
"""Every dispatch counts as one, even after an orderly restart."""


@dataclass(frozen=True)
class Duty:
    """Settings of a worker."""

    concurrency: int = 32
    """Runs at a time."""
    ttl: float = 15.0
    """Seconds without a heartbeat after which other workers take over."""
    takes: bool = True
    """Take runs from the queue and from dead workers; otherwise only those started here."""
    at_once: int = AT_ONCE
    """Calls to one endpoint at a time."""
    polling: float = 0.25
    drain: int = 30
    """Seconds that active runs get to finish when the worker stops."""


class Worker:
    """Use it as a context manager: inside, runs are executed."""

    def __init__(
        self,
        url: str,
        models: Callable[[ModelSpec], Model],
        duty: Duty | None = None,
        on_fenced: Callable[[], None] | None = None,
    ) -> None:
        self.duty = duty or Duty()
        self.executor_id = f"{socket.gethostname()}-{os.getpid()}-{uuid4().hex[:12]}"
        self.database: Database = connect(url)
        self.bus = Bus()
        self._relay = PostgresRelay(self.bus, url, self.executor_id) if self.database.dialect == "postgresql" else None
        self._models = models
        self._heartbeat = Heartbeat(
            self.database, self.executor_id, self.duty.ttl, on_fenced or _leave, sweeps=self.duty.takes
        )
        self._seconds_left = 0
        self._open: ExitStack
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
        migrate.upgrade(self.database, engine_tables)
        _here.append(self)
        stack.callback(_here.remove, self)
        if self._relay:
            self._relay.start()
            stack.callback(self._relay.close)
        self._limits = Throttle(self.database, at_once=self.duty.at_once)
        stack.callback(self._limits.close)
        leases.take(self.database, self.executor_id, self.duty.ttl)  # first: work may arrive at once
        stack.callback(leases.release, self.database, self.executor_id)
        self.writer = Writer(self.database, self.executor_id)
        stack.callback(self.writer.close)
        self.context = WorkerContext(
            self.executor_id, self.writer, self._limits, self._models, self._on_text, self.duty.takes
        )
        self._heartbeat.start()
        stack.callback(self._heartbeat.stop)
        stack.callback(lambda: DBOS.destroy(workflow_completion_timeout_sec=self._seconds_left))
        DBOS(config=config_for(self.database.url, self.executor_id))
        if not self.duty.takes:
            DBOS.listen_queues([])
        DBOS.launch()
        if self.duty.takes:
            DBOS.register_queue(QUEUE, worker_concurrency=self.duty.concurrency, polling_interval_sec=self.duty.polling)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give active runs some time to finish, then release the lease so that others can continue at once."""
        self._seconds_left = self.duty.drain if kind is None else 0
        self._open.close()

    def start(self, spec: RunSpec, resumptions: int = 0) -> None:
        """Execute a run here, alongside others."""
        with SetWorkflowID(workflow_id(spec.run_id, resumptions)):
            DBOS.start_workflow(perform_run, spec.run_id)

    def _on_text(self, run_id: str, piece: TextStreamed) -> None:
        (self._relay or self.bus).publish(run_id, piece)


_here: list[Worker] = []
"""The worker of this process: the engine allows only one."""


class _Left(BaseException):
    """The worker stops. DBOS takes a cancelled task for a failed workflow, unless it raises a non-`Exception`."""


@DBOS.workflow(name="perform", max_recovery_attempts=RECOVERIES)
async def perform_run(run_id: str) -> str:
    """The workflow: one stretch of a run, until it is over or rests. Its spec and results are in our own tables."""
    context, about = _here[0].context, {"run_id": run_id}
    log.info("begun", extra=about)
    try:
        row = await context.write(lambda db: run_rows.read(db, run_id))
        if row and (row["rests_until"] is not None or workflow_id(run_id, row["resumptions"]) != DBOS.workflow_id):
            return "rests"  # it rested, and perhaps went on, before its worker died
        ending = await perform(context, RunSpec.model_validate_json(row["spec"] if row else ""))
    except Rests:
        log.info("rests", extra=about)
        return "rests"
    except asyncio.CancelledError:
        raise _Left from None
    except Exception as error:
        log.info("broken (%s)", type(error).__name__, extra=about)
        why = f"{type(error).__name__}: {error}"
        await context.write(lambda db: give_up(db, run_id, why))
        raise
    log.info("over: %s", ending.kind, extra=about)
    return ending.kind


def settle_in() -> None:
    """Freeze loaded objects, so that the garbage collector does not scan them again while debates run."""
    import hustings.llm.pydantic_ai_adapter  # noqa: F401, PLC0415  # pyright: ignore[reportUnusedImport]

    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)


def config_for(url: str, executor_id: str) -> DBOSConfig:
    return {
        "name": NAME,
        "system_database_url": url,
        "executor_id": executor_id,
        "application_version": ENGINE,
        "serializer": DBOSPortableJSONSerializer(),
        "enable_patching": False,
        "max_executor_threads": 8,
        "sys_db_pool_size": 8,
        # A worker that hangs inside a transaction must not keep others from taking over.
        "sys_db_idle_transaction_timeout_sec": IDLE_SECONDS,
        # DBOS would take a slow connection for a failed workflow.
        "db_engine_kwargs": {"pool_timeout": DAY},
        "run_migrations": False,
        "notification_listener_polling_interval_sec": 0.1,
        "log_level": os.environ.get("HUSTINGS_ENGINE_LOG", "ERROR"),
    }


def _leave() -> None:
    """Exit at once: the worker lost its lease and its runs went to others, so nothing it does counts any more."""
    os._exit(75)
