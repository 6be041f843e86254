"""`hustings stats`: figures over many debates, by protocol, task, model or extent."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from hustings.cli.options import AsJson, DatabaseOption
from hustings.cli.statistics_text import lines_of_statistics, write_figures
from hustings.cli.terminal import show_json, show_line, talk
from hustings.db.instants import instant_of
from hustings.lab.many_runs import Grouping, statistics_of
from hustings.lab.run_statistics import read_figures, with_people

from .db import open_runs


def show_statistics(
    *,
    by: Annotated[Grouping | None, typer.Option(help="Also by what the debates have in common.")] = None,
    since: Annotated[
        str, typer.Option(metavar="TIME", help="Debates since then: 12h, 30d, 2w, or a day such as 2026-05-01.")
    ] = "",
    batch: Annotated[str | None, typer.Option("--batch", metavar="NAME", help="Only this batch.")] = None,
    output: Annotated[
        str,
        typer.Option("--output", "-o", metavar="FILE", help="Also write a row for each debate: .csv or .jsonl."),
    ] = "",
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Show figures over many debates: quality, cost, ratings, coordination, calibration."""
    begin = instant_of(since, datetime.now(UTC)) if since else None
    with open_runs(database) as runs:
        figures, left_out = read_figures(runs, since=begin, batch=batch)
        found = with_people(runs, statistics_of(figures, by, since=begin, left_out=left_out), figures)
    if output:
        write_figures(figures, Path(output))
    if as_json:
        show_json(found.model_dump(mode="json"))
    else:
        for line in lines_of_statistics(found):
            show_line(line)
    if not found.whole.runs:
        talk("Next: hustings run MOTION")
    elif found.whole.evaluated < found.whole.runs:
        talk("Next: hustings evaluate RUN")
