"""`hustings batch`: many debates from one JSONL file; entering a file again only waits for the rest."""

from __future__ import annotations

import re
import sys
import threading
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import ValidationError
from sqlalchemy.exc import IntegrityError

from hustings.cli.display import Mode
from hustings.cli.execute import FAILED, FINISHED, RESUMABLE, SPENT
from hustings.cli.narrate import NOBODY
from hustings.cli.options import MOST, Place
from hustings.cli.terminal import safe_text, show_event, show_line, talk
from hustings.config.paths import address, read_text
from hustings.config.prepare import affordable
from hustings.config.variables import variables
from hustings.db.caps import OPEN
from hustings.errors import BrokenFile, HustingsError, Unsuitable
from hustings.runs.request import DebateRequest, draw_up
from hustings.runs.spec import RunSpec
from hustings.script.forms import complaints

from .db import open_service
from .worker import leaving_on_signals, models

if TYPE_CHECKING:
    from hustings.engine.service import RunService
    from hustings.runs.queries import RunQueries


@contextmanager
def progress(mode: Mode) -> Generator[Callable[[str], None]]:
    """Yield a function that shows a line of progress."""
    if mode == "quiet":
        yield lambda _: None
    elif mode != "live":
        yield talk
    else:
        from rich.console import Console  # noqa: PLC0415  for a terminal only
        from rich.text import Text  # noqa: PLC0415

        from hustings.cli.display.live_view import Screen  # noqa: PLC0415

        screen = Screen(console := Console(file=sys.stdout, markup=False, emoji=False, highlight=False))

        def repaint(text: str) -> None:
            line = Text(safe_text(f"{text} · ^C leaves"), style="dim")
            line.truncate(max(console.width - 1, 10), overflow="ellipsis")
            screen.paint([], [line])

        try:
            yield repaint
        finally:
            screen.erase()


def stands(how: Mapping[str, int], total: int, spent: float) -> str:
    """`12 of 50 over · 11 played, 1 failed, 4 running, 34 waiting · $0.1200`."""
    over = sum(count for state, count in how.items() if state not in OPEN)
    counted = ", ".join(f"{count} {state.replace('_', ' ')}" for state, count in sorted(how.items()))
    return f"{over} of {total} over · {counted or 'none begun'} · ${spent:.4f}"


LOOK = 0.5
"""Seconds between two polls of a batch."""
LONGEST_BATCH = 2**26
"""Largest batch file, in bytes."""


def run_batch(
    file: Annotated[Path, typer.Argument(metavar="FILE.jsonl", help="A request a line: protocol, topic, settings, …")],
    *,
    name: Annotated[str, typer.Option(help="Of the batch; otherwise that of the file.")] = "",
    work: Annotated[bool, typer.Option("--work", help="Carry out debates in this process, too.")] = False,
    place: Place,
) -> None:
    """Have many debates. Exit code: 0 all played, 1 some failed, 3 some were stopped, 130 some wait for a person."""
    batch = name or re.sub(r"[^A-Za-z0-9._:-]", "-", file.stem)
    wished = specs(read_text(file, LONGEST_BATCH), batch)
    with open_service(place.database) as service, ExitStack() as stack:
        service.upgrade()
        enter(service, wished)
        talk(f"{len(wished)} debates as {batch!r}. Look: hustings list --batch {batch}")
        if place.detach:
            show_event({"kind": "enqueued", "batch": batch, "runs": len(wished)}) if place.as_json else show_line(batch)
            return
        if work:
            from hustings.engine.runner import preload_client  # noqa: PLC0415  heavy

            preload_client()
            from hustings.engine.worker import Worker  # noqa: PLC0415  heavy

            stack.enter_context(Worker(address(place.database), models()))
        elif not service.runs.workers():
            talk(NOBODY)
        raise typer.Exit(wait_for(service.runs, batch, len(wished), place.mode))


def specs(text: str, batch: str) -> list[RunSpec]:
    """One run spec per line; all errors are reported at once."""
    known, drawn, wrong = variables(), list[RunSpec](), list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            request = DebateRequest.model_validate_json(line).model_copy(update={"run_id": f"{batch}-{number}"})
            drawn.append(affordable(draw_up(request, known, batch=batch), known))
        except ValidationError as error:
            wrong.append(f"line {number}: {'; '.join(complaints(error))}")
        except HustingsError as error:
            wrong.append(f"line {number}: {error}")
    if wrong:
        more = f"\n… and {len(wrong) - 10} more" if len(wrong) > 10 else ""
        raise BrokenFile("nothing was entered; mend these first\n" + "\n".join(wrong[:10]) + more)
    if not drawn:
        raise BrokenFile('the file has no lines: write one like {"protocol": "structured", "topic": "…"}')
    return drawn


def enter(service: RunService, wished: Sequence[RunSpec]) -> None:
    """Enter new runs, keep existing ones unchanged, and queue those that wait without being in the queue."""
    try:
        _enter(service, wished)
    except IntegrityError:  # another process entered them since we looked: now they are on record
        _enter(service, wished)


def _enter(service: RunService, wished: Sequence[RunSpec]) -> None:
    stored = service.runs.stored([spec.run_id for spec in wished])
    for spec in wished:
        _, old = stored.get(spec.run_id, (None, None))
        drawn = {"created_at", "fence", "above"}
        if old and spec.model_dump(exclude=drawn) != old.model_dump(exclude=drawn):
            raise Unsuitable(f"{old.run_id!r} was entered with another request: give this batch another --name")
    service.control.enter(*service.budgets.apply_all([spec for spec in wished if spec.run_id not in stored]))
    service.control.enqueue(*(run_id for run_id, (state, _) in stored.items() if state == "waiting"))


def wait_for(runs: RunQueries, batch: str, total: int, mode: Mode) -> int:
    """Show progress until every run is over or paused; return the exit code."""
    leave, told = threading.Event(), dict[str, int]()
    with leaving_on_signals(leave.set), progress(mode) as show_progress:
        while not leave.is_set():
            tally = runs.tally(batch)
            if tally != told:
                told = tally
                show_progress(stands(*_reckoned(runs, batch, total)))
            if not tally.get("waiting", 0) + tally.get("running", 0):
                break
            leave.wait(LOOK)
    how, _, spent = _reckoned(runs, batch, total)
    if mode == "json":
        show_event({"kind": "done", "batch": batch, "tally": how, "spent": round(spent, 6)})
    else:
        show_line(f"{batch}: {_counted(how)}; {spent:.4f} USD")
    talk(
        f"Next: hustings list --batch {batch}"
        + (f"; go on: hustings batch --name {batch} FILE" if leave.is_set() else "")
    )
    return code_of(how)


def _reckoned(runs: RunQueries, batch: str, total: int) -> tuple[Counter[str], int, float]:
    """Count of runs by ending or state, the total, and their cost so far."""
    reports = runs.latest(batch=batch, most=MOST)
    how = Counter(report.ending or report.state for report in reports)
    return how, total, sum(report.spent for report in reports)


def code_of(how: Counter[str]) -> int:
    if how["failed"] + how["broken"]:
        return FAILED
    if any(how[state] for state in OPEN):
        return RESUMABLE
    return SPENT if how["budget_stopped"] + how["cancelled"] else FINISHED


def _counted(tally: dict[str, int]) -> str:
    return ", ".join(f"{count} {state}" for state, count in sorted(tally.items()))
