"""`hustings batch`: many debates from one file: a table, lines of JSON or a grid in TOML; entering it again goes on."""

from __future__ import annotations

import math
import os
import re
import shlex
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from sqlalchemy.exc import DBAPIError, IntegrityError

from hustings.cli.display import Mode
from hustings.cli.estimate_text import capped_at, money, short
from hustings.cli.execute import ELSEWHERE, FAILED, FINISHED, RESUMABLE, SPENT
from hustings.cli.options import Estimated, Place
from hustings.cli.request_options import JudgedDebateOptions, with_fields
from hustings.cli.state_text import NOBODY
from hustings.cli.stopping import WENT_ON, cut_short, leaving_on_signals, letting, warnings_to
from hustings.cli.terminal import safe_text, show_event, show_json, show_line, talk
from hustings.config.batch_file import read_batch_file
from hustings.config.paths import address, discreet
from hustings.config.plan_run import must_be_there
from hustings.db.caps import OPEN, OVER
from hustings.db.leases import Fenced
from hustings.db.outage import DatabaseAway, FileWatch, Outage
from hustings.errors import Unsuitable, without_keys
from hustings.report.delay_text import endpoint_line, endpoint_troubles
from hustings.runs.batch_plan import BatchEstimate, QueuedDebate, estimate_batch
from hustings.runs.delays import delays_of_batch
from hustings.runs.follow_ups import FollowUps
from hustings.runs.keep_patience import with_patience_like, without_patience
from hustings.runs.outcome_text import state_text
from hustings.runs.queries import EVERY
from hustings.text.figures import dollars

from .db import open_service
from .worker import follow_up_worker, models

if TYPE_CHECKING:
    from hustings.engine.service import RunService
    from hustings.engine.worker import Worker
    from hustings.llm.environment import Environment
    from hustings.runs.queries import RunQueries
    from hustings.runs.spec import RunSpec


@contextmanager
def progress(mode: Mode) -> Generator[Callable[..., None]]:
    """Yield a function that shows a line of progress, and before it notices that stay."""

    last = ""

    def tell(text: str, *notices: str) -> None:
        nonlocal last
        for line in (*notices, *([text] if text != last else [])):
            talk(line)
        last = text

    if mode == "quiet":
        yield lambda *_: None
    elif mode != "live":
        yield tell
    else:
        from rich.console import Console  # noqa: PLC0415  for a terminal only
        from rich.text import Text  # noqa: PLC0415

        from hustings.cli.display.live_view import Screen  # noqa: PLC0415

        screen = Screen(console := Console(file=sys.stdout, markup=False, emoji=False, highlight=False))

        def repaint(text: str, *notices: str) -> None:
            line = Text(safe_text(f"{text} · Ctrl-C to leave"), style="dim")
            line.truncate(max(console.width - 1, 10), overflow="ellipsis")
            screen.paint([Text(safe_text(notice), style="magenta") for notice in notices], [line])

        try:
            yield repaint
        finally:
            screen.erase()


def stands(how: Mapping[str, int], total: int, spent: float) -> str:
    """`12 of 50 done · 11 finished, 1 failed, 4 running, 34 waiting · $0.1200`."""
    over = sum(count for state, count in how.items() if state not in OPEN)
    return f"{over} of {total} done · {_counted(how) or 'none begun'} · ${dollars(spent, 4)}"


LOOK = 0.5
"""Seconds between two polls of a batch."""
LOOK_FOR_TROUBLE = 1.0
"""Seconds between two looks at what delays its calls."""


@dataclass(frozen=True)
@with_fields("on_failure", on_failure="go-on")  # nobody waits beside a batch
class BatchDebateOptions(JudgedDebateOptions):
    """Options of `hustings run` for every debate of a batch that says nothing else."""


@dataclass(frozen=True)
class BatchOptions:
    """What is done with the file."""

    estimate: Estimated = False
    name: Annotated[str, typer.Option(help="Batch name. Default: the file name.")] = ""
    queue: Annotated[
        bool, typer.Option("--queue", help="Leave the debates to workers, and wait for them. Otherwise they run here.")
    ] = False


