"""`hustings pause`, `resume` and `cancel`: tell a run what to do, and go on with one that nobody carries out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from hustings.core.errors import Unsuitable

from .database import at_desk
from .follow import Watch, perform
from .options import AsJson, AsLines, DatabaseOption, Run
from .terminal import show_json, show_line, talk

if TYPE_CHECKING:
    from hustings.run.desk import Desk
    from hustings.run.worker import Worker


def pause_run(run_id: Run, *, database: DatabaseOption = "", as_json: AsJson = False) -> None:
    """Have a run pause after the calls in flight."""
    with at_desk(database) as desk:
        if not desk.steer(run_id, "pause"):
            raise Unsuitable(f"{run_id!r} is over or cancelled, and cannot pause: hustings show {run_id}")
    if as_json:
        show_json({"run_id": run_id, "told": "pause"})
    else:
        show_line(f"{run_id} pauses after the calls in flight.")
    talk(f"Continue: hustings resume {run_id}")


def cancel_run(run_id: Run, *, database: DatabaseOption = "", as_json: AsLines = False) -> None:
    """Stop a run for good after the calls in flight; what was said is kept."""
    from hustings.run.people import cancel  # noqa: PLC0415  heavy

    with at_desk(database) as desk:
        if desk.report(run_id).state in {"ended", "broken"}:
            raise Unsuitable(f"{run_id!r} is over, and cannot be cancelled: hustings show {run_id}")
        cancel(desk, run_id)
        after = len(desk.events(run_id)) - 1
        alone = desk.abandoned(run_id)
    if alone:  # somebody has to write down that it is over
        _go_on(run_id, database, as_json=as_json, after=after)
        return
    if as_json:
        show_json({"run_id": run_id, "told": "cancel"})
    else:
        show_line(f"{run_id} stops after the calls in flight.")
    talk(f"What was said: hustings show {run_id} --transcript")


def resume_run(run_id: Run, *, database: DatabaseOption = "", as_json: AsLines = False) -> None:
    """Go on with a run that was paused, or whose worker is gone. Exit codes are those of `run`."""
    with at_desk(database) as desk:
        report = desk.report(run_id)
        if report.state == "ended":
            raise Unsuitable(f"{run_id!r} is over: hustings show {run_id} --transcript")
        if report.state == "broken":
            raise Unsuitable(
                f"{run_id!r} broke ({report.reason}), and cannot go on: hustings fork {run_id} takes over what was said"
            )
        if not desk.steer(run_id, "go"):
            talk("It was cancelled: all it can do is come to its end.")
        after = len(desk.events(run_id)) - 1
        if not desk.abandoned(run_id):
            talk("A worker may have it: following. Should it be gone, the run goes on here.")
            watch = Watch(desk, run_id, as_json=as_json, after=after)
            watch.tell(lambda: desk.abandoned(run_id))
            after = watch.after
            if desk.report(run_id).state in {"ended", "broken"} or not desk.abandoned(run_id):
                raise typer.Exit(watch.conclude())
    raise typer.Exit(_go_on(run_id, database, as_json=as_json, after=after))


def _go_on(run_id: str, database: str, *, as_json: bool, after: int) -> int:
    with at_desk(database) as desk:
        commission = desk.commission(run_id)

    def take_over(desk: Desk, worker: Worker) -> None:
        if not desk.revive(run_id, ahead=True):  # it was entered and never begun
            worker.start(commission)

    return perform(database, commission, take_over, as_json=as_json, after=after)
