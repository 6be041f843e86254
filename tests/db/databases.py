"""A database of its own for a test, and processes that share it."""

from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context

from hustings.db.connection import connect
from hustings.db.tables import METADATA
from tests.rig import postgres

KINDS = ("sqlite", "postgresql")


@contextmanager
def fresh(kind, folder):
    """Our tables, empty; thrown away afterwards."""
    with ExitStack() as stack:
        url = postgres.sqlite_file(folder) if kind == "sqlite" else stack.enter_context(postgres.database())
        database = connect(url, pool=10)
        stack.callback(database.close)
        METADATA.create_all(database.engine)
        yield database


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