def run_batch(
    file: Annotated[
        Path,
        typer.Argument(
            metavar="FILE",
            help="FILE.csv: a debate per row, with a column `question`. FILE.jsonl: a debate per line, as JSON. "
            "FILE.toml: a grid, with all combinations of the values in [vary].",
        ),
    ],
    *,
    how: BatchOptions,
    each: BatchDebateOptions,
    place: Place,
    ctx: typer.Context,
) -> None:
    """Run many debates from a file. The options count for every debate that says nothing else.

    Exit code: 0 all finished, 1 some failed, 3 some stopped, 130 some still open.
    """
    batch = how.name or re.sub(r"[^A-Za-z0-9._:-]", "-", file.stem)
    known = each.environment
    content = read_batch_file(file, batch, known, each.request_fields(), for_estimate=how.estimate)
    wished, varied = content.debates, content.varied
    for remark in content.remarks:
        talk(remark)
    if how.estimate or varied:
        found = estimate_batch(wished, known)
        if how.estimate:
            show_json({"batch": batch, **found.model_dump(mode="json")}) if place.as_json else show_line(taking(found))
            talk(f"{varied}. To start, drop --estimate" if varied else "To start, drop --estimate")
            return
        talk(f"{taking(found)} ({varied})")
    with open_service(place.database) as service:
        service.upgrade()
        _must_reach_servers(service, wished, batch)
        enter(service, wished)
        talk(f"Queued {len(wished)} debates as {batch!r}. See them: hustings list --batch {batch}")
        if place.detach:
            show_event({"kind": "enqueued", "batch": batch, "runs": len(wished)}) if place.as_json else show_line(batch)
            return
        if how.queue and not service.runs.workers():
            talk(NOBODY)
        go_on = same_command("batch", *as_typed(ctx), place=place)
        followed = FollowedBatch(service.runs, batch, len(wished), place.mode, go_on)
        raise typer.Exit(see_through(followed, place, None if how.queue else known))


UNTYPED = frozenset({field.name for field in fields(Place)})
"""Options that do not change what a command does to a batch; the database is named apart, without its password."""


def as_typed(ctx: typer.Context) -> list[str]:
    """The arguments and options that were typed, but for where the batch is stored and how it is shown."""
    words: list[str] = []
    for param in ctx.command.params:
        source = ctx.get_parameter_source(param.name or "")
        if param.name in UNTYPED or source is None or source.name != "COMMANDLINE":
            continue
        value = ctx.params[param.name or ""]
        flag = max(param.opts, key=len) if param.param_type_name == "option" else ""
        for one in cast("Sequence[Any]", value) if isinstance(value, list | tuple) else [value]:
            words += [flag] if one is True else [*([flag] if flag else []), without_keys(str(one))]
    return words


def taking(found: BatchEstimate) -> str:
    """`24 debates · about 144 calls · about 300k tokens · about $1.20 · at most $24.00 in all`."""
    expected = found.expected
    told = [f"{found.debates:,} debates" if found.debates > 1 else "1 debate", f"about {expected.calls:,} calls"]
    told += [f"about {short(expected.tokens)} tokens" if expected.tokens else "no tokens"]
    told += ["free" if found.free else money(expected, "about ")]
    return " · ".join([*told, *([f"at most {capped_at(found.cap)} in all"] if found.cap else [])])


def _must_reach_servers(service: RunService, wished: Sequence[QueuedDebate], batch: str) -> None:
    """Look once whether the local servers of the debates that are not over answer."""
    over = {report.run_id for report in service.runs.latest(batch=batch, most=EVERY) if report.state in OVER}
    left = (one.spec for one in wished if one.spec.run_id not in over)
    must_be_there(model_spec for spec in left for model_spec in spec.model_specs.values())


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
        if old is None:
            continue
        same = _asked_for(one.spec) == _asked_for(old)
        if not same or (one.follow_ups and FollowUps.stored(runs, old.run_id) != one.follow_ups):
            raise Unsuitable(f"{old.run_id!r} was entered with another request: give this batch another --name")
    known = {one.spec.run_id: one.spec for one in wished}
    service.control.allow_times(*((old, with_patience_like(old, known[run_id])) for run_id, (_, old) in stored.items()))
    new = [one for one in wished if one.spec.run_id not in stored]
    follow_ups = {one.spec.run_id: one.follow_ups for one in new if one.follow_ups}
    service.control.enter(*service.budgets.apply_all([one.spec for one in new]), follow_ups=follow_ups)
    service.control.enqueue(*(run_id for run_id, (state, _) in stored.items() if state == "waiting"))


def _asked_for(spec: RunSpec) -> dict[str, Any]:
    """What a run asks for, without what is drawn for it and without its time limits: those may change."""
    return without_patience(spec).model_dump(exclude={"created_at", "fence", "above"})


@dataclass(frozen=True)
class FollowedBatch:
    """A batch that this command waits for; with `audits`, for its judgings."""

    runs: RunQueries
    batch: str
    total: int
    mode: Mode
    go_on: str
    """The command that goes on."""
    audits: bool = False

    @property
    def tally(self) -> dict[str, int]:
        return dict(self.runs.tally(self.batch, audits=self.audits))

    @property
    def line(self) -> str:
        found = reckoned(self.runs, self.batch)
        judged = f" · judgings: {_counted(found.judgings)}" if found.judgings and not self.audits else ""
        return stands(found.judgings if self.audits else found.debates, self.total, found.spent) + judged


def same_command(*words: str, place: Place) -> str:
    """This very command, so that it can be given again."""
    given = place.database if place.database != os.environ.get("HUSTINGS_DATABASE") else ""
    return shlex.join(["hustings", *words, *(("--database", discreet(given)) if given else ())])


