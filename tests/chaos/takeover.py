"""A worker is gone for good; how long until another goes on with its debates, at the lease they have by default.

python -m tests.chaos.takeover --database postgres
"""

import argparse
import json
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from hustings.engine.worker import Duty
from tests.rig.crash_workers import KILLED

from .scene import POLL_SECONDS, CrashSetup, database_of, scene

ADDRESS = "001.0 pro cross-examination"


@dataclass
class Figures:
    taken_over_after: float = 0.0
    """Seconds from the kill to the heir's first word in the log."""
    ended_after: float = 0.0
    wrong: list[str] = field(default_factory=list)


def take_over(on: CrashSetup, ttl: float = Duty.ttl) -> Figures:
    """The heir has just begun to work, so that it may not take anything from anybody for a whole term."""
    run = on.spec("structured")
    pid = on.worker(run, ttl=ttl, point="called", address=ADDRESS)
    ended = on.pool.ended(30)
    killed = time.monotonic()
    on.successor(ttl)
    figures = Figures(wrong=[] if ended == (pid, KILLED) else [f"the worker ended with {ended}"])
    while not any(event.kind == "recovered" for event in on.service.runs.events(run.run_id)):
        if time.monotonic() - killed > 4 * ttl + 10:
            figures.wrong.append("nobody took over")
            return figures
        time.sleep(POLL_SECONDS)
    figures.taken_over_after = round(time.monotonic() - killed, 1)
    on.await_ends(30)
    figures.ended_after = round(time.monotonic() - killed, 1)
    figures.wrong += on.faults_of(run.run_id)
    if on.essence(run.run_id) != on.essence(on.undisturbed("structured").run_id):
        figures.wrong.append("another transcript")
    return figures


def main() -> None:
    cli = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cli.add_argument("--database", choices=["sqlite", "postgres"], default="sqlite")
    cli.add_argument("--ttl", type=float, default=Duty.ttl)
    given = cli.parse_args()
    with tempfile.TemporaryDirectory() as folder, database_of(given.database, Path(folder)) as url, scene(url) as on:
        figures = take_over(on, given.ttl)
    sys.stdout.write(json.dumps({"seed": 0, **vars(given), **vars(figures)}) + "\n")
    sys.exit(1 if figures.wrong else 0)


if __name__ == "__main__":
    main()
