"""An actor that says what it was given, line by line: for tests that need exact words."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping

from hustings.errors import SeatError
from hustings.script.calls import Call, Reply
from hustings.script.forms import Form

from .improviser import clock

Line = str | Form | Reply | SeatError


class Scripted:
    """Every seat has its lines, in order; a line nobody asked for, or a call without a line, is an error."""

    def __init__(self, lines: Mapping[str, Iterable[Line]]) -> None:
        self._lines: defaultdict[str, deque[Line]] = defaultdict(deque)
        self._lines.update({seat: deque(some) for seat, some in lines.items()})

    def __call__(self, call: Call) -> Reply | SeatError:
        waiting = self._lines[call.seat.id]
        if not waiting:
            raise AssertionError(f"{call.address}: no line is left for {call.seat.id!r}; give it one more")
        match waiting.popleft():
            case Form() as form:
                return Reply(form.said() if form.prose else form.model_dump_json(), clock(call), model="scripted")
            case str() as words:
                return Reply(words, clock(call), model="scripted")
            case line:
                return line

    def must_be_used_up(self) -> None:
        left = {seat: len(lines) for seat, lines in self._lines.items() if lines}
        if left:
            raise AssertionError(f"lines that nobody asked for: {left}; take them out, or mend the script")
