"""Worker leases: detect dead workers without a coordinator, and fence them out. `engine/worker` sets their length.

A lease is a row that its holder renews by the database's clock. A sweeper first deletes the row,
which fences the holder out, and only then hands on its runs.
"""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa

from hustings.errors import HustingsError

from .connection import Database, Prepared, now
from .tables import LEASE, RUN

OWN = "own:"
"""Begins the name of a worker that executes only what its program starts, and takes nothing from the queue."""


class Fenced(HustingsError):
    """This worker lost its lease and its runs went to other workers: it must write nothing more."""


def take(database: Database, executor_id: str, ttl: float) -> None:
    with database.writing() as db:
        db.execute(sa.insert(LEASE).values(executor_id=executor_id, expires=database.now + ttl))


def renew(database: Database, executor_id: str, ttl: float) -> bool:
    """Return False if the lease is gone for good."""
    mine = LEASE.c.executor_id == executor_id
    with database.writing() as db:
        return db.execute(sa.update(LEASE).where(mine).values(expires=database.now + ttl)).rowcount == 1


def release(database: Database, executor_id: str) -> None:
    with database.writing() as db:
        db.execute(sa.delete(LEASE).where(LEASE.c.executor_id == executor_id))


def holds(db: sa.Connection, executor_id: str) -> bool:
    """Call it inside a transaction: deleting the lease then waits until that transaction is over."""
    return _HOLDS.run(db, {"me": executor_id}).first() is not None


def lives(db: sa.Connection, executor_id: str) -> bool:
    """Whether a worker has a lease that has not expired."""
    mine = (LEASE.c.executor_id == executor_id, LEASE.c.expires >= now())
    return db.scalar(sa.select(LEASE.c.executor_id).where(*mine)) is not None


def expired(database: Database) -> list[str]:
    with database.reading() as db:
        return list(db.scalars(sa.select(LEASE.c.executor_id).where(LEASE.c.expires < database.now)))


def alive(database: Database) -> set[str]:
    """Names of all that hold a lease that has not expired."""
    with database.reading() as db:
        return set(db.scalars(sa.select(LEASE.c.executor_id).where(LEASE.c.expires >= now())))


def take_away(database: Database, executor_ids: Collection[str]) -> None:
    """Delete leases that have expired. One that is in use right now is skipped until the next time."""
    old = sa.select(LEASE.c.executor_id).where(LEASE.c.executor_id.in_(executor_ids), LEASE.c.expires < database.now)
    if database.dialect == "postgresql":
        old = old.with_for_update(skip_locked=True)  # a worker that waited here could not renew its own lease
    with database.writing() as db:
        db.execute(sa.delete(LEASE).where(LEASE.c.executor_id.in_(old.scalar_subquery())))


def end(db: sa.Connection, executor_id: str) -> bool:
    """Fence out a worker whose lease has expired. Return False if it lives."""
    db.execute(sa.delete(LEASE).where(LEASE.c.executor_id == executor_id, LEASE.c.expires < now()))
    return db.scalar(sa.select(LEASE.c.executor_id).where(LEASE.c.executor_id == executor_id)) is None


def hold_run(db: sa.Connection, run_id: str, executor_id: str) -> bool:
    """Assign a run to this process, and fence out one that is gone. Return False if another live one has it."""
    holder = db.scalar(sa.select(RUN.c.executor_id).where(RUN.c.run_id == run_id).with_for_update())
    if holder != executor_id:
        if not end(db, holder or ""):
            return False
        db.execute(sa.update(RUN).where(RUN.c.run_id == run_id).values(executor_id=executor_id))
    return True


_MINE = sa.select(LEASE.c.executor_id).where(LEASE.c.executor_id == sa.bindparam("me"))
_HOLDS = Prepared(_MINE.with_for_update(key_share=True, read=True))  # SQLite has no such clause, and needs none
