"""A run as it goes on: performed in this process or by somebody else, told line by line."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from .environment import address
from .telling import advice, cost_of, lines_of
from .terminal import show_event, show_line, talk
from .worker import leaving_on_signals, models, warm

if TYPE_CHECKING:
    from hustings.run.commission import Commission
    from hustings.run.desk import Desk, Report
    from hustings.run.worker import Worker

FINISHED, FAILED, SPENT, REFUSED, RESUMABLE = 0, 1, 3, 4, 130
"""Exit codes."""
QUIET_SECONDS = 2.0
"""Without a call in flight for so long, a run that was told to pause only waits: for a person, or a provider."""


def perform(
    database: str,
    commission: Commission,
    begin: Callable[[Desk, Worker], None],
    *,
    as_json: bool,
    after: int = -1,
) -> int:
    """Carry a run out in this process, and tell it from a place in its log on; the exit code."""
    if any(voice.provider != "improviser" for voice in commission.voices.values()):
        warm()
    from hustings.run.desk import Desk  # noqa: PLC0415  heavy
    from hustings.run.worker import Duty, Worker  # noqa: PLC0415

    url, run_id = address(database), commission.run_id
    code = RESUMABLE
    with suppress(_Left), Worker(url, models(), Duty(takes=False, drain=5)) as worker, Desk(url) as desk:
        watch = Watch(desk, run_id, as_json=as_json, after=after)
        begin(desk, worker)
        with suppress(BrokenPipeError), leaving_on_signals(watch.pause):
            watch.tell(watch.rests)
            code = watch.conclude()
        if code in {RESUMABLE, REFUSED}:
            raise _Left
    return code


class _Left(Exception):
    """The run goes on another time. Left in haste, a worker waits for nobody: what is paused would never end."""


class Watch:
    """Tells a run from a place in its log on."""

    def __init__(self, desk: Desk, run_id: str, *, as_json: bool, after: int = -1) -> None:
        self.desk, self.run_id, self.as_json, self.after = desk, run_id, as_json, after
        self._told = False
        self._quiet_since: float | None = None

    def tell(self, until: Callable[[], bool]) -> None:
        """Until it rests, or there is reason to leave."""
        for event in self.desk.follow(self.run_id, after=self.after, until=until):
            self.after = getattr(event, "seq", self.after)
            if self.as_json:
                show_event(event.model_dump(mode="json", exclude_none=True))
            else:
                for line in lines_of(event):
                    show_line(line)
                sys.stdout.flush()

    def pause(self) -> None:
        """From a signal, which must not wait for a database."""
        threading.Thread(target=self._pause, daemon=True).start()

    def _pause(self) -> None:
        talk(f"\nPausing after the calls in flight; once more to leave at once. Then: hustings resume {self.run_id}")
        self.desk.steer(self.run_id, "pause")
        self._told = True

    def rests(self) -> bool:
        """Told to pause, and nothing is in flight for a while."""
        if not self._told or self.desk.in_flight(self.run_id):
            self._quiet_since = None
            return False
        self._quiet_since = self._quiet_since or time.monotonic()
        return time.monotonic() - self._quiet_since > QUIET_SECONDS

    def conclude(self) -> int:
        """The last words on it, and the exit code."""
        report = self.desk.report(self.run_id)
        if self.as_json:
            show_event({"kind": "done", **report.model_dump(mode="json", exclude_none=True)})
        elif report.ending:
            show_line(f"Ended as {report.ending}. {cost_of(report)}")
        talk(advice(report))
        return code_of(report)


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
