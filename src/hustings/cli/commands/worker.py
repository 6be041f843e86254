"""`hustings worker`: execute debates from the queue until stopped; also the start-up of workers."""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import TYPE_CHECKING, Annotated

import typer
from sqlalchemy.exc import OperationalError

from hustings.cli.observing import Observing
from hustings.cli.options import AsLines, DatabaseOption
from hustings.cli.stopping import cut_short, leave_when_lost, leaving_on_signals, letting
from hustings.cli.terminal import show, show_event, talk
from hustings.config.configured_tools import models_for
from hustings.config.paths import address
from hustings.config.plan_run import affordable
from hustings.config.variables import variables
from hustings.db.connection import connect, must_have_room
from hustings.db.faults import too_few_connections, unusable
from hustings.engine.follow_up_worker import FollowUpWorker
from hustings.engine.service import open_service, upgrade
from hustings.engine.status import Status
from hustings.llm.environment import Environment

if TYPE_CHECKING:
    from hustings.engine.worker import Duty, Worker
    from hustings.llm.model import Model
    from hustings.llm.model_spec import ModelSpec

ARENAS = -8
"""M_ARENA_MAX of mallopt(3): the number of heaps."""
LEAST_CONNECTIONS = 10
"""Connections to PostgreSQL that a worker cannot do without."""
RETRY_SECONDS = 1.0
"""Seconds between two attempts to reach the database."""


def work(
    *,
    database: DatabaseOption = "",
    concurrency: Annotated[int, typer.Option(min=1, help="Debates to run at the same time.")] = 32,
    ttl: Annotated[
        float, typer.Option(min=1.0, help="Seconds without a sign of life until other workers take over.")
    ] = 15.0,
    calls_at_once: Annotated[int, typer.Option(min=1, help="Calls to one server at the same time.")] = 64,
    observing: Observing,
    as_json: AsLines = False,
) -> None:
    """Run queued debates. Ctrl-C or SIGTERM lets answers under way arrive; a second one stops at once."""
    share_one_heap()
    from hustings.engine.worker import Duty  # noqa: PLC0415  heavy

    stop, url = threading.Event(), address(database)
    duty = Duty(concurrency=concurrency, ttl=ttl, at_once=calls_at_once)
    worker: Worker | None = None

    def leave() -> None:
        if worker:
            worker.leave_at_once()

    with observing.logging() as lines, leaving_on_signals(stop.set, leave), closing(connect(url, pool=1)) as seen:
        status = Status(seen, worker="")
        with observing.port(status), ExitStack() as stack:
            worker = _engaged(url, duty, stop, stack)
            if worker is None:
                return
            status.worker = lines.worker = worker.executor_id
            serve(worker, stop, as_json=as_json)
        if cut := worker.leaving.cut:
            talk(cut_short(cut))
        if as_json:
            show_event({"event": "done", "worker": worker.executor_id})
        talk("Unfinished debates resume with the next worker: hustings worker")


def _engaged(url: str, duty: Duty, stop: threading.Event, stack: ExitStack) -> Worker | None:
    """A worker that has begun, as soon as the database has room for it; None if it is to stop before."""
    from hustings.engine.worker import Worker  # noqa: PLC0415  heavy

    while True:
        await_database(url, stop)
        if stop.is_set():
            return None
        try:
            return stack.enter_context(Worker(url, models(), duty, leave_when_lost))
        except OperationalError as error:  # others took the room that was there
            _say_once("", error)
            stop.wait(RETRY_SECONDS)


def serve(worker: Worker, stop: threading.Event, *, as_json: bool) -> None:
    from hustings.engine.worker import settle_in  # noqa: PLC0415  heavy

    with follow_up_worker(worker.database.url, variables()):
        if as_json:
            show_event({"event": "ready", "worker": worker.executor_id})
        else:
            show(f"ready {worker.executor_id}")
        sys.stdout.flush()
        settle_in()
        stop.wait()
        talk(letting(worker.leaving.begin(), worker.duty.drain, "Ctrl-C again stops at once."))


@contextmanager
def follow_up_worker(url: str, known: Environment) -> Generator[None]:
    """Start the follow-ups of debates that were left to the workers."""
    with open_service(url) as service, FollowUpWorker(service, known, lambda made: affordable(made, known)):
        yield


def share_one_heap() -> None:
    """Let all threads share one heap. glibc gives each its own, which gains nothing for threads that take turns."""
    with suppress(AttributeError, OSError):  # another libc
        ctypes.CDLL(None).mallopt(ARENAS, 1)


def await_database(url: str, stop: threading.Event) -> None:
    """Wait until the database answers, since a worker may start before it; upgrade it; wait for room in it."""
    told = ""
    while not stop.is_set():
        try:
            with closing(connect(url)) as database:
                upgrade(database)
            must_have_room(url, LEAST_CONNECTIONS)
        except OperationalError as error:
            told = _say_once(told, error)
            stop.wait(RETRY_SECONDS)
        else:
            return


def _say_once(told: str, error: OperationalError) -> str:
    what = unusable(error).what
    more = f" (a worker needs {LEAST_CONNECTIONS})" if too_few_connections(error) else ""
    if what != told:
        talk(f"{what[0].upper()}{what[1:]}{more}; waiting for it. Ctrl-C to leave.")
    return what


def models() -> Callable[[ModelSpec], Model]:
    """Factory of models for workers: uses the keys of this environment and refuses addresses of private networks."""
    return models_for(variables())
