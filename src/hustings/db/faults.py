"""Names faults of a database in plain words, each with its fix; the original may hold a password or a text."""

from __future__ import annotations

import shutil
from pathlib import Path

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from hustings.errors import Unsuitable

AWAY = (OperationalError, InterfaceError)
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
    return Unsuitable("database error", why=kind, fix="check that it is running, then: hustings db upgrade")


def kind_of(error: BaseException | None) -> str:
    """Name of an error: SQLite's own, or the class. A server that is full refuses without a code, by text alone."""
    if isinstance(error, PoolTimeout) or (type(error).__name__ == "OperationalError" and _no_room(str(error))):
        return "TooManyConnections"
    return getattr(error, "sqlite_errorname", None) or type(error).__name__


def is_away(error: DBAPIError) -> bool:
    """Whether waiting may help. SQLite reports a wrong statement as an operational error, too."""
    name = getattr(error.orig, "sqlite_errorname", None)
    if name is not None:
        return name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_IOERR", "SQLITE_FULL", "SQLITE_CANTOPEN"))
    return isinstance(error, AWAY) or error.connection_invalidated


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
        "close that program, then try again",
    ),
    "SQLITE_FULL": ("the disk is full", "free some space, then try again, or: hustings resume RUN"),
    "DiskFull": ("the disk of the database is full", "free some space there, then try again"),
    "SQLITE_READONLY": ("the database is read-only", "make the file writable, or choose another with --database"),
    "SQLITE_CANTOPEN": (
        "can't open the database file",
        "check that its folder exists, or choose another with --database",
    ),
    "SQLITE_NOTADB": ("the file is not a hustings database", "choose another with --database"),
    "SQLITE_CORRUPT": ("the database file is damaged", "restore a backup, or choose another with --database"),
    "TooManyConnections": (
        "the database has no free connection",
        "close other programs that use it, or raise max_connections in PostgreSQL",
    ),
    **dict.fromkeys(
        ("OperationalError", "AdminShutdown", "CrashShutdown", "CannotConnectNow"),
        (
            "the database does not answer",
            "check that it is running and its address is right, then: hustings db upgrade",
        ),
    ),
}
"""By the beginning of the error's name."""
