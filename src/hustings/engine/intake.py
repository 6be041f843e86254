"""Intake: takes runs from the engine's queue and gives them to the worker of this process. DBOS runs only here.

The engine is needed for the queue alone. It knows nothing of a run but its id and its number, and what becomes of it
is on our own record; so a workflow here begins, waits until the worker is done with the run, and is over.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import Future

from dbos import DBOS, DBOSConfig, DBOSPortableJSONSerializer

from hustings.db.connection import IDLE_SECONDS
from hustings.runs.spec import DAY

from .client import ENGINE, NAME, QUEUE, run_of
from .leaving import Left

TakeUp = Callable[[str, int], Future[None]]
"""Gives a run to the worker, by its id and number."""


class Intake:
    """The engine allows one per process."""

    def __init__(self, url: str, executor_id: str, take_up: TakeUp) -> None:
        self._config = config_for(url, executor_id)
        self._take_up = take_up

    def open(self, concurrency: int, polling: float) -> None:
        _here.append(self._take_up)
        DBOS(config=self._config)
        DBOS.launch()
        DBOS.register_queue(QUEUE, worker_concurrency=concurrency, polling_interval_sec=polling)

    def close(self, seconds: int) -> None:
        """Take no more, and give what was taken some seconds to end."""
        DBOS.destroy(workflow_completion_timeout_sec=seconds)
        _here.remove(self._take_up)


_here: list[TakeUp] = []
"""The worker of this process."""


@DBOS.workflow(name="perform")
async def perform_run(_run_id: str) -> None:
    """The workflow: one run, until it is over or rests."""
    try:
        await asyncio.wrap_future(_here[0](*run_of(DBOS.workflow_id or "")))
    except asyncio.CancelledError:
        raise Left from None


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
        "log_level": os.environ.get("HUSTINGS_ENGINE_LOG", "ERROR"),
    }
