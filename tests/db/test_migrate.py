import base64
import pickle
import subprocess
import sys
from contextlib import ExitStack, closing
from importlib.resources import files

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.exc import DBAPIError

from hustings.db import run_rows, tokens
from hustings.db.connection import connect
from hustings.db.migrate import HEAD, upgrade, version_of
from hustings.db.rate_limits import RATE_LIMIT
from hustings.db.tables import ACTIVITY, BUDGET, METADATA
from hustings.db.tokens import Access
from hustings.engine.client import engine_tables
from hustings.errors import Unsuitable
from hustings.runs.queries import open_runs
from hustings.transcript.events import EVENT, RoundOpened, TurnBegun, TurnEntered
from hustings.transcript.models import Turn
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


def steps():
    config = Config()
    config.set_main_option("script_location", str(files("hustings.db") / "migrations"))
    return config


def test_the_last_step_is_the_version_the_code_takes_for_the_latest():
    assert ScriptDirectory.from_config(steps()).get_heads() == [HEAD]


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


def test_the_steps_lead_to_the_tables_that_the_code_knows(database):
    with database.reading() as db:
        options = {"version_table": "hustings_version", "compare_type": True}
        context = MigrationContext.configure(db, opts={**options, "include_object": only_ours})
        assert compare_metadata(context, METADATA) == []


def only_ours(_, name, kind, *__):
    """Without what the index of words consists of: each database has its own."""
    if name.startswith("hustings_words") or name == "hustings_passage_by_words":
        return False
    return kind != "table" or (name.startswith("hustings_") and name != "hustings_version")


def test_the_endpoints_have_their_table(database):
    assert sa.inspect(database.engine).has_table(RATE_LIMIT.name)


def test_whoever_migrates_without_a_worker_makes_every_table_too(tmp_path):
    code = (
        "import sys; from hustings.db.connection import connect; from hustings.db.migrate import upgrade;"
        "upgrade(connect(sys.argv[1]), lambda url: None)"
    )
    url = f"sqlite:///{tmp_path}/alone.sqlite"
    subprocess.run([sys.executable, "-c", code, url], check=True, timeout=30)
    database = connect(url)
    made = sa.inspect(database.engine).get_table_names()
    database.close()
    assert set(METADATA.tables) <= set(made)


def test_migrating_twice_changes_nothing(database):
    with database.writing() as db:
        db.execute(sa.insert(BUDGET).values(id="kept", spent=7))
    upgrade(database, engine_tables)
    with database.reading() as db:
        assert db.scalar(sa.select(BUDGET.c.spent).where(BUDGET.c.id == "kept")) == 7


@pytest.fixture(params=["sqlite", "postgres"])
def of_the_first_version(request, tmp_path):
    """A database as the first version made it, with a run that is over."""
    with ExitStack() as stack:
        url = sqlite_file(tmp_path) if request.param == "sqlite" else stack.enter_context(own_database())
        database = connect(url)
        stack.callback(database.close)
        with database.writing() as db:
            config = steps()
            config.attributes["connection"] = db
            command.upgrade(config, "0001")
            names = ", ".join(f'"{name}"' for name in OLD_RUN)
            values = ", ".join(f":{name}" for name in OLD_RUN)
            db.execute(sa.text(f"insert into hustings_run ({names}) values ({values})"), OLD_RUN)
        yield database


OLD_RUN = {
    "run_id": "old", "owner": "me", "batch": "b", "protocol": "structured/1", "topic": "Should we?",
    "created_at": "2026-01-01T00:00:00.000Z", "commission": "{}", "state": "ended", "waves": 3, "events": 20,
    "ended_at": "2026-01-01T00:01:00.000Z", "ending": '{"kind": "played"}', "proceedings": '{"so": "on"}',
}  # fmt: skip


def test_a_run_of_the_first_version_is_kept_as_it_was_and_can_be_judged(of_the_first_version):
    upgrade(of_the_first_version, engine_tables)
    with of_the_first_version.reading() as db:
        row, audits = dict(run_rows.read(db, "old")), run_rows.about(db, "old", "judging")
    row["commission"] = row.pop("spec")
    assert {name: row[name] for name in OLD_RUN} == OLD_RUN
    assert (row["judged"], row["judgement"], audits) == ("", None, [])


def test_turns_in_a_log_of_the_first_version_get_their_address(of_the_first_version):
    turn = Turn(turn_id="r1.t0", round_index=1, turn_index_in_round=0, speaker_id="pro", attempts=[])
    asked = {"address": "000.0 pro opening", "words": 50}
    log = [
        RoundOpened(round_index=1, label="opening"),
        TurnBegun(**asked, seat="pro", brief="opening", on_record=True, attempt=0),
        TurnEntered(turn=turn),
    ]
    told = [(event.kind, event.model_dump_json(exclude={"seq"}, exclude_none=True)) for event in log]
    with of_the_first_version.writing() as db:
        run_rows.append(db, "old", 0, told)
    upgrade(of_the_first_version, engine_tables)
    with of_the_first_version.reading() as db:
        found = [EVENT.validate_json(body) for _, body in run_rows.events(db, "old")]
    assert found == [*log[:2], TurnEntered(turn=turn, **asked)]


def test_stored_requests_get_the_present_names_of_their_fields(of_the_first_version):
    with of_the_first_version.writing() as db:
        written = '{"inherits": [{"lineage": "é", "before_wave": 1}], "voices": {"pro": {}}, "purse": {"money": 3}}'
        db.execute(sa.text("update hustings_run set commission = :written"), {"written": written})
        config = steps()
        config.attributes["connection"] = db
        command.upgrade(config, "0003")
        written = '{"judging": {"purse": {"calls": 7}, "settings": {"voices": []}}, "control": true}'
        db.execute(sa.text("update hustings_run set programme = :written"), {"written": written})
    upgrade(of_the_first_version, engine_tables)
    with of_the_first_version.reading() as db:
        row = run_rows.read(db, "old")
    assert row["spec"] == ('{"inherits":[{"lineage":"é","before_wave":1}],"model_specs":{"pro":{}},"caps":{"money":3}}')
    assert row["follow_ups"] == '{"judging":{"caps":{"calls":7},"settings":{"voices":[]}},"control":true}'


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


def test_a_database_of_a_newer_release_is_refused_and_not_touched(own):
    at_version(own, "9999")
    with pytest.raises(Unsuitable, match="a newer hustings"):
        upgrade(own)
    with pytest.raises(Unsuitable, match="a newer hustings"), open_runs(own.url):
        pass
    assert version_of(own) == "9999"


def test_reading_a_database_of_an_older_release_says_how_to_go_on(own):
    at_version(own, "0003")
    with pytest.raises(Unsuitable, match="hustings db upgrade"), open_runs(own.url):
        pass


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
