"""Runner: execute runs with a worker in this process, or watch runs executed elsewhere, and forward events."""

from __future__ import annotations

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError

from hustings.db.caps import OVER
from hustings.db.outage import DatabaseGone, FileWatch, Outage
from hustings.runs.queries import POLL_SECONDS
from hustings.runs.run_summary import RunSummary
from hustings.runs.spec import RunSpec
from hustings.transcript.events import Event, TextStreamed, TurnBegun

from .run_control import must_have_worker
from .service import RunService

if TYPE_CHECKING:
    from hustings.llm.model import Model
    from hustings.llm.model_spec import ModelSpec

    from .worker import Worker

    Models = Callable[[ModelSpec], Model]

QUIET_SECONDS = 2.0
"""A pausing run without a call in flight for this long is only waiting, for a person or a provider."""
ABANDONED_SECONDS = 2.0
"""Seconds between two checks whether a worker still executes a run."""
IN_LINE_SECONDS = 1.0
"""Seconds between two looks at a run that waits for a place in this process."""
MOST_WAITING = 1_000
"""Pieces of text that wait for the question they answer; further ones push out the oldest."""


class MergedStream:
    """Merges the log with live text: every piece comes between its question and the turn it becomes."""

    def __init__(self, on_event: Callable[[Event], None], seen: Sequence[Event] = ()) -> None:
        self._on_event, self._lock = on_event, threading.Lock()
        self._begun = {event.address for event in seen if isinstance(event, TurnBegun)}
        self._early: dict[str, deque[TextStreamed]] = defaultdict(lambda: deque(maxlen=MOST_WAITING))

    def text(self, piece: TextStreamed) -> None:
        """Called on the thread that received the text, often before the log contains the question."""
        with self._lock:
            if piece.address in self._begun:
                self._on_event(piece)
            else:
                self._early[piece.address].append(piece)

    def event(self, event: Event) -> None:
        with self._lock:
            self._on_event(event)
            if isinstance(event, TurnBegun):
                self._begun.add(event.address)
                for piece in self._early.pop(event.address, ()):
                    self._on_event(piece)


