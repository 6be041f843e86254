"""The database goes away for longer than a lease and comes back; nobody may take the living for dead.

python -m tests.chaos.outage --seconds 30 --ttl 15 --debates 40
"""

import argparse
import json
import random
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

import sqlalchemy as sa

from hustings.db.tables import EVENT
from tests.rig.postgres import database
from tests.rig.proxy import proxied

from .scene import POLL_SECONDS, CrashSetup, scene


@dataclass
class Figures:
    debates: int = 0
    calls: int = 0
    served_again: int = 0
    under_way: int = 0
    """Debates that were not over when the database went away."""
    resumed_after: float = 0.0
    """Seconds from its return to the first event."""
    ended_after: float = 0.0
    """Seconds from its return to the end of the last debate."""
    wrong: list[str] = field(default_factory=list)


@contextmanager
def behind_a_proxy(**provider):
    """A scene whose workers reach PostgreSQL through a door that can be shut."""
    with database() as url, proxied("127.0.0.1", urlsplit(url).port or 5432) as door:
        address = urlsplit(url)
        far = address._replace(netloc=f"{address.username}@127.0.0.1:{door.port}").geturl()
        with scene(url, by_way_of=far, **provider) as on:
            yield on, door


def shut_out(on: CrashSetup, door, *, debates: int, seconds: float, ttl: float) -> Figures:
    """Two workers; the database is away from the middle of the debates on."""
    workers = [on.successor(ttl), on.successor(ttl)]
    like = on.essence(on.undisturbed("structured").run_id)
    runs = [on.spec("structured") for _ in range(debates)]
    on.service.control.enqueue(*(each.run_id for each in runs))
    await_events(on, events(on) + debates * 8)
    door.down()
    figures = Figures(debates, under_way=len(on.open_runs()))
    time.sleep(seconds)
    before = events(on)
    door.up()
    back = time.monotonic()
    await_events(on, before + 1, 120)
    figures.resumed_after = round(time.monotonic() - back, 2)
    on.await_ends(120)
    figures.ended_after = round(time.monotonic() - back, 2)
    twice = on.twice()
    figures.calls, figures.served_again = len(on.provider.calls()), sum(map(len, twice.values()))
    figures.wrong += [f"{run_id}: {keys} served twice" for run_id, keys in twice.items()]
    for run in runs:
        figures.wrong += on.faults_of(run.run_id)
        figures.wrong += [f"{run.run_id}: another transcript"] if on.essence(run.run_id) != like else []
    figures.wrong += [f"worker {pid} is gone" for pid in workers if on.lease(pid) is None]
    return figures


def await_events(on: CrashSetup, count: int, seconds: float = 60) -> int:
    until = time.monotonic() + seconds
    while (there := events(on)) < count:
        if time.monotonic() > until:
            raise TimeoutError(f"{there} events instead of {count} after {seconds} s")
        time.sleep(POLL_SECONDS)
    return there


def events(on: CrashSetup) -> int:
    with on.service.runs.database.reading() as db:
        return db.scalar(sa.select(sa.func.count()).select_from(EVENT))


def main() -> None:
    cli = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cli.add_argument("--seconds", type=float, default=30.0)
    cli.add_argument("--ttl", type=float, default=15.0)
    cli.add_argument("--debates", type=int, default=40)
    cli.add_argument("--seed", type=int, default=random.randrange(10**6), help="of the provider's words")
    given = cli.parse_args()
    with behind_a_proxy(delay=0.3, seed=given.seed) as (on, door):
        figures = shut_out(on, door, debates=given.debates, seconds=given.seconds, ttl=given.ttl)
    sys.stdout.write(json.dumps({**vars(given), **vars(figures)}) + "\n")
    sys.exit(1 if figures.wrong else 0)


if __name__ == "__main__":
    main()
