"""A database file that vanishes while it is open is noticed; a database that does not answer is waited for a while."""

import sqlite3
import threading
import time

import psycopg
import pytest
from sqlalchemy.exc import DBAPIError, OperationalError

from hustings.db import outage
from hustings.db.outage import DatabaseAway, DatabaseGone, FileWatch, Outage
from tests.rig.postgres import sqlite_file


@pytest.fixture
def url(tmp_path):
    return sqlite_file(tmp_path)


def deleted(path):
    path.unlink()


def moved(path):
    path.rename(path.with_suffix(".moved"))


def replaced(path):
    other = path.with_suffix(".other")
    other.write_bytes(path.read_bytes())
    other.rename(path)


@pytest.mark.parametrize("happens", [deleted, moved, replaced])
def test_a_file_that_vanished_is_told_with_what_happened_and_what_to_do(url, tmp_path, happens):
    watch = FileWatch(url, "then resume tea-1")
    watch.must_be_there()
    happens(next(tmp_path.glob("*.sqlite")))
    with pytest.raises(DatabaseGone, match=r"the database file is gone\. Not saved from here on") as found:
        watch.must_be_there()
    assert "deleted, moved or replaced" in found.value.why
    assert found.value.fix.startswith("put it back if you have it, then resume tea-1.")


def test_a_file_that_is_written_to_and_vacuumed_stays_the_same(url):
    watch = FileWatch(url)
    with sqlite3.connect(url.removeprefix("sqlite:///")) as db:
        db.execute("create table t (a)")
    db.execute("vacuum")
    db.close()
    watch.must_be_there()


def test_a_database_without_a_file_is_always_there():
    FileWatch("postgresql://nobody@127.0.0.1:1/none").must_be_there()


AWAY = OperationalError("select 1", {}, psycopg.OperationalError("connection refused"))


def wrong():
    error = sqlite3.OperationalError("no such table: t")
    error.sqlite_errorname = "SQLITE_ERROR"
    return DBAPIError("select 1", {}, error)


@pytest.fixture(autouse=True)
def _soon(monkeypatch):
    monkeypatch.setattr(outage, "PATIENCE", 0.2)
    monkeypatch.setattr(outage, "LOOK", 0.05)


def test_a_database_that_does_not_answer_is_waited_for_and_told_once(caplog):
    away = Outage()
    away.wait(AWAY)
    away.wait(AWAY)
    away.over()
    told = [record.getMessage() for record in caplog.records]
    assert told == ["the database does not answer; waiting for it, up to 0 s", "the database answers again"]


def test_a_database_that_stays_away_is_given_up():
    away = Outage()
    away.wait(AWAY)
    time.sleep(0.25)
    with pytest.raises(DatabaseAway, match="the database does not answer"):
        away.wait(AWAY)


def test_a_fault_that_no_waiting_cures_is_raised_at_once():
    error = wrong()
    with pytest.raises(DBAPIError) as found:
        Outage().wait(error)
    assert found.value is error


def test_someone_who_is_told_to_stop_meanwhile_waits_no_longer():
    stop = threading.Event()
    away = Outage(stop)
    away.wait(AWAY)
    stop.set()
    with pytest.raises(DatabaseAway):
        away.wait(AWAY)


def test_someone_who_was_told_to_stop_before_waits_for_what_is_under_way():
    stop = threading.Event()
    stop.set()
    away = Outage(stop)
    away.wait(AWAY)
    away.wait(AWAY)
