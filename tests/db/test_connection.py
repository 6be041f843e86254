import sqlite3
import threading
import time

import pytest
import sqlalchemy as sa

from hustings.db import connection as module
from hustings.db.connection import connect, file_of, make_file
from hustings.errors import Unsuitable

from .databases import fresh


def test_its_clock_tells_the_time(database):
    with database.reading() as db:
        assert db.scalar(sa.select(database.now)) == pytest.approx(time.time(), abs=5)


def test_its_clock_goes_on_within_a_transaction(database):
    with database.writing() as db:
        before = db.scalar(sa.select(database.now))
        time.sleep(0.05)
        assert db.scalar(sa.select(database.now)) > before


@pytest.mark.parametrize("url", ["mysql://127.0.0.1/x", "nonsense", ""])
def test_another_kind_of_database_is_refused_with_those_there_are(url):
    with pytest.raises(Unsuitable, match="name a file, or postgresql"):
        connect(url)


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:"])
def test_a_database_in_memory_is_refused_since_it_would_end_with_its_process(url):
    with pytest.raises(Unsuitable, match="so that debates are kept"):
        connect(url)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_every_customary_name_of_postgresql_is_understood(scheme):
    assert connect(f"{scheme}://127.0.0.1/x").dialect == "postgresql"


def test_only_a_sqlite_database_has_a_file():
    assert (str(file_of("sqlite:////a/b.sqlite")), file_of("postgresql://127.0.0.1/x")) == ("/a/b.sqlite", None)


def test_a_fresh_file_keeps_a_write_ahead_log_and_its_folder_is_made(tmp_path):
    path = tmp_path / "not" / "there" / "db.sqlite"
    make_file(f"sqlite:///{path}")
    db = sqlite3.connect(path)
    mode = db.execute("pragma journal_mode").fetchone()
    db.close()
    assert mode == ("wal",)


def test_a_writer_has_the_lock_of_a_file_from_its_first_moment(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "BUSY_SECONDS", 0.1)
    with fresh("sqlite", tmp_path) as database, database.writing(), pytest.raises(sa.exc.OperationalError):
        database.writing().__enter__()


def test_a_reader_does_not_wait_for_a_writer(database):
    seen = []

    def read():
        with database.reading() as db:
            seen.append(db.scalar(sa.select(sa.literal(1))))

    with database.writing() as db:
        db.execute(sa.select(sa.literal(1)))
        reader = threading.Thread(target=read)
        reader.start()
        reader.join(2)
        assert seen == [1]
