"""Workers that stand still for longer than their lease, are taken over, and then go on as if nothing had happened.

python -m tests.chaos.zombie --database postgres
"""

import argparse
import json
import os
import signal
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import sqlalchemy as sa

from hustings.db.connection import file_of
from hustings.db.tables import BUDGET, CALL, EVENT, RUN
from tests.rig.crash_workers import POINTS

from .scene import POLL_SECONDS, CrashSetup, database_of, scene

PROTOCOL, ADDRESS = "roundtable", "003.0 ben contribution"
"""One call at a time, so that a worker does little else when it comes to its point."""
TTL = 2.0
LEFT = 75
"""The exit code of a worker that learns it was taken for dead."""


@dataclass
class Figures:
    zombies: int = 0
    in_flight: int = 0
    served_again: int = 0
    codes: list[int] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)


def walk(on: CrashSetup, points=POINTS) -> Figures:
    """One that stands still at each point of a call; all wake up when an heir has ended their debates."""
    on.successor(TTL)
    like = on.essence(on.undisturbed(PROTOCOL).run_id)
    zombies = {}
    for point in points:
        run = on.spec(PROTOCOL)
        pid = on.worker(run, ttl=TTL, point=point, address=ADDRESS, signal=signal.SIGSTOP)
        zombies[pid] = run.run_id
    await_stops(on, zombies)
    open_ = on.in_flight()
    on.await_ends(40)
    on.await_rest()
    before = rows(on)
    for pid in zombies:
        os.kill(pid, signal.SIGCONT)
    codes = [on.pool.ended(20)[1] for _ in zombies]
    after, twice = rows(on), on.twice()
    figures = Figures(len(zombies), sum(map(len, open_.values())), sum(map(len, twice.values())), codes)
    figures.wrong += [f"after waking up, {table} differ" for table in before if before[table] != after[table]]
    for run_id in zombies.values():
        figures.wrong += on.faults_of(run_id)
        if on.essence(run_id) != like:
            figures.wrong.append(f"{run_id}: another transcript")
        if not twice.get(run_id, set()) <= open_.get(run_id, set()):
            figures.wrong.append(f"{run_id}: a call was paid again that was not in flight")
    return figures


def await_stops(on: CrashSetup, pids, seconds: float = 30) -> None:
    """Until all stand still. Whoever does so in a write to SQLite keeps the others from it: it goes on for a moment."""
    path, until = file_of(on.url), time.monotonic() + seconds
    while [pid for pid in pids if not stopped(pid)] or (path and locked(path)):
        if time.monotonic() > until:
            raise TimeoutError("not every worker has come to its point, or the file stays locked")
        if path and locked(path):
            for pid in filter(stopped, pids):
                os.kill(pid, signal.SIGCONT)
                time.sleep(0.005)
                os.kill(pid, signal.SIGSTOP)
        time.sleep(POLL_SECONDS)


def stopped(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "T"


def locked(path: Path) -> bool:
    with closing(sqlite3.connect(path, timeout=0.5, isolation_level=None)) as db:
        try:
            db.execute("begin immediate")
        except sqlite3.OperationalError:
            return True
        db.execute("rollback")
    return False


def rows(on: CrashSetup) -> dict[str, list]:
    """Everything that a worker writes for its debates, in our tables and the engine's; by table."""
    engine = "dbos." if on.service.runs.database.dialect == "postgresql" else ""
    queries = {table.name: sa.select(table) for table in (RUN, CALL, EVENT, BUDGET)}
    queries |= {name: sa.text(f"select * from {engine}{name}") for name in ("operation_outputs", "workflow_status")}
    with on.service.runs.database.reading() as db:
        return {name: sorted(map(repr, db.execute(query))) for name, query in queries.items()}


def main() -> None:
    cli = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cli.add_argument("--database", choices=["sqlite", "postgres"], default="sqlite")
    cli.add_argument("--point", action="append")
    given = cli.parse_args()
    with tempfile.TemporaryDirectory() as folder, database_of(given.database, Path(folder)) as url, scene(url) as on:
        figures = walk(on, given.point or POINTS)
    sys.stdout.write(json.dumps({"seed": 0, "database": given.database, **vars(figures)}) + "\n")
    sys.exit(1 if figures.wrong else 0)


if __name__ == "__main__":
    main()
