"""Heartbeat: renew this worker's lease, and sweep up after workers whose leases expired.

After a database outage all leases are old. So a worker takes leases from others only after its own
has held for a whole term without a gap.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from sqlalchemy.exc import SQLAlchemyError

from hustings.db import leases
from hustings.db.connection import Database
from hustings.db.faults import unusable
from hustings.db.leases import Fenced
from hustings.db.outage import DatabaseGone, FileWatch
from hustings.errors import HustingsError

log = logging.getLogger(__name__)


class Heartbeat:
    """A thread that renews the lease, and calls `sweep` if there is one."""

    def __init__(
        self,
        database: Database,
        executor_id: str,
        ttl: float,
        on_lost: Callable[[HustingsError], None],
        sweep: Callable[[], object] | None = None,
    ) -> None:
        self._database, self._executor_id, self._ttl = database, executor_id, ttl
        self._on_lost, self._sweep = on_lost, sweep
        self._away = False
        self._file: FileWatch
        self._stop = threading.Event()
        self._since = self._until = time.monotonic()
        self._thread = threading.Thread(target=self._beat, name="hustings-heartbeat", daemon=True)

    def start(self) -> None:
        self._file = FileWatch(self._database.url)
        self._until = time.monotonic() + self._ttl
        self._thread.start()

    def stop(self) -> None:
        self.let_go()
        self._thread.join()

    def let_go(self) -> None:
        """Let the lease run out. That it is gone afterwards is no loss."""
        self._stop.set()

    def _beat(self) -> None:
        while not self._stop.wait(self._ttl / 3):
            asked = time.monotonic()
            if asked > self._until:
                self._since = asked
            try:
                self._renew()
                self._until, self._away = asked + self._ttl, False
                if self._sweep and asked - self._since >= self._ttl:
                    self._sweep()
            except (Fenced, DatabaseGone) as error:
                if not self._stop.is_set():  # else it was given back
                    self._on_lost(error)
                return
            except SQLAlchemyError as error:  # a failed beat is a late beat: the database may be unavailable
                if not self._away:
                    log.warning("%s; trying again", unusable(error).what)
                self._away = True
            except Exception:  # the thread must survive any error of the engine, or the worker loses its lease
                log.exception("could not hand over debates of dead workers; trying again")

    def _renew(self) -> None:
        self._file.must_be_there()
        if not leases.renew(self._database, self._executor_id, self._ttl):
            raise Fenced(f"{self._executor_id} has lost its lease. Another worker continues its debates")
