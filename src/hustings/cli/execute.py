"""Executes a run in this process with live output, or enqueues it for workers; defines the exit codes."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

import typer

from hustings.config.paths import address
from hustings.config.plan_run import affordable
from hustings.db.caps import MICRO, OVER
from hustings.db.leases import Fenced
from hustings.db.outage import DatabaseAway
from hustings.engine import runner
from hustings.engine.run_control import must_have_worker
from hustings.engine.what_follows import WhatFollows
from hustings.errors import HustingsError
from hustings.llm.patience import patience_of
from hustings.runs.spec import RunSpec
from hustings.text.figures import limit_in_dollars
from hustings.transcript.events import Event

from .commands.db import open_runs, open_service
from .commands.worker import models
from .display import Display, Mode, display
from .display.live_state import Patience
from .options import Place
from .state_text import NOBODY, advice
from .stopping import WENT_ON, leaving_on_signals, warnings_to
from .terminal import is_output_fault, let_go, output_fault, show, show_event, talk

if TYPE_CHECKING:
    from hustings.engine.service import RunService
    from hustings.engine.worker import Worker
    from hustings.llm.environment import Environment
    from hustings.runs.follow_ups import FollowUps
    from hustings.runs.run_summary import RunSummary

    from .person import Host

FINISHED, FAILED, SPENT, REFUSED, ELSEWHERE, RESUMABLE = 0, 1, 3, 4, 75, 130
"""Exit codes."""
DRAIN = 5
"""Seconds that the engine has to settle a finished run."""


def execute(
    spec: RunSpec, place: Place, *, more: bool = False, follow_ups: FollowUps | None = None, forecast: str = ""
) -> int:
    """Execute a run here, or record and enqueue it for the workers; return the exit code.

    `more` says that the caller continues with further runs. `follow_ups` are for the workers only: `execute_all` sees
    to those of a run that is executed here.
    """
    must_have_worker(spec)
    if not place.detach:
        introduce(spec, as_json=place.as_json, forecast=forecast)
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


def execute_all(
    first: RunSpec, follow_ups: FollowUps, known: Environment, place: Place, *, forecast: str = ""
) -> list[tuple[RunSpec, int]]:
    """Execute a run here, then what follows it, until one does not finish; return each with its exit code.

    What is over is not executed again, so a run that is resumed goes on where it stopped.
    """
    done: list[tuple[RunSpec, int]] = []
    with worker_here(place.database, first) as here:
        runs = here.service.runs
        what_follows = WhatFollows(here.service, known, lambda made: affordable(made, known), here.worker.executor_id)
        if not runs.exists(first.run_id):
            introduce(first, as_json=place.as_json, forecast=forecast)
        act: RunSpec | None = what_follows.begin(first, follow_ups)
        paused = False
        while act:
            if (report := runs.read(act.run_id)).state in OVER:
                code = code_of(report)
            elif paused:
                code = RESUMABLE
                talk(f"Paused. Continue: hustings resume {act.run_id}")
            else:
                if done:
                    introduce(act, as_json=place.as_json)
                code = carry_out(here, act, mode=place.mode, more=bool(follow_ups.scripts))
            done.append((act, code))
            if code in {RESUMABLE, REFUSED}:
                raise _ViewerLeft
            paused = here.pausing.is_set()
            act = what_follows.after(act, follow_ups, paused=paused)
    return done


@contextmanager
def starting(database: str, run_id: str = "") -> Generator[None]:
    """If Ctrl-C comes before the run is stored, say that nothing was started."""
    try:
        yield
    except KeyboardInterrupt:
        if not (run_id and _is_stored(database, run_id)):
            talk("Nothing was started.")
        raise


def _is_stored(database: str, run_id: str) -> bool:
    with suppress(HustingsError), open_runs(database) as runs:
        return runs.exists(run_id)
    return False


def introduce(spec: RunSpec, *, as_json: bool, forecast: str = "") -> None:
    models = {seat: player.model for seat, player in spec.debate.players.items()}
    money = spec.caps.money
    if as_json:
        cap = None if money is None else money / MICRO
        show_event({"kind": "launched", "run_id": spec.run_id, "models": models, "cap": cap})
        return
    cap = "free" if money is None else f"up to ${limit_in_dollars(money / MICRO)}"
    talk(f"{spec.run_id}: {', '.join(sorted(set(models.values())))} ({cap}). Ctrl-C to pause.")
    if forecast:
        talk(forecast)
    if "improviser" in models.values() and not spec.judged:
        talk("The improviser speaks: invented words, the same for every question.")


@dataclass(frozen=True)
class WorkerHere:
    """A worker of this command, which executes its runs one after the other."""

    worker: Worker
    service: RunService
    pausing: threading.Event = field(default_factory=threading.Event)
    """The person wants to go on later."""


@contextmanager
def worker_here(database: str, first: RunSpec) -> Generator[WorkerHere]:
    runner.preload_client(first)
    from hustings.engine.worker import Duty, Worker  # noqa: PLC0415  heavy

    duty = Duty(takes=False, drain=DRAIN)
    with (
        suppress(_ViewerLeft),
        Worker(address(database), models(), duty, _noted) as worker,
        open_service(database) as service,
    ):
        yield WorkerHere(worker, service)


def perform(database: str, spec: RunSpec, *, mode: Mode, more: bool = False, asks: bool = True) -> int:
    """Execute one run in this process; return the exit code."""
    code = RESUMABLE
    with worker_here(database, spec) as here:
        code = carry_out(here, spec, mode=mode, more=more, asks=asks)
        if code in {RESUMABLE, REFUSED}:
            raise _ViewerLeft
    return code


def carry_out(here: WorkerHere, spec: RunSpec, *, mode: Mode, more: bool = False, asks: bool = True) -> int:
    """Execute a run with the worker of this command, show its events, and return the exit code.

    With `asks`, a person at this terminal answers for the seats that people hold.
    """
    runner.preload_client(spec)
    seen = here.service.runs.events(spec.run_id)
    with shown(mode, seen, spec) as told:
        stops = _Interrupting(spec.run_id, told, here)
        host = host_of(here.service, spec, told, mode, here.pausing.set) if asks else None
        performing = runner.Runner(
            here.service,
            stops.showing(host.show if host else told.show),
            pausing=here.pausing,
            on_pausing=stops.say,
            on_text=told.show,
            takes_over=False,
        )
        with leaving_on_signals(performing.pause, stops.leave):
            if host and seen:
                host.ask_open()
            report = performing.run(spec, lambda: here.worker, seen)
            return conclude(told, report, more=more, open_question=host.left if host else "", closed=stops.closed)


def _noted(_why: HustingsError) -> None:
    """The runner looks why its worker lost its lease."""


class _Interrupting:
    """How a run that is executed here is paused and left, and what the person is told."""

    def __init__(self, run_id: str, told: Display, here: WorkerHere) -> None:
        self.closed = ""
        self._resume, self._told, self._here = f"hustings resume {run_id}", told, here

    def showing(self, show: Callable[[Event], None]) -> Callable[[Event], None]:
        """Show events, until the output is closed: that pauses the run, for nobody reads it any more."""

        def tell(event: Event) -> None:
            try:
                show(event)
            except OSError as error:
                if not is_output_fault(error):
                    raise
                let_go(sys.stdout.fileno())
                self.closed = output_fault(error)
                self._here.pausing.set()

        return tell

    def say(self) -> None:
        self._told.pausing()
        if self.closed:
            talk(f"{self.closed}. Pausing when current answers arrive; Ctrl-C leaves at once.")
        else:
            again = f"Press Ctrl-C again to leave at once. Then: {self._resume}"
            self._told.say(f"Pausing when current answers arrive. {again}")

    def leave(self) -> None:
        self._told.close()
        self._here.worker.leave_at_once()
        talk(f"Left at once. Unfinished answers may be paid again. Continue: {self._resume}")


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
    """A display that restores the terminal, and says how to go on when a run cannot be followed here any more."""
    told = display(mode, asks_here=_asks_here(spec, mode), patience=spec and _patience_of(spec))
    run_id = spec.run_id if spec else "RUN"
    try:
        if seen:
            told.recall(seen)
        with warnings_to(told.say):
            yield told
    except BrokenPipeError:
        let_go(sys.stdout.fileno())
        _leave(told, f"Output closed. See how it goes: hustings show {run_id}", RESUMABLE)
    except Fenced:
        _leave(told, f"{WENT_ON}: hustings show {run_id}", ELSEWHERE)
    except DatabaseAway as away:
        what = f"{away.what[:1].upper()}{away.what[1:]}"
        _leave(told, f"{what}. Saved up to here; go on: hustings resume {run_id}", RESUMABLE)
    finally:
        told.close()


def _leave(told: Display, words: str, code: int) -> NoReturn:
    told.close()
    talk(words)
    raise typer.Exit(code)


def conclude(
    told: Display, report: RunSummary, *, more: bool = False, open_question: str = "", closed: str = ""
) -> int:
    """Show how a run ended and what to do next; return the exit code.

    `open_question` is the seat of the person here, who left it unanswered; `closed` says why the output is not read.
    """
    told.close()
    told.conclude(report)
    code, resume = code_of(report), f"hustings resume {report.run_id}"
    if code == RESUMABLE and closed:
        talk(f"{closed}. Go on: {resume}")
    elif code == RESUMABLE and open_question:
        talk(f"Saved. {open_question.upper()}'s answer is open: {resume}")
    elif not more or code != FINISHED:
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
