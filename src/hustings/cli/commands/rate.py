"""`hustings rate`: what a reader thinks of a finished debate, from 1 to 5, with a comment."""

from __future__ import annotations

from typing import Annotated

import typer

from hustings.cli.options import AsJson, DatabaseOption, Run
from hustings.cli.terminal import show_json, show_line, talk
from hustings.config.paths import words_of
from hustings.db.ratings import Rating
from hustings.runs.outcome_text import rated_text

from .db import open_service


def rate_run(
    run_id: Run,
    stars: Annotated[int, typer.Argument(metavar="1..5", min=1, max=5, help="1: of no use; 5: just what was needed.")],
    *,
    comment: Annotated[str, typer.Option("--comment", metavar="TEXT", help="Why. @FILE reads it from a file.")] = "",
    reader: Annotated[
        str, typer.Option("--by", metavar="NAME", help="Who rates it; the latest rating of each counts.")
    ] = "user",
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Rate a finished debate from 1 to 5."""
    with open_service(database) as service:
        service.control.rate(run_id, Rating(reader, stars, words_of(comment).strip() if comment else ""))
        report = service.runs.read(run_id)
    if as_json:
        show_json({"run_id": run_id, "rating": report.rating, "ratings": report.ratings})
    else:
        show_line(f"{run_id}: {rated_text(report)}")
    where = f"--batch {report.batch}" if report.batch else run_id
    talk(f"Next: hustings show {where}")
