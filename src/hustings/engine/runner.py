"""Runner: execute runs with a worker in this process, or watch runs executed elsewhere, and forward events."""

from __future__ import annotations

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from hustings.db.caps import OVER
from hustings.runs.run_summary import RunSummary
from hustings.runs.spec import RunSpec
from hustings.transcript.events import Event, TextStreamed, TurnBegun

from .run_control import must_have_worker
from .service import RunService

if TYPE_CHECKING:
    from .worker import Worker

QUIET_SECONDS = 2.0
"""A pausing run without a call in flight for this long is only waiting, for a person or a provider."""
ABANDONED_SECONDS = 2.0
"""Seconds between two checks whether a worker still executes a run."""
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
    not use it: they have one worker, and without its lease the process ends. `on_text` receives live text, often
    before the log contains its question; without it, text is merged into the events.
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
    ) -> None:
        self._service, self._on_event, self._on_text = service, on_event, on_text
        self._pausing, self._on_pausing, self._takes_over = pausing or threading.Event(), on_pausing, takes_over
        self._told = False
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
        *,
        abandoned: bool = False,
    ) -> RunSummary:
        """Start or continue a run, and follow it. `seen` is the beginning of its log, which is not repeated.

        `abandoned` says that no other worker has it. The one in this process may be alive without executing it.
        """
        seen = [*seen]
        stream = MergedStream(self._on_event, seen)
        while True:
            here = worker()
            self._worker = here
            with here.bus.listening(spec.run_id, self._on_text or stream.text):
                start(self._service, here, spec, abandoned=abandoned)
                report = self._follow(spec.run_id, stream, seen)
            self._worker = None
            if self._pausing.is_set() or report.state in OVER or report.state == "paused":
                return report
            abandoned = False

    def watch(self, run_id: str, seen: Sequence[Event] = ()) -> tuple[RunSummary, list[Event]]:
        """Follow a run that another worker executes. Return its summary and all events seen."""
        seen = [*seen]
        return self._follow(run_id, MergedStream(self._on_event, seen), seen), seen

    def _follow(self, run_id: str, stream: MergedStream, seen: list[Event]) -> RunSummary:
        self._looked = time.monotonic()
        after = getattr(seen[-1], "seq", -1) if seen else -1
        for event in self._service.runs.follow(run_id, after=after, until=lambda: self._leaves(run_id)):
            seen.append(event)
            stream.event(event)
        return self._service.runs.read(run_id)

    def _leaves(self, run_id: str) -> bool:
        if self._pausing.is_set() and not self._told:
            self._told = True
            self._on_pausing()
            self._service.control.steer(run_id, "pause")
        self._go_on_after_rest(run_id)
        return self._is_abandoned(run_id) or (self._told and self._only_waits(run_id))

    def _go_on_after_rest(self, run_id: str) -> None:
        """A run that rested stays with a worker that takes none from the queue, until it is time to go on."""
        here = self._worker
        if here is None or here.duty.takes or not self._service.runs.is_rested(run_id, here.executor_id):
            return
        if (resumptions := self._service.control.take_rested(run_id, here.executor_id)) is not None:
            here.start(self._service.runs.spec(run_id), resumptions)

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


def start(service: RunService, worker: Worker, spec: RunSpec, *, abandoned: bool = False) -> None:
    """Start or continue a run. A run that is over, or that another worker executes, stays as it is."""
    runs, control, run_id = service.runs, service.control, spec.run_id
    must_have_worker(spec)
    if not runs.exists(run_id):
        entered = service.budgets.apply(spec)
        control.enter_here(entered, worker.executor_id)
        worker.start(entered)
        return
    if runs.read(run_id).state in OVER:
        return
    if control.never_started(run_id, worker.executor_id):
        control.take_here(run_id, worker.executor_id)
        worker.start(spec)
        return
    control.steer(run_id, "go")
    if abandoned or control.abandoned(run_id):
        control.revive(run_id, ahead=True)


def preload_client(spec: RunSpec | None = None) -> None:
    """Load the client library in the background if needed: it takes seconds, and the database is prepared meanwhile."""

    def load() -> None:
        import hustings.llm.pydantic_ai_adapter  # noqa: F401, PLC0415  # pyright: ignore[reportUnusedImport]

    if spec is None or any(model_spec.provider != "improviser" for model_spec in spec.model_specs.values()):
        threading.Thread(target=load, name="hustings-preload", daemon=True).start()
