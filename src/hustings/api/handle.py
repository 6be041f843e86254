"""Runs a debate and its follow-ups in a background thread that can be waited for and paused."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from hustings.config.configured_tools import models_for
from hustings.config.plan_run import affordable, must_be_there
from hustings.db.outage import DatabaseAway
from hustings.engine.people import speak
from hustings.engine.runner import Runner, preload_client
from hustings.engine.service import open_service
from hustings.engine.what_follows import WhatFollows
from hustings.errors import Unsuitable
from hustings.runs.follow_ups import NO_FOLLOW_UPS, FollowUps, left_of
from hustings.runs.queries import POLL_SECONDS
from hustings.runs.spec import RunSpec
from hustings.transcript.events import Event

from .results import Result, Unfinished
from .shared_worker import SHARED_WORKERS

if TYPE_CHECKING:
    from hustings.engine.service import RunService
    from hustings.engine.worker import Worker
    from hustings.llm.environment import Environment
    from hustings.runs.queries import RunQueries

__all__ = ["RunHandle", "Wanted", "begin", "handle_of", "open_service", "speak"]


@dataclass(frozen=True)
class Wanted:
    """What a caller wants carried out, with whose settings and keys."""

    first: RunSpec
    follow_ups: FollowUps | None
    """None: what was asked for before."""
    url: str
    known: Environment


class RunHandle:
    """One execution, from where the debate stands to the end of its follow-ups, or until it is paused."""

    def __init__(self, wanted: Wanted, on_event: Callable[[Event], None]) -> None:
        self.first, self._wanted = wanted.first, wanted
        self.result: Future[Result] = Future()
        self._current = self.first.run_id
        self._on_event = on_event
        self._pausing, self._last, self._ready = threading.Event(), threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._work, name=f"hustings-{self.first.run_id}", daemon=True)

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
        known, wanted = self._wanted.known, self._wanted
        with SHARED_WORKERS.used(wanted.url) as (worker, service):
            self._ready.set()
            runs, run_id = service.runs, self.first.run_id
            runner = Runner(service, self._on_event, pausing=self._pausing, models=models_for(known))
            finish = partial(self._finish, service, runner, worker)
            if not runs.exists(run_id):
                must_be_there(self.first.model_specs.values())
                finish(self.first, wanted.follow_ups or NO_FOLLOW_UPS)
            elif wanted.follow_ups:
                service.control.ask_for(run_id, wanted.follow_ups)
                finish(runs.spec(run_id), wanted.follow_ups)
            else:
                finish(runs.spec(run_id), FollowUps.stored(runs, run_id) or NO_FOLLOW_UPS)
                if not self._last.is_set() and (left := left_of(runs, run_id)):  # an audit that was asked for by itself
                    finish(*left)
            return Result.at(runs, run_id)

    def _finish(
        self,
        service: RunService,
        runner: Runner,
        worker: Callable[[], Worker],
        first: RunSpec,
        follow_ups: FollowUps,
    ) -> None:
        """Execute a run and what follows it; what is over is only told again."""
        known = self._wanted.known
        what_follows = WhatFollows(service, known, lambda made: affordable(made, known), worker().executor_id)
        paused = self.pausing
        act: RunSpec | None = what_follows.begin(first, follow_ups, paused=paused)
        while act:
            self._current = act.run_id
            if paused:  # it is on record, so that it can be resumed
                raise Unfinished(self.first.run_id)
            if self._last.is_set() and act.run_id != self.first.run_id:  # cancelled while this one was entered
                service.control.steer(act.run_id, "cancel")
            self._run(runner, worker, service.control.allow_time(act.run_id, known))
            if self._last.is_set():
                service.control.enter_nothing_next(act.run_id)
                break
            paused = self.pausing
            act = what_follows.after(act, follow_ups, paused=paused)

    def _run(self, runner: Runner, worker: Callable[[], Worker], act: RunSpec) -> None:
        try:
            report = runner.run(act, worker)
        except DatabaseAway as away:
            raise Unfinished(self.first.run_id, away.what) from away
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


def begin(wanted: Wanted, on_event: Callable[[Event], None]) -> RunHandle:
    """Begin or resume a debate; wait first for an execution of it that is about to pause."""
    run_id = wanted.first.run_id
    while earlier := handle_of(run_id):
        if not earlier.pausing:
            raise _busy(run_id)
        earlier.result.exception()
    handle = RunHandle(wanted, on_event)
    with _lock:
        if _handles.setdefault(run_id, handle) is not handle:
            raise _busy(run_id)
    handle.start()
    return handle


def _busy(run_id: str) -> Unsuitable:
    return Unsuitable(f"{run_id!r} is running elsewhere", fix="wait for it there, or pause it")
