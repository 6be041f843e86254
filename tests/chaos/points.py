"""Workers killed at every crash point of a debate or an audit, and what the provider's own books say afterwards.

python -m tests.chaos.points --database sqlite --seed 7
"""

import argparse
import json
import random
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from hustings.script.seats import LIBRARIAN
from tests.rig.crash_workers import KILLED, POINTS

from .scene import AUDITS, SCRIPTS, CrashSetup, database_of, scene

IN_FULL = ("structured", "moderated", "look_ups", "tools", "judging", "evaluation")
SPREAD, SPREAD_OF_AUDITS = 30, 6
"""Crash points of each other script; an audit asks nearly all at once, so that one is much like the next."""
AT_A_TIME = 4
Point = tuple[str, str]
"""Where in a call, and at which address."""


@dataclass
class Figures:
    """What came of it; `wrong` says everything that must not be."""

    points: int = 0
    in_flight: int = 0
    served_again: int = 0
    artefacts: int = 0
    """Of evaluations: files that equal the undisturbed one byte for byte."""
    wrong: list[str] = field(default_factory=list)


def crash_everywhere(on: CrashSetup, script: str, seed: int) -> Figures:
    """Needs an heir at work. Every call of the script is killed, or some from the beginning to the end."""
    undisturbed = on.undisturbed(script)
    calls = [key.rpartition(" #")[0] for key in on.answered(undisturbed.run_id)]
    return crash_at(on, script, undisturbed.run_id, chosen(script, calls, seed))


def crash_at(on: CrashSetup, script: str, undisturbed: str, points: list[Point]) -> Figures:
    """One run for each point, all of which must end like the one that nobody disturbed."""
    crashed, wrong = crash(on, script, points)
    on.await_ends(60)
    figures, like, twice = Figures(len(points), wrong=wrong), on.essence(undisturbed), on.twice()
    artefact = on.artefact(undisturbed)
    for run_id, (point, open_) in crashed.items():
        again = twice.get(run_id, set())
        figures.in_flight += len(open_)
        figures.served_again += len(again)
        figures.wrong += [f"{run_id} at {point}: {what}" for what in judged(point, open_, again)]
        figures.wrong += on.faults_of(run_id)
        figures.artefacts += artefact is not None and on.artefact(run_id) == artefact
        if on.essence(run_id) != like:
            figures.wrong.append(f"{run_id} at {point}: another transcript or another result")
    if undisturbed in twice:
        figures.wrong.append(f"{undisturbed}: {twice[undisturbed]} served twice")
    return figures


def chosen(script: str, addresses: list[str], seed: int) -> list[Point]:
    """Every point of every call, or some of them from the beginning to the end."""
    every = [(point, address) for address in sorted(addresses) for point in points_of(address)]
    if script in IN_FULL:
        return every
    start, count = random.Random(seed).random(), SPREAD_OF_AUDITS if script in AUDITS else SPREAD
    return [every[int((n + start) * len(every) / count)] for n in range(count)]


def points_of(address: str) -> tuple[str, ...]:
    """The librarian sends nothing: a worker can die before it looks something up and after."""
    return tuple(p for p in POINTS if LIBRARIAN.id not in address.split() or p not in {"sent", "called"})


def crash(on: CrashSetup, script: str, points: list[Point]) -> tuple[dict[str, tuple[Point, set[str]]], list[str]]:
    """Have a worker die at each point; by run, what was in flight at that moment. Then the heir may have them."""
    waiting, alive, crashed, wrong = points[::-1], dict[int, tuple[Point, str]](), {}, list[str]()
    dead = list[int]()
    while waiting or alive:
        while waiting and len(alive) < AT_A_TIME:
            point, run = waiting.pop(), on.spec(script)
            alive[on.worker(run, point=point[0], address=point[1])] = point, run.run_id
        pid, code = on.pool.ended(60)
        if pid not in alive:
            raise RuntimeError(f"the heir has died: {code}")
        point, run_id = alive.pop(pid)
        crashed[run_id] = point, on.in_flight().get(run_id, set())
        dead.append(pid)
        if code != KILLED:
            wrong.append(f"{run_id} at {point}: the worker was not killed there, it ended with {code}")
    on.expire(*dead)
    return crashed, wrong


def judged(point: Point, open_: set[str], again: set[str]) -> list[str]:
    """The call at which the worker died is in flight or is not; and nothing else is ever paid again."""
    where, address = point
    here, paid_again = address in addresses(open_), address in addresses(again)
    wrong = {
        "a call was paid again that was not in flight": not again <= open_,
        "the call is not on record as sent": where in {"sent", "called"} and not here,
        "the call is on record as sent": where not in {"sent", "called"} and here,
        "the call was paid again": where != "called" and paid_again,
        "the call was not made again": where == "called" and not paid_again,
    }
    return [what for what, so in wrong.items() if so]


def addresses(keys: set[str]) -> set[str]:
    return {key.rpartition(" #")[0] for key in keys}


def main() -> None:
    cli = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cli.add_argument("--database", choices=["sqlite", "postgres"], default="sqlite")
    cli.add_argument("--script", choices=SCRIPTS, action="append")
    cli.add_argument("--seed", type=int, default=random.randrange(10**6))
    given = cli.parse_args()
    wrong = []
    with tempfile.TemporaryDirectory() as folder, database_of(given.database, Path(folder)) as url, scene(url) as on:
        on.successor()
        for script in given.script or SCRIPTS:
            start = time.monotonic()
            figures = crash_everywhere(on, script, given.seed)
            about = {"seed": given.seed, "database": given.database, "script": script}
            said = {**about, **vars(figures), "seconds": round(time.monotonic() - start, 1)}
            sys.stdout.write(json.dumps(said) + "\n")
            sys.stdout.flush()
            wrong += figures.wrong
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
