"""What a command does when a person, a signal, a closed terminal or the machine stops it, and what it says then."""

from __future__ import annotations

import logging
import math
import os
import signal
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from types import FrameType

from hustings.db.faults import KNOWN
from hustings.db.leases import Fenced
from hustings.errors import HustingsError

from .terminal import let_go, talk, tell_error, terminals

WENT_ON = "It went on in another window while this one slept"
TELL_AGAIN_SECONDS = 60.0
"""A warning that comes again within this time is no news."""


@contextmanager
def leaving_on_signals(ask: Callable[[], object], leave: Callable[[], object] | None = None) -> Generator[None]:
    """On the first signal, call `ask`; on the second, call `leave` and exit at once. Nothing is lost that way.

    A terminal that is closed asks, however often it says so, and gets no more words.
    """
    told, here = threading.Event(), terminals()

    def on_signal(number: int, _frame: FrameType | None) -> None:
        if number == HANG_UP:
            let_go(*here)
        if not told.is_set():
            told.set()
            ask()
        elif number != HANG_UP:
            try:
                if leave:
                    leave()
            finally:
                os._exit(130)

    before = {number: signal.signal(number, on_signal) for number in _heard()}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


HANG_UP: int | None = getattr(signal, "SIGHUP", None)
"""Sent when the terminal is closed. Not on Windows."""


def _heard() -> Sequence[int]:
    """Signals that stop a command here; `nohup` keeps the one of a closed terminal away."""
    if HANG_UP is None or signal.getsignal(HANG_UP) == signal.SIG_IGN:
        return (signal.SIGINT, signal.SIGTERM)
    return (signal.SIGINT, signal.SIGTERM, HANG_UP)


def letting(answers: int, seconds: float, again: str) -> str:
    """`Letting 6 answers arrive, at most 30 s. Ctrl-C again …`, or that there are none to wait for."""
    if not answers:
        return "Stopping: no answer is under way."
    return f"Letting {answers} {'answer' if answers == 1 else 'answers'} arrive, at most {seconds:.0f} s. {again}"


def cut_short(answers: int) -> str:
    """How many answers did not arrive in time."""
    told = "1 answer" if answers == 1 else f"{answers} answers"
    return f"{told} did not arrive in time, to be asked for again and perhaps paid twice."


def leave_when_lost(why: HustingsError) -> None:
    """End a worker that has no window: its debates went to others, or the file of its database is gone."""
    from hustings.engine.worker import LOST  # noqa: PLC0415  heavy

    if isinstance(why, Fenced):
        talk("Other workers took its debates over while this one slept. Start it again")
        os._exit(LOST)
    os._exit(tell_error(why, as_json=False))


@contextmanager
def warnings_to(say: Callable[[str], object]) -> Generator[None]:
    """Tell the warnings of all that works here, each fault of the database once and in one sentence."""
    handler, ours = _Warnings(say), logging.getLogger("hustings")
    ours.addHandler(handler)
    try:
        yield
    finally:
        ours.removeHandler(handler)


class _Warnings(logging.Handler):
    def __init__(self, say: Callable[[str], object]) -> None:
        super().__init__(logging.WARNING)
        self._say = say
        self._told = dict[str, float]()

    def emit(self, record: logging.LogRecord) -> None:
        what = record.args[0] if isinstance(record.args, tuple) and record.args else None
        text = f"{what}; waiting for it. What was said is saved" if what in FAULTS else record.getMessage()
        if self._told.get(text, -math.inf) < time.monotonic() - TELL_AGAIN_SECONDS:
            self._told[text] = time.monotonic()
            self._say(f"{text[:1].upper()}{text[1:]}.")


FAULTS = {what for what, _ in KNOWN.values()}