def see_through(one: FollowedBatch, place: Place, known: Environment | None) -> int:
    """Wait until every run is over or paused, or the person leaves; with settings, run them here. Return the code."""
    leave = threading.Event()
    here: list[Worker] = []

    def at_once() -> None:
        for worker in here:
            worker.leave_at_once()
        talk(f"Left at once. {'Unfinished answers may be paid again. ' if here else ''}Go on: {one.go_on}")

    try:
        with leaving_on_signals(leave.set, at_once), ExitStack() as stack:
            if known is not None:
                here.append(stack.enter_context(working_here(place.database, known, leave)))
            wait_for(one, leave)
            for worker in here:
                if worker.lost:
                    raise worker.lost
                if leave.is_set():
                    again = "Ctrl-C again leaves at once and pays for them twice."
                    talk(letting(worker.leaving.begin(), worker.duty.drain, again))
    except Fenced:
        talk(f"{WENT_ON}: hustings show --batch {one.batch}")
        return ELSEWHERE
    except DatabaseAway as away:
        talk(f"{away.what[:1].upper()}{away.what[1:]}. Saved up to here; go on: {one.go_on}")
        return RESUMABLE
    if cut := sum(worker.leaving.cut for worker in here):
        talk(cut_short(cut))
    found = reckoned(one.runs, one.batch)
    tell_end(found, one.batch, one.mode, left=leave.is_set())
    talk(f"Go on: {one.go_on}" if leave.is_set() else f"Next: hustings show --batch {one.batch}")
    return code_of(found.judgings if one.audits else found.debates + found.judgings)


@contextmanager
def working_here(database: str, known: Environment, leave: threading.Event) -> Generator[Worker]:
    """A worker in this process that takes runs from the queue, and starts what follows them.

    If nothing it does counts any more, it says so by `leave`.
    """
    from hustings.engine.runner import preload_client  # noqa: PLC0415  heavy

    preload_client()
    from hustings.engine.worker import Worker  # noqa: PLC0415  heavy

    url = address(database)
    with Worker(url, models(), on_lost=lambda _: leave.set()) as worker, follow_up_worker(url, known):
        yield worker


def wait_for(one: FollowedBatch, leave: threading.Event) -> None:
    """Show progress until every run is over or paused, or the person leaves."""
    tally, text, warnings = dict[str, int](), "", list[str]()
    trouble, outage = EndpointTrouble(one.runs, one.batch), Outage(leave)
    file = FileWatch(one.runs.database.url)
    with progress(one.mode) as show_progress, warnings_to(warnings.append):
        while not leave.is_set():
            try:
                if (now := one.tally) != tally:
                    tally, text = now, one.line
                warnings += trouble.fresh()
                outage.over()
            except DBAPIError as error:
                file.must_be_there()
                outage.wait(error)
            file.must_be_there()
            show_progress(text, *warnings)
            warnings.clear()
            if not tally.get("waiting", 0) + tally.get("running", 0):
                break
            leave.wait(LOOK)


class EndpointTrouble:
    """Lines about servers that do not answer the calls of a batch, or too late; each once."""

    def __init__(self, runs: RunQueries, batch: str) -> None:
        self._runs, self._batch = runs, batch
        self._shown: set[tuple[str, str, str]] = set()
        self._looked = -math.inf

    def fresh(self) -> list[str]:
        if time.monotonic() - self._looked < LOOK_FOR_TROUBLE:
            return []
        self._looked = time.monotonic()
        lines: list[str] = []
        for delay in endpoint_troubles(delays_of_batch(self._runs, self._batch)):
            what = (delay.endpoint, delay.model, delay.reason)
            if what not in self._shown:
                self._shown.add(what)
                lines.append(endpoint_line(delay))
        return lines


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


def tell_end(found: Reckoned, batch: str, mode: Mode, *, left: bool) -> None:
    """Say what a batch came to. One that was `left` may have runs that were begun, and that nobody runs now."""
    if mode == "json":
        judged = {"judgings": found.judgings} if found.judgings else {}
        show_event({"kind": "done", "batch": batch, "tally": found.debates, **judged, "spent": round(found.spent, 6)})
        return
    judged = f"; judgings: {_counted(found.judgings)}" if found.judgings else ""
    debates = {("begun" if left and state == "running" else state): count for state, count in found.debates.items()}
    show_line(f"{batch}: {_counted(debates)}{judged}; {dollars(found.spent, 4)} USD")


def code_of(how: Counter[str]) -> int:
    if how["failed"] + how["broken"]:
        return FAILED
    if any(how[state] for state in OPEN):
        return RESUMABLE
    return SPENT if how["budget_stopped"] + how["cancelled"] else FINISHED


def _counted(tally: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {state_text(state)}" for state, count in sorted(tally.items()))
