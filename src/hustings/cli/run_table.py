"""The table of `hustings list`, a line for each run and none wider than the screen; finds runs by what is typed."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import datetime
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len, set_cell_size

from hustings.errors import NotFound, Unsuitable
from hustings.runs.outcome_text import outcome_of, state_of
from hustings.text.figures import dollars

from .options import OneRun, OneRunOrFile, Run
from .terminal import one_line

if TYPE_CHECKING:
    from hustings.db.caps import State
    from hustings.runs.run_list import RunList
    from hustings.runs.run_summary import RunSummary


def with_run_ids(command: Callable[..., None]) -> Callable[..., None]:
    """Wrap a command so that it receives whole run ids."""
    kinds = {name: given.annotation for name, given in signature(command).parameters.items()}
    named_runs = [name for name, kind in kinds.items() if kind in (Run, OneRun, OneRunOrFile)]
    if not named_runs:
        return command

    @wraps(command)
    def called(**given: Any) -> None:
        if not any(kinds[name] == OneRunOrFile and is_transcript_file(given[name]) for name in named_runs):
            from hustings.cli.commands.db import open_run_list  # noqa: PLC0415  heavy

            with open_run_list(given.get("database", "")) as runs:
                given |= {name: run_id_of(runs, given[name]) for name in named_runs if given[name]}
        command(**given)

    return called


def is_transcript_file(text: str) -> bool:
    """Whether a person names a file and no run."""
    return text.endswith(".json") or "/" in text or os.sep in text


def must_be_one(run_id: str, batch: str) -> None:
    """Refuse a command that names neither a run nor a batch, or both."""
    if bool(run_id) == bool(batch):
        raise Unsuitable("name a RUN or a --batch, and not both: hustings list shows them")


def run_id_of(runs: RunList, text: str) -> str:
    """The whole id. `last` skips audits and also trials of judges."""
    from hustings.runs.run_list import LAST  # noqa: PLC0415  heavy

    if text != LAST:
        return runs.find(text)
    for report, _ in debates(newest(runs, 1), 1):
        return report.run_id
    raise NotFound("there are no debates yet", fix='start one: hustings "QUESTION"')


STOPPED = "stopped?"
"""The state of a run on which nobody works, though it is not over."""
COLUMNS = ("state", "outcome", "protocol", "when", "cost", "id", "question")
LEFT_OUT = ("protocol", "cost", "when", "question", "outcome")
"""Columns dropped on a narrow screen, in this order; the id is always shown whole."""
WIDEST_OUTCOME = 28
"""On a screen: an answer to choose from may be a whole sentence."""
LEAST_OUTCOME = 12
"""To which it is cut before the question is dropped."""
LEAST_QUESTION = 12
"""Least width of the question; a shorter one tells no more than the id."""
GAP = 2


def newest(runs: RunList, most: int, *, batch: str | None = None, state: State | None = None) -> list[RunSummary]:
    """Return the newest runs, enough of them to contain `most` debates if there are as many."""
    asked = most
    while True:
        found = runs.latest(batch=batch, state=state, most=asked)
        if len(found) < asked or sum(report.is_debate for report in found) >= most:
            return found
        asked *= 4


def debates(reports: Sequence[RunSummary], most: int) -> list[tuple[RunSummary, bool]]:
    return [(report, False) for report in reports if report.is_debate][:most]


def with_audits(reports: Sequence[RunSummary], most: int) -> Iterator[tuple[RunSummary, bool]]:
    """Each run with its audits below it, marked True; trials of judges have their own rows."""
    about: dict[str, list[RunSummary]] = {report.run_id: [] for report in reports}
    heads = [report for report in reports if report.judged not in about]
    for report in reports:
        about.get(report.judged, []).append(report)
    for head in heads[:most]:
        yield head, False
        yield from ((audit, True) for audit in about[head.run_id])


def lines(listed: Sequence[tuple[RunSummary, bool]], width: int | None, stopped: Collection[str] = ()) -> list[str]:
    """The table for a screen of that width; without a width, nothing is shortened or dropped.

    `stopped` are runs on which nobody works, though they are not over.
    """
    rows = [_cells(report, below=below, brief=width is not None, stopped=stopped) for report, below in listed]
    wide = {name: max((cell_len(row[name]) for row in rows), default=0) for name in COLUMNS}
    kept = [name for name in COLUMNS if wide[name]]
    if width is not None:
        kept, wide = _fitting(kept, wide, width)
    return [(" " * GAP).join(_fitted(row[name], wide[name]) for name in kept).rstrip() for row in rows]


def _fitting(kept: Sequence[str], wide: Mapping[str, int], width: int) -> tuple[list[str], dict[str, int]]:
    """The columns that fit the screen, and their widths: the question gets what the others leave."""
    wide = {**wide, "outcome": min(wide["outcome"], WIDEST_OUTCOME)}
    least = {**wide, "question": min(wide["question"], LEAST_QUESTION)}
    left = [*kept]
    for name in filter(kept.__contains__, LEFT_OUT):
        if name == "question":
            least["outcome"] = min(wide["outcome"], LEAST_OUTCOME)
        if sum(least[each] + GAP for each in left) - GAP > width:
            left.remove(name)
    for name in filter(left.__contains__, ("outcome", "question")):
        rest = width - sum(least[each] + GAP for each in left if each != name)
        least[name] = min(wide[name], max(rest, least[name]))
    return left, least


def _cells(report: RunSummary, *, below: bool, brief: bool, stopped: Collection[str]) -> dict[str, str]:
    began = datetime.fromisoformat(report.created_at).astimezone()
    this_year = began.year == datetime.now().astimezone().year
    state = STOPPED if report.run_id in stopped else state_of(report)
    return {
        "state": f"  {state}" if below else state,
        "outcome": one_line(outcome_of(report)) if report.is_debate else "",
        "protocol": report.protocol.partition("/")[0],
        "when": f"{began:%m-%d %H:%M}" if brief and this_year else f"{began:%Y-%m-%d %H:%M}",
        "cost": _cost(report),
        "id": report.run_id,
        "question": "" if below else one_line(report.topic),
    }


def _cost(report: RunSummary) -> str:
    """Empty where it is not known."""
    if report.imported or (report.hosted and not report.calls):
        return ""
    return f"${dollars(report.spent)}"


def _fitted(text: str, width: int) -> str:
    return set_cell_size(text if cell_len(text) <= width else f"{set_cell_size(text, width - 1)}…", width)
