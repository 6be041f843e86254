"""The `live` display: finished lines are printed for good, and a small footer is repainted below them."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from hustings.cli.narrate import Look, NarratedLine, Narrator, ended
from hustings.cli.terminal import safe_text, show_line
from hustings.transcript.events import Event, TextStreamed

from .footer import footer
from .live_state import LiveState
from .screen import Screen

if TYPE_CHECKING:
    from hustings.runs.summary import RunSummary

PAINTS = 10
"""Most repaints per second."""
WIDEST = 100
"""Columns; longer lines are hard to read."""
STYLES = {
    "title": "bold",
    "heading": "bold",
    "speaker": "bold",
    "words": "",
    "aside": "dim",
    "warning": "magenta",
    "board": "yellow",
    "thought": "dim",
}


class LiveDisplay:
    """Takes events at once from any thread; one thread paints."""

    def __init__(self, console: Console | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.console = console or Console(file=sys.stdout, markup=False, emoji=False, highlight=False)
        self.floor = LiveState(clock)
        self._teller = Narrator()
        self._screen = Screen(self.console)
        self._lines: list[NarratedLine] = []
        self._last: Look = "title"
        self._lock = threading.RLock()
        self._stop = threading.Event()
        self._gone: OSError | None = None
        self._painter: threading.Thread | None = None

    def show(self, event: Event) -> None:
        passing = isinstance(event, TextStreamed)
        if self._gone and not passing:  # the thread of live text must not fail for a lost terminal
            raise BrokenPipeError from self._gone
        with self._lock:
            self.floor.take(event)
            if not passing:
                self._lines += self._teller.tell(event)
            self._begin_to_paint()

    def recall(self, events: Iterable[Event]) -> None:
        with self._lock:
            for event in events:
                self.floor.take(event)
                self._teller.recall([event])

    def say(self, text: str) -> None:
        with self._lock:
            self._lines += [NarratedLine(line, "warning") for line in text.splitlines()]

    def conclude(self, report: RunSummary) -> None:
        for line in ended(report):
            show_line(line)

    def close(self) -> None:
        """Stop painting. A signal may call this at any moment, so it waits for the lock, but not for ever."""
        self._stop.set()
        if self._painter:
            self._painter.join(1.0)
            self._painter = None
        had = self._lock.acquire(timeout=1.0)
        try:
            if not self._gone:
                self._screen.paint(self._due(), [])
        except OSError as error:
            self._gone = error
        finally:
            if had:
                self._lock.release()

    def paint(self) -> None:
        """Paint the current state once."""
        with self._lock:
            below = [] if self.floor.over else footer(self.floor, self._teller.roster, self.console)
            self._screen.paint(self._due(), below)

    def _begin_to_paint(self) -> None:
        if self._painter is None:
            self._stop.clear()
            self._painter = threading.Thread(target=self._go_on_painting, name="hustings-paint", daemon=True)
            self._painter.start()

    def _go_on_painting(self) -> None:
        while not self._stop.wait(1 / PAINTS):
            try:
                self.paint()
            except OSError as error:  # the terminal is gone
                self._gone = error
                return

    def _due(self) -> list[Text]:
        """Lines to print for good now, with a blank line before each speaker."""
        lines, self._lines, due = self._lines, [], list[Text]()
        for line in lines:
            if line.look == "speaker" and self._last not in {"title", "heading"}:
                due.append(Text(""))
            due += self._wrapped(line)
            self._last = line.look
        return due

    def _wrapped(self, line: NarratedLine) -> list[Text]:
        """Wrap at words, keeping the indent; line ends in the text are escaped, so none can begin a line of its own."""
        inner = line.text.lstrip(" ")
        indent = " " * (len(line.text) - len(inner))
        style = f"{STYLES[line.look]} {self._teller.roster.colour(line.seat) if line.look == 'speaker' else ''}".strip()
        words = Text(safe_text(inner).replace("\n", "\\u{a}").expandtabs(4), style=style)
        width = max(min(self.console.width, WIDEST) - len(indent), 10)
        parts = words.wrap(self.console, width) or [Text("")]
        for part in parts:
            part.rstrip()
        return [Text(indent).append_text(part) for part in parts]
