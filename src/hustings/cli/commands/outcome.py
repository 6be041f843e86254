"""`hustings outcome`: record what really happened in the matter of a debate, by which its confidence is checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, cast

import typer

from hustings.cli.options import AsJson, DatabaseOption, Run
from hustings.cli.terminal import one_line, show_json, show_line, talk
from hustings.config.paths import words_of
from hustings.db.real_outcomes import RealOutcome
from hustings.errors import Unsuitable
from hustings.lab.many_runs import same_option

from .db import open_service

if TYPE_CHECKING:
    from hustings.runs.queries import RunQueries

USUAL = ("yes", "no")


def record_outcome(
    run_id: Run,
    option: Annotated[str, typer.Argument(metavar="OPTION", help="What came true: yes, no, or another option.")],
    *,
    source: Annotated[
        str, typer.Option("--source", metavar="TEXT", help="Where it can be read. @FILE reads it from a file.")
    ] = "",
    other: Annotated[
        bool, typer.Option("--other", help="Record an option that the debate and its judges did not have.")
    ] = False,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Record what really happened in the matter of a debate; recorded again, the latest counts."""
    found = RealOutcome(option.strip(), words_of(source).strip() if source else "")
    with open_service(database) as service:
        before = service.runs.real_outcome(run_id)
        known = options_of(service.runs, run_id)
        if found.option and known and not other and not any(same_option(found.option, one) for one in known):
            raise Unsuitable(
                f"{one_line(found.option)!r} is none of the options of this debate",
                fix=f"choose from {', '.join(known)}, or record another: --other",
            )
        service.control.record_outcome(run_id, found)
    if as_json:
        show_json({"run_id": run_id, "option": found.option, "source": found.source})
    else:
        instead = f" (recorded before: {before.option})" if before and before.option != found.option else ""
        show_line(one_line(f"{run_id}: what happened is {found.option}{instead}"))
    talk("Next: hustings stats")


def options_of(runs: RunQueries, run_id: str) -> tuple[str, ...]:
    """The options that a debate and its audits had; none if one of them took the question for an open one."""
    asked = (runs.spec(audit.run_id).debate.settings.get("options") for audit in runs.audits(run_id))
    given = [tuple(map(str, cast("list[object]", one))) for one in asked if isinstance(one, list | tuple)]
    return tuple(dict.fromkeys(name for one in (USUAL, *given) for name in one)) if all(given) else ()
