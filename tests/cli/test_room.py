"""A database that has no room: too few connections, a full disk, a file that may only be read."""

import os
import subprocess
import sys
import threading
from contextlib import closing
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy.exc import OperationalError

from hustings.cli.commands import worker
from hustings.cli.terminal import talking_to
from hustings.db.connection import connect, must_have_room
from hustings.db.faults import unusable
from hustings.engine.service import upgrade
from tests.rig.postgres import administer, server_url

from .console import ENTRY


@pytest.fixture
def narrow():
    """The address of a database whose owner may have as many connections as a worker needs, and no more."""
    name, server = f"narrow_{uuid4().hex[:8]}", server_url()
    administer(server, f"create role {name} login connection limit {worker.LEAST_CONNECTIONS}")
    administer(server, f"create database {name} owner {name}")
    try:
        yield server.replace("postgres@", f"{name}@").rpartition("/")[0] + f"/{name}"
    finally:
        administer(server, f"drop database {name} with (force)")
        administer(server, f"drop owned by {name}")
        administer(server, f"drop role {name}")


def test_a_worker_waits_for_connections_and_says_so(narrow):
    said, told = [], threading.Event()

    def hear(text):
        said.append(text)
        told.set()

    with psycopg.connect(narrow) as busy, talking_to(hear):
        waiting = threading.Thread(target=worker.await_database, args=(narrow, threading.Event()), daemon=True)
        waiting.start()
        assert told.wait(60)
        assert waiting.is_alive()
        busy.close()
        waiting.join(60)
    needs = f"a worker needs {worker.LEAST_CONNECTIONS}"
    assert not waiting.is_alive()
    assert said == [f"The database has no free connection ({needs}); waiting for it. Ctrl-C to leave."]


def test_no_free_connection_is_called_that_and_names_its_fix(narrow):
    with pytest.raises(OperationalError) as raised:
        must_have_room(narrow, worker.LEAST_CONNECTIONS + 1)
    told = unusable(raised.value)
    assert (told.what, told.fix) == (
        "the database has no free connection",
        "close other programs that use it, or raise max_connections in PostgreSQL",
    )


def test_a_full_disk_of_postgresql_is_called_that():
    with psycopg.connect(server_url()) as db, pytest.raises(psycopg.errors.DiskFull) as raised:
        db.execute("do $$ begin raise exception 'no space' using errcode = '53100'; end $$")
    assert unusable(raised.value).what == "the disk of the database is full"


def test_a_disk_that_fills_while_a_debate_runs_is_called_that(tmp_path):
    """A file system of its own, which ends with the command; the database fits, the debate does not."""
    folder = tmp_path / "small"
    folder.mkdir()
    script = f"""
import os, threading, logging
from hustings.db.connection import connect
from hustings.db import leases, migrate
from hustings.db.writer import Writer
import sqlalchemy as sa
logging.basicConfig(format="%(message)s")
database = connect("sqlite:///{folder}/x.db")
migrate.upgrade(database)
leases.take(database, "one", 60)
writer = Writer(database, "one")
with open("{folder}/ballast", "wb", 0) as file:
    try:
        while True:
            file.write(bytes(4096))
    except OSError:
        pass
row = sa.text("insert into hustings_event (run_id, seq, kind, body) values ('r', 0, 'k', :body)")
done = writer.submit(lambda db: db.execute(row, {{"body": "x" * 100_000}}).rowcount)
try:
    done.result(1.0)
except TimeoutError:
    os.unlink("{folder}/ballast")
    print("went on", done.result(20))
"""
    mounted = f"mount -t tmpfs -o size=2m none {folder} && exec {sys.executable} -"
    command = ["unshare", *([] if os.geteuid() == 0 else ["-Ur"]), "-m", "sh", "-c", mounted]
    ran = subprocess.run(command, input=script, capture_output=True, text=True, check=False, timeout=100)
    assert ran.stdout == "went on 1\n", ran.stderr
    assert {*ran.stderr.splitlines()} == {"the disk is full; trying again"}


@pytest.fixture
def kept(tmp_path):
    """A database with one debate, closed in good order."""
    folder = tmp_path / "kept"
    url = f"sqlite:///{folder}/hustings.db"
    with closing(connect(url)) as database:
        upgrade(database)
    return folder, url


def read_only(folder, *commands):
    """Commands that see a folder as one that may only be read, even for root: what the last of them says of each."""
    mounted = f"mount --bind {folder} {folder} && mount -o remount,ro,bind {folder} || exit 99"
    script = "\n".join([mounted, *(f"{sys.executable} -c '{ENTRY}' {command} 2>&1; echo $?" for command in commands)])
    command = ["unshare", *([] if os.geteuid() == 0 else ["-Ur"]), "-m", "sh", "-c", script]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=100).stdout


def test_a_database_that_may_only_be_read_is_read_and_not_written(kept):
    folder, url = kept
    told = read_only(folder, f"list --json --database {url}", f"db cap --day 1 --database {url}")
    assert told.startswith("[]\n")
    assert "Error: the database is read-only\n" in told
    assert told.endswith("\n2\n")


def test_a_run_in_a_database_that_may_only_be_read_is_no_fault_of_ours(kept):
    folder, url = kept
    told = read_only(folder, f"run So? -m improviser --database {url}")
    assert f"Error: the database is read-only\nWhy:   {folder}/hustings.db\n" in told
    assert told.endswith("\n2\n")


def test_a_home_that_may_only_be_read_is_named(tmp_path, monkeypatch):
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "key").write_text("sk-0123456789")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "HUSTINGS_DATABASE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    told = read_only(home, "list", f"keys set openai < {tmp_path}/key", "doctor")
    assert f"Error: can't store debates in {home}/.local/share/hustings\n" in told
    assert f"Error: can't write {home}/.config/hustings/keys.json\n" in told
    assert f"FAIL  data          can't write to {home} " in told
    assert "this is a bug" not in told


def test_a_log_that_is_not_merged_is_named_where_nothing_may_be_written(kept):
    folder, url = kept
    (folder / "hustings.db-wal").write_bytes(b"not merged")
    told = read_only(folder, f"list --database {url}")
    assert "is read-only, and reading it needs write access" in told
    assert "its latest changes are still in hustings.db-wal" in told
