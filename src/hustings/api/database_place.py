"""Where a program stores its debates: a file, an address, a temporary file, or the user's own database."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from hustings.config.paths import TEMPORARY, address, in_file
from hustings.config.settings_in_use import database_in_use
from hustings.errors import Unsuitable

from .shared_worker import SHARED_WORKERS


def database_url(given: str | Path | None) -> str:
    """URL of the database. None means the one that the user's settings name, else the user's own."""
    place = given or database_in_use()
    if place == TEMPORARY:
        return _temporary()
    return in_file(place) if isinstance(place, Path) else address(place)


@cache
def _temporary() -> str:
    try:
        folder = Path(tempfile.mkdtemp(prefix="hustings-"))
    except OSError as error:
        why, fix = error.strerror or str(error), "set TMPDIR to a folder that can be written"
        raise Unsuitable("can't make a temporary database", why=why, fix=fix) from None
    atexit.register(_discard, folder, os.getpid())
    return in_file(folder / "hustings.db")


def _discard(folder: Path, maker: int) -> None:
    if os.getpid() == maker:  # and not a fork of it, which may end long before
        SHARED_WORKERS.close()
        shutil.rmtree(folder, ignore_errors=True)
