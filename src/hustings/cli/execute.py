"""Carrying out a run: here and now, shown as it goes on, or left to the workers. Exit codes stand here, too."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from hustings.core.events import Event
from hustings.home.places import address
from hustings.run.commission import Commission
from hustings.store.caps import MICRO

from .database import open_service
from .displays import Display, Mode, display
from .options import Place
from .telling import NOBODY, advice
from .terminal import let_go_of_stdout, show, show_event, talk
from .worker import leaving_on_signals, models

if TYPE_CHECKING:
    from hustings.run.programme import Programme
    from hustings.run.report import Report

FINISHED, FAILED, SPENT, REFUSED, RESUMABLE = 0, 1, 3, 4, 130
"""Exit codes."""
DRAIN = 5
"""Seconds that a run which is over has to be settled by the engine."""


def execute(
    commission: Commission, place: Place, *, more: bool = False, programme: Programme | None = None, forecast: str = ""
) -> int:
    """Enter a run and perform it here, or leave it to the workers; the exit code. `more` of it follows here.

    A programme is for the workers: here, the caller sees to what follows.
    """
    if not place.detach:
        introduce(commission, as_json=place.as_json)
        if forecast and not place.as_json:
            talk(forecast)
        return perform(place.database, commission, mode=place.mode, more=more)
    run_id = commission.run_id
    with open_service(place.database) as service:
        service.upgrade()
        entered = service.budgets.apply(commission)
        service.control.enter(entered, programme=programme)
        service.control.enqueue(entered)
        lonely = not service.runs.workers()
    if place.as_json:
        show_event({"kind": "enqueued", "run_id": run_id})
    else:
        show(run_id)
    talk((f"{NOBODY}. " if lonely else "") + f"Look: hustings show {run_id}")
    return FINISHED


def introduce(commission: Commission, *, as_json: bool) -> None:
    models = {seat: player.model for seat, player in commission.debate.cast.items()}
    money = commission.caps.money
    if as_json:
        cap = None if money is None else money / MICRO
        show_event({"kind": "launched", "run_id": commission.run_id, "models": models, "cap": cap})
        return
    cap = "nothing is paid" if money is None else f"at most {money / MICRO:.2f} USD"
    talk(f"{commission.run_id}: {', '.join(sorted(set(models.values())))}; {cap}. Ctrl-C pauses.")


def perform(
    database: str,
    commission: Commission,
    *,
    mode: Mode,
    seen: Sequence[Event] = (),
    abandoned: bool = False,
    more: bool = False,
) -> int:
    """Carry a run out in this process, and show it from what was `seen` on; the exit code."""
    from hustings.run import runner  # noqa: PLC0415  heavy

    runner.preload_client(commission)
    from hustings.run.worker import Duty, Worker  # noqa: PLC0415  heavy

    resume = f"hustings resume {commission.run_id}"
    code, duty = RESUMABLE, Duty(takes=False, drain=DRAIN)
    with suppress(_Left), Worker(address(database), models(), duty) as worker, open_service(database) as service:
        with shown(mode, seen) as told:

            def say() -> None:
                told.say(f"Pausing after the calls in flight; once more to leave at once. Then: {resume}")

            def leave() -> None:
                told.close()
                talk(f"Left at once; calls in flight may be paid again. Continue: {resume}")

            performing = runner.Runner(service, told.show, on_pausing=say, takes_over=False)
            with leaving_on_signals(performing.pause, leave):
                report = performing.run(commission, lambda: worker, seen, abandoned=abandoned)
                code = conclude(told, report, more=more)
        if code in {RESUMABLE, REFUSED}:
            raise _Left
    return code


class _Left(Exception):
    """Ends a worker at once: the run goes on another time, and one that is paused would never end."""


@contextmanager
def shown(mode: Mode, seen: Sequence[Event] = ()) -> Generator[Display]:
    """A display that leaves the terminal as it was. A reader that closes the pipe has read enough."""
    told = display(mode)
    try:
        if seen:
            told.recall(seen)
        yield told
    except BrokenPipeError:
        let_go_of_stdout()
    finally:
        told.close()


def conclude(told: Display, report: Report, *, more: bool = False) -> int:
    """The last words on a run, and the exit code."""
    told.close()
    told.conclude(report)
    code = code_of(report)
    if not more or code != FINISHED:
        talk(advice(report))
    return code


def code_of(report: Report) -> int:
    match report.state, report.ending:
        case "ended", "played":
            return FINISHED
        case "ended", "budget_stopped" | "cancelled":
            return SPENT
        case "ended" | "broken", _:
            return FAILED
        case "paused", _ if report.reason:  # it was not a person who paused it
            return REFUSED
        case _:
            return RESUMABLE
