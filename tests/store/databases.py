"""A database of its own for a test, and processes that share it."""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from uuid import uuid4

import pytest
import sqlalchemy as sa

from hustings.store.database import Database, connect, make_file
from hustings.store.tables import METADATA

SERVER = os.environ.get("HUSTINGS_TEST_POSTGRES", "postgresql://127.0.0.1:5432/test")
KINDS = ("sqlite", "postgresql")


@contextmanager
def fresh(kind, folder) -> Iterator[Database]:
    """Our tables, empty; thrown away afterwards."""
    if kind == "sqlite":
        url = f"sqlite:///{folder}/{uuid4().hex}.sqlite"
        make_file(url)
        yield from _with_tables(url)
        return
    name = f"hustings_{uuid4().hex[:12]}"
    with server() as db:
        db.execute(sa.text(f"create database {name}"))
    try:
        yield from _with_tables(sa.make_url(SERVER).set(database=name).render_as_string(hide_password=False))
    finally:
        with server() as db:
            db.execute(sa.text(f"drop database {name} with (force)"))


def _with_tables(url):
    database = connect(url, pool=10)
    try:
        METADATA.create_all(database.engine)
        yield database
    finally:
        database.close()


@contextmanager
def server():
    engine = sa.create_engine(
        sa.make_url(SERVER).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT", poolclass=sa.NullPool
    )
    try:
        with engine.connect() as db:
            yield db
    except sa.exc.OperationalError as error:
        pytest.skip(f"no PostgreSQL answers at HUSTINGS_TEST_POSTGRES: {type(error.orig).__name__}")


@contextmanager
def processes(count):
    """Started and warm, so that what they do next they do at the same time."""
    context = get_context("spawn")
    ready = context.Barrier(count + 1)
    with ProcessPoolExecutor(count, context, initializer=_meet, initargs=(ready,)) as pool:
        warm = [pool.submit(int) for _ in range(count)]
        ready.wait(50)
        for job in warm:
            job.result()
        yield pool


def _meet(ready):
    ready.wait(50)
