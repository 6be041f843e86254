"""A connection to the database, SQLite on a laptop or PostgreSQL, and its clock."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, cast

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql import expression

from hustings.errors import Unsuitable

Dialect = Literal["sqlite", "postgresql"]


class now(expression.FunctionElement[float]):  # noqa: N801 - it reads as the function it is
    """The database's own clock, in seconds since 1970: the only one that all workers share."""

    type: sa.types.TypeEngine[float] = sa.Double()
    inherit_cache = True


@compiles(now, "postgresql")
def _postgresql_now(*_: Any, **__: Any) -> str:
    return "extract(epoch from clock_timestamp())::double precision"


@compiles(now, "sqlite")
def _sqlite_now(*_: Any, **__: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"  # before 3.42 it has no `unixepoch('subsec')`


IDLE_SECONDS = 5.0
"""Whoever stands still inside a transaction for so long loses it, and its locks, to the others."""
TENANT = "hustings_tenant"
"""The role under which a transaction of one owner is held on PostgreSQL; `tenants` makes it."""
BUSY_SECONDS = 30.0
"""How long a writer waits for another one in the same SQLite file."""


@dataclass(frozen=True)
class Database:
    """One per process."""

    url: str
    engine: sa.Engine
    dialect: Dialect
    owner: str | None = None
    """Whose rows alone its transactions see, if the database can be made to see to that."""

    def acting_for(self, owner: str) -> Database:
        """The same database, every transaction of which is held under the role of a tenant."""
        return replace(self, engine=self.engine.execution_options(owner=owner), owner=owner)

    @property
    def now(self) -> sa.ColumnElement[float]:
        return now()

    def reading(self) -> AbstractContextManager[sa.Connection]:
        """A connection that takes no write lock."""
        return self.engine.execution_options(reading=True).connect()

    def writing(self) -> AbstractContextManager[sa.Connection]:
        """One transaction; on SQLite it has the write lock from its first moment."""
        return self.engine.begin()

    def close(self) -> None:
        self.engine.dispose()


def connect(url: str, *, pool: int = 4) -> Database:
    """A database by its address, `sqlite:///path` or `postgresql://…`."""
    scheme = url.partition(":")[0]
    if scheme == "sqlite":
        return Database(url, _sqlite(url), "sqlite")
    if scheme in {"postgres", "postgresql", "postgresql+psycopg"}:
        address = sa.make_url(url).set(drivername="postgresql+psycopg")
        return Database(url, _postgresql(address, pool), "postgresql")
    raise Unsuitable(f"no database of the kind {scheme!r}", fix="give sqlite:///FILE or postgresql://USER@HOST/NAME")


def file_of(url: str) -> Path | None:
    """The file of a SQLite database."""
    return Path(url.removeprefix("sqlite:///")) if url.startswith("sqlite:///") else None


def make_file(url: str) -> None:
    """A fresh SQLite file keeps a write-ahead log: one commit costs a seventh of what it does without."""
    if (path := file_of(url)) is not None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            why = error.strerror or ""
            raise Unsuitable(f"no folder for {path}", why=why, fix="name another database with --database") from None
        with sqlite3.connect(path, timeout=BUSY_SECONDS) as db:
            db.execute("pragma journal_mode=wal")
        db.close()


def _postgresql(address: sa.URL, pool: int) -> sa.Engine:
    engine = sa.create_engine(address, pool_size=pool, max_overflow=2, pool_pre_ping=True)

    @event.listens_for(engine, "connect")
    def _let_go(connection: Any, _record: object) -> None:  # pyright: ignore[reportUnusedFunction]
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
        raise Unsuitable(f"{url!r} names no file", fix="a debate must outlast its process, so write sqlite:///FILE")
    engine = sa.create_engine(url, connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _no_implicit_begin(connection: Any, _record: object) -> None:  # pyright: ignore[reportUnusedFunction]
        raw = cast("sqlite3.Connection", connection)
        raw.isolation_level = None
        # The engine's next commit syncs the same log. Until then only a power cut could undo ours, and what it
        # undoes was in flight.
        raw.execute("pragma synchronous=normal")

    @event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        reading = connection.get_execution_options().get("reading", False)
        connection.exec_driver_sql("begin" if reading else "begin immediate")

    return engine


_AS_TENANT = "select set_config('role', %s, true), set_config('hustings.owner', %s, true)"
"""For this transaction alone."""
