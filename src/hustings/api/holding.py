"""A debate and what follows it, held in a thread of its own: whoever waits for it may have a loop of theirs or none."""

from __future__ import annotations

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING

from hustings.core.errors import NotFound, Unsuitable
from hustings.core.events import Event, TextStreamed, TurnBegun
from hustings.home.arranging import must_answer
from hustings.home.caution import affordable
from hustings.home.variables import variables
from hustings.run.commission import Commission

from .hall import HALL
from .results import Result, Unfinished

if TYPE_CHECKING:
    from hustings.run.desk import Desk
    from hustings.run.programme import Programme
    from hustings.run.worker import Worker

OVER = frozenset({"ended", "broken"})
QUIET_SECONDS = 2.0
"""Without a call in flight for so long, a run that was told to pause only waits: for a person, or a provider."""
WATCH_SECONDS = 2.0
"""Between two looks whether somebody still carries it out."""
GLANCE = 0.2
MOST_WAITING = 1_000
"""Pieces of text that wait for the question they answer; further ones are dropped."""


class Weave:
    """Hands events on, and words as they come where they belong: between a question and the turn it becomes."""

    def __init__(self, hear: Callable[[Event], None]) -> None:
        self._hear, self._lock = hear, threading.Lock()
        self._begun: set[str] = set()
        self._early: dict[str, deque[TextStreamed]] = defaultdict(lambda: deque(maxlen=MOST_WAITING))

    def piece(self, piece: TextStreamed) -> None:
        """From the thread that brought it, and sooner than the log tells of the question."""
        with self._lock:
            if piece.address in self._begun:
                self._hear(piece)
            else:
                self._early[piece.address].append(piece)

    def event(self, event: Event) -> None:
        with self._lock:
            self._hear(event)
            if isinstance(event, TurnBegun):
                self._begun.add(event.address)
                for piece in self._early.pop(event.address, ()):
                    self._hear(piece)


class Holding:
    """One go at it: from wherever it stands to its end, or to where it is told to rest."""

    def __init__(
        self, first: Commission, programme: Programme, url: str, hear: Callable[[Event], None] = lambda _: None
    ) -> None:
        self.first, self.programme, self.url = first, programme, url
        self.current = first.run_id
        """The debate, its control or its judging."""
        self.result: Future[Result] = Future()
        self._hear = hear
        self._resting, self._curtailed, self._begun = threading.Event(), threading.Event(), threading.Event()
        self._told = False
        self._quiet_since: float | None = None
        self._watched = time.monotonic()
        self._thread = threading.Thread(target=self._hold, name=f"hustings-{first.run_id}", daemon=True)

    def start(self) -> None:
        self.result.set_running_or_notify_cancel()
        self._thread.start()

    def rest(self) -> None:
        """Pause after the calls in flight."""
        self._resting.set()

    @property
    def resting(self) -> bool:
        return self._resting.is_set()

    def curtail(self) -> None:
        """What goes on now is the last of it."""
        self._curtailed.set()

    def going_on(self) -> str:
        """The run that can be told something: it is on record."""
        while not self._begun.wait(GLANCE) and not self.result.done():
            pass
        return self.current

    def _hold(self) -> None:
        try:
            found: Result | BaseException = self._play()
        except BaseException as error:  # noqa: BLE001  it belongs to whoever waits
            found = error
        _going.pop(self.first.run_id)
        if isinstance(found, BaseException):
            self.result.set_exception(found)
        else:
            self.result.set_result(found)

    def _play(self) -> Result:
        from hustings.run.access import at_desk  # noqa: PLC0415  heavy
        from hustings.run.programme import acts  # noqa: PLC0415

        warm(self.first)
        known = variables()
        with HALL.attended(self.url), at_desk(self.url) as desk:
            HALL.worker()  # a database that is not ready is made so
            if not on_record(desk, self.first):
                must_answer(self.first)
            for act in acts(desk, self.first, self.programme, known, lambda made: affordable(made, known)):
                if self._curtailed.is_set() and act is not self.first:
                    break
                self._see_through(desk, act)
            return Result.at(desk, self.first.run_id)

    def _see_through(self, desk: Desk, act: Commission) -> None:
        """One run to its end; whoever carried it out may be gone, and then it goes on here."""
        after = -1

        def tell(event: Event) -> None:
            nonlocal after
            after = getattr(event, "seq", after)
            weave.event(event)

        weave = Weave(self._hear)
        while True:
            if self.resting:
                self._rest_before(desk, act)
            worker = HALL.worker()
            begin(desk, worker, act)
            self.current, self._watched = act.run_id, time.monotonic()
            self._begun.set()
            with worker.bus.listening(act.run_id, weave.piece):
                for event in desk.follow(act.run_id, after=after, until=lambda: self._enough(desk, act.run_id)):
                    tell(event)
            report = desk.report(act.run_id)
            if report.state == "ended":
                return
            if report.state == "broken":
                cure = f"hustings fork {act.run_id} takes over what was said"
                raise Unsuitable(f"{act.run_id!r} broke ({report.reason}), and cannot go on: {cure}")
            if self.resting or report.state == "paused":
                raise Unfinished(self.first.run_id, report.reason)

    def _rest_before(self, desk: Desk, act: Commission) -> None:
        """Told to rest before it was begun: a debate is put on record, so that its id leads somewhere."""
        if act is self.first and not on_record(desk, act):
            desk.enter(desk.under_budgets(act))
        raise Unfinished(self.first.run_id)

    def _enough(self, desk: Desk, run_id: str) -> bool:
        if self.resting and not self._told:
            self._told = True
            desk.steer(run_id, "pause")
        return self._left_alone(desk, run_id) or (self._told and self._waits_only(desk, run_id))

    def _waits_only(self, desk: Desk, run_id: str) -> bool:
        """Told to pause, and nothing is in flight for a while."""
        if desk.in_flight(run_id):
            self._quiet_since = None
            return False
        self._quiet_since = self._quiet_since or time.monotonic()
        return time.monotonic() - self._quiet_since > QUIET_SECONDS

    def _left_alone(self, desk: Desk, run_id: str) -> bool:
        if time.monotonic() - self._watched < WATCH_SECONDS:
            return False
        self._watched = time.monotonic()
        return desk.abandoned(run_id)


