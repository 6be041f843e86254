"""Commands killed before each commit of a debate, its control, its judging and its summary; then all is finished.

python -m tests.chaos.following --database sqlite --way resumed
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from hustings.runs.follow_ups import FollowUps
from hustings.runs.judging_spec import JudgingRequest
from tests.rig.crash_workers import KILLED

from .scene import CrashSetup, database_of, scene

ASKED = FollowUps(JudgingRequest(tier="quick"), control=True, summary=True)
AUDITS = ["control", "judging", "summary"]
WAYS = ("resumed", "worker")
"""Who finishes what was killed: `resume`, or a worker that was there all the time."""
AT_A_TIME = 4
EVERY = range(1, 1_000)


@dataclass
class Figures:
    """What came of it; `wrong` says everything that must not be."""

    killed: int = 0
    unharmed: int = 0
    """Ended before the commit at which they were to die."""
    without_a_trace: int = 0
    """Died before they were on record."""
    in_flight: int = 0
    served_again: int = 0
    wrong: list[str] = field(default_factory=list)


def kill_and_finish(on: CrashSetup, script: str, commits: Iterable[int], way: str) -> Figures:
    """One command for each commit at which it dies, until they end before; whoever finishes them must judge them."""
    undisturbed = on.drawn(script)
    on.worker(undisturbed, follow_ups=ASKED.dump())
    figures = Figures(wrong=[] if on.pool.ended(120)[1] == 0 else ["the undisturbed one failed"])
    killed = kill(on, script, commits, figures)
    if way == "resumed":
        on.worker(resumed=[*killed])
        figures.wrong += [] if on.pool.ended(600)[1] == 0 else ["resuming failed"]
    else:
        await_summaries(on, killed)
    on.await_ends(60)
    twice = on.twice()
    for run_id, (commit, open_) in killed.items():
        kin = [run_id, *(report.run_id for report in on.service.runs.audits(run_id))]
        again = {f"{each}/{key}" for each in kin for key in twice.get(each, ())}
        figures.in_flight += len(open_)
        figures.served_again += len(again)
        figures.wrong += [f"{run_id} at commit {commit}: {what}" for what in faults(on, kin, open_, again)]
        if on.essence(run_id)[0] != on.essence(undisturbed.run_id)[0]:
            figures.wrong.append(f"{run_id} at commit {commit}: another transcript")
    return figures


def kill(on: CrashSetup, script: str, commits: Iterable[int], figures: Figures) -> dict[str, tuple[int, set[str]]]:
    """By run on record: the commit at which its command died, and the calls in flight then."""
    left, alive, killed, dead = iter(commits), dict[int, tuple[int, str]](), {}, list[int]()
    while True:
        while len(alive) < AT_A_TIME and not figures.unharmed and (commit := next(left, 0)):
            run = on.drawn(script)
            alive[on.worker(run, follow_ups=ASKED.dump(), commit=commit)] = commit, run.run_id
        if not alive:
            break
        pid, code = on.pool.ended(120)
        commit, run_id = alive.pop(pid)
        dead.append(pid)
        figures.killed += code == KILLED
        figures.unharmed += code == 0
        if code not in {0, KILLED}:
            figures.wrong.append(f"{run_id} at commit {commit}: it ended with {code}")
        if on.service.runs.exists(run_id):
            family = {run_id, *(report.run_id for report in on.service.runs.audits(run_id))}
            sent = on.in_flight()
            killed[run_id] = commit, {f"{each}/{key}" for each in family for key in sent.get(each, ())}
        else:
            figures.without_a_trace += 1
        on.expire(pid)
    return killed


def await_summaries(on: CrashSetup, killed: Iterable[str]) -> None:
    until = time.monotonic() + 300
    for run_id in killed:
        while not any(each.protocol.startswith("summary/") for each in on.service.runs.audits(run_id)):
            if time.monotonic() > until:
                return
            time.sleep(0.2)


def faults(on: CrashSetup, kin: list[str], open_: set[str], again: set[str]) -> list[str]:
    reports = [on.service.runs.read(each) for each in kin]
    wrong = {
        f"it was followed by {[each.protocol for each in reports[1:]]}": [
            each.protocol.partition("/")[0] for each in reports[1:]
        ]
        != AUDITS,
        f"not all were played: {[each.ending or each.state for each in reports]}": any(
            each.ending != "played" for each in reports
        ),
        f"paid again, and not in flight: {sorted(again - open_)}": not again <= open_,
        "something is due": any(on.service.runs.light_row(each)["follows"] == "due" for each in kin),
    }
    found = [what for what, so in wrong.items() if so]
    return found or [what for each in kin for what in on.faults_of(each)]


def main() -> None:
    cli = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cli.add_argument("--database", choices=["sqlite", "postgres"], default="sqlite")
    cli.add_argument("--script", default="structured")
    cli.add_argument("--way", choices=WAYS, default="resumed")
    given = cli.parse_args()
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, database_of(given.database, Path(folder)) as url, scene(url) as on:
        if given.way == "worker":
            on.successor(attends=True)
        figures = kill_and_finish(on, given.script, count(1), given.way)
    said = {**vars(given), **vars(figures), "seconds": round(time.monotonic() - start, 1)}
    sys.stdout.write(json.dumps(said) + "\n")
    sys.exit(1 if figures.wrong else 0)


if __name__ == "__main__":
    main()
