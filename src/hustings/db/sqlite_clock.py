"""Gives SQLite before 3.42 the clock that the engine's tables ask it for under Python 3.12 and later."""

from __future__ import annotations

import sqlite3
import time
from functools import cache
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import Engine

KNOWS_FRACTIONS = (3, 42)
"""The first version of SQLite with `unixepoch('subsec')`. Before, it is NULL, and no engine could start."""


@cache
def lend_clock() -> None:
    """For every connection from now on: the engine opens its own."""
    if sqlite3.sqlite_version_info < KNOWS_FRACTIONS:
        event.listen(Engine, "connect", _with_clock)


def _with_clock(connection: Any, _record: object) -> None:
    if isinstance(connection, sqlite3.Connection):
        connection.create_function("unixepoch", -1, _seconds)


def _seconds(*asked: str) -> float | None:
    """Only the present moment is asked for; NULL for anything else, as of a version that does not know it."""
    now = time.time()
    return now if asked == ("subsec",) else None if asked else float(int(now))
