"""A steward carries programmes on: when a run is over, what follows it is put on record and into the queue.

What is due stands with the run, and is settled in the same transaction in which the next act is entered. So any number
of stewards may look; one that is killed leaves nothing half done, and nothing is begun twice.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Self

from sqlalchemy.exc import SQLAlchemyError

from hustings.db.writer import AWAY
from hustings.errors import HustingsError
from hustings.runs.clock import instant
from hustings.runs.follow_ups import FollowUps, next_run
from hustings.runs.spec import RunSpec

from .service import RunService

AT_A_TIME = 50
"""Runs that are seen to in one look."""
POLL_SECONDS = 0.5
"""Seconds between two looks."""
GRACE = 10.0
"""Seconds after which a run that still waits may have been left before it was queued; so often that is looked into."""
log = logging.getLogger(__name__)


class FollowUpWorker:
    """Use it as a context: inside, a thread of its own sees to what is due."""

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
        self._thread = threading.Thread(target=self._attend, name="hustings-steward", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    def _attend(self) -> None:
        while not self._stop.wait(POLL_SECONDS):
            try:
                self.look()
                if time.monotonic() - self._searched >= self._grace:
                    self._searched = time.monotonic()
                    self.search()
            except SQLAlchemyError as error:  # the database may be away: what is due stays due
                log.warning("what follows debates could not be seen to (%s); trying again", type(error).__name__)
            except Exception:  # the thread must outlive whatever the engine throws
                log.exception("what follows debates could not be seen to; trying again")

    def look(self) -> None:
        """See to every run that is over and has something due."""
        for run_id in self._service.runs.due(AT_A_TIME):
            self.carry_on(run_id)

    def search(self) -> None:
        """Queue runs of a programme whose process died after it had put them on record."""
        service = self._service
        waiting = service.runs.unbegun(instant(time.time() - self._grace), AT_A_TIME)
        service.control.enqueue(*(service.runs.spec(run_id) for run_id in service.engine.unknown(waiting)))

    def carry_on(self, run_id: str) -> None:
        """Begin what follows a run, if something does and nobody else was faster; what cannot be is said."""
        try:
            act = self._entered(run_id)
        except AWAY:
            raise
        except Exception as error:  # noqa: BLE001  a programme that cannot go on must not keep others from it
            why = str(error) if isinstance(error, HustingsError) else type(error).__name__
            log.warning("nothing follows %s: %s", run_id, why)
            self._service.control.enter_nothing_next(run_id, why)
        else:
            self._service.control.enqueue(*act)

    def _entered(self, run_id: str) -> tuple[RunSpec, ...]:
        """The next act, if it was put on record here; another steward may have been faster."""
        runs, follow_ups = self._service.runs, FollowUps.stored(self._service.runs, run_id)
        act = follow_ups and next_run(runs, runs.spec(run_id), follow_ups, self._environment, self._prepare)
        held = act and self._service.budgets.apply(act)
        return (held,) if self._service.control.enter_next(run_id, held, follow_ups) and held else ()
