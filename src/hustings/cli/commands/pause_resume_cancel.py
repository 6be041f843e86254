"""`hustings pause`, `resume` and `cancel`: steer a run or a batch; execute a run that has no worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from hustings.cli.display import mode_of
from hustings.cli.execute import FINISHED, RESUMABLE, conclude, host_of, perform, shown
from hustings.cli.options import AsJson, AsLines, Batch, DatabaseOption, DisplayOption, OneRun, Place
from hustings.cli.run_table import must_be_one
from hustings.cli.state_text import NOBODY
from hustings.cli.terminal import show_json, show_line, talk
from hustings.config.plan_run import must_be_there
from hustings.config.variables import variables
from hustings.db.caps import OVER
from hustings.engine.runner import Runner
from hustings.errors import NotFound, Unsuitable
from hustings.llm.model_spec import NO_MODEL
from hustings.runs.follow_ups import FollowUps, left_of, script_after
from hustings.runs.queries import EVERY

from .db import open_service
from .start_next_answer import show_next

if TYPE_CHECKING:
    from hustings.cli.display import Mode
    from hustings.engine.run_control import RunControl
    from hustings.engine.service import RunService
    from hustings.runs.queries import RunQueries
    from hustings.runs.run_summary import RunSummary
    from hustings.runs.spec import RunSpec


def pause_run(
    run_id: OneRun = "", *, batch: Batch = "", database: DatabaseOption = "", as_json: AsJson = False
) -> None:
    """Pause a debate or a batch when current answers have arrived."""
    if _is_batch(run_id, batch):
        return _tell_all(batch, "pause", lambda control, run: control.steer(run, "pause"), database, as_json=as_json)
    with open_service(database) as service:
        if not service.control.steer(run_id, "pause"):
            raise Unsuitable(f"{run_id!r} has ended and can't be paused: hustings show {run_id}")
    if as_json:
        show_json({"run_id": run_id, "told": "pause"})
    else:
        show_line(f"{run_id} pauses when current answers arrive.")
    return talk(f"Continue: hustings resume {run_id}")


def cancel_run(
    run_id: OneRun = "",
    *,
    batch: Batch = "",
    database: DatabaseOption = "",
    display: DisplayOption = None,
    json_lines: AsLines = False,
) -> None:
    """Stop a debate or a batch for good. What was said is kept."""
    as_json = (mode := mode_of(display, as_json=json_lines)) == "json"

    if _is_batch(run_id, batch):
        return _tell_all(batch, "cancel", lambda control, run: control.steer(run, "cancel"), database, as_json=as_json)
    with open_service(database) as service:
        if service.runs.read(run_id).state in OVER:
            if not (left := left_of(service.runs, run_id)) or not service.control.enter_nothing_next(left[0].run_id):
                raise Unsuitable(f"{run_id!r} has ended and can't be cancelled: hustings show {run_id}")
            return (
                show_json({"run_id": run_id, "told": "cancel"}) if as_json else show_line(f"Nothing follows {run_id}.")
            )
        service.control.steer(run_id, "cancel")
        if service.runs.read(run_id).hosted:
            return show_next(service, run_id, as_json=as_json)
        spec, alone = service.runs.spec(run_id), service.control.abandoned(run_id)
    if alone:  # a worker must record that it is over
        perform(database, spec, mode=mode, asks=False)
        return None
    if as_json:
        show_json({"run_id": run_id, "told": "cancel"})
    else:
        show_line(f"{run_id} stops when current answers arrive.")
    return talk(f"Read what was said: hustings show {run_id} --transcript")


def resume_run(
    run_id: OneRun = "",
    *,
    batch: Batch = "",
    seats: Annotated[
        list[str] | None,
        typer.Option("--seat", metavar="SEAT=MODEL", help="Another model for a seat from here on. Repeatable."),
    ] = None,
    without: Annotated[
        list[str] | None, typer.Option("--without", metavar="SEAT", help="Go on without a seat. Repeatable.")
    ] = None,
    database: DatabaseOption = "",
    display: DisplayOption = None,
    json_lines: AsLines = False,
) -> None:
    """Finish a debate or a batch that was paused or interrupted, and its judging. Exit codes: as for `hustings run`."""
    from .judge import have_all  # noqa: PLC0415  heavy, and no other command here shows a verdict

    place = Place(database=database, display=display, json_lines=json_lines)
    if _is_batch(run_id, batch):
        return _tell_all(batch, "resume", _go_on, database, as_json=place.as_json)
    with open_service(database) as service:
        first, follow_ups = what_is_left(service.runs, run_id)
        report = service.runs.read(first.run_id)
        if seats or without:
            change_seats(service, first.run_id, seats or [], without or [])
        if report.state not in OVER:
            first = service.control.allow_time(first.run_id, variables())
            if not service.control.steer(first.run_id, "go"):
                talk("It was cancelled and will end now.")
            if report.hosted:
                return show_next(service, first.run_id, as_json=place.as_json)
            code = _watched(service, first, place.mode, more=bool(follow_ups.scripts))
            if code is not None and (code != FINISHED or not follow_ups.scripts):
                raise typer.Exit(code)
    raise typer.Exit(have_all(first, follow_ups, variables(), place))


def what_is_left(runs: RunQueries, run_id: str) -> tuple[RunSpec, FollowUps]:
    """Where a run goes on, and what follows there. Refuse if nothing is left, and say how to go on instead."""
    report = runs.read(run_id)
    if (found := left_of(runs, run_id)) is None:
        last = [audit for audit in runs.audits(run_id)[-1:] if report.ending == "played" and _cut_short(audit)]
        raise is_over(last[0] if last else report)
    first, follow_ups = found
    if report.state in OVER:
        own = first.run_id == run_id or runs.read(first.run_id).state in OVER
        script = script_after(runs, first, follow_ups) if own else first.debate.protocol
        talk(f"{run_id} has ended. Going on with its {script}.")
    return found


def _watched(service: RunService, spec: RunSpec, mode: Mode, *, more: bool) -> int | None:
    """Follow a run that another worker may execute; return its exit code, or None if it is to go on here."""
    if service.control.abandoned(spec.run_id):
        return None
    talk("A worker may be running it. Following. If the worker is gone, it continues here.")
    seen = service.runs.events(spec.run_id)
    with shown(mode, seen, spec) as told:
        host = host_of(service, spec, told, mode, _leave)
        if host:
            host.ask_open()
        report, _ = Runner(service, host.show if host else told.show).watch(spec.run_id, seen)
        if report.state in OVER or not service.control.abandoned(spec.run_id):
            return conclude(told, report, more=more)
    return None


def _leave() -> NoReturn:
    raise typer.Exit(RESUMABLE)


def _cut_short(report: RunSummary) -> bool:
    return report.ending == "failed" or report.state == "broken" or bool(report.more_room)


def is_over(report: RunSummary) -> Unsuitable:
    """Why a run that is over can't be resumed, and how to go on instead."""
    run_id = report.run_id
    go_on = f"go on, nothing paid twice: hustings fork {run_id}"
    if report.imported:
        return Unsuitable(
            f"{run_id!r} was imported: there is nothing to resume", fix=f"judge it: hustings judge {run_id}"
        )
    if report.more_room:
        return Unsuitable(f"{run_id!r} has reached its limit", why=report.reason, fix=f"{go_on} {report.more_room}")
    if report.ending == "failed":
        return Unsuitable(f"{run_id!r} has failed", why=report.reason, fix=go_on)
    if report.state == "broken":
        return Unsuitable(
            f"{run_id!r} broke ({report.reason}) and can't resume. Reuse what was said: hustings fork {run_id}"
        )
    return Unsuitable(f"{run_id!r} has ended: hustings show {run_id} --transcript")


