"""Open a database by its address to read runs; database errors become readable messages."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing, contextmanager

from sqlalchemy.exc import DBAPIError

from hustings.db import migrate
from hustings.db.connection import Database, connect, file_of
from hustings.errors import Unsuitable

from .queries import RunQueries


@contextmanager
def open_runs(url: str) -> Generator[RunQueries]:
    """Open all runs of a database for reading. Creates a missing SQLite file."""
    with open_database(url, migrate.upgrade) as database:
        yield RunQueries(database)


@contextmanager
def open_database(url: str, create: Callable[[Database], None]) -> Generator[Database]:
    """Connect to a database. `create` makes a missing SQLite file."""
    try:
        with closing(connect(url)) as database:
            if (path := file_of(url)) is not None and not path.exists():
                create(database)
            yield database
    except DBAPIError as error:
        raise unusable(error.orig) from None


def unusable(error: BaseException | None) -> Unsuitable:
    """Describe a database error in our own words: the original may contain a password, or half of a transcript."""
    kind: str = getattr(error, "sqlite_errorname", None) or type(error).__name__
    for name, (what, fix) in KNOWN.items():
        if kind.startswith(name):
            return Unsuitable(what, why=kind, fix=fix)
    return Unsuitable(
        "the database does not do what is asked of it", why=kind, fix="see that it runs, then `hustings db upgrade`"
    )


KNOWN = {
    "SQLITE_BUSY": (
        "the database is locked by another program",
        "let that one end, or close it; then the same command again",
    ),
    "SQLITE_FULL": ("the disk is full", "make room; then the same command again, or `hustings resume RUN`"),
    "SQLITE_READONLY": ("the database may not be written", "give yourself the right to write it, or name another one"),
    "SQLITE_CANTOPEN": ("the database file cannot be opened", "see that its folder is there, or name another one"),
    "SQLITE_NOTADB": ("the file is no database of ours", "name another one with --database"),
    "SQLITE_CORRUPT": ("the database file is damaged", "put back a copy, or name another one with --database"),
    "OperationalError": (
        "the database does not answer",
        "see that it runs and that its address is right, then `hustings db upgrade`",
    ),
}
"""By the beginning of the error's name."""
