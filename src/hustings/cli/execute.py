"""Executes a run in this process with live output, or enqueues it for workers; defines the exit codes."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from hustings.config.paths import address
from hustings.db.caps import MICRO
from hustings.engine import runner
from hustings.runs.spec import RunSpec
from hustings.transcript.events import Event

from .commands.db import open_service
from .commands.worker import leaving_on_signals, models
from .display import Display, Mode, display
from .narrate import NOBODY, advice
from .options import Place
from .terminal import let_go_of_stdout, show, show_event, talk

if TYPE_CHECKING:
    from hustings.runs.follow_ups import FollowUps
    from hustings.runs.queries import RunSummary

FINISHED, FAILED, SPENT, REFUSED, RESUMABLE = 0, 1, 3, 4, 130
"""Exit codes."""
DRAIN = 5
"""Seconds that the engine has to settle a finished run."""


def execute(
    spec: RunSpec, place: Place, *, more: bool = False, follow_ups: FollowUps | None = None, forecast: str = ""
) -> int:
    """Execute a run here, or record and enqueue it for the workers; return the exit code.

    `more` says that the caller continues with further runs. `follow_ups` are for the workers only: for a run
    executed here, the caller starts what follows.
    """
    if not place.detach:
        introduce(spec, as_json=place.as_json)
        if forecast and not place.as_json:
            talk(forecast)
        return perform(place.database, spec, mode=place.mode, more=more)
    run_id = spec.run_id
    with open_service(place.database) as service:
        service.upgrade()
        service.control.enter(service.budgets.apply(spec), follow_ups=follow_ups)
        lonely = not service.runs.workers()
    if place.as_json:
        show_event({"kind": "enqueued", "run_id": run_id})
    else:
        show(run_id)
    talk((f"{NOBODY}. " if lonely else "") + f"Look: hustings show {run_id}")
    return FINISHED


def introduce(spec: RunSpec, *, as_json: bool) -> None:
    models = {seat: player.model for seat, player in spec.debate.cast.items()}
    money = spec.caps.money
    if as_json:
        cap = None if money is None else money / MICRO
        show_event({"kind": "launched", "run_id": spec.run_id, "models": models, "cap": cap})
        return
    cap = "nothing is paid" if money is None else f"at most {money / MICRO:.2f} USD"
    talk(f"{spec.run_id}: {', '.join(sorted(set(models.values())))}; {cap}. Ctrl-C pauses.")


def perform(
    database: str,
    spec: RunSpec,
    *,
    mode: Mode,
    seen: Sequence[Event] = (),
    abandoned: bool = False,
    more: bool = False,
) -> int:
    """Execute a run in this process, and show the events after those `seen`; return the exit code."""
    runner.preload_client(spec)
    from hustings.engine.worker import Duty, Worker  # noqa: PLC0415  heavy

    resume = f"hustings resume {spec.run_id}"
    code, duty = RESUMABLE, Duty(takes=False, drain=DRAIN)
    with suppress(_ViewerLeft), Worker(address(database), models(), duty) as worker, open_service(database) as service:
        with shown(mode, seen) as told:

            def say() -> None:
                told.say(f"Pausing after the calls in flight; once more to leave at once. Then: {resume}")

            def leave() -> None:
                told.close()
                talk(f"Left at once; calls in flight may be paid again. Continue: {resume}")

            performing = runner.Runner(service, told.show, on_pausing=say, on_text=told.show, takes_over=False)
            with leaving_on_signals(performing.pause, leave):
                report = performing.run(spec, lambda: worker, seen, abandoned=abandoned)
                code = conclude(told, report, more=more)
        if code in {RESUMABLE, REFUSED}:
            raise _ViewerLeft
    return code


class _ViewerLeft(Exception):
    """Stops a worker without draining: the run can resume later, and a paused one would never end."""


@contextmanager
def shown(mode: Mode, seen: Sequence[Event] = ()) -> Generator[Display]:
    """A display that restores the terminal. A reader that closes the pipe ends the output without an error."""
    told = display(mode)
    try:
        if seen:
            told.recall(seen)
        yield told
    except BrokenPipeError:
        let_go_of_stdout()
    finally:
        told.close()


def conclude(told: Display, report: RunSummary, *, more: bool = False) -> int:
    """Show how a run ended and what to do next; return the exit code."""
    told.close()
    told.conclude(report)
    code = code_of(report)
    if not more or code != FINISHED:
        talk(advice(report))
    return code


def code_of(report: RunSummary) -> int:
    match report.state, report.ending:
        case "ended", "played":
            return FINISHED
        case "ended", "budget_stopped" | "cancelled":
            return SPENT
        case "ended" | "broken", _:
            return FAILED
        case "paused", _ if report.reason:  # not paused by a person
            return REFUSED
        case _:
            return RESUMABLE
