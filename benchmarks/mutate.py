"""Mutation score of the rules: change one thing at a time and see whether the tests notice.

`python -m benchmarks.mutate [--only TEXT] [--seconds N] [--jobs N]`. The last line is one object of JSON.
A survivor without a reason in the table below is a failure.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import os
import random
import signal
import sys
import time
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType

from tests.transcript.rules import suite
from tests.transcript.rules.mutants import Mutant, mutants

PACKAGE = "hustings.transcript.rules"
FOLDER = Path(__file__).parents[1] / "src" / PACKAGE.replace(".", "/")
PATIENCE = 30
"""Seconds of computing after which a mutant counts as noticed, because it hangs."""


def main() -> int:
    options = arguments()
    os.nice(10)
    places = [mutant for path in sorted(FOLDER.glob("*.py")) for mutant in mutants(path.stem, path.read_text())]
    todo = [mutant for mutant in places if options.only in mutant.name]
    random.Random(1).shuffle(todo)
    tried, alive = outcomes(todo, options.jobs, time.monotonic() + options.seconds)
    unexplained = [name for name in alive if name not in REASONS]
    stale = sorted(set(REASONS) - {mutant.name for mutant in places})
    for name in alive:
        say(f"{'survived' if name in unexplained else 'equivalent'}: {name}  # {REASONS.get(name, 'no reason given')}")
    for name in stale:
        say(f"no such place any more: {name}")
    killed = tried - len(alive)
    figures = {"places": len(places), "tried": tried, "killed": killed, "score": round(killed / max(tried, 1), 4)}
    say(json.dumps({**figures, "survivors": alive}))
    return 1 if unexplained or stale or not tried else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutate", description="Mutation score of the rules.")
    parser.add_argument("--only", default="", help="part of a mutant's name")
    parser.add_argument("--seconds", type=float, default=1800)
    parser.add_argument("--jobs", type=int, default=2)
    return parser.parse_args()


def outcomes(todo: list[Mutant], jobs: int, deadline: float) -> tuple[int, list[str]]:
    """How many were tried, and the names of those that nothing noticed."""
    given = suite.files()
    suite.run(given)  # the code as it is must pass
    tried, alive, running = 0, list[str](), dict[int, Mutant]()
    waiting = iter(todo)
    while True:
        while len(running) < jobs and time.monotonic() < deadline and (mutant := next(waiting, None)):
            running[started(mutant, given)] = mutant
        if not running:
            return tried, sorted(alive)
        pid, status = os.wait()
        mutant, tried = running.pop(pid), tried + 1
        if status == 0:
            alive.append(mutant.name)


def started(mutant: Mutant, given: suite.Files) -> int:
    """A child process that ends with 0 if the mutant survives: it may crash or hang."""
    if pid := os.fork():
        return pid
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    sys.stdout = sys.stderr = Path(os.devnull).open("w")  # noqa: SIM115
    try:
        trial(mutant).run(given)
    except BaseException:  # noqa: BLE001
        os._exit(1)
    os._exit(0)


def trial(mutant: Mutant) -> suite:
    """The tests, imported anew on top of the mutant."""
    for name in sorted(sys.modules):
        if name.startswith((PACKAGE, "tests.transcript.rules")) and name not in KEPT:
            del sys.modules[name]
    sys.meta_path.insert(0, Planter(mutant))
    return importlib.import_module("tests.transcript.rules.suite")


class Planter:
    """Finds the mutant where its module is asked for."""

    def __init__(self, mutant: Mutant, package: str = PACKAGE, folder: Path = FOLDER) -> None:
        self.mutant = mutant
        self.name = package if mutant.module == "__init__" else f"{package}.{mutant.module}"
        self.file = str(folder / f"{mutant.module}.py")

    def find_spec(self, name: str, path: object, target: object = None) -> ModuleSpec | None:
        if name != self.name:
            return None
        return importlib.util.spec_from_file_location(name, self.file, loader=Mutated(name, self.file, self.mutant))


class Mutated(SourceFileLoader):
    def __init__(self, name: str, file: str, mutant: Mutant) -> None:
        super().__init__(name, file)
        self.mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.mutant.tree(), self.path, "exec")


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


KEPT = {"tests.transcript.rules.valid", "tests.transcript.rules.mutants"}
"""They do not know the rules."""
ONLY_SPEED = "a short cut: the long way finds the same"
SENTINEL = "only stands below every position"
REASONS: dict[str, str] = {
    "fields.Field.settled: (NoneType, type(ABSENT)) if optional else () -> "
    "(NoneType, type(ABSENT)) if False else ()": ONLY_SPEED,
    "fields.Field.settled: _TYPES[self.shape.kind] if plain else () -> "
    "_TYPES[self.shape.kind] if False else ()": ONLY_SPEED,
    "fields._parts: continue -> pass": ONLY_SPEED,
    "fields._parts: if type(below) in field.settled -> if False": ONLY_SPEED,
    "fields._parts: if type(item) not in shape.items.settled -> if True": ONLY_SPEED,
    "fields.misfits: '' -> 'X'": "the document has no name, and no limit is called X",
    "fields.shape_of: '' -> 'X'": "the entries of a list have no name, and no limit is called X",
    "interventions._misses: return False -> return None": "as untrue",
    "interventions.target_goes_back: 1 -> 2": SENTINEL,
    "interventions.target_goes_back: 1 -> 2 #2": SENTINEL,
    "interventions.target_goes_back: 1 -> 2 #4": SENTINEL,
    "parse.lone_surrogate: if _ESCAPED_SURROGATE.search(reading.raw) -> if True": ONLY_SPEED,
    "parse.long_string: if len(reading.raw) > most -> if True": ONLY_SPEED,
    "parse.long_string: len(reading.raw) > most -> len(reading.raw) >= most": ONLY_SPEED,
    "reading.Reading: '' -> 'X'": "read only where there is a reason, which brings its own",
    "reading._integer: 1 -> 2": "any number beyond the largest will do",
    "reading.measure: b'' -> b'X'": "what an escape becomes is no bracket, comma or quote",
    "reading.measure: b'' -> b'X' #2": "what an escape becomes is no bracket, comma or quote",
    "reading.measure: b'' -> b'X' #3": "refused whatever it holds",
    "reading.measure: b'' if many_strings else b''.join(plain.translate(None, _FLE -> "
    "b'' if False else b''.join(plain.translate(None, _FLESH).spl": ONLY_SPEED,
    "reading.strings: if isinstance(value, list | dict) -> if True": "a plain value has no members",
    "registry.module: 'PSRAMITXG' -> 'PSRAMITXGX'": "the first X is found",
    "registry.quoted: value[:most] if isinstance(value, str) else value -> "
    "value[:most] if False else value": ONLY_SPEED,
}
"""Why a mutant that nothing notices does the same as the code."""

if __name__ == "__main__":
    sys.exit(main())
