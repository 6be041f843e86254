"""Create the tables of the database: the engine's, our own, row security, the check against pickled rows.

Only one process migrates at a time.
"""

from __future__ import annotations

import fcntl
import logging
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib.resources import files

import sqlalchemy as sa

from hustings.errors import Unsuitable

from .connection import Database, file_of, make_file, storing_in
from .row_security import install
from .tables import RUN

LOCK = 0x68757374
"""Advisory lock that is held while PostgreSQL is migrated."""
LOCK_RETRY_SECONDS = 0.1
HEAD = "0001"
"""Version of our tables. At this version Alembic, slow to load and large in memory, is not imported."""
VERSION_TABLE = "hustings_version"
UNKNOWN = "unknown"
"""Version of tables that name none."""


def upgrade(database: Database, engine_tables: Callable[[str], None] = lambda _: None) -> None:
    """Create what is missing. `engine_tables` creates the tables of the durable engine, which readers do not need."""
    make_file(database.url)
    with _alone(database), _without_steps():
        refuse_other_version(version_of(database))
        engine_tables(database.url)
        _own_tables(database)
        install(database)
        refuse_pickle(database.engine)


def _own_tables(database: Database) -> None:
    if version_of(database) == HEAD:
        return
    from alembic import command  # noqa: PLC0415  heavy, and needed once
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(files("hustings.db") / "migrations"))
    with database.writing() as db:
        config.attributes["connection"] = db
        command.upgrade(config, "head")


@contextmanager
def _without_steps() -> Generator[None]:
    """Keep the lines of each step out of the log of the program around us."""
    before = {logger: logger.level for logger in map(logging.getLogger, ("alembic", "dbos"))}
    for logger in before:
        logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        for logger, level in before.items():
            logger.setLevel(level)


def version_of(database: Database) -> str | None:
    """Version of our tables; None in a database that has none of them yet."""
    with database.reading() as db:
        tables = sa.inspect(db).get_table_names()
        if VERSION_TABLE in tables:
            return db.scalar(sa.text(f"select version_num from {VERSION_TABLE}"))  # noqa: S608  our own name
    return UNKNOWN if RUN.name in tables else None


def other_version(version: str) -> Unsuitable:
    """Tables of another version may not mean what this one takes them for."""
    return Unsuitable(
        "the database was made by another version of hustings",
        why=f"its tables have version {version}, and this one needs {HEAD}",
        fix="use the version that made it, or make a new database: hustings db upgrade --database ADDRESS",
    )


def refuse_other_version(version: str | None) -> None:
    """Refuse tables of another version. Nothing was changed."""
    if version not in (None, HEAD):
        raise other_version(version)


def must_be_current(version: str | None) -> None:
    """Refuse to read tables of another version, or that are not there."""
    refuse_other_version(version)
    if version is None:
        raise Unsuitable("this database has no debates yet", fix="hold one: hustings run; or check the address")


def refuse_pickle(engine: sa.Engine) -> None:
    """Make the database refuse pickled rows: each row names its own format, and unpickling would run code."""
    with engine.execution_options(reading=True).connect() as db:
        # Altering a table locks out all who use it, so do it only where it is needed.
        tables = db.exec_driver_sql(_UNGUARDED[engine.dialect.name]).scalars().all()
    if tables:
        with engine.begin() as db:
            for table in tables:
                for statement in _PICKLE[engine.dialect.name]:
                    db.exec_driver_sql(statement.format(table=table))


_UNGUARDED = {
    "postgresql": (
        "select relname from pg_class c join pg_attribute a on a.attrelid = c.oid "
        "where relnamespace = to_regnamespace('dbos') and relkind in ('r', 'p') "
        "and attname = 'serialization' and not attisdropped "
        "and not exists (select from pg_constraint where conrelid = c.oid and contype = 'c' "
        "and conname = relname || '_no_pickle')"
    ),
    "sqlite": (
        "select m.name from sqlite_master m join pragma_table_info(m.name) c "
        "where m.type = 'table' and c.name = 'serialization' "
        "and (select count(*) from sqlite_master t where t.type = 'trigger' and t.tbl_name = m.name "
        "and t.name in (m.name || '_no_pickle_insert', m.name || '_no_pickle_update')) < 2"
    ),
}
"""Tables with a column that names the format of a row, which take a pickled one so far."""
_PICKLE = {
    "postgresql": (
        "alter table dbos.{table} add constraint {table}_no_pickle check (serialization is distinct from 'py_pickle')",
    ),
    "sqlite": tuple(
        f"create trigger if not exists {{table}}_no_pickle_{verb} before {verb} on {{table}} "
        "when new.serialization = 'py_pickle' begin select raise(abort, 'pickled rows are refused'); end"
        for verb in ("insert", "update")
    ),
}


@contextmanager
def _alone(database: Database) -> Generator[None]:
    path = file_of(database.url)
    if path is not None:
        with storing_in(path):
            lock = path.with_name(path.name + ".lock").open("w")
        with lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        return
    # Outside a transaction: the engine builds indexes concurrently, which waits for every open transaction.
    with database.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as db:
        # Poll instead of waiting for the lock: building an index concurrently waits for that statement, too.
        while not db.scalar(sa.select(sa.func.pg_try_advisory_lock(LOCK))):
            time.sleep(LOCK_RETRY_SECONDS)
        try:
            yield
        finally:
            db.execute(sa.select(sa.func.pg_advisory_unlock(LOCK)))