_going: dict[str, Holding] = {}
_door = threading.Lock()


def going(run_id: str) -> Holding | None:
    """Whoever holds a debate in this process now."""
    return _going.get(run_id)


def hold(first: Commission, programme: Programme, url: str, hear: Callable[[Event], None]) -> Holding:
    """Begin to hold a debate, or go on with it; one that is coming to rest is waited for."""
    while earlier := going(first.run_id):
        if not earlier.resting:
            raise Unsuitable(f"{first.run_id!r} is being held", fix="wait for it where it was begun, or pause it")
        earlier.result.exception()
    holding = Holding(first, programme, url, hear)
    with _door:
        if _going.setdefault(first.run_id, holding) is not holding:
            raise Unsuitable(f"{first.run_id!r} is being held", fix="wait for it where it was begun, or pause it")
    holding.start()
    return holding


def begin(desk: Desk, worker: Worker, act: Commission) -> None:
    """Start a run, or go on with it; one that is over, or that somebody else carries out, is only followed."""
    if not on_record(desk, act):
        entered = desk.under_budgets(act)
        desk.enter(entered)
        worker.start(entered)
        return
    if desk.report(act.run_id).state in OVER:
        return
    desk.steer(act.run_id, "go")
    if desk.abandoned(act.run_id) and not desk.revive(act.run_id, ahead=True):  # it was entered and never begun
        worker.start(act)


def on_record(desk: Desk, act: Commission) -> bool:
    try:
        desk.report(act.run_id)
    except NotFound:
        return False
    return True


def warm(first: Commission) -> None:
    """The client library takes seconds to load: that goes on while the database is made ready."""

    def load() -> None:
        import hustings.llm.wire  # noqa: F401, PLC0415  # pyright: ignore[reportUnusedImport]

    if any(voice.provider != "improviser" for voice in first.voices.values()):
        threading.Thread(target=load, name="hustings-warm", daemon=True).start()
