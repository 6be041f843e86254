"""Every proof and benchmark by its name: `make proof NAME=embedding ARGS="…"`; without a name, what there is.

python -m benchmarks [NAME [ARGUMENTS]]          ARGUMENTS go to each of its commands; the last line of each is JSON
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent


@dataclass(frozen=True)
class Proof:
    """What `python -m` runs, one command after the other."""

    about: str
    takes: str
    """As it was measured on two cores; empty where that depends on what it is given."""
    commands: tuple[str, ...]


def on_each_database(command: str, names: Sequence[str] = ("sqlite", "postgres")) -> tuple[str, ...]:
    return tuple(f"{command} --database {name}" for name in names)


PROOFS: dict[str, Proof] = {
    # -- durability ------------------------------------------------------------------------
    "chaos": Proof(
        "1,000 debates under faults and kills on each database",
        "17 min",
        (
            "tests.chaos.storm --database sqlite --debates 1000 --workers 3 --kills 50 --db-crashes 0 --seed 7",
            "tests.chaos.storm --database postgres --debates 1000 --workers 3 --kills 50 --db-crashes 5 --seed 7",
        ),
    ),
    "entering": Proof(
        "a batch of 10,000 lines killed at 20 moments on each database",
        "10 min",
        on_each_database("tests.chaos.entering --seed 7"),
    ),
    "backing-up": Proof(
        "a backup of each database while 200 debates run, and the rest of them in the restored copy",
        "4 min",
        on_each_database("tests.chaos.backing_up --debates 200"),
    ),
    "reservations": Proof(
        "100,000 reservations from four processes on each database",
        "1 min",
        on_each_database("benchmarks.reservations", ("sqlite", "postgresql")),
    ),
    "soak": Proof(
        "two workers, a server, 200 viewers and faults on PostgreSQL (a day: --minutes 1440)",
        "1 h",
        ("tests.chaos.soak --minutes 60 --viewers 200",),
    ),
    # -- ways in ---------------------------------------------------------------------------
    "embedding": Proof(
        "debates inside web servers, task queues and notebooks, stopped while they run",
        "6 min",
        ("benchmarks.embedding",),
    ),
    "hosting": Proof(
        "every protocol played by own brain, its commands killed at every statement on each database",
        "25 min",
        ("benchmarks.hosting",),
    ),
    "reach": Proof("ways in for other programs, and what operators see of 1,000 runs", "30 min", ("benchmarks.reach",)),
    "provider-trouble": Proof(
        "twenty things a provider does, each met by a command at a terminal", "", ("benchmarks.provider_trouble",)
    ),
    "web-fuzz": Proof(
        "random requests to the API for ten minutes on each database",
        "20 min",
        on_each_database("tests.web.fuzz --seconds 600", ("sqlite", "postgresql")),
    ),
    # -- speed -----------------------------------------------------------------------------
    "bench-engine": Proof("runs beside the bare engine", "10 min", ("benchmarks.engine",)),
    "bench-enter": Proof("10,000 debates queued, beside plain inserts", "5 min", ("benchmarks.entering",)),
    "bench-start": Proof("CPU of commands that only read", "2 min", ("benchmarks.light_commands",)),
    "bench-web": Proof(
        "delays of events with 200 viewers and 50 debates on each database", "4 min", ("benchmarks.web",)
    ),
    # -- judging and quotes ----------------------------------------------------------------
    "recount": Proof("the first two tables of docs/notes/proofs.md, counted again", "5 min", ("benchmarks.recount",)),
    "nulls": Proof("debates without a right verdict, judged with 20 seeds each", "6 min", ("benchmarks.nulls",)),
    "evaluation-nulls": Proof("the same for evaluation", "2 min", ("benchmarks.evaluation_nulls",)),
    "gold": Proof("verdicts on the gold debates beside two careful readers'", "1 min", ("benchmarks.gold",)),
    "bench-panel": Proof("how many judges are needed, simulated", "2 min", ("benchmarks.panel_simulation",)),
    "evidence": Proof("24,000 changed quotes, and a hundred look-ups", "2 min", ("benchmarks.evidence",)),
    "mutate": Proof("mutation score of the rules of transcripts", "11 min", ("benchmarks.mutate",)),
    "mutate-quotes": Proof("mutation score of the quote checker", "7 min", ("benchmarks.mutate_quotes",)),
    # -- models ----------------------------------------------------------------------------
    "audit-real": Proof("the real local model as a judge", "10 min", ("benchmarks.auditing",)),
    "estimate-real": Proof("estimates beside the real local model", "16 min", ("benchmarks.estimating",)),
    "judge-competition": Proof(
        "a whole competition by the real local model, and its judging", "30 min", ("benchmarks.judged_competition",)
    ),
    "first-light": Proof(
        "ten fixed questions by every model here; writes docs/notes/first-light.md (--model NAME --minutes N --yes)",
        "",
        ("benchmarks.first_light",),
    ),
    "labelled-data": Proof(
        "a model beside texts that people labelled (TASK FOLDER [MODEL [ITEMS]]; rungs, fallacies or arguments)",
        "",
        ("benchmarks.labelled_data",),
    ),
    # -- packages and releases -------------------------------------------------------------
    "oldest": Proof("the tests beside the oldest of every dependency ([TESTS])", "", ("benchmarks.ranges oldest",)),
    "newest": Proof("the same beside the newest", "", ("benchmarks.ranges newest",)),
    "frameworks": Proof(
        "the examples for other frameworks, in an empty environment (needs the index)", "", ("tools.frameworks",)
    ),
    "reproducible": Proof("wheel and sdist built twice and compared", "3 min", ("tools.reproducible",)),
    "sbom": Proof("bill of materials and licences, written into build/", "1 s", ("tools.sbom",)),
    "advisories": Proof("pins with known vulnerabilities (--online asks the index too)", "1 s", ("tools.advisories",)),
}


def listed() -> str:
    width = max(map(len, PROOFS))
    return "\n".join(f"  {name:<{width}}  {proof.takes:>6}  {proof.about}" for name, proof in PROOFS.items())


def run(proof: Proof, arguments: Sequence[str]) -> int:
    """All its commands, even after one that failed; 0 if none did."""
    failed = False
    for command in proof.commands:
        whole = [sys.executable, "-m", *shlex.split(command), *arguments]
        failed |= subprocess.run(whole, cwd=ROOT, check=False).returncode != 0
    return int(failed)


def main(arguments: Sequence[str]) -> int:
    if not arguments:
        sys.stdout.write(f"{listed()}\n")
        return 0
    name, *more = arguments
    if name not in PROOFS:
        sys.stderr.write(f"there is no proof {name}; these are:\n{listed()}\n")
        return 2
    return run(PROOFS[name], more)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
