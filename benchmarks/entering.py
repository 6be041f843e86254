"""Entering many debates beside bare inserts of the same rows: `python -m benchmarks.entering`; the last line is JSON.

Turn by turn on either database: debates are drawn up, and entered and queued as `hustings batch --detach` does it. Then
the rows that this left in four tables are inserted into another database by the driver alone, in one transaction, with
nothing to make, check or look up. Seconds include the commit.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from hustings.cli.commands.batch import enter
from hustings.config.batch_file import queued
from hustings.config.variables import variables
from hustings.engine.client import INPUT, STATUS, engines
from hustings.engine.service import RunService, open_service
from tests.chaos.scene import database_of

DEBATES, ROUNDS, MOST = 10_000, 5, 3.0
LINE = json.dumps({"protocol": "structured", "question": "Libraries should open on Sundays", "model": "improviser"})


def rows_of(db: sa.Connection, batch: str) -> dict[str, tuple[list[str], Sequence[Any]]]:
    """Columns and rows of every table that a batch has left something in."""
    names = {
        "hustings_run": ("run_id", ""),
        "hustings_budget": ("id", "run:"),
        engines(db, STATUS): ("workflow_uuid", ""),
        engines(db, INPUT): ("workflow_uuid", ""),
    }
    found: dict[str, tuple[list[str], Sequence[Any]]] = {}
    for table, (key, before) in names.items():
        result = db.execute(sa.text(f"select * from {table} where {key} like :which"), {"which": f"{before}{batch}-%"})
        found[table] = [*result.keys()], [tuple(row) for row in result]
    return found


def insert(service: RunService, rows: dict[str, tuple[list[str], Sequence[Any]]]) -> None:
    database = service.runs.database
    mark = "?" if database.dialect == "sqlite" else "%s"
    with database.writing() as db:
        for table, (columns, values) in rows.items():
            into = f"insert into {table} ({', '.join(columns)}) values ({', '.join(mark for _ in columns)})"
            db.exec_driver_sql(into, values)  # pyright: ignore[reportArgumentType]


def measure(ours: RunService, bare: RunService, debates: int, rounds: int) -> dict[str, Any]:
    seconds: dict[str, list[float]] = {"ours": [], "bare": [], "drawn_up": []}
    for n in range(rounds + 1):
        begun = time.perf_counter()
        wished = queued(f"{LINE}\n" * debates, f"round{n}", variables())
        drawn_up = time.perf_counter()
        enter(ours, wished)
        entered = time.perf_counter()
        with ours.runs.database.reading() as db:
            rows = rows_of(db, f"round{n}")
        assert all(len(values) == debates for _, values in rows.values())
        before = time.perf_counter()
        insert(bare, rows)
        took = {"drawn_up": drawn_up - begun, "ours": entered - drawn_up, "bare": time.perf_counter() - before}
        sys.stderr.write(f"  {' '.join(f'{name} {value:.2f} s' for name, value in took.items())}\n")
        for name, value in took.items() if n else ():  # the first one warms up
            seconds[name].append(value)
    median = {name: statistics.median(values) for name, values in seconds.items()}
    ratios = [a / b for a, b in zip(seconds["ours"], seconds["bare"], strict=True)]
    return {
        "seconds": {name: round(value, 2) for name, value in median.items()},
        "ratio": round(median["ours"] / median["bare"], 2),
        "ratios": [round(ratio, 2) for ratio in sorted(ratios)],
        "unqueued": ours.unqueued(grace=-1),
    }


def main() -> int:
    cli = argparse.ArgumentParser(prog="python -m benchmarks.entering", description=__doc__)
    cli.add_argument("--debates", type=int, default=DEBATES)
    cli.add_argument("--rounds", type=int, default=ROUNDS)
    asked = cli.parse_args()
    figures: dict[str, Any] = {}
    for kind in ("sqlite", "postgres"):
        with (
            tempfile.TemporaryDirectory() as folder,
            database_of(kind, Path(folder)) as first,
            database_of(kind, Path(folder)) as second,
            open_service(first) as ours,
            open_service(second) as bare,
        ):
            ours.upgrade()
            bare.upgrade()
            sys.stderr.write(f"{kind}\n")
            figures[kind] = measure(ours, bare, asked.debates, asked.rounds)
    sys.stdout.write(f"{json.dumps({'debates': asked.debates, 'rounds': asked.rounds, **figures})}\n")
    return any(found["ratio"] > MOST or found["unqueued"] for found in figures.values())


if __name__ == "__main__":
    sys.exit(main())
