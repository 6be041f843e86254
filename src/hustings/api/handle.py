"""Runs a debate and its follow-ups in a background thread that can be awaited, streamed and paused."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING

from hustings.config.prepare import affordable, must_answer
from hustings.config.variables import variables
from hustings.engine.people import speak
from hustings.engine.runner import Runner, preload_client
from hustings.engine.service import open_service
from hustings.errors import Unsuitable
from hustings.runs.follow_ups import runs_of
from hustings.runs.queries import POLL_SECONDS
from hustings.runs.spec import RunSpec
from hustings.transcript.events import Event

from .results import Result, Unfinished
from .shared_worker import SHARED_WORKER

if TYPE_CHECKING:
    from hustings.engine.service import RunService
    from hustings.runs.follow_ups import FollowUps
    from hustings.runs.queries import RunQueries

__all__ = ["LiveEvents", "RunHandle", "begin", "handle_of", "open_service", "speak"]


class RunHandle:
    """One execution, from where the debate stands to the end of its follow-ups, or until it is paused."""

    def __init__(
        self, first: RunSpec, follow_ups: FollowUps, url: str, on_event: Callable[[Event], None] = lambda _: None
    ) -> None:
        self.first, self.follow_ups, self.url = first, follow_ups, url
        self.result: Future[Result] = Future()
        self._current = first.run_id
        self._on_event = on_event
        self._pausing, self._last, self._ready = threading.Event(), threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._work, name=f"hustings-{first.run_id}", daemon=True)

    def start(self) -> None:
        self.result.set_running_or_notify_cancel()
        self._thread.start()

    def pause(self) -> None:
        """Pause after the calls in flight."""
        self._pausing.set()

    @property
    def pausing(self) -> bool:
        return self._pausing.is_set()

    def begin_no_more(self) -> None:
        """Start no further follow-up after the run in progress."""
        self._last.set()

    def current(self, runs: RunQueries) -> str:
        """Id of the run in progress (debate, control or judging). Waits until it is recorded and can be steered."""
        while not self.result.done() and not (self._ready.is_set() and runs.exists(self._current)):
            time.sleep(POLL_SECONDS)
        return self._current

    def _work(self) -> None:
        try:
            found: Result | BaseException = self._run_all()
        except BaseException as error:  # noqa: BLE001  raised again where the result is awaited
            found = error
        _handles.pop(self.first.run_id)
        if isinstance(found, BaseException):
            self.result.set_exception(found)
        else:
            self.result.set_result(found)

    def _run_all(self) -> Result:
        preload_client(self.first)
        known = variables()
        with SHARED_WORKER.used(self.url), open_service(self.url) as service:
            SHARED_WORKER.get()  # upgrades the database if needed
            self._ready.set()
            if service.runs.exists(self.first.run_id):
                self.first = service.control.allow_time(self.first.run_id, known)
            else:
                must_answer(self.first)
            runner = Runner(service, self._on_event, pausing=self._pausing)
            for act in runs_of(service.runs, self.first, self.follow_ups, known, lambda made: affordable(made, known)):
                if self._last.is_set() and act is not self.first:
                    break
                self._run(service, runner, act)
            return Result.at(service.runs, self.first.run_id)

    def _run(self, service: RunService, runner: Runner, act: RunSpec) -> None:
        if self.pausing:
            if act is self.first and not service.runs.exists(act.run_id):  # record it, so that its id can be resumed
                service.control.enter_here(service.budgets.apply(act), paused=True)
            raise Unfinished(self.first.run_id)
        self._current = act.run_id
        report = runner.run(act, SHARED_WORKER.get)
        if report.state == "broken":
            cure = f"reuse what was said: hustings fork {act.run_id}"
            raise Unsuitable(f"{act.run_id!r} broke ({report.reason}) and can't resume: {cure}")
        if report.state != "ended":
            raise Unfinished(self.first.run_id, report.reason)


_handles: dict[str, RunHandle] = {}
_lock = threading.Lock()


def handle_of(run_id: str) -> RunHandle | None:
    """The current execution of a debate in this process."""
    return _handles.get(run_id)


def begin(first: RunSpec, follow_ups: FollowUps, url: str, on_event: Callable[[Event], None]) -> RunHandle:
    """Begin or resume a debate; wait first for an execution of it that is about to pause."""
    while earlier := handle_of(first.run_id):
        if not earlier.pausing:
            raise _busy(first.run_id)
        earlier.result.exception()
    handle = RunHandle(first, follow_ups, url, on_event)
    with _lock:
        if _handles.setdefault(first.run_id, handle) is not handle:
            raise _busy(first.run_id)
    handle.start()
    return handle


def _busy(run_id: str) -> Unsuitable:
    return Unsuitable(f"{run_id!r} is running elsewhere", fix="wait for it there, or pause it")


class LiveEvents(AsyncIterator[Event]):
    """Asynchronous events of a debate, which begins when the first one is requested.

    Dropped before the end, it pauses the debate at once; a generator would do so only when collected.
    """

    def __init__(self, begin: Callable[[Callable[[Event], None]], RunHandle]) -> None:
        self._begin = begin
        self._handle: RunHandle | None = None
        self._waiting = asyncio.Queue[Event | None]()
        self._over = False

    async def __anext__(self) -> Event:
        handle = self._handle or await self._start()
        if not self._over and (event := await self._waiting.get()):
            return event
        self._over = True
        handle.result.result()  # raises the error, if the run ended in one
        raise StopAsyncIteration

    async def _start(self) -> RunHandle:
        loop, waiting = asyncio.get_running_loop(), self._waiting

        def put(event: Event | None) -> None:
            with suppress(RuntimeError):  # the listener's loop is closed
                loop.call_soon_threadsafe(waiting.put_nowait, event)

        self._handle = handle = await asyncio.to_thread(self._begin, put)
        handle.result.add_done_callback(lambda _: put(None))
        return handle

    async def aclose(self) -> None:
        self.__del__()

    def __del__(self) -> None:
        if self._handle is not None:
            self._handle.pause()