def change_seats(service: RunService, run_id: str, seats: Sequence[str], without: Sequence[str]) -> None:
    """Give seats of a paused run other models, or leave them empty."""
    from hustings.runs.request import models_of_seats  # noqa: PLC0415  heavy, and few runs change their seats

    pairs = [text.partition("=") for text in seats]
    if wrong := [seat for seat, _, model in pairs if not seat or not model]:
        raise Unsuitable(f"--seat {wrong[0]!r} has no model", fix="write it like --seat con=openai/gpt-5-mini")
    spec = service.runs.spec(run_id)
    chosen = models_of_seats(spec, {seat: model for seat, _, model in pairs}, variables())
    must_be_there(chosen.values())
    service.control.reseat(run_id, {**chosen, **dict.fromkeys(without, NO_MODEL)})


def _go_on(control: RunControl, run_id: str) -> bool:
    control.allow_time(run_id, variables())
    return control.steer(run_id, "go")


def _is_batch(run_id: str, batch: str) -> bool:
    must_be_one(run_id, batch)
    return bool(batch)


def _tell_all(batch: str, word: str, tell: Callable[[RunControl, str], bool], database: str, *, as_json: bool) -> None:
    """Steer every debate of a batch; the workers execute them, now or later."""
    with open_service(database) as service:
        states = {report.run_id: report.state for report in service.runs.latest(batch=batch, most=EVERY)}
        if not states:
            raise NotFound(f"no batch {batch!r} in this database. See what there is: hustings list")
        told = [run for run, state in states.items() if state not in OVER and tell(service.control, run)]
        queued = service.control.enqueue(*told) if word != "pause" else []
        lonely = bool(told) and not service.runs.workers()
    if as_json:
        show_json({"batch": batch, "told": word, "runs": told, "queued": queued})
    else:
        show_line(f"{len(told)} of {len(states)} debates of {batch!r} will {word}.")
        if queued:
            show_line(f"{len(queued)} of them were missing from the queue and are queued now.")
    talk((f"{NOBODY}. " if lonely else "") + f"See them: hustings list --batch {batch}")
