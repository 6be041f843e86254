"""Debates go on while their database is upgraded: old workers finish, new ones join, and nothing is paid twice.

    python -m tests.chaos.upgrading --database postgres --debates 200 --old REVISION

The old release is taken from the history: by default the last state before the newest step of the tables. Afterwards
the database is backed up and restored into an empty place.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import sqlalchemy as sa

from hustings.db.backup import back_up, restore
from hustings.db.connection import connect
from hustings.db.instants import instant
from hustings.db.migrate import HEAD, version_of
from hustings.db.tables import RUN
from hustings.engine.service import open_service
from tests.rig.postgres import cluster
from tests.rig.provider import read_log, serving

from .scene import CrashSetup
from .storm import PRICES, TOPIC, say
from .verdict import judged, watch

ROOT = Path(__file__).parents[2]
STEPS = "src/hustings/db/migrations/versions"
TTL, DELAY = 5.0, 0.2
"""Seconds: the lease of a worker, and how long the provider takes."""
MINUTES = 20.0
"""After which what is not over is stuck."""


def before_the_newest_step() -> str:
    """The revision before the newest step of the tables."""
    step = next((ROOT / STEPS).glob(f"v{HEAD}_*.py")).relative_to(ROOT)
    added = _git("log", "--diff-filter=A", "-1", "--format=%H", "--", str(step))
    return f"{added}~1"


def _git(*said: str) -> str:
    return subprocess.run(["git", "-C", str(ROOT), *said], check=True, capture_output=True, text=True).stdout.strip()


@contextmanager
def checked_out(revision: str, folder: Path):
    """The sources of an old release."""
    packed = folder / "old.tar"
    _git("archive", "--format=tar", f"--output={packed}", revision, "src")
    subprocess.run(["tar", "-xf", str(packed), "-C", str(folder)], check=True)
    yield folder / "src"


class Release:
    """Commands of one release, against one database."""

    def __init__(self, source: Path, url: str, folder: Path, models: dict[str, str]) -> None:
        bare = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        self.env = {"PATH": os.environ["PATH"], **bare, **models, "PYTHONPATH": str(source), "HUSTINGS_DATABASE": url}
        self.log = folder / "workers.log"

    def _command(self, *said: str) -> list[str]:
        return [sys.executable, "-c", "from hustings.main import main; main()", *said]

    def run(self, *said: str) -> str:
        done = subprocess.run(self._command(*said), env=self.env, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{said}: {done.returncode}\n{done.stderr[-2000:]}")
        return done.stdout

    def worker(self) -> subprocess.Popen[bytes]:
        with self.log.open("ab") as log:
            command = self._command("worker", "--ttl", str(TTL), "--concurrency", "12")
            return subprocess.Popen(command, env=self.env, stdout=log, stderr=log, stdin=subprocess.DEVNULL)


def requests(folder: Path, debates: int) -> Path:
    lines = [json.dumps({"protocol": "structured", "topic": TOPIC, "seed": n}) for n in range(debates)]
    file = folder / "many.jsonl"
    file.write_text("\n".join(lines))
    return file


def ended(database) -> int:
    with database.reading() as db:
        return db.scalar(sa.select(sa.func.count()).where(RUN.c.state.in_(["ended", "broken"]))) or 0


def wait_until(so, what: str) -> None:
    end = time.monotonic() + 60 * MINUTES
    while not so():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.2)


def leave(workers: list[subprocess.Popen[bytes]]) -> list[int]:
    """Told to finish what runs and to leave; their exit codes."""
    for worker in workers:
        with suppress(ProcessLookupError):
            worker.send_signal(signal.SIGTERM)
    return [worker.wait(60 * MINUTES) for worker in workers]


def run(kind: str, debates: int, revision: str) -> dict[str, object]:
    begun = time.monotonic()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(cluster()) if kind == "postgres" else None
        url = server.url if server else f"sqlite:///{folder}/hustings.db"
        log = folder / "provider.jsonl"
        provider = stack.enter_context(serving(delay=DELAY, log=log))
        models = {"LLM_PROVIDER": "openai_compatible", "LLM_BASE_URL": provider.base_url, "LLM_MODEL": "m", **PRICES}
        source = stack.enter_context(checked_out(revision, folder))
        old, new = (Release(there, url, folder, models) for there in (source, ROOT / "src"))
        old.run("db", "upgrade")
        old.run("batch", str(requests(folder, debates)), "--detach")
        database = stack.enter_context(_opened(url))
        before = version_of(database)
        first = [old.worker() for _ in range(2)]
        stack.callback(_end, first)
        wait_until(lambda: ended(database) >= debates // 10, "the old workers carry out nothing")
        say(f"{ended(database)} over; upgrading")
        new.run("db", "upgrade")
        watch(database)
        with open_service(url) as service:
            on = CrashSetup(url, provider, None, service)
            second = [new.worker() for _ in range(2)]
            stack.callback(_end, second)
            wait_until(lambda: len(service.runs.workers()) >= 4, "the new workers do not join")
            at_upgrade = ended(database)
            say(f"{at_upgrade} over; the old workers leave")
            codes = leave(first)
            say(f"{ended(database)} over; left with {codes}")
            wait_until(lambda: ended(database) == debates, "some are not over")
            leave(second)
            verdict = judged(on, read_log(log), random.Random(0))
            made = back_up(database, folder / "backup.zip", instant())
        with _empty(kind, folder) as empty:
            put = restore(folder / "backup.zip", empty)
            found = _replayed(empty)
    return {
        "failed": verdict.failed or made != put or found != debates,
        "database": kind,
        "debates": debates,
        **verdict.figures(),
        "versions": [before, HEAD],
        "over_at_upgrade": at_upgrade,
        "exits_of_old": codes,
        "tables_equal": made.tables == put.tables,
        "tables": len(made.tables),
        "valid_after_restore": found,
        "seconds": round(time.monotonic() - begun, 1),
    }


def _replayed(url: str) -> int:
    """Runs of a restored database whose log of events tells their transcript."""
    with open_service(url) as service:
        on = CrashSetup(url, None, None, service)
        return sum(not on.faults_of(report.run_id) for report in service.runs.latest(most=100_000))


@contextmanager
def _opened(url: str):
    database = connect(url)
    try:
        yield database
    finally:
        database.close()


@contextmanager
def _empty(kind: str, folder: Path):
    if kind == "sqlite":
        yield f"sqlite:///{folder}/restored.db"
    else:
        with cluster() as server:
            yield server.url


def _end(workers: list[subprocess.Popen[bytes]]) -> None:
    for worker in workers:
        if worker.poll() is None:
            worker.kill()
            worker.wait()


def main() -> None:
    cli = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cli.add_argument("--database", choices=["postgres", "sqlite"], default="postgres")
    cli.add_argument("--debates", type=int, default=200)
    cli.add_argument("--old", default="")
    given = cli.parse_args()
    figures = run(given.database, given.debates, given.old or before_the_newest_step())
    sys.stdout.write(json.dumps(figures) + "\n")
    sys.exit(bool(figures["failed"]))


if __name__ == "__main__":
    main()