class Runner:
    """Follows one run after the other, each until it is over or rests.

    `takes_over` stops following a run that no worker executes any more, so that it can continue here. Commands do
    not use it: they have one worker, and without its lease they raise `Fenced`. `on_text` receives live text, often
    before the log contains its question; without it, text is merged into the events. `models` are those of the
    caller, where a process has several.

    A database that does not answer is waited for. Raises `DatabaseAway` if that was in vain, or ended by a pause, and
    `DatabaseGone` if its file is no longer there.
    """

    def __init__(
        self,
        service: RunService,
        on_event: Callable[[Event], None],
        *,
        pausing: threading.Event | None = None,
        on_pausing: Callable[[], None] = lambda: None,
        on_text: Callable[[TextStreamed], None] | None = None,
        takes_over: bool = True,
        models: Models | None = None,
    ) -> None:
        self._service, self._on_event, self._on_text = service, on_event, on_text
        self._pausing, self._on_pausing, self._takes_over = pausing or threading.Event(), on_pausing, takes_over
        self._models = models
        self._said = self._told = False
        self._quiet_since: float | None = None
        self._looked = 0.0
        self._worker: Worker | None = None

    def pause(self) -> None:
        """Ask the run to pause after the calls in flight. Safe from any thread or signal handler."""
        self._pausing.set()

    def run(
        self,
        spec: RunSpec,
        worker: Callable[[], Worker],
        seen: Sequence[Event] = (),
    ) -> RunSummary:
        """Start or continue a run, and follow it. `seen` is the beginning of its log, which is not repeated."""
        seen = [*seen]
        stream = MergedStream(self._on_event, seen)
        while True:
            here = worker()
            self._worker = here
            with here.bus.listening(spec.run_id, self._on_text or stream.text):
                start(self._service, here, spec, self._models)
                report = self._follow(spec.run_id, stream, seen)
            self._worker = None
            if self._pausing.is_set() or report.state in OVER or report.state == "paused":
                return report

    def watch(self, run_id: str, seen: Sequence[Event] = ()) -> tuple[RunSummary, list[Event]]:
        """Follow a run that another worker executes. Return its summary and all events seen."""
        seen = [*seen]
        return self._follow(run_id, MergedStream(self._on_event, seen), seen), seen

    def _follow(self, run_id: str, stream: MergedStream, seen: list[Event]) -> RunSummary:
        self._looked = time.monotonic()
        file = FileWatch(self._service.runs.database.url, f"then resume {run_id}")
        outage, pause = Outage(self._pausing), partial(self._pause, run_id)

        def leaves() -> bool:
            outage.over()
            file.must_be_there()
            return self._leaves(run_id)

        while True:
            try:
                after = getattr(seen[-1], "seq", -1) if seen else -1
                for event in self._service.runs.follow(run_id, after=after, until=leaves, pause=pause):
                    seen.append(event)
                    stream.event(event)
                report = self._service.runs.read(run_id)
                file.must_be_there()
            except DBAPIError as error:
                file.must_be_there()
                outage.wait(error)
            else:
                return report

    def _pause(self, run_id: str) -> float:
        """Seconds between two looks: of a run that waits for a place there is nothing to see."""
        return POLL_SECONDS if self._worker is None or self._worker.has_begun(run_id) else IN_LINE_SECONDS

    def _leaves(self, run_id: str) -> bool:
        lost = self._worker and self._worker.lost
        if lost and (isinstance(lost, DatabaseGone) or not self._takes_over):
            raise lost
        if self._pausing.is_set() and not self._told:
            if not self._said:
                self._said = True
                self._on_pausing()
            self._service.control.steer(run_id, "pause")
            self._told = True
        self._go_on_after_rest(run_id)
        return self._is_abandoned(run_id) or (self._told and self._only_waits(run_id))

    def _go_on_after_rest(self, run_id: str) -> None:
        """A run that rested stays with a worker that takes none from the queue, until it is time to go on."""
        here = self._worker
        if here is None or here.duty.takes or not self._service.runs.is_rested(run_id, here.executor_id):
            return
        if (resumptions := self._service.control.take_rested(run_id, here.executor_id)) is not None:
            here.start(run_id, resumptions, self._models)

    def _only_waits(self, run_id: str) -> bool:
        if self._service.runs.in_flight(run_id):
            self._quiet_since = None
            return False
        self._quiet_since = self._quiet_since or time.monotonic()
        return time.monotonic() - self._quiet_since > QUIET_SECONDS

    def _is_abandoned(self, run_id: str) -> bool:
        if not self._takes_over or time.monotonic() - self._looked < ABANDONED_SECONDS:
            return False
        self._looked = time.monotonic()
        return self._service.control.abandoned(run_id)


def start(service: RunService, worker: Worker, spec: RunSpec, models: Models | None = None) -> None:
    """Start or continue a run. A run that is over, or that another worker executes, stays as it is."""
    runs, control, run_id = service.runs, service.control, spec.run_id
    must_have_worker(spec)
    if not runs.exists(run_id):
        control.enter_here(service.budgets.apply(spec), worker.executor_id)
        worker.start(run_id, models=models)
        return
    row = runs.light_row(run_id)
    here = row["executor_id"] == worker.executor_id
    rests = here and row["rests_until"] is not None
    if not rests and not worker.is_at_work(run_id) and (here or control.abandoned(run_id)):
        resumptions = control.take_here(run_id, worker.executor_id)
        if resumptions is not None:
            worker.start(run_id, resumptions, models)
    elif row["state"] not in OVER:
        control.steer(run_id, "go")


def preload_client(spec: RunSpec | None = None) -> None:
    """Load the client library in the background if needed: it takes seconds, and the database is prepared meanwhile."""

    def load() -> None:
        import hustings.llm.pydantic_ai_adapter  # noqa: F401, PLC0415  # pyright: ignore[reportUnusedImport]

    if spec is None or any(model_spec.provider != "improviser" for model_spec in spec.model_specs.values()):
        threading.Thread(target=load, name="hustings-preload", daemon=True).start()
