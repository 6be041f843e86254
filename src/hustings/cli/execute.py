"""Executes a run in this process with live output, or enqueues it for workers; defines the exit codes."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from hustings.config.paths import address
from hustings.db.caps import MICRO
from hustings.engine import runner
from hustings.engine.run_control import must_have_worker
from hustings.llm.patience import patience_of
from hustings.runs.spec import RunSpec
from hustings.transcript.events import Event

from .commands.db import open_service
from .commands.worker import leaving_on_signals, models
from .display import Display, Mode, display
from .display.live_state import Patience
from .options import Place
from .state_text import NOBODY, advice
from .terminal import let_go_of_stdout, show, show_event, talk

if TYPE_CHECKING:
    from hustings.engine.service import RunService
    from hustings.runs.follow_ups import FollowUps
    from hustings.runs.run_summary import RunSummary

    from .person import Host

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
    must_have_worker(spec)
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
    talk((f"{NOBODY}. " if lonely else "") + f"See how it goes: hustings show {run_id}")
    return FINISHED


def introduce(spec: RunSpec, *, as_json: bool) -> None:
    models = {seat: player.model for seat, player in spec.debate.players.items()}
    money = spec.caps.money
    if as_json:
        cap = None if money is None else money / MICRO
        show_event({"kind": "launched", "run_id": spec.run_id, "models": models, "cap": cap})
        return
    cap = "free" if money is None else f"up to ${money / MICRO:.2f}"
    talk(f"{spec.run_id}: {', '.join(sorted(set(models.values())))} ({cap}). Ctrl-C to pause.")


def perform(
    database: str,
    spec: RunSpec,
    *,
    mode: Mode,
    seen: Sequence[Event] = (),
    abandoned: bool = False,
    more: bool = False,
    asks: bool = True,
) -> int:
    """Execute a run in this process, and show the events after those `seen`; return the exit code.

    With `asks`, a person at this terminal answers for the seats that people hold.
    """
    runner.preload_client(spec)
    from hustings.engine.worker import Duty, Worker  # noqa: PLC0415  heavy

    resume = f"hustings resume {spec.run_id}"
    code, duty = RESUMABLE, Duty(takes=False, drain=DRAIN)
    with suppress(_ViewerLeft), Worker(address(database), models(), duty) as worker, open_service(database) as service:
        with shown(mode, seen, spec) as told:
            pausing = threading.Event()
            host = host_of(service, spec, told, mode, pausing.set) if asks else None

            def say() -> None:
                told.pausing()
                told.say(f"Pausing when current answers arrive. Press Ctrl-C again to leave at once. Then: {resume}")

            def leave() -> None:
                told.close()
                talk(f"Left at once. Unfinished answers may be paid again. Continue: {resume}")

            performing = runner.Runner(
                service,
                host.show if host else told.show,
                pausing=pausing,
                on_pausing=say,
                on_text=told.show,
                takes_over=False,
            )
            with leaving_on_signals(performing.pause, leave):
                if host and seen:
                    host.ask_open()
                report = performing.run(spec, lambda: worker, seen, abandoned=abandoned)
                code = conclude(told, report, more=more)
        if code in {RESUMABLE, REFUSED}:
            raise _ViewerLeft
    return code


class _ViewerLeft(Exception):
    """Stops a worker without draining: the run can resume later, and a paused one would never end."""


def host_of(service: RunService, spec: RunSpec, told: Display, mode: Mode, pause: Callable[[], object]) -> Host | None:
    """Who asks people here; None if no person holds a seat, or none is at this terminal."""
    if not _asks_here(spec, mode):
        return None
    from .person import Host, person_here  # noqa: PLC0415  for a person only

    return Host(service, spec.run_id, told, pause, person_here())


def _asks_here(spec: RunSpec | None, mode: Mode) -> bool:
    people = spec is not None and any(player.model == "human" for player in spec.debate.cast.values())
    return people and mode in {"live", "plain"} and sys.stdin.isatty() and sys.stdout.isatty()


def _patience_of(spec: RunSpec) -> Patience:
    seconds = {seat: patience_of(one, spec.seconds_per_call).whole for seat, one in spec.model_specs.items()}
    return Patience(spec.debate.retries, seconds)


@contextmanager
def shown(mode: Mode, seen: Sequence[Event] = (), spec: RunSpec | None = None) -> Generator[Display]:
    """A display that restores the terminal. A reader that closes the pipe ends the output without an error."""
    told = display(mode, asks_here=_asks_here(spec, mode), patience=spec and _patience_of(spec))
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
