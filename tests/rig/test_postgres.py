"""The rigs do what their names say: a crash is a crash, and nothing is left behind."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from hustings.db.migrate import HEAD

from .fixtures import database_url, own_cluster  # noqa: F401
from .postgres import administer, answers, database, ready_database, ready_sqlite_file, server_url, sqlite_file


def test_a_database_is_empty_and_can_be_written(database_url):  # noqa: F811
    with connected(database_url) as connection:
        connection.execute("create table t (n integer)")


def test_a_database_is_dropped_whoever_is_connected():
    with database() as url:
        guest = psycopg.connect(url)
    guest.close()
    assert not answers(url)


def test_two_databases_are_apart():
    with database() as one, database() as other:
        administer(one, "create table t (n integer)")
        administer(other, "create table t (n integer)")


def test_a_sqlite_file_has_a_write_ahead_log(tmp_path):
    with connected(sqlite_file(tmp_path)) as connection:
        assert connection.execute("pragma journal_mode").fetchone() == ("wal",)


def test_what_is_ready_is_up_to_date_and_a_copy_of_its_own(tmp_path):
    with ready_database() as one, ready_database() as other:
        for url in (one, other, ready_sqlite_file(tmp_path), ready_sqlite_file(tmp_path, "other.db")):
            with connected(url) as connection:
                assert connection.execute("select version_num from hustings_version").fetchone() == (HEAD,)
                connection.execute("create table t (n integer)")
    assert not answers(one)


@pytest.mark.nightly("a cluster of its own, for a helper")
def test_a_cluster_keeps_what_was_committed_before_a_crash(own_cluster):  # noqa: F811
    administer(own_cluster.url, "create table kept (n integer)")
    own_cluster.crash()
    own_cluster.start()
    administer(own_cluster.url, "insert into kept values (1)")


def test_a_crash_breaks_open_connections(own_cluster):  # noqa: F811
    connection = psycopg.connect(own_cluster.url)
    own_cluster.crash()
    with pytest.raises(psycopg.OperationalError):
        connection.execute("select 1")
    connection.close()
    own_cluster.start()


def test_a_cluster_writes_through_to_the_disk(own_cluster):  # noqa: F811
    with psycopg.connect(own_cluster.url) as connection:
        assert connection.execute("show fsync").fetchone() == ("on",)


@pytest.mark.nightly("a cluster of its own, for a helper")
def test_a_killed_test_run_leaves_no_cluster():
    code = (
        "import time; from tests.rig.postgres import cluster\n"
        "with cluster() as made: print(made.url, made.folder, flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as run:
        url, folder = run.stdout.readline().split()
        os.kill(run.pid, signal.SIGKILL)
    end = time.monotonic() + 4
    while (Path(folder) / "data" / "postmaster.pid").exists() and time.monotonic() < end:
        time.sleep(0.05)
    shutil.rmtree(folder, ignore_errors=True)
    assert not answers(url)


@pytest.mark.nightly("a cluster of its own, for a helper")
def test_where_no_server_answers_a_cluster_is_made(monkeypatch):
    monkeypatch.setenv("HUSTINGS_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:1/test")
    server_url.cache_clear()
    try:
        assert answers(server_url())
    finally:
        server_url.cache_clear()


def connected(url):
    path = url.removeprefix("sqlite:///")
    return sqlite3.connect(path) if path != url else psycopg.connect(url)
