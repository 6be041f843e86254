"""The worker and the database that debates of this process share: the worker starts with the first, stops at exit."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hustings.config.configured_tools import models_for
from hustings.config.variables import variables
from hustings.errors import Unsuitable

if TYPE_CHECKING:
    from hustings.engine.worker import Worker
    from hustings.llm.model import Model
    from hustings.llm.model_spec import ModelSpec

import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from hustings.config.paths import address

TEMPORARY = "temporary"
"""A database file that is deleted when the process ends."""


def database_url(given: str | Path | None) -> str:
    """URL of the database: a path is a SQLite file; None means HUSTINGS_DATABASE, else the user's own."""
    if given == TEMPORARY:
        return _temporary()
    if isinstance(given, Path):
        return f"sqlite:///{given.resolve()}"
    return address(given or os.environ.get("HUSTINGS_DATABASE", ""))


@cache
def _temporary() -> str:
    folder = Path(tempfile.mkdtemp(prefix="hustings-"))
    atexit.register(_discard, folder)
    return f"sqlite:///{folder / 'hustings.db'}"


def _discard(folder: Path) -> None:
    SHARED_WORKER.close()
    shutil.rmtree(folder, ignore_errors=True)


class _WorkerLeft(Exception):
    """Stops a worker without draining: a paused run would never end, and every run can resume later."""


class SharedWorker:
    """The durable engine allows one worker per process: one database at a time, with any number of debates."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._process = os.getpid()
        self._worker: Worker | None = None
        self._url = ""
        self._users = 0
        self._fenced = False
        self._environment: Mapping[str, str] = {}

    @contextmanager
    def used(self, url: str) -> Generator[None]:
        """Keep the worker on that database while the context is open."""
        with self._lock:
            if self._users and url != self._url:
                raise Unsuitable(
                    "this process runs debates in another database: wait until they end, or use the same one"
                )
            if url != self._url:
                self.close()
            self._url = url
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1

    def get(self) -> Worker:
        """Return the worker, with the current keys; start one if none runs or it lost its lease."""
        with self._lock:
            self._environment = variables()
            if self._process != os.getpid():
                raise Unsuitable(
                    "this process was forked from one that runs debates, and has no engine of its own: "
                    "start it with spawn, or run debates in the first one"
                )
            if self._fenced:
                self.close()
            return self._worker or self._start()

    def _start(self) -> Worker:
        from hustings.engine.worker import Duty, Worker  # noqa: PLC0415  heavy

        worker = Worker(self._url, self._model, Duty(takes=False), on_fenced=self._on_fenced)
        worker.__enter__()
        self._worker = worker
        return worker

    def _model(self, model_spec: ModelSpec) -> Model:
        return models_for(self._environment)(model_spec)

    def _on_fenced(self) -> None:
        """The worker lost its lease: others have its debates, and it writes nothing more. The program continues."""
        self._fenced = True

    def close(self) -> None:
        """Stop the worker; unfinished runs can resume later."""
        with self._lock:
            worker, self._worker, self._fenced = self._worker, None, False
            if worker is not None and self._process == os.getpid():
                worker.__exit__(_WorkerLeft, None, None)


SHARED_WORKER = SharedWorker()
atexit.register(SHARED_WORKER.close)
