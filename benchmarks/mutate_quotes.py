"""Mutation score of the quote checker: change one thing at a time and see whether its tests notice.

`python -m benchmarks.mutate_quotes [--only TEXT] [--seconds N] [--jobs N] [--sample N]`. JSON on the last line.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import random
import signal
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.transcript.rules.mutants import Mutant, mutants

from .mutate import Planter, say

PACKAGE = "hustings.text"
ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "src" / PACKAGE.replace(".", "/")
CHECKER = ("quote_check", "aligning", "clipping", "folding", "quotes")
"""Modules of the checker. Lists of words are data, and are checked by the changed quotes."""
TESTS = [
    str(ROOT / "tests" / "text" / f"test_{name}.py")
    for name in ("quotes", "folding", "clipping", "quote_check", "changed_quotes")
]
PATIENCE = 120
"""Seconds of computing after which a mutant counts as noticed, because it hangs."""


def main() -> int:
    options = arguments()
    os.nice(10)
    places = [mutant for name in CHECKER for mutant in mutants(name, (FOLDER / f"{name}.py").read_text("utf-8"))]
    todo = [mutant for mutant in places if options.only in mutant.name]
    random.Random(1).shuffle(todo)
    if not passes(None):
        say("the tests fail without any change: correct them first")
        return 1
    tried, alive = outcomes(todo[: options.sample or None], options.jobs, time.monotonic() + options.seconds)
    for name in alive:
        say(f"survived: {name}")
    killed = tried - len(alive)
    figures = {"places": len(places), "tried": tried, "killed": killed, "score": round(killed / max(tried, 1), 4)}
    say(json.dumps({**figures, "survivors": alive}))
    return 0 if tried and figures["score"] >= ENOUGH else 1


ENOUGH = 0.95


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutate_quotes", description=__doc__)
    parser.add_argument("--only", default="", help="part of a mutant's name")
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sample", type=int, default=0, help="this number of places, drawn at random; 0: all")
    return parser.parse_args()


def outcomes(todo: Iterable[Mutant], jobs: int, deadline: float) -> tuple[int, list[str]]:
    """How many were tried, and the names of those that nothing noticed."""
    tried, alive, running, waiting = 0, list[str](), dict[int, Mutant](), iter(todo)
    while True:
        while len(running) < jobs and time.monotonic() < deadline and (mutant := next(waiting, None)):
            running[started(mutant)] = mutant
        if not running:
            return tried, sorted(alive)
        pid, status = os.wait()
        mutant, tried = running.pop(pid), tried + 1
        if status == 0:
            alive.append(mutant.name)


def passes(mutant: Mutant | None) -> bool:
    _, status = os.waitpid(started(mutant), 0)
    return status == 0


def started(mutant: Mutant | None) -> int:
    """A child process that ends with 0 if the tests pass: a mutant may crash or hang."""
    if pid := os.fork():
        return pid
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115
    try:
        if mutant:
            for name in [name for name in sys.modules if name.startswith(("hustings", "tests.text"))]:
                del sys.modules[name]
            sys.meta_path.insert(0, Planter(mutant, PACKAGE, FOLDER))
            importlib.invalidate_caches()
        # Tests of time would only slow it down: what hangs is noticed by the patience.
        quick = ["-x", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--assert=plain", "-k", "not bounded_time"]
        status = pytest.main([*quick, *TESTS])
    except BaseException:  # noqa: BLE001
        os._exit(1)
    os._exit(int(status))


if __name__ == "__main__":
    sys.exit(main())
