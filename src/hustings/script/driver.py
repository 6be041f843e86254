"""Drives a script without doing any I/O: a wave of calls comes out, a wave of replies goes in.

    driver = Driver(play(stage), stage)
    while calls := driver.calls:
        driver.resume([carry_out(call) for call in calls])
    driver.result, driver.ending

Parts that run side by side advance in step: wave n+1 starts when all of wave n is answered. The order of calls
therefore depends on the answers alone, never on which answer came first, and that is all a durable engine needs for
replay.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar, cast

from hustings.errors import NotAMove, OffTheRecord, SeatError, Standstill, Unsuitable
from hustings.transcript.events import DebateEnded, InterventionMade, RecordEvent, TurnBegun
from hustings.transcript.models import Intervention
from hustings.transcript.notes import Ending, Failed, Played

from .attempts import Pending, conclude, take, unusable
from .calls import Call, Reply
from .look_ups import look_up, may_look_up
from .moves import Aside, Ask, Move, Part, Together
from .stage import LineKind, Stage
from .visibility import Standpoint, knowledge

R = TypeVar("R")


@dataclass
class _Line:
    """One line of a script: the main one, a branch of `together`, or an aside."""

    kind: LineKind
    standpoint: Standpoint

    def own(self, *ids: str) -> None:
        """A line knows its own turns and notes at once."""
        if self.standpoint.turns is not None:
            here = self.standpoint
            self.standpoint = Standpoint(here.turns, here.notes, here.own | set(ids))


Waiting = Generator[list[Pending], None, Any]
"""A running line: yields the asks it waits for, returns its result."""


class Driver(Generic[R]):
    """Plays one script: hands out its calls, takes the replies, and keeps its result and ending."""

    def __init__(
        self,
        script: Coroutine[Any, Any, Any],
        stage: Stage[Any],
        *,
        retries: int = 0,
        finish: Callable[[Any], R] = lambda result: result,
    ) -> None:
        self.result: R | None = None
        self.ending: Ending | None = None
        self._failure: Failed | None = None
        self._last: Ending | None = None
        self._stage = stage
        self._recorder = stage.recorder
        self._retries = retries
        self._open: list[Pending] = []
        self._calls: list[Call] | None = None
        self._asides: list[Aside[Any]] = []
        self._instructions: dict[str, list[Intervention]] = {}
        self._finish = finish
        self._lines: list[Waiting] = [self._main(script)]
        self._advance()

    @property
    def calls(self) -> list[Call]:
        """The calls that wait for replies; empty when the debate is over."""
        if self._calls is None:
            self._calls = [self._call(pending) for pending in self._pending()]
        return self._calls

    def _call(self, pending: Pending) -> Call:
        """Build the call for a question, with what the chair has told its seat in the meantime."""
        ask = pending.ask
        if ask.on_record:
            pending.interventions += self._instructions.pop(ask.seat.id, [])
        return Call(
            pending.address,
            self._stage.context,
            ask.seat,
            ask.brief,
            ask.on_record,
            pending.knowledge,
            pending.complaints,
            pending.rejected,
            tuple(told.instruction_sent for told in pending.interventions),
        )

    @property
    def events(self) -> Sequence[RecordEvent]:
        """All events so far, numbered from 0."""
        return self._recorder.events

    def resume(self, replies: Sequence[Reply | SeatError], *, last: Ending | None = None) -> None:
        """Hand in the replies to `calls`, in the same order; `last` ends the debate as soon as they are recorded."""
        floor, waiting = self._recorder.now, self._pending()
        if len(replies) != len(waiting):
            raise Unsuitable(f"{len(waiting)} calls wait for a reply each, but {len(replies)} came")
        if self.ending is not None:
            raise Unsuitable("the debate is over; nothing waits for a reply")
        for pending, reply in zip(waiting, replies, strict=True):
            take(pending, reply, self._recorder, floor=floor, retries=self._retries)
        self._recorder.wave += 1
        self._calls = None
        self._last = last
        if not self._pending():
            self._advance()
        elif last is not None:
            self.stop(last)
        else:
            self._announce()

    def unusable(self, replies: Sequence[Reply | SeatError]) -> dict[str, tuple[str, ...]]:
        """Complaints about those of the replies that would end a question without an answer, by the key of the call."""
        pairs = zip(self._pending(), self.calls, replies, strict=True)
        found = {call.key: unusable(pending, reply, self._retries) for pending, call, reply in pairs}
        return {key: complaints for key, complaints in found.items() if complaints}

    def stop(self, ending: Ending) -> None:
        """End the debate where it stands: the open round is aborted, the record kept."""
        if self.ending is None:
            self._call_off()
            self._end(ending)

    def intervene(self, seat: str, instruction: str) -> None:
        """Give a seat a person's instruction with the next question that goes out to it; the record keeps it."""
        if not self._retries:
            raise Unsuitable(
                "a debate without retries is posthoc and takes no interventions", fix="set retries to 1 or more"
            )
        if self.ending is not None:
            raise Unsuitable("the debate is over; nobody would hear it")
        intervention = Intervention(
            intervention_id=f"iv{len(self._recorder.record.transcript.intervention_log or [])}",
            timestamp=self._recorder.now,
            scope="global",
            speaker_id=self._stage.seat(seat).id,
            trigger="human_override",
            instruction_sent=instruction,
        )
        self._recorder.emit(InterventionMade(intervention=intervention))
        self._instructions.setdefault(seat, []).append(intervention)

    def _pending(self) -> list[Pending]:
        return [o for o in self._open if o.outcome is None]

    def _announce(self) -> None:
        for n, o in enumerate(self._pending()):
            ask, brief = o.ask, o.ask.brief
            o.address = f"{self._recorder.wave:03d}.{n} {ask.seat} {brief.name}"
            begun = TurnBegun(
                address=o.address,
                seat=ask.seat.id,
                brief=brief.name,
                on_record=ask.on_record,
                attempt=len(o.attempts),
                words=brief.words,
                seconds=brief.seconds,
            )
            self._recorder.emit(begun)

    def _end(self, ending: Ending) -> None:
        self.ending = ending
        self._recorder.emit(DebateEnded(ending=ending))

    # -- lines -------------------------------------------------------------------------

    def _advance(self) -> None:
        """Run every line until it waits; what the lines wait for is the next wave."""
        self._open = []
        try:
            while self._lines and not self._open:
                self._go_on()
        except BaseException:
            self._call_off()
            raise
        if self._lines and self._last is None:
            self._announce()
        else:
            self._call_off()
            self._end(self._last or self._failure or Played())

    def _go_on(self) -> None:
        begun, over = len(self._lines), list[Waiting]()
        for line in self._lines:  # grows at its end while asides start
            try:
                self._open += next(line)
            except StopIteration:
                over.append(line)
        if not self._open and not over and len(self._lines) == begun:
            raise Standstill("every line of the script waits for another one: let one of them end first")
        self._lines = [line for line in self._lines if line not in over]

    def _call_off(self) -> None:
        self._open, self._calls = [], None
        for line in reversed(self._lines):
            line.close()
        for aside in self._asides:
            if not isinstance(aside.part, Move):
                aside.part.close()
        self._lines = []

    def _main(self, script: Coroutine[Any, Any, Any]) -> Waiting:
        try:
            self.result = self._finish((yield from self._drive(script, _Line("main", Standpoint()))))
        except SeatError as error:
            self._failure = Failed(code=type(error).__name__, reason=str(error))

    def _set_out(self, aside: Aside[Any], line: _Line) -> Waiting:
        try:
            aside.result = yield from self._part(aside.part, line)
        except SeatError as error:
            aside.error = error
        aside.done = True

    def _drive(self, script: Coroutine[Any, Any, Any], line: _Line) -> Waiting:
        step = partial(script.send, None)
        try:
            while True:
                move = self._run(step, line)
                try:
                    step = partial(script.send, (yield from self._perform(move, line, script)))
                except SeatError as error:
                    step = partial(script.throw, error)
        except StopIteration as stop:
            return stop.value
        finally:
            script.close()

    def _run(self, step: Callable[[], object], line: _Line) -> object:
        """Run a script to its next move; the asides it starts know what it knows now."""
        self._stage.line, self._stage.standpoint = line.kind, line.standpoint
        turns = len(self._recorder.entered)
        try:
            return step()
        finally:
            line.own(*(e.turn.turn_id for e in self._recorder.entered[turns:]))
            for aside in self._stage.asides_started():
                self._asides.append(aside)
                self._lines.append(self._set_out(aside, self._fork(line, "aside")))

    def _fork(self, line: _Line, kind: LineKind) -> _Line:
        here = line.standpoint
        if here.turns is None:
            here = Standpoint(len(self._recorder.entered), len(self._recorder.notes))
        return _Line("aside" if line.kind == "aside" else kind, here)

    def _part(self, part: Part[Any], line: _Line) -> Waiting:
        return self._perform(part, line) if isinstance(part, Move) else self._drive(part, line)

    # -- moves -------------------------------------------------------------------------

    def _perform(self, move: object, line: _Line, script: object = None) -> Waiting:
        match move:
            case Ask():
                ask = cast("Ask[Any]", move)
                if may_look_up(self._stage, ask):
                    yield from self._drive(look_up(self._stage, ask.seat), line)
                return (yield from self._have_answered(ask, line))
            case Together():
                together = cast("Together[Any]", move)
                lines = [self._fork(line, "branch") for _ in together.parts]
                branches = [self._part(p, b) for p, b in zip(together.parts, lines, strict=True)]
                try:
                    return (yield from self._side_by_side(branches))
                finally:
                    line.own(*(name for branch in lines for name in branch.standpoint.own))
            case Aside():
                aside = cast("Aside[Any]", move)
                while not aside.done:
                    yield []
                if aside.error is not None:
                    raise aside.error
                return aside.result
            case _:
                what = type(move).__name__
                raise NotAMove(
                    f"{_line_of(script)}: a script may await moves only, not {what!r}; it does no I/O itself"
                )

    def _have_answered(self, ask: Ask[Any], line: _Line) -> Waiting:
        recorder = self._recorder
        if ask.on_record:
            if line.kind == "aside":
                raise OffTheRecord(f"{ask.seat} {ask.brief.name!r}: a script that runs meanwhile may only consult")
            recorder.expect(ask.seat.id)
        only_round = recorder.only_round if ask.on_record else None
        thoughts = () if ask.brief.afresh else recorder.notes
        known = knowledge(ask.seat.id, recorder.entered, thoughts, line.standpoint, only_round=only_round)
        pending = Pending(ask, recorder.wave, known)
        yield [pending]
        turns, notes = len(recorder.entered), len(recorder.notes)
        try:
            return conclude(pending, recorder)
        finally:
            written = [e.turn.turn_id for e in recorder.entered[turns:]] + [n.note_id for n in recorder.notes[notes:]]
            line.own(*written)

    def _side_by_side(self, branches: list[Waiting]) -> Waiting:
        """Every branch's next asks form one wave; the record is written in the order of the branches.

        When a seat fails, the rest of the wave is still recorded, the branches still alive are closed, and the first
        failure in branch order is raised.
        """
        results: list[Any] = [None] * len(branches)
        failures: list[SeatError] = []
        alive = dict(enumerate(branches))
        try:
            while alive and not failures:
                wave: list[Pending] = []
                for n, branch in list(alive.items()):
                    try:
                        wave += next(branch)
                    except StopIteration as stop:
                        results[n] = stop.value
                        del alive[n]
                    except SeatError as error:
                        failures.append(error)
                        del alive[n]
                if alive and not failures:
                    yield wave
        finally:
            for branch in alive.values():
                branch.close()
        if failures:
            raise failures[0]
        return results


def _line_of(script: object) -> str:
    """File, line and function where a script waits: the innermost one in the script's own file."""
    frames: list[tuple[str, int, str]] = []
    while (frame := getattr(script, "cr_frame", None)) is not None:
        frames.append((frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name))
        script = getattr(script, "cr_await", None)
    if not frames:
        return "a part"
    file, line, function = [frame for frame in frames if frame[0] == frames[0][0]][-1]
    return f"{file.replace(chr(92), '/').rsplit('/', 1)[-1]}, line {line}, in {function}"
