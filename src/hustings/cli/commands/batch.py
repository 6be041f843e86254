"""`hustings batch`: many debates from one JSONL file, judged if their lines say so; entering it again only waits."""

from __future__ import annotations

import re
import sys
import threading
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from pydantic import TypeAdapter, ValidationError
from sqlalchemy.exc import IntegrityError

from hustings.cli.display import Mode
from hustings.cli.execute import FAILED, FINISHED, RESUMABLE, SPENT
from hustings.cli.narrate import NOBODY
from hustings.cli.options import Place
from hustings.cli.terminal import safe_text, show_event, show_line, talk
from hustings.config.documents import document_in
from hustings.config.own_catalogue import with_entries
from hustings.config.paths import address, read_text
from hustings.config.prepare import affordable, linked
from hustings.config.variables import variables
from hustings.db.caps import OPEN
from hustings.errors import BrokenFile, HustingsError, Unsuitable
from hustings.runs.follow_ups import FollowUps
from hustings.runs.judging_spec import Tier, panel
from hustings.runs.outcome_text import state_text
from hustings.runs.queries import EVERY
from hustings.runs.request import DebateRequest, draw_up
from hustings.runs.spec import RunSpec
from hustings.script.forms import complaints

from .db import open_service
from .worker import follow_up_worker, leaving_on_signals, models

if TYPE_CHECKING:
    from hustings.engine.service import RunService
    from hustings.llm.environment import Environment
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
            line = Text(safe_text(f"{text} · Ctrl-C to leave"), style="dim")
            line.truncate(max(console.width - 1, 10), overflow="ellipsis")
            screen.paint([], [line])

        try:
            yield repaint
        finally:
            screen.erase()


def stands(how: Mapping[str, int], total: int, spent: float) -> str:
    """`12 of 50 done · 11 finished, 1 failed, 4 running, 34 waiting · $0.1200`."""
    over = sum(count for state, count in how.items() if state not in OPEN)
    return f"{over} of {total} done · {_counted(how) or 'none begun'} · ${spent:.4f}"


LOOK = 0.5
"""Seconds between two polls of a batch."""
LONGEST_BATCH = 2**26
"""Largest batch file, in bytes."""


class BatchLine(DebateRequest):
    """One line of a batch: a debate, and who judges it, if it says so."""

    judges: str | tuple[str, ...] | None = None
    """Models, `auto` or `none`, as with `hustings run --judges`; without it, and without a tier, no judging."""
    tier: Tier | None = None
    control: bool = False

    @property
    def follow_ups(self) -> FollowUps | None:
        if self.judges is None and self.tier is None:
            return None
        made = FollowUps.of("auto" if self.judges is None else self.judges, control=self.control)
        return made.judging and FollowUps(made.judging.model_copy(update={"tier": self.tier}), control=self.control)


@dataclass(frozen=True)
class QueuedDebate:
    """A debate of a batch, and what follows it."""

    spec: RunSpec
    follow_ups: FollowUps | None = None


def run_batch(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE.jsonl", help="One debate per line, as JSON: protocol, topic, settings, judges."),
    ],
    *,
    name: Annotated[str, typer.Option(help="Batch name. Default: the file name.")] = "",
    work: Annotated[bool, typer.Option("--work", help="Also run the debates in this process.")] = False,
    place: Place,
) -> None:
    """Run many debates from a file. Exit code: 0 all finished, 1 some failed, 3 some stopped, 130 some still open."""
    batch = name or re.sub(r"[^A-Za-z0-9._:-]", "-", file.stem)
    wished = queued(read_text(file, LONGEST_BATCH), batch, file.parent)
    with open_service(place.database) as service, ExitStack() as stack:
        service.upgrade()
        enter(service, wished)
        talk(f"Queued {len(wished)} debates as {batch!r}. See them: hustings list --batch {batch}")
        if place.detach:
            show_event({"kind": "enqueued", "batch": batch, "runs": len(wished)}) if place.as_json else show_line(batch)
            return
        if work:
            stack.enter_context(working_here(place.database))
        elif not service.runs.workers():
            talk(NOBODY)
        raise typer.Exit(wait_for(service.runs, batch, len(wished), place.mode))


@contextmanager
def working_here(database: str) -> Generator[None]:
    """A worker in this process that takes runs from the queue, and starts what follows them."""
    from hustings.engine.runner import preload_client  # noqa: PLC0415  heavy

    preload_client()
    from hustings.engine.worker import Worker  # noqa: PLC0415  heavy

    url = address(database)
    with Worker(url, models()), follow_up_worker(url, variables()):
        yield


def queued(text: str, batch: str, folder: Path = Path()) -> list[QueuedDebate]:
    """One debate per line; all errors are reported at once."""
    known, drawn, wrong = variables(), list[QueuedDebate](), list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            request = _request(line, folder).model_copy(update={"run_id": f"{batch}-{number}"})
            drawn.append(_drawn_up(request, batch, known))
        except ValidationError as error:
            wrong.append(f"line {number}: {'; '.join(complaints(error))}")
        except HustingsError as error:
            wrong.append(f"line {number}: {error}")
    if wrong:
        more = f"\n… and {len(wrong) - 10} more" if len(wrong) > 10 else ""
        raise BrokenFile("nothing was queued. Fix these lines:\n" + "\n".join(wrong[:10]) + more)
    if not drawn:
        raise BrokenFile(
            'the file is empty. Write one line per debate, such as {"protocol": "structured", "topic": "…"}'
        )
    return drawn


