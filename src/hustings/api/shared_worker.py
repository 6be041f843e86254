"""The workers that debates of this process share, one for each database: they start with the first, stop at exit."""

from __future__ import annotations

import atexit
import logging
import os
import threading
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hustings.config.configured_tools import models_for
from hustings.config.variables import variables
from hustings.errors import HustingsError, Unsuitable

if TYPE_CHECKING:
    from hustings.engine.service import RunService
    from hustings.engine.worker import Worker

log = logging.getLogger("hustings")


class _WorkerLeft(Exception):
    """Stops a worker without draining: every run can resume later."""


@dataclass
class _SharedWorker:
    """The worker of a database, the service before it, and how many use them."""

    open: ExitStack
    service: RunService
    worker: Worker | None = None
    users: int = 0
    fenced: bool = False


class SharedWorkers:
    """They take nothing from the queue, and never touch an engine that the program runs for itself."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._shared: dict[str, _SharedWorker] = {}
        self._forked = False

    @contextmanager
    def used(self, url: str) -> Generator[tuple[Callable[[], Worker], RunService]]:
        """Yield what returns the worker of that database, and its service; keep them while the context is open."""
        with self._lock:
            self._must_not_be_forked()
            for idle in [one for one, shared in self._shared.items() if one != url and not shared.users]:
                self._close(self._shared.pop(idle))
            shared = self._shared.get(url) or self._opened(url)
            shared.users += 1
        try:
            yield lambda: self._get(url, shared), shared.service
        finally:
            with self._lock:
                shared.users -= 1

    def _opened(self, url: str) -> _SharedWorker:
        from hustings.db import migrate  # noqa: PLC0415  heavy
        from hustings.engine.client import missing_tables  # noqa: PLC0415
        from hustings.engine.service import open_service  # noqa: PLC0415

        with ExitStack() as stack:
            service = stack.enter_context(open_service(url))
            migrate.upgrade(service.runs.database, missing_tables)
            self._shared[url] = _SharedWorker(stack.pop_all(), service)
        return self._shared[url]

    def _get(self, url: str, shared: _SharedWorker) -> Worker:
        """The worker; another one if it lost its lease."""
        with self._lock:
            if shared.fenced:
                self._stop(shared)
            if shared.worker is None:
                shared.worker = self._started(url, shared)
            return shared.worker

    def _started(self, url: str, shared: _SharedWorker) -> Worker:
        from hustings.engine.worker import Duty, Worker  # noqa: PLC0415  heavy

        def on_lost(_why: HustingsError) -> None:
            """Nothing that it does counts any more. The program continues."""
            shared.fenced = True

        return Worker(url, models_for(variables()), Duty(takes=False), on_lost).__enter__()

    def _stop(self, shared: _SharedWorker) -> None:
        worker, shared.worker, shared.fenced = shared.worker, None, False
        if worker is not None:
            for run_id in worker.run_ids:
                log.warning(
                    "left %s: an answer on its way may be paid again. Continue: hustings.resume(%r)", run_id, run_id
                )
            worker.__exit__(_WorkerLeft, None, None)

    def _close(self, shared: _SharedWorker) -> None:
        self._stop(shared)
        shared.open.close()

    def close(self) -> None:
        """Stop the workers; unfinished runs can resume later."""
        with self._lock:
            shared, self._shared = [*self._shared.values()], {}
            for each in shared if not self._forked else ():
                self._close(each)

    def after_fork(self) -> None:
        """Threads and connections stay with the parent: SQLite would take its locks for those of the child."""
        self._lock, self._forked = threading.RLock(), bool(self._shared)

    def _must_not_be_forked(self) -> None:
        if self._forked:
            raise Unsuitable(
                "this process was forked from one that runs debates, and can't use its connections",
                fix="start it with spawn, fork before the first debate, or run debates in the first process",
            )


SHARED_WORKERS = SharedWorkers()
atexit.register(SHARED_WORKERS.close)
os.register_at_fork(after_in_child=SHARED_WORKERS.after_fork)
