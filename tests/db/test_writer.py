import asyncio
import threading
import time
from concurrent.futures import Future
from contextlib import contextmanager
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
import sqlalchemy as sa

from hustings.db import leases
from hustings.db.connection import connect
from hustings.db.leases import Fenced
from hustings.db.tables import BUDGET
from hustings.db.writer import Writer
from tests.rig.proxy import proxied

from .databases import fresh


@contextmanager
def at_work(database, name=None):
    name = name or uuid4().hex
    leases.take(database, name, 60)
    writer = Writer(database, name)
    yield writer
    if not writer._closed:
        writer.close()


@pytest.fixture
def writer(database):
    with at_work(database) as writer:
        yield writer


def adding(name):
    def add(db):
        db.execute(sa.insert(BUDGET).values(id=name))
        return name

    return add


def there(database, name):
    with database.reading() as db:
        return db.scalar(sa.select(BUDGET.c.id).where(BUDGET.c.id == name)) is not None


class Busy:
    """Keeps the writer's thread waiting inside a transaction, so that what comes next comes together."""

    def __init__(self, writer):
        self.inside, self.leave = threading.Event(), threading.Event()
        self.done: Future[None] = writer.submit(self)
        self.inside.wait(5)

    def __call__(self, _):
        self.inside.set()
        self.leave.wait(5)


def test_a_write_gives_back_what_its_work_found(writer):
    assert asyncio.run(writer.write(lambda db: db.scalar(sa.select(sa.literal(7))))) == 7


def test_what_is_written_is_there_for_others(writer, database):
    name = uuid4().hex
    asyncio.run(writer.write(adding(name)))
    assert there(database, name)


def test_writes_that_wait_together_are_one_commit(writer, database):
    busy, names = Busy(writer), [uuid4().hex for _ in range(50)]
    jobs = [writer.submit(adding(name)) for name in names]
    busy.leave.set()
    assert ([job.result(5) for job in jobs], writer.commits) == (names, 2)


def test_writes_are_done_in_the_order_they_came(writer):
    busy, seen = Busy(writer), []
    jobs = [writer.submit(lambda _, n=n: seen.append(n)) for n in range(20)]
    busy.leave.set()
    for job in jobs:
        job.result(5)
    assert seen == list(range(20))


@pytest.mark.parametrize("bad", [adding("twice"), lambda _: 1 / 0], ids=["of the database", "of the work"])
def test_one_bad_write_fails_alone(writer, database, bad):
    if not there(database, "twice"):
        writer.submit(adding("twice")).result(5)
    busy, name = Busy(writer), uuid4().hex
    before, wrong, after = writer.submit(adding(name)), writer.submit(bad), writer.submit(adding(f"{name} too"))
    busy.leave.set()
    assert wrong.exception(5) is not None
    assert (before.result(5), after.result(5)) == (name, f"{name} too")


def test_a_bad_write_leaves_nothing_of_itself(writer, database):
    name = uuid4().hex

    def half(db):
        adding(name)(db)
        raise LookupError

    writer.submit(half).exception(5)
    assert not there(database, name)


def test_whoever_lost_the_lease_writes_nothing(database):
    name = uuid4().hex
    with at_work(database, "fenced") as writer:
        leases.release(database, "fenced")
        assert (type(writer.submit(adding(name)).exception(5)), there(database, name)) == (Fenced, False)


def test_closing_writes_what_waits(database):
    name = uuid4().hex
    with at_work(database) as writer:
        busy = Busy(writer)
        writer.submit(adding(name))
        busy.leave.set()
        writer.close()
    assert there(database, name)


def test_nothing_is_taken_after_closing(database):
    with at_work(database) as writer:
        writer.close()
        with pytest.raises(Fenced, match="has stopped"):
            writer.submit(adding("late"))


@pytest.fixture
def flaky(tmp_path):
    """A database behind a proxy, and its proxy."""
    with fresh("postgresql", tmp_path) as database:
        parts = urlsplit(database.url)
        with proxied("127.0.0.1", parts.port or 5432) as proxy:
            netloc = f"{parts.username or 'postgres'}@127.0.0.1:{proxy.port}"
            near = connect(parts._replace(netloc=netloc).geturl())
            yield near, proxy
            near.close()


def test_a_database_that_goes_away_is_outlasted(flaky):
    database, proxy = flaky
    with at_work(database) as writer:
        writer.submit(adding("before")).result(5)
        proxy.down()
        job = writer.submit(adding("during"))
        time.sleep(0.4)
        waiting = not job.done()
        proxy.up()
        assert (waiting, job.result(10), there(database, "during")) == (True, "during", True)


def test_a_connection_that_broke_is_replaced(flaky):
    database, proxy = flaky
    with at_work(database) as writer:
        writer.submit(adding("before")).result(5)
        proxy.reset()
        assert writer.submit(adding("after")).result(10) == "after"


@pytest.mark.nightly("a database that stays away, for seconds")
def test_whoever_is_told_to_stop_does_not_wait_for_a_database_that_is_away(flaky):
    database, proxy = flaky
    with at_work(database) as writer:
        proxy.down()
        job = writer.submit(adding("never"))
        time.sleep(0.2)
        writer.close()
        proxy.up()
        assert isinstance(job.exception(1), sa.exc.DBAPIError)