def _request(line: str, folder: Path) -> BatchLine:
    """One line: the fields of a request; `file` names its document, from the folder of the batch."""
    asked = LINE.validate_json(line)
    file = asked.pop("file", None)
    if isinstance(file, str):
        asked["background"] = document_in(str(folder / file)).model_dump()
    return BatchLine.model_validate(asked)


LINE: TypeAdapter[dict[str, Any]] = TypeAdapter(dict[str, Any])


def _drawn_up(line: BatchLine, batch: str, known: Environment) -> QueuedDebate:
    """The run of a line; a panel that cannot judge it is refused now, not after the debate."""
    request = with_entries(line)
    spec = linked(affordable(draw_up(request, known, batch=batch), known), request)
    if line.follow_ups and line.follow_ups.judging:
        panel(spec, line.follow_ups.judging, known)
    return QueuedDebate(spec, line.follow_ups)


def enter(service: RunService, wished: Sequence[QueuedDebate]) -> None:
    """Enter new runs, keep existing ones unchanged, and queue those that wait without being in the queue."""
    try:
        _enter(service, wished)
    except IntegrityError:  # another process entered them since we looked: now they are on record
        _enter(service, wished)


def _enter(service: RunService, wished: Sequence[QueuedDebate]) -> None:
    runs, stored = service.runs, service.runs.stored([one.spec.run_id for one in wished])
    for one in wished:
        _, old = stored.get(one.spec.run_id, (None, None))
        drawn = {"created_at", "fence", "above"}
        if old is None:
            continue
        same = one.spec.model_dump(exclude=drawn) == old.model_dump(exclude=drawn)
        if not same or (one.follow_ups and FollowUps.stored(runs, old.run_id) != one.follow_ups):
            raise Unsuitable(f"{old.run_id!r} was entered with another request: give this batch another --name")
    new = [one for one in wished if one.spec.run_id not in stored]
    follow_ups = {one.spec.run_id: one.follow_ups for one in new if one.follow_ups}
    service.control.enter(*service.budgets.apply_all([one.spec for one in new]), follow_ups=follow_ups)
    service.control.enqueue(*(run_id for run_id, (state, _) in stored.items() if state == "waiting"))


def wait_for(runs: RunQueries, batch: str, total: int, mode: Mode, *, audits: bool = False) -> int:
    """Show progress until every run is over or paused; return the exit code. With `audits`, of its judgings."""
    leave, told = threading.Event(), dict[str, int]()
    with leaving_on_signals(leave.set), progress(mode) as show_progress:
        while not leave.is_set():
            tally = runs.tally(batch, audits=audits)
            if tally != told:
                told = tally
                found = reckoned(runs, batch)
                judged = f" · judgings: {_counted(found.judgings)}" if found.judgings and not audits else ""
                show_progress(stands(found.judgings if audits else found.debates, total, found.spent) + judged)
            if not tally.get("waiting", 0) + tally.get("running", 0):
                break
            leave.wait(LOOK)
    tell_end(found := reckoned(runs, batch), batch, mode)
    again = f"hustings judge --batch {batch}" if audits else f"hustings batch --name {batch} FILE"
    talk(f"Next: hustings show --batch {batch}" + (f"; go on: {again}" if leave.is_set() else ""))
    return code_of(found.judgings if audits else found.debates + found.judgings)


@dataclass(frozen=True)
class Reckoned:
    """Runs of a batch by ending or state, and what they cost so far."""

    debates: Counter[str]
    judgings: Counter[str]
    spent: float


def reckoned(runs: RunQueries, batch: str) -> Reckoned:
    reports = runs.latest(batch=batch, most=EVERY)
    debates = Counter(report.ending or report.state for report in reports if not report.judged)
    judgings = Counter(report.ending or report.state for report in reports if report.judged)
    return Reckoned(debates, judgings, sum(report.spent for report in reports))


def tell_end(found: Reckoned, batch: str, mode: Mode) -> None:
    if mode == "json":
        judged = {"judgings": found.judgings} if found.judgings else {}
        show_event({"kind": "done", "batch": batch, "tally": found.debates, **judged, "spent": round(found.spent, 6)})
        return
    judged = f"; judgings: {_counted(found.judgings)}" if found.judgings else ""
    show_line(f"{batch}: {_counted(found.debates)}{judged}; {found.spent:.4f} USD")


def code_of(how: Counter[str]) -> int:
    if how["failed"] + how["broken"]:
        return FAILED
    if any(how[state] for state in OPEN):
        return RESUMABLE
    return SPENT if how["budget_stopped"] + how["cancelled"] else FINISHED


def _counted(tally: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {state_text(state)}" for state, count in sorted(tally.items()))
