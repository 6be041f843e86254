"""What may become of an open database: its file is gone, or it does not answer for a while, which is waited for."""

from __future__ import annotations

import logging
import threading
import time

from sqlalchemy.exc import DBAPIError

from hustings.errors import HustingsError

from .connection import file_of
from .faults import is_away, unusable

PATIENCE = 60.0
"""Seconds for which a database that does not answer is waited for."""
LOOK = 1.0
"""Seconds between two attempts to reach it."""
log = logging.getLogger(__name__)


class DatabaseGone(HustingsError):
    """The file of the database was deleted, moved or replaced while it was open."""


class DatabaseAway(HustingsError):
    """The database has not answered for a minute, or the one who waited for it was told to stop."""


class FileWatch:
    """Knows the file of a SQLite database as it was opened. Other databases have none, and are always there."""

    def __init__(self, url: str, resume: str = "then resume") -> None:
        self._path, self._resume = file_of(url), resume
        self._opened = self._found()

    def must_be_there(self) -> None:
        """A deleted file that is open can still be written to, and nobody will ever read it."""
        if self._opened is not None and self._found() != self._opened:
            raise DatabaseGone(
                "the database file is gone. Not saved from here on",
                why=f"{self._path} was deleted, moved or replaced while it was in use",
                fix=f"put it back if you have it, {self._resume}. Keep it where nothing tidies or syncs files",
            )

    def _found(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat() if self._path else None
        except OSError:
            return None
        return found and (found.st_dev, found.st_ino)


class Outage:
    """A database that is away: waits for it, unless `stop` is set meanwhile. Tells so once."""

    def __init__(self, stop: threading.Event | None = None) -> None:
        self._stop = stop or threading.Event()
        self._since: float | None = None
        self._told = self._stop

    def over(self) -> None:
        """The database answers."""
        if self._since is not None:
            log.warning("the database answers again")
        self._since = None

    def wait(self, error: DBAPIError) -> None:
        """Wait until the next attempt. Raises the error if waiting cannot help, `DatabaseAway` if it did not."""
        if not is_away(error):
            raise error
        what = unusable(error).what
        if self._since is None:
            self._since = time.monotonic()
            self._told = threading.Event() if self._stop.is_set() else self._stop  # what was told before is no answer
            log.warning("%s; waiting for it, up to %.0f s", what, PATIENCE)
        if time.monotonic() - self._since > PATIENCE or self._told.wait(LOOK):
            raise DatabaseAway(what, fix="when it does, resume: what was said is saved") from None
