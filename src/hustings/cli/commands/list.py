"""`hustings list`: debates, newest first."""

from __future__ import annotations

import sys
from shutil import get_terminal_size
from typing import Annotated

import typer

from hustings.cli.options import DatabaseOption
from hustings.cli.run_table import debates, lines, newest, with_audits
from hustings.cli.terminal import show, show_json, talk
from hustings.db.states import State

from .db import open_runs


def list_runs(
    *,
    batch: Annotated[str | None, typer.Option(help="Of this batch alone.")] = None,
    state: Annotated[State | None, typer.Option(help="In this state alone.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="At most this many.")] = 50,
    audits: Annotated[bool, typer.Option("--all", help="With judgings, controls and trials of judges.")] = False,
    database: DatabaseOption = "",
    as_json: Annotated[bool, typer.Option("--json", help="All of it, as JSON, with judgings and the like.")] = False,
) -> None:
    """List debates, newest first."""
    with open_runs(database) as runs:
        if as_json:
            reports = runs.latest(batch=batch, state=state, most=limit)
            show_json([report.model_dump(mode="json") for report in reports])
        else:
            found = newest(runs, limit, batch=batch, state=state)
            reports = [*with_audits(found, limit)] if audits else debates(found, limit)
            width = get_terminal_size().columns if sys.stdout.isatty() else None
            for line in lines(reports, width):
                show(line)
    talk("Look at one: hustings show RUN" if reports else 'None. Have one: hustings "MOTION"')
