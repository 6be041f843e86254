"""Follow-up worker: when a run is over, enter and queue the run that follows it.

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

from hustings.db.faults import unusable
from hustings.db.writer import AWAY
from hustings.errors import HustingsError
from hustings.runs.follow_ups import FollowUps, next_run
from hustings.runs.spec import RunSpec, instant

from .service import RunService

AT_A_TIME = 50
"""Runs handled per poll."""
CHECK_SECONDS = 0.5
"""Seconds between two searches for runs that are over."""
GRACE = 10.0
"""Seconds after which a waiting run may have been entered but never queued; also how often that is checked."""
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
                self.look()
                if time.monotonic() - self._searched >= self._grace:
                    self._searched = time.monotonic()
                    self.search()
            except SQLAlchemyError as error:  # the database may be unavailable: what is due stays due
                log.warning("what follows debates could not be seen to: %s; trying again", unusable(error).what)
            except Exception:  # the thread must survive any error of the engine
                log.exception("what follows debates could not be seen to; trying again")

    def look(self) -> None:
        """Start the follow-up of every run that is over and has one due."""
        for run_id in self._service.runs.due(AT_A_TIME):
            self.carry_on(run_id)

    def search(self) -> None:
        """Queue runs with follow-ups whose process died after entering them."""
        service = self._service
        waiting = service.runs.unbegun(instant(time.time() - self._grace), AT_A_TIME)
        service.control.enqueue(*(service.runs.spec(run_id) for run_id in service.engine.unknown(waiting)))

    def carry_on(self, run_id: str) -> None:
        """Start the follow-up of a run, if any, unless another worker was faster. If it cannot start, store why."""
        try:
            act = self._entered(run_id)
        except AWAY:
            raise
        except Exception as error:  # noqa: BLE001  follow-ups that fail must not block those of other runs
            why = str(error) if isinstance(error, HustingsError) else type(error).__name__
            log.warning("nothing follows %s (%s)", run_id, type(error).__name__, extra={"run_id": run_id})
            self._service.control.enter_nothing_next(run_id, why)
        else:
            self._service.control.enqueue(*act)

    def _entered(self, run_id: str) -> tuple[RunSpec, ...]:
        """The next run, if it was entered here; another follow-up worker may have been faster."""
        runs, follow_ups = self._service.runs, FollowUps.stored(self._service.runs, run_id)
        act = follow_ups and next_run(runs, runs.spec(run_id), follow_ups, self._environment, self._prepare)
        held = act and self._service.budgets.apply(act)
        return (held,) if self._service.control.enter_next(run_id, held, follow_ups) and held else ()
