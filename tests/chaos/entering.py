"""`hustings batch --detach` is killed at random moments and started again: every line is queued, and none twice.

python -m tests.chaos.entering --database postgres --lines 10000 --kills 20

The lines are drawn up once, before the processes are forked: that takes most of the command's time, and writes nothing.
So every kill meets the command between opening the database and its last word. Each finds the database empty.
"""

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import dbos  # noqa: F401  loaded once, before the processes are forked
import sqlalchemy as sa

from hustings.cli.commands import batch
from hustings.config.batch_file import BatchFile, read_batch_file
from hustings.config.variables import variables
from hustings.db.budget import open_budget
from hustings.db.caps import MICRO, Caps
from hustings.db.connection import connect
from hustings.db.tables import BUDGET, RUN
from hustings.engine.client import INPUT, STATUS, engines
from hustings.engine.service import open_service
from hustings.main import main as hustings
from tests.rig.crash_workers import KILLED

from .scene import database_of

LINE = {"protocol": "structured", "question": "Libraries should open on Sundays", "model": "improviser"}
CENT = MICRO // 100
NAME = "many"
BEGUN, DONE = b"b", b"d"
PATIENCE = 600.0
"""Seconds that a command may take on a busy machine."""


@dataclass
class Figures:
    kills: int = 0
    while_entering: int = 0
    """Kills after the command had begun to enter the runs, and before it had done so."""
    left: Counter[str] = field(default_factory=Counter)
    """How many kills left no line on record, all of them, or some."""
    orphans: int = 0
    """Runs that a kill left on record and unknown to the engine."""
    missing: int = 0
    """Lines without a run, or without a place in the queue, after the second start."""
    twice: int = 0
    """Lines with a second place in the queue, or whose cap is held again."""


class Command:
    """One start of the command, in a process forked from one that has everything imported."""

    def __init__(self, url: str, file: Path, drawn_up: list[batch.QueuedDebate]) -> None:
        self._says, told = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            try:
                carry_out(url, file, drawn_up, told)
            finally:
                os._exit(1)
        os.close(told)

    def wait(self, seconds: float) -> int | None:
        """Exit code; None if it has not ended in time."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                os.close(self._says)
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.001)
        return None

    def kill(self) -> bytes | None:
        """What it had said until then; None if it had just ended."""
        os.kill(self.pid, signal.SIGKILL)
        said = os.read(self._says, 2)  # all it said, for it is dead
        return said if self.wait(PATIENCE) == KILLED else None


def carry_out(url: str, file: Path, drawn_up: list[batch.QueuedDebate], told: int) -> None:
    """The command as it is shipped, but for the lines; says when it enters them, and when that is done."""
    said = os.open(file.with_suffix(".log"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(said, 1)
    os.dup2(said, 2)
    enter = batch.enter

    def watched(*given):
        os.write(told, BEGUN)
        enter(*given)
        os.write(told, DONE)

    batch.enter, batch.read_batch_file = watched, lambda *_, **__: BatchFile(drawn_up)
    sys.argv = ["hustings", "batch", str(file), "--detach", "--name", NAME, "--database", url]
    try:
        hustings()
    except SystemExit as left:
        os._exit(int(left.code or 0))
    os._exit(0)


def clear(url: str, lines: int) -> None:
    """Nothing on record but an owner with a budget, so that money that is held twice shows."""
    with closing(connect(url)) as database, database.writing() as db:
        for table in (RUN.name, BUDGET.name, engines(db, STATUS), engines(db, INPUT)):
            db.execute(sa.text(f"delete from {table}"))
        open_budget(db, "owner:local", Caps(money=2 * lines * CENT))


def stands(url: str) -> tuple[int, int, int, int]:
    """Runs on record, how many of them the engine knows, complete places in its queue, and cents that are held."""
    with closing(connect(url)) as database, database.reading() as db:
        status, given = engines(db, STATUS), engines(db, INPUT)
        known = f"from hustings_run run join {status} known on known.workflow_uuid = run.run_id"
        own = f"""join {given} given on given.workflow_uuid = known.workflow_uuid
            where known.status = 'ENQUEUED' and given.inputs like '%"' || known.workflow_uuid || '"%'"""
        # One statement: PostgreSQL may still be committing what a killed client sent.
        counts = sa.text(f"""select
            (select count(*) from hustings_run), (select count(*) {known}),
            (select count(*) from {status} known {own}),
            (select held from hustings_budget where id = 'owner:local')""")
        on_record, known_runs, queued_runs, held = db.execute(counts).one()
        return on_record, known_runs, queued_runs, held // CENT


def once(url: str, file: Path, drawn_up: list[batch.QueuedDebate], moment: float, figures: Figures) -> None:
    """Kill the command a while after it was started; then start it again."""
    lines = len(drawn_up)
    clear(url, lines)
    command = Command(url, file, drawn_up)
    if command.wait(moment) is None and (said := command.kill()) is not None:
        figures.kills += 1
        figures.while_entering += said == BEGUN
        on_record, known, _, _ = stands(url)
        figures.left["none" if not on_record else "all" if on_record == lines else "some"] += 1
        figures.orphans += on_record - known
    must_succeed(Command(url, file, drawn_up), file)
    on_record, known, queued, held = stands(url)
    figures.missing += abs(lines - on_record) + abs(lines - known)
    figures.twice += abs(queued - lines) + abs(held - lines)


def must_succeed(command: Command, file: Path) -> None:
    if (code := command.wait(PATIENCE)) != 0:
        raise RuntimeError(f"the command ended with {code}: {file.with_suffix('.log').read_text('utf-8')}")


def prove(kind: str, lines: int, kills: int, seed: int) -> dict[str, object]:
    chance, figures, begun = random.Random(seed), Figures(), time.monotonic()
    text = f"{json.dumps({**LINE, 'budget': CENT / MICRO})}\n" * lines
    with tempfile.TemporaryDirectory() as name, database_of(kind, Path(name)) as url:
        (file := Path(name) / "many.jsonl").write_text(text, "utf-8")
        drawn_up = read_batch_file(file, NAME, variables()).debates
        with open_service(url) as service:
            service.upgrade()
        clear(url, lines)
        started = time.monotonic()
        must_succeed(Command(url, file, drawn_up), file)
        undisturbed = time.monotonic() - started
        latest = undisturbed
        for _ in range(10 * kills):
            if figures.kills < kills:
                before, moment = figures.kills, chance.uniform(0, latest)
                once(url, file, drawn_up, moment, figures)
                if figures.kills == before:  # it ended first: the machine is less busy than it was
                    latest = moment
    seconds = {"undisturbed": round(undisturbed, 1), "all": round(time.monotonic() - begun, 1)}
    about = {"database": kind, "lines": lines, "seed": seed}
    return {**about, **vars(figures), "left": dict(figures.left), "seconds": seconds}


def main() -> int:
    cli = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cli.add_argument("--database", choices=["sqlite", "postgres"], default="sqlite")
    cli.add_argument("--lines", type=int, default=10_000)
    cli.add_argument("--kills", type=int, default=20)
    cli.add_argument("--seed", type=int, default=7)
    asked = cli.parse_args()
    figures = prove(asked.database, asked.lines, asked.kills, asked.seed)
    sys.stdout.write(f"{json.dumps(figures)}\n")
    return bool(figures["missing"] or figures["twice"] or figures["orphans"] or figures["kills"] != asked.kills)


if __name__ == "__main__":
    sys.exit(main())
