"""Resolves the RUN argument: a whole id, its beginning, or `last` for the newest debate (never an audit)."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any

from hustings.errors import NotFound

from .options import OneRun, Run

if TYPE_CHECKING:
    from hustings.runs.queries import RunQueries


def with_run_ids(command: Callable[..., None]) -> Callable[..., None]:
    """Wrap a command so that it receives whole run ids."""
    named_runs = [name for name, given in signature(command).parameters.items() if given.annotation in (Run, OneRun)]
    if not named_runs:
        return command

    @wraps(command)
    def called(**given: Any) -> None:
        from .commands.db import open_runs  # noqa: PLC0415  heavy

        with open_runs(given.get("database", "")) as runs:
            given |= {name: run_id_of(runs, given[name]) for name in named_runs if given[name]}
        command(**given)

    return called


def run_id_of(runs: RunQueries, text: str) -> str:
    """The whole id. `last` skips audits and also trials of judges."""
    from hustings.runs.queries import LAST  # noqa: PLC0415  heavy

    from .run_table import is_debate, newest  # noqa: PLC0415

    if text != LAST:
        return runs.find(text)
    for report in filter(is_debate, newest(runs, 1)):
        return report.run_id
    raise NotFound("there are no debates yet", fix='have one: hustings "MOTION"')
