"""A run as it goes on: performed in this process or by somebody else, told line by line."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from hustings.core.events import Event, TextStreamed
from hustings.home.places import address

from .displays import Display, Mode, display
from .telling import advice
from .terminal import let_go_of_stdout, talk
from .worker import leaving_on_signals, models, warm

if TYPE_CHECKING:
    from hustings.run.commission import Commission
    from hustings.run.report import Report
    from hustings.run.service import RunService
    from hustings.run.worker import Worker

FINISHED, FAILED, SPENT, REFUSED, RESUMABLE = 0, 1, 3, 4, 130
"""Exit codes."""
QUIET_SECONDS = 2.0
"""Without a call in flight for so long, a run that was told to pause only waits: for a person, or a provider."""


def perform(
    database: str,
    commission: Commission,
    begin: Callable[[RunService, Worker], None],
    *,
    mode: Mode,
    after: int = -1,
    more: bool = False,
) -> int:
    """Carry a run out in this process, and tell it from a place in its log on; the exit code."""
    if any(voice.provider != "improviser" for voice in commission.voices.values()):
        warm()
    from hustings.run.service import open_service  # noqa: PLC0415  heavy
    from hustings.run.worker import Duty, Worker  # noqa: PLC0415

    url, run_id = address(database), commission.run_id
    code = RESUMABLE
    with suppress(_Left), Worker(url, models(), Duty(takes=False, drain=5)) as worker, open_service(url) as service:
        with shown(mode) as told, worker.bus.listening(run_id, told.show):
            begin(service, worker)
            watch = Watch(service, run_id, told, after=after)
            with leaving_on_signals(watch.pause, watch.leave):
                watch.tell(watch.rests)
                code = watch.conclude(more=more)
        if code in {RESUMABLE, REFUSED}:
            raise _Left
    return code


@contextmanager
def shown(mode: Mode) -> Generator[Display]:
    """A display that leaves the terminal as it was; whoever closes the pipe has read enough."""
    told = display(mode)
    try:
        yield told
    except BrokenPipeError:
        let_go_of_stdout()
    finally:
        told.close()


class _Left(Exception):
    """The run goes on another time. Left in haste, a worker waits for nobody: what is paused would never end."""


class Watch:
    """Tells a run from a place in its log on."""

    def __init__(self, service: RunService, run_id: str, told: Display, *, after: int = -1) -> None:
        self.service, self.run_id, self.told, self.after = service, run_id, told, after
        self._paused = False
        self._quiet_since: float | None = None

    def tell(self, until: Callable[[], bool]) -> None:
        """Until it rests, or there is reason to leave."""
        if self.after >= 0:
            self.told.recall(event for event in self.service.runs.events(self.run_id) if _place(event) <= self.after)
        for event in self.service.runs.follow(self.run_id, after=self.after, until=until):
            self.after = _place(event)
            self.told.show(event)

    def pause(self) -> None:
        """From a signal, which must not wait for a database."""
        threading.Thread(target=self._pause, daemon=True).start()

    def _pause(self) -> None:
        self.told.say(f"Pausing after the calls in flight; once more to leave at once. Then: {self._resume}")
        self.service.control.steer(self.run_id, "pause")
        self._paused = True

    def leave(self) -> None:
        """From the second signal: the last thing that is done here."""
        self.told.close()
        talk(f"Left at once; calls in flight may be paid again. Continue: {self._resume}")

    @property
    def _resume(self) -> str:
        return f"hustings resume {self.run_id}"

    def rests(self) -> bool:
        """Told to pause, and nothing is in flight for a while."""
        if not self._paused or self.service.runs.in_flight(self.run_id):
            self._quiet_since = None
            return False
        self._quiet_since = self._quiet_since or time.monotonic()
        return time.monotonic() - self._quiet_since > QUIET_SECONDS

    def conclude(self, *, more: bool = False) -> int:
        """The last words on it, and the exit code."""
        report = self.service.runs.read(self.run_id)
        self.told.close()
        self.told.conclude(report)
        code = code_of(report)
        if not more or code != FINISHED:
            talk(advice(report))
        return code


def _place(event: Event) -> int:
    """In the log, which holds no passing events."""
    return -1 if isinstance(event, TextStreamed) else event.seq


def code_of(report: Report) -> int:
    match report.state, report.ending:
        case "ended", "played":
            return FINISHED
        case "ended", "budget_stopped" | "cancelled":
            return SPENT
        case "ended" | "broken", _:
            return FAILED
        case "paused", _ if report.reason:  # it was not a person who paused it
            return REFUSED
        case _:
            return RESUMABLE
