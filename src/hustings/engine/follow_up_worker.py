"""Follow-up worker: enters the run that follows one that is over, and queues runs that rested or were left over.

The run's row says what is due, and the transaction that enters the next run also settles it. So several follow-up
workers may run at once; one that is killed leaves nothing half done, and nothing starts twice.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

from sqlalchemy.exc import SQLAlchemyError

from hustings.db.faults import AWAY, unusable
from hustings.errors import HustingsError
from hustings.runs.follow_ups import NO_FOLLOW_UPS, FollowUps
from hustings.runs.spec import RunSpec

from .service import RunService
from .unqueued import GRACE
from .what_follows import WhatFollows

AT_A_TIME = 50
"""Runs handled per poll."""
LEFT_OVER_AT_A_TIME = 1_000
"""Runs queued in one transaction."""
CHECK_SECONDS = 0.5
"""Seconds between two searches for runs that are over."""
log = logging.getLogger(__name__)


class FollowUpWorker:
    """Use it as a context manager: inside, a thread starts the follow-ups that are due."""

    def __init__(
        self,
        service: RunService,
        environment: Mapping[str, str],
        prepare: Callable[[RunSpec], RunSpec],
        *,
        grace: float = GRACE,
    ) -> None:
        self._service, self._environment, self._prepare, self._grace = service, environment, prepare, grace
        self._stop = threading.Event()
        self._searched = time.monotonic()
        self._thread = threading.Thread(target=self._attend, name="hustings-follow-ups", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _attend(self) -> None:
        while not self._stop.wait(CHECK_SECONDS):
            try:
                self._service.queue_rested(AT_A_TIME)
                self.look()
                if time.monotonic() - self._searched >= self._grace:
                    self._searched = time.monotonic()
                    self.search()
            except SQLAlchemyError as error:  # the database may be unavailable: what is due stays due
                log.warning("could not start what follows debates: %s; trying again", unusable(error).what)
            except Exception:  # the thread must survive any error of the engine
                log.exception("could not start what follows debates; trying again")

    def look(self) -> None:
        """Start the follow-up of every run that is over and has one due."""
        for run_id in self._service.runs.due(AT_A_TIME):
            self.carry_on(run_id)

    def search(self) -> None:
        """Queue every run that waits and is unknown to the engine: its process died, or did not queue it."""
        while found := self._service.queue_left_over(LEFT_OVER_AT_A_TIME, self._grace):
            log.warning("%d debates were missing from the queue and are queued now, from %s on", len(found), found[0])

    def carry_on(self, run_id: str) -> None:
        """Start the follow-up of a run, if any, unless another worker was faster. If it cannot start, store why."""
        try:
            self._enter_next(run_id)
        except AWAY:
            raise
        except Exception as error:  # noqa: BLE001  follow-ups that fail must not block those of other runs
            why = str(error) if isinstance(error, HustingsError) else type(error).__name__
            log.warning("nothing will follow %s (%s)", run_id, type(error).__name__, extra={"run_id": run_id})
            self._service.control.enter_nothing_next(run_id, why)

    def _enter_next(self, run_id: str) -> None:
        runs = self._service.runs
        follow_ups = FollowUps.stored(runs, run_id) or NO_FOLLOW_UPS
        WhatFollows(self._service, self._environment, self._prepare).after(runs.spec(run_id), follow_ups)
