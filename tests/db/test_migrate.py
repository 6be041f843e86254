import base64
import pickle
import subprocess
import sys
from contextlib import closing
from importlib.resources import files

import pytest
import sqlalchemy as sa
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy.exc import DBAPIError

from hustings.db import tokens
from hustings.db.connection import connect
from hustings.db.migrate import HEAD, upgrade, version_of
from hustings.db.tables import ACTIVITY, BUDGET, METADATA, RUN
from hustings.db.tokens import Access
from hustings.engine.client import engine_tables
from hustings.errors import Unsuitable
from hustings.runs.queries import open_runs
from tests.rig.postgres import database as own_database
from tests.rig.postgres import sqlite_file

from .databases import processes


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def url(request, tmp_path_factory):
    if request.param == "sqlite":
        yield sqlite_file(tmp_path_factory.mktemp("migrate"))
        return
    with own_database() as url:
        yield url


@pytest.fixture(scope="module")
def database(url):
    database = connect(url)
    upgrade(database, engine_tables)
    yield database
    database.close()


def bring_up_to_date(url):
    database = connect(url)
    try:
        upgrade(database, engine_tables)
    finally:
        database.close()


def engines(database, table):
    return f"dbos.{table}" if database.dialect == "postgresql" else table


def guarded(database):
    """The engine's tables whose rows say how they are to be read."""
    inspector, schema = sa.inspect(database.engine), "dbos" if database.dialect == "postgresql" else None
    names = inspector.get_table_names(schema=schema)
    return [n for n in names if "serialization" in {c["name"] for c in inspector.get_columns(n, schema=schema)}]


def test_the_last_step_is_the_version_of_the_code():
    config = Config()
    config.set_main_option("script_location", str(files("hustings.db") / "migrations"))
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


@pytest.mark.nightly("a process of its own on each database")
def test_who_is_up_to_date_needs_no_alembic(database):
    code = """
import sys
from hustings.engine.client import engine_tables
from hustings.errors import Unsuitable
from hustings.runs.queries import open_runs
from hustings.db.connection import connect
from hustings.db.migrate import upgrade
upgrade(connect(sys.argv[1]), engine_tables)
sys.exit("alembic" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code, database.url], check=False).returncode == 0


def test_who_needs_no_engine_gets_every_table_of_ours_too(tmp_path):
    with closing(connect(sqlite_file(tmp_path))) as database:
        upgrade(database)
        assert set(METADATA.tables) <= set(sa.inspect(database.engine).get_table_names())


def test_migrating_twice_changes_nothing(database):
    with database.writing() as db:
        db.execute(sa.insert(BUDGET).values(id="kept", spent=7))
    upgrade(database, engine_tables)
    with database.reading() as db:
        assert db.scalar(sa.select(BUDGET.c.spent).where(BUDGET.c.id == "kept")) == 7


@pytest.mark.nightly("two processes on each database")
@pytest.mark.timeout(90)
def test_processes_that_migrate_at_the_same_time_do_not_disturb_each_other(tmp_path):
    with processes(2) as pool, own_database() as postgres:
        for url in (sqlite_file(tmp_path), postgres):
            for job in [pool.submit(bring_up_to_date, url) for _ in range(2)]:
                job.result()


def test_there_are_rows_to_guard(database):
    assert {"workflow_status", "operation_outputs", "notifications"} <= set(guarded(database))


def test_no_table_of_the_engine_takes_a_pickled_row(database):
    taken = []
    for table in guarded(database):
        try:
            with database.writing() as db:
                db.execute(sa.text(f"insert into {engines(database, table)} (serialization) values ('py_pickle')"))
            taken.append(table)
        except sa.exc.DBAPIError as error:
            if "pickle" not in str(error.orig):
                taken.append(f"{table}: {error.orig}")
    assert taken == []


def test_no_row_that_is_there_can_be_made_a_pickled_one(database):
    status, row = engines(database, "workflow_status"), {"id": f"victim-{database.dialect}"}
    with database.writing() as db:
        db.execute(sa.text(f"insert into {status} (workflow_uuid, status, serialization) values (:id, 'x', 'j')"), row)
    inputs = base64.b64encode(pickle.dumps({"args": (), "kwargs": {}})).decode()
    change = sa.text(f"update {status} set serialization = 'py_pickle', inputs = :inputs where workflow_uuid = :id")
    with pytest.raises(sa.exc.DBAPIError, match="pickle"), database.writing() as db:
        db.execute(change, {**row, "inputs": inputs})


def test_rows_that_are_not_pickled_are_taken(database):
    status, row = engines(database, "workflow_status"), {"id": f"plain-{database.dialect}"}
    with database.writing() as db:
        for serialization in ("null", "'portable_json'"):
            db.execute(sa.text(f"delete from {status} where workflow_uuid = :id"), row)
            values = f"(:id, 'x', {serialization})"
            db.execute(sa.text(f"insert into {status} (workflow_uuid, status, serialization) values {values}"), row)


def at_version(database, version):
    with database.writing() as db:
        db.execute(sa.text("update hustings_version set version_num = :to").bindparams(to=version))


@pytest.fixture
def own(database):
    """A database whose version is put back after the test."""
    yield database
    at_version(database, HEAD)


@pytest.mark.parametrize("version", ["0000", "9999"])
def test_a_database_of_another_version_is_refused_and_not_touched(own, version):
    at_version(own, version)
    with pytest.raises(Unsuitable, match=rf"version {version}, .* make a new database"):
        upgrade(own)
    with pytest.raises(Unsuitable, match="another version of hustings"), open_runs(own.url):
        pass
    assert version_of(own) == version


def test_tables_without_a_version_are_refused_and_not_touched(tmp_path):
    with closing(connect(sqlite_file(tmp_path))) as database:
        RUN.create(database.engine)
        with pytest.raises(Unsuitable, match=r"version unknown, .* make a new database"):
            upgrade(database, engine_tables)
        assert sa.inspect(database.engine).get_table_names() == [RUN.name]


def test_tables_of_other_programs_are_no_obstacle(tmp_path):
    with closing(connect(sqlite_file(tmp_path))) as database:
        with database.writing() as db:
            db.execute(sa.text("create table lunch (dish text)"))
        upgrade(database)
        assert version_of(database) == HEAD


def test_a_database_file_is_for_its_owner_alone(tmp_path):
    path = tmp_path / "own.db"
    with closing(connect(f"sqlite:///{path}")) as database:
        upgrade(database)
        with database.writing() as db:
            db.execute(sa.text("update hustings_version set version_num = version_num"))
            rights = {found.name: found.stat().st_mode & 0o777 for found in tmp_path.glob("own.db*")}
    assert {name: oct(mode) for name, mode in rights.items() if mode != 0o600 and not name.endswith(".lock")} == {}


@pytest.mark.parametrize("url", ["postgresql://ann@127.0.0.1:port/x", "postgresql://ann@[::1/x"])
def test_an_address_that_cannot_be_read_is_told_without_repeating_it(url):
    with pytest.raises(Unsuitable, match="not a database address") as told:
        connect(url)
    assert "ann" not in str(told.value)


@pytest.mark.parametrize("change", [sa.delete(ACTIVITY), sa.update(ACTIVITY).values(actor="nobody")])
def test_the_activity_log_can_neither_be_changed_nor_shortened(database, change):
    tokens.issue(database, Access("ann"))
    with pytest.raises(DBAPIError, match="only added to"), database.writing() as db:
        db.execute(change)
