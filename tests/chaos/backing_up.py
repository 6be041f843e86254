"""Back up a database while debates run, restore it into an empty place, and carry out there what was still open.

python -m tests.chaos.backing_up --database postgres --debates 200
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import sqlalchemy as sa

from hustings.db.backup import back_up, restore
from hustings.db.connection import connect
from hustings.db.instants import instant
from hustings.db.tables import RUN
from hustings.engine.service import open_service
from tests.rig.postgres import cluster
from tests.rig.provider import read_log, serving

from .scene import CrashSetup
from .storm import PRICES, TOPIC, say
from .verdict import judged, watch

TTL, DELAY = 5.0, 0.2
"""Seconds: the lease of a worker, and how long the provider takes."""
MINUTES = 20.0
"""After which what is not over is stuck."""


class Commands:
    """Commands of hustings against one database."""

    def __init__(self, url: str, folder: Path, models: dict[str, str]) -> None:
        homes = {"HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        self.environment = {"PATH": os.environ["PATH"], **homes, **models, "HUSTINGS_DATABASE": url}
        self.log = folder / "workers.log"

    def run(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "hustings", *arguments]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{arguments}: {done.returncode}\n{done.stderr[-2000:]}")

    @contextmanager
    def worker(self):
        with self.log.open("ab") as log:
            command = [sys.executable, "-m", "hustings", "worker", "--ttl", str(TTL), "--concurrency", "12"]
            process = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        try:
            yield
        finally:
            process.kill()
            process.wait()


def ended(database) -> int:
    with database.reading() as db:
        return db.scalar(sa.select(sa.func.count()).where(RUN.c.state.in_(["ended", "broken"]))) or 0


def wait_until(condition, failure: str) -> None:
    end = time.monotonic() + 60 * MINUTES
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(failure)
        time.sleep(0.2)


def run(kind: str, debates: int) -> dict[str, object]:
    begun = time.monotonic()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url, empty = (stack.enter_context(empty_place(kind, folder / name)) for name in ("first.db", "second.db"))
        provider_log = folder / "provider.jsonl"
        provider = stack.enter_context(serving(delay=DELAY, log=provider_log))
        models = {"LLM_PROVIDER": "openai_compatible", "LLM_BASE_URL": provider.base_url, "LLM_MODEL": "m", **PRICES}
        commands = Commands(url, folder, models)
        commands.run("db", "upgrade")
        batch = folder / "many.jsonl"
        lines = [json.dumps({"protocol": "structured", "question": TOPIC, "seed": n}) for n in range(debates)]
        batch.write_text("\n".join(lines))
        commands.run("batch", str(batch), "--judges", "none", "--detach")
        database = stack.enter_context(closing(connect(url)))
        watch(database)
        with open_service(url) as service, commands.worker(), commands.worker():
            wait_until(lambda: ended(database) >= debates // 4, "the workers carry out nothing")
            manifest = back_up(database, folder / "backup.zip", instant())
            say(f"{ended(database)} over after the backup")
            wait_until(lambda: ended(database) == debates, "some are not over")
            verdict = judged(CrashSetup(url, provider, None, service), read_log(provider_log), random.Random(0))
        restored = restore(folder / "backup.zip", empty)
        with open_service(empty) as service, Commands(empty, folder, models).worker():
            over_at_backup = ended(service.runs.database)
            say(f"{over_at_backup} over in the copy")
            wait_until(lambda: ended(service.runs.database) == debates, "some are not over in the copy")
            on_copy = CrashSetup(empty, provider, None, service)
            valid = sum(not on_copy.faults_of(report.run_id) for report in service.runs.latest(most=100_000))
    return {
        "failed": verdict.failed or manifest != restored or over_at_backup >= debates or valid != debates,
        "database": kind,
        "debates": debates,
        **verdict.figures(),
        "over_at_backup": over_at_backup,
        "tables": len(manifest.tables),
        "valid_in_the_copy": valid,
        "seconds": round(time.monotonic() - begun, 1),
    }


@contextmanager
def empty_place(kind: str, path: Path):
    if kind == "sqlite":
        yield f"sqlite:///{path}"
    else:
        with cluster() as server:
            yield server.url


def main() -> None:
    cli = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cli.add_argument("--database", choices=["postgres", "sqlite"], default="postgres")
    cli.add_argument("--debates", type=int, default=200)
    arguments = cli.parse_args()
    figures = run(arguments.database, arguments.debates)
    sys.stdout.write(json.dumps(figures) + "\n")
    sys.exit(bool(figures["failed"]))


if __name__ == "__main__":
    main()
