"""Chooses the database of a debate from Python: by default the same as the command line's."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from hustings.config.paths import address

from .shared_worker import SHARED_WORKER

TEMPORARY = "temporary"
"""A database file that is deleted when the process ends."""


def database_url(given: str | Path | None) -> str:
    """URL of the database: a path is a SQLite file; None means HUSTINGS_DATABASE, else the user's own."""
    if given == TEMPORARY:
        return _temporary()
    if isinstance(given, Path):
        return f"sqlite:///{given.resolve()}"
    return address(given or os.environ.get("HUSTINGS_DATABASE", ""))


@cache
def _temporary() -> str:
    folder = Path(tempfile.mkdtemp(prefix="hustings-"))
    atexit.register(_discard, folder)
    return f"sqlite:///{folder / 'hustings.db'}"


def _discard(folder: Path) -> None:
    SHARED_WORKER.close()
    shutil.rmtree(folder, ignore_errors=True)
