"""A scripted model for tests that need exact words: each seat says the lines it was given, in order."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping

from hustings.errors import SeatError
from hustings.script.calls import Call, Reply
from hustings.script.forms import Form

from .improviser import clock

Line = str | Form | Reply | SeatError


class Scripted:
    """Gives each seat its lines in order. A call without a line left is an error; so is a line that is never used."""

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
