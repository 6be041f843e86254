"""`hustings outcome`: record what really happened in the matter of a debate, by which its confidence is checked."""

from __future__ import annotations

from typing import Annotated

import typer

from hustings.cli.options import AsJson, DatabaseOption, Run
from hustings.cli.terminal import one_line, show_json, show_line, talk
from hustings.config.paths import words_of
from hustings.db.real_outcomes import RealOutcome

from .db import open_service


def record_outcome(
    run_id: Run,
    option: Annotated[str, typer.Argument(metavar="OPTION", help="What came true: yes, no, or another option.")],
    *,
    source: Annotated[
        str, typer.Option("--source", metavar="TEXT", help="Where it can be read. @FILE reads it from a file.")
    ] = "",
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Record what really happened in the matter of a debate; recorded again, the latest counts."""
    found = RealOutcome(option.strip(), words_of(source).strip() if source else "")
    with open_service(database) as service:
        before = service.runs.real_outcome(run_id)
        service.control.record_outcome(run_id, found)
    if as_json:
        show_json({"run_id": run_id, "option": found.option, "source": found.source})
    else:
        instead = f" (recorded before: {before.option})" if before and before.option != found.option else ""
        show_line(one_line(f"{run_id}: what happened is {found.option}{instead}"))
    talk("Next: hustings stats")
