"""Database connections for SQLite and PostgreSQL: transactions, timeouts, tenant role, clock, prepared statements."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Generator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql import expression

from hustings.errors import Unsuitable

from .faults import KNOWN, unusable
from .sqlite_clock import lend_clock

if TYPE_CHECKING:
    from sqlalchemy.dialects.postgresql import Insert as PostgresInsert
    from sqlalchemy.dialects.sqlite import Insert as SqliteInsert


Dialect = Literal["sqlite", "postgresql"]


class now(expression.FunctionElement[float]):  # noqa: N801 - it reads as the function it is
    """The database's clock, in seconds since 1970: the only clock that all workers share."""

    type: sa.types.TypeEngine[float] = sa.Double()
    inherit_cache = True


@compiles(now, "postgresql")
def _postgresql_now(*_: Any, **__: Any) -> str:
    return "extract(epoch from clock_timestamp())::double precision"


@compiles(now, "sqlite")
def _sqlite_now(*_: Any, **__: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"  # before 3.42 it has no `unixepoch('subsec')`


def insert_if_absent(db: sa.Connection, table: sa.Table) -> PostgresInsert | SqliteInsert:
    """An insert that leaves an existing row as it is. Only the dialect in use is loaded."""
    if db.dialect.name == "postgresql":
        from sqlalchemy.dialects import postgresql  # noqa: PLC0415  takes as long to load as all of our tables

        return postgresql.insert(table).on_conflict_do_nothing()
    return sqlite.insert(table).on_conflict_do_nothing()


def insert_in_chunks(db: sa.Connection, insert: sa.Insert, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows a thousand at a time: while many are made ready on a busy machine, a transaction must not idle."""
    for first in range(0, len(rows), CHUNK):
        db.execute(insert, [*rows[first : first + CHUNK]])


CHUNK = 1_000
IDLE_SECONDS = 5.0
"""A client that idles inside a transaction for this long loses it, and its locks."""
TENANT = "hustings_tenant"
"""PostgreSQL role for transactions of one owner; `row_security` creates it."""
BUSY_SECONDS = 30.0
"""How long a writer waits for another writer of the same SQLite file."""


@dataclass(frozen=True)
class Database:
    """A database engine; one per process."""

    url: str
    engine: sa.Engine
    dialect: Dialect
    owner: str | None = None
    """Transactions see only the rows of this owner, where the database enforces row security."""

    def acting_for(self, owner: str) -> Database:
        """The same database with every transaction under the tenant role of one owner."""
        return replace(self, engine=self.engine.execution_options(owner=owner), owner=owner)

    @property
    def now(self) -> sa.ColumnElement[float]:
        return now()

    def reading(self) -> AbstractContextManager[sa.Connection]:
        """A connection without a write lock."""
        return self.engine.execution_options(reading=True).connect()

    def writing(self) -> AbstractContextManager[sa.Connection]:
        """One transaction. On SQLite it holds the write lock from the start."""
        return self.engine.begin()

    def close(self) -> None:
        self.engine.dispose()


def connect(url: str, *, pool: int = 4) -> Database:
    """Connect by address: `sqlite:///path` or `postgresql://…`."""
    scheme = url.partition(":")[0]
    if scheme == "sqlite":
        lend_clock()
        return Database(url, _sqlite(url), "sqlite")
    if scheme in {"postgres", "postgresql", "postgresql+psycopg"}:
        try:
            address = sa.make_url(url).set(drivername="postgresql+psycopg")
        except (ValueError, ArgumentError):  # neither repeats the address, which may hold a password
            raise Unsuitable("this is not a database address", fix="write postgresql://USER@HOST:PORT/NAME") from None
        return Database(url, _postgresql(address, pool), "postgresql")
    raise Unsuitable(f"unknown kind of database: {scheme!r}", fix="name a file, or postgresql://USER@HOST/NAME")


def must_have_room(url: str, connections: int) -> None:
    """Open as many connections at once as a worker needs; raises the database's own error if there are too few."""
    with closing(connect(url, pool=connections)) as database, ExitStack() as opened:
        for _ in range(connections if database.dialect == "postgresql" else 0):
            opened.enter_context(database.engine.connect())


def file_of(url: str) -> Path | None:
    """The file of a SQLite database, if it is one."""
    return Path(url.removeprefix("sqlite:///")) if url.startswith("sqlite:///") else None


def is_there(path: Path) -> bool:
    """Whether there is such a file. One that may not even be seen counts as none, where a `Path` raises an error."""
    return os.path.isfile(path)  # noqa: PTH113


def make_file(url: str) -> None:
    """Create a SQLite file with a write-ahead log, which makes a commit seven times cheaper."""
    if (path := file_of(url)) is not None:
        make_folder(path)
        with storing_in(path), suppress(FileExistsError):
            # For its owner alone, like its log and shared memory. Only a new file: closing one that SQLite has open in
            # this process would drop SQLite's locks on it.
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        try:
            with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as db:
                db.execute("pragma journal_mode=wal")
        except sqlite3.Error as error:
            if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):  # SQLite's own error says less
                what, fix = KNOWN["SQLITE_READONLY"]
                raise Unsuitable(what, why=str(path), fix=fix) from None
            raise unusable(error, path.parent) from None


def make_folder(path: Path) -> None:
    """Create the folder of a database, for its owner alone."""
    with storing_in(path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)


@contextmanager
def storing_in(path: Path) -> Generator[None]:
    """Say where nothing can be stored, instead of the system's own error."""
    try:
        yield
    except OSError as error:
        raise Unsuitable(
            f"can't store debates in {path.parent}",
            why=error.strerror or "",
            fix="name another place with --database or HUSTINGS_DATABASE",
        ) from None


def _postgresql(address: sa.URL, pool: int) -> sa.Engine:
    engine = sa.create_engine(address, pool_size=pool, max_overflow=2, pool_pre_ping=True)

    @event.listens_for(engine, "connect", insert=True)  # before anything is read: SQL_ASCII reads as bytes
    def _let_go(connection: Any, _record: object) -> None:  # pyright: ignore[reportUnusedFunction]
        if (coding := connection.info.parameter_status("server_encoding")) != "UTF8":
            raise Unsuitable(
                f"the database {address.database!r} stores text as {coding}, and debates have every script",
                fix="create the database with ENCODING 'UTF8'",
            )
        with connection.cursor() as cursor:
            cursor.execute(f"set idle_in_transaction_session_timeout = {round(IDLE_SECONDS * 1000)}")
        connection.commit()

    @event.listens_for(engine, "begin")
    def _step_down(connection: sa.Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        owner = connection.get_execution_options().get("owner")
        if owner is not None:
            connection.exec_driver_sql(_AS_TENANT, (TENANT, owner))

    return engine


def _sqlite(url: str) -> sa.Engine:
    if file_of(url) is None:
        raise Unsuitable(f"{url!r} names no file", fix="name a file, so that debates are kept")
    engine = sa.create_engine(_for_readers(url), connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _no_implicit_begin(connection: Any, _record: object) -> None:  # pyright: ignore[reportUnusedFunction]
        raw = cast("sqlite3.Connection", connection)
        raw.isolation_level = None
        # The engine's next commit syncs the same log. Until then only a power cut could undo our commit, and
        # anything it undoes was still in flight.
        raw.execute("pragma synchronous=normal")

    @event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        reading = connection.get_execution_options().get("reading", False)
        connection.exec_driver_sql("begin" if reading else "begin immediate")

    return engine


def as_operator(db: sa.Connection) -> None:
    """Let the rest of a transaction write the engine's tables, which the role of an owner may not."""
    if db.get_execution_options().get("owner") is not None:
        db.exec_driver_sql("set local role none")


def _for_readers(url: str) -> str:
    """The address of a file that may not be written, so that it can be read: SQLite must not look for its log then."""
    path = file_of(url)
    if path is None or not is_there(path) or (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        return url
    log = path.with_name(f"{path.name}-wal")
    if log.exists() and log.stat().st_size:
        raise Unsuitable(
            f"{path} is read-only, and reading it needs write access",
            why=f"its latest changes are still in {log.name}",
            fix="copy all files of the database to a folder you can write to",
        )
    return f"sqlite:///file:{quote(str(path.absolute()))}?mode=ro&immutable=1&uri=true"


_AS_TENANT = "select set_config('role', %s, true), set_config('hustings.owner', %s, true)"
"""Set for this transaction only."""


def each_of(db: sa.Connection) -> str:
    """The ids in the JSON list `:run_ids` as rows with one column, `value`. A parameter for each has a limit."""
    return (
        "json_array_elements_text(cast(:run_ids as json))" if db.dialect.name == "postgresql" else "json_each(:run_ids)"
    )


class Prepared:
    """A statement with named parameters. Constant parameters are stored with the compiled text."""

    def __init__(self, statement: sa.ClauseElement) -> None:
        self._statement = statement
        self._compiled: dict[str, tuple[str, dict[str, Any]]] = {}

    def run(self, db: sa.Connection, values: Mapping[str, Any]) -> sa.CursorResult[*tuple[Any, ...]]:
        text, fixed = self._compiled.get(db.dialect.name) or self._compile(db)
        return db.exec_driver_sql(text, {**fixed, **values})

    def _compile(self, db: sa.Connection) -> tuple[str, dict[str, Any]]:
        # The driver accepts named and positional parameters; names avoid mix-ups.
        dialect = sqlite.dialect(paramstyle="named") if db.dialect.name == "sqlite" else db.dialect
        compiled = self._statement.compile(dialect=dialect)
        fixed = {name: value for name, value in (compiled.params or {}).items() if value is not None}
        self._compiled[db.dialect.name] = str(compiled), fixed
        return self._compiled[db.dialect.name]
