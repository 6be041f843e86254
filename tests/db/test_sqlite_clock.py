"""The engine's tables ask SQLite for fractions of a second, which it has only since 3.42."""

import time

import sqlalchemy as sa

from hustings.db.connection import connect
from tests.rig.postgres import sqlite_file


def test_a_table_of_the_engine_knows_when_a_row_was_written(tmp_path):
    """Also by a connection that is not ours: the engine opens its own."""
    url = sqlite_file(tmp_path)
    connect(url)
    with sa.create_engine(url).begin() as db:
        db.execute(sa.text("create table one (name text, at integer not null default (unixepoch('subsec') * 1000))"))
        db.execute(sa.text("insert into one (name) values ('a')"))
        assert abs(db.scalar(sa.text("select at from one")) / 1000 - time.time()) < 60
