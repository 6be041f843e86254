"""Mutation score of the quote checker: change one thing at a time and see whether its tests notice.

`python -m benchmarks.mutate_quotes [--only TEXT] [--seconds N] [--jobs N] [--sample N]`. JSON on the last line.
Changes that do the same as the code are listed in `equivalent_quotes.toml`, each with its reason and the line it is in:
they are tried too, and left out of the score. If the line changes, the entry no longer holds and the command fails.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import random
import resource
import signal
import sys
import time
import tomllib
from collections.abc import Iterable
from pathlib import Path

from tests.transcript.rules.mutants import Mutant, mutants

from . import plain_suite
from .mutate import Planter, say

PACKAGE = "hustings.text"
ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "src" / PACKAGE.replace(".", "/")
CHECKER = ("quote_check", "aligning", "clipping", "folding", "quotes")
"""Modules of the checker. Lists of words are data, and are checked by the changed quotes."""
TESTS = [
    f"tests.text.test_{name}"
    for name in ("quotes", "folding", "clipping", "reach", "aligning", "omissions", "quote_check", "changed_quotes")
]
EQUIVALENT = Path(__file__).with_name("equivalent_quotes.toml")
PATIENCE = 40
"""Seconds of computing, not of waiting, after which a mutant counts as noticed, because it hangs."""
MEMORY = 4 << 30
"""Bytes after which it counts as noticed, because it never stops collecting."""


def main() -> int:
    options = arguments()
    os.nice(10)
    places = [mutant for name in CHECKER for mutant in mutants(name, (FOLDER / f"{name}.py").read_text("utf-8"))]
    same, stale = equivalents(places, tomllib.loads(EQUIVALENT.read_text("utf-8")).get("same", []))
    todo = [mutant for mutant in places if options.only in mutant.name]
    random.Random(1).shuffle(todo)
    if not passes(None):
        say("the tests fail without any change: correct them first")
        return 1
    tried, alive = outcomes(todo[: options.sample or None], options.jobs, time.monotonic() + options.seconds)
    survivors = sorted(set(alive) - same)
    wrong = sorted(same & (tried - set(alive)))
    for said, names in (("survived", survivors), ("listed as equivalent, but noticed", wrong), ("not there", stale)):
        for name in names:
            say(f"{said}: {name}")
    counted = tried - same
    figures = {
        "places": len(places),
        "tried": len(tried),
        "equivalent": len(tried & same),
        "killed": len(counted) - len(survivors),
        "score": round(1 - len(survivors) / max(len(counted), 1), 4),
    }
    say(json.dumps({**figures, "survivors": survivors, "wrong": wrong, "stale": stale}))
    return 0 if counted and figures["score"] >= ENOUGH and not wrong and not stale else 1


ENOUGH = 0.95


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutate_quotes", description=__doc__)
    parser.add_argument("--only", default="", help="part of a mutant's name")
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sample", type=int, default=0, help="this number of places, drawn at random; 0: all")
    return parser.parse_args()


def equivalents(places: Iterable[Mutant], listed: Iterable[dict[str, str]]) -> tuple[set[str], list[str]]:
    """The names of those that do the same as the code, and of entries whose line is no longer what it was."""
    known = {mutant.name: mutant for mutant in places}
    found = [(known.get(entry["change"]), entry) for entry in listed]
    held = {entry["change"] for mutant, entry in found if mutant and mutant.line == entry["line"] and entry["why"]}
    return held, sorted({entry["change"] for _, entry in found} - held)


def outcomes(todo: Iterable[Mutant], jobs: int, deadline: float) -> tuple[set[str], list[str]]:
    """The names of those that were tried, and of those that nothing noticed."""
    tried, alive, running, waiting = set[str](), list[str](), dict[int, Mutant](), iter(todo)
    while True:
        while len(running) < jobs and time.monotonic() < deadline and (mutant := next(waiting, None)):
            running[started(mutant)] = mutant
        if not running:
            return tried, alive
        pid, status = os.wait()
        mutant = running.pop(pid)
        tried.add(mutant.name)
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
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115
    try:
        if mutant:
            for name in [name for name in sys.modules if name.startswith((PACKAGE, "tests.text"))]:
                del sys.modules[name]
            sys.meta_path.insert(0, Planter(mutant, PACKAGE, FOLDER))
            importlib.invalidate_caches()
        # Tests of time would only slow it down: what hangs is noticed by the patience.
        plain_suite.run(TESTS, without="bounded_time")
    except BaseException:  # noqa: BLE001
        os._exit(1)
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
