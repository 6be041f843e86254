"""Names faults of a database in plain words, each with its fix; the original may hold a password or a text."""

from __future__ import annotations

import shutil
from pathlib import Path

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from hustings.errors import Unsuitable

LEAST_ROOM = 64 * 1024
"""Bytes. A disk with less free space is full."""


def unusable(error: BaseException | None, folder: Path | None = None) -> Unsuitable:
    """Describe a database error in our own words. `folder` is that of a SQLite file: its disk may be full."""
    if isinstance(error, DBAPIError):
        error = error.orig
    kind = kind_of(error)
    if kind.startswith("SQLITE_IOERR") and folder is not None and _is_full(folder):
        kind = "SQLITE_FULL"
    for name, (what, fix) in KNOWN.items():
        if kind.startswith(name):
            return Unsuitable(what, why=kind, fix=fix)
    return Unsuitable(
        "the database does not do what is asked of it", why=kind, fix="see that it runs, then `hustings db upgrade`"
    )


def kind_of(error: BaseException | None) -> str:
    """Name of an error: SQLite's own, or the class. A server that is full refuses without a code, by text alone."""
    if isinstance(error, PoolTimeout) or (type(error).__name__ == "OperationalError" and _no_room(str(error))):
        return "TooManyConnections"
    return getattr(error, "sqlite_errorname", None) or type(error).__name__


def too_few_connections(error: DBAPIError) -> bool:
    return kind_of(error.orig) == "TooManyConnections"


def _no_room(text: str) -> bool:
    return any(said in text for said in ("too many clients", "remaining connection slots", "too many connections"))


def _is_full(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < LEAST_ROOM
    except OSError:
        return False


KNOWN = {
    "SQLITE_BUSY": (
        "the database is locked by another program",
        "let that one end, or close it; then the same command again",
    ),
    "SQLITE_FULL": ("the disk is full", "make room; then the same command again, or `hustings resume RUN`"),
    "DiskFull": ("the disk of the database is full", "make room there; then the same command again"),
    "SQLITE_READONLY": ("the database may not be written", "give yourself the right to write it, or name another one"),
    "SQLITE_CANTOPEN": ("the database file cannot be opened", "see that its folder is there, or name another one"),
    "SQLITE_NOTADB": ("the file is no database of ours", "name another one with --database"),
    "SQLITE_CORRUPT": ("the database file is damaged", "put back a copy, or name another one with --database"),
    "TooManyConnections": (
        "the database has no free connection",
        "end some of its clients, or raise max_connections of PostgreSQL",
    ),
    "OperationalError": (
        "the database does not answer",
        "see that it runs and that its address is right, then `hustings db upgrade`",
    ),
}
"""By the beginning of the error's name."""
