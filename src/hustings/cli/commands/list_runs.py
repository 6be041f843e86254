"""`hustings list`: debates, newest first."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated

import typer

from hustings.cli.options import DatabaseOption
from hustings.cli.run_table import debates, lines, newest, with_audits
from hustings.cli.terminal import show, show_json, talk
from hustings.db.caps import State

from .db import open_run_list

if TYPE_CHECKING:
    from hustings.runs.run_list import RunList
    from hustings.runs.run_summary import RunSummary


@dataclass(frozen=True)
class ListOptions:
    """Which debates to list."""

    batch: Annotated[str | None, typer.Option("--batch", help="Only this batch.")] = None
    state: Annotated[State | None, typer.Option("--state", help="Only debates in this state.")] = None
    words: Annotated[
        str, typer.Option("--words", metavar="WORDS", help="Only debates in which these words were asked or said.")
    ] = ""
    tag: Annotated[str, typer.Option("--tag", metavar="TAG", help="Only debates with this tag.")] = ""


def list_runs(
    *,
    which: ListOptions,
    limit: Annotated[int, typer.Option(min=1, help="Maximum number shown.")] = 50,
    audits: Annotated[bool, typer.Option("--all", help="Also show judgings, comparisons and judge tests.")] = False,
    database: DatabaseOption = "",
    as_json: Annotated[
        bool, typer.Option("--json", help="Output JSON, including judgings, comparisons and judge tests.")
    ] = False,
) -> None:
    """List debates, newest first."""
    with open_run_list(database) as runs:
        if which.words or which.tag:
            reports = [(row, False) for row in _found(runs, which, limit)]
        elif as_json:
            reports = [(report, False) for report in runs.latest(batch=which.batch, state=which.state, most=limit)]
        else:
            found = newest(runs, limit, batch=which.batch, state=which.state)
            reports = [*with_audits(found, limit)] if audits else debates(found, limit)
        if as_json:
            show_json([report.model_dump(mode="json") for report, _ in reports])
        else:
            width = get_terminal_size().columns if sys.stdout.isatty() else None
            stopped = runs.unattended(*(report.run_id for report, _ in reports if report.state == "running"))
            for line in lines(reports, width, stopped):
                show(line)
            for run_id in dict.fromkeys(
                report.judged or report.run_id for report, _ in reports if report.run_id in stopped
            ):
                talk(f"Nobody works on {run_id}. Go on: hustings resume {run_id}")
    if reports:
        talk("See one: hustings show RUN")
    elif which != ListOptions():
        talk("No debate matches. See all: hustings list")
    else:
        talk('No debates yet. Start one: hustings "QUESTION"')


def _found(runs: RunList, which: ListOptions, limit: int) -> Sequence[RunSummary]:
    from hustings.db.listing import DebateFilter  # noqa: PLC0415  heavy, and few lists need it
    from hustings.runs.debate_rows import debate_rows  # noqa: PLC0415

    wanted = DebateFilter(state=which.state, query=which.words, tag=which.tag, batch=which.batch or "")
    return debate_rows(runs, None, limit, wanted)[0]
