"""The `live` display: finished lines are printed for good, and a small footer is repainted below them.

The cursor rests where the repainted lines begin. Even if the width changes, everything below it is theirs, and erasing
it leaves the terminal clean. The cursor is never hidden, so nothing has to be restored.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from hustings.cli.narrate import STYLES, Look, NarratedLine, Narrator
from hustings.cli.state_text import ended
from hustings.cli.terminal import WIDEST, safe_text, show_line
from hustings.report.delay_text import clock as minutes
from hustings.report.delay_text import delay_words, unanswered_words
from hustings.runs.delays import seconds_left
from hustings.text.figures import dollars
from hustings.transcript.events import CallDelayed, Event, TextStreamed
from hustings.transcript.record import RunProgress

from .live_state import LiveState, Roster, Speaking

if TYPE_CHECKING:
    from hustings.runs.run_summary import RunSummary


MOST_SPEAKERS = 3
"""Speakers shown at a time; further ones are only counted."""
MOST_LINES = 4
"""Lines of words for all speakers together."""
TAIL = 2_000
"""Last characters of a speech that are wrapped into its shown lines."""


def footer(floor: LiveState, roster: Roster, console: Console) -> list[Text]:
    """The footer's lines, each shorter than the terminal is wide."""
    width, height = max(console.width - 1, 10), console.height
    rule = Text(("-" if console.options.ascii_only else "─") * width, style="dim")
    lines = [rule, *_speakers(floor, roster, console, width), _status(floor, width)]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines[-max(height - 2, 1) :]


def _speakers(floor: LiveState, roster: Roster, console: Console, width: int) -> Iterator[Text]:
    """Speakers on the record first, then those not finished, then those whose words came last."""

    def rank(one: Speaking) -> tuple[bool, bool, float]:
        return not one.asked.on_record, one.answered or one.words.answer.read().whole, -one.words.moved

    everybody = sorted(floor.open.values(), key=rank)
    shown = everybody[:MOST_SPEAKERS]
    heard = [one for one in shown if one.asked.on_record and one.words.answer.read().text]
    each = max(MOST_LINES // max(len(heard), 1), 1)
    for one in shown:
        yield _speaker(one, roster, floor, width)
        if one in heard:
            yield from _tail(one, console, width, each)
    if more := len(everybody) - len(shown):
        yield Text(f"  and {more} more", style="dim")


def _speaker(one: Speaking, roster: Roster, floor: LiveState, width: int) -> Text:
    asked, said, gone = one.asked, one.words.answer.read(), floor.clock() - one.since
    waits = one.delay is not None or not (said.text or one.answered)
    line = Text(safe_text(roster.title(asked.seat)), style=f"bold {roster.colour(asked.seat)}")
    if waits:
        does = _waiting(one, floor, gone)
    elif one.answered:
        others = [safe_text(roster.title(seat)) for seat in floor.waited_for(one)]
        does = f" has answered; waiting for {', '.join(others)}" if others else " has answered"
    else:
        does = " speaking" if asked.on_record else " thinking"
    line.append(does, style="not bold" if asked.on_record else "not bold dim")
    facts = [
        (2, safe_text(asked.brief)),
        (1, f"try {asked.attempt + 1}" if asked.attempt and not waits else ""),
        (0, _count(said.count, asked.words)),
        (1, "" if waits or one.answered else _time(gone, asked.seconds)),
    ]
    for fact in _fitting(facts, width - line.cell_len - 3):
        if line.cell_len + 3 + cell_len(fact) <= width:
            line.append(f" · {fact}", style="not bold dim")
    if asked.words and said.count > asked.words:
        line.append(" OVER", style="bold red")
    return line


def _waiting(one: Speaking, floor: LiveState, gone: float) -> str:
    """` waiting 12 s, try 2 of 3, limit 120 s`; after a try that failed, ` has not answered for 40 s; asking again`."""
    asked, patience = one.asked, floor.patience
    if delay := one.delay:
        left = seconds_left(delay, floor.time_of_day())
        if delay.reason == "limit":
            return f" · {safe_text(delay_words(delay, left))}"
        return f" {safe_text(unanswered_words(delay, gone, left))}"
    if one.waits_for_person:
        return f" waiting {minutes(gone)} for a person"
    tries = f" of {patience.tries(on_record=asked.on_record)}" if patience else ""
    limit = patience.seconds.get(asked.seat) if patience else None
    parts = [
        f"waiting {int(gone)} s",
        f"try {asked.attempt + 1}{tries}" if asked.attempt else "",
        f"limit {limit:.0f} s" if limit else "",
    ]
    return f" {', '.join(filter(None, parts))}"


def _tail(one: Speaking, console: Console, width: int, most: int) -> Iterator[Text]:
    words = Text(safe_text(one.words.answer.read().text[-TAIL:]).expandtabs(2))
    for line in words.wrap(console, max(width - 4, 6))[-most:]:
        line.rstrip()
        yield Text("    ").append_text(line)


def _status(floor: LiveState, width: int) -> Text:
    """The status line; parts that do not fit are dropped, the least important first."""
    progress, calls = floor.progress, len(floor.progress.wave)
    parts = [
        (0, _state(floor)),
        (3, floor.stage),
        (3, f"{floor.complete} of {calls} answered" if calls > MOST_SPEAKERS else ""),
        (4, f"issues: {safe_text(floor.docket)}" if floor.docket else ""),
        (1, money(progress)),
        (2, f"{progress.calls} {'call' if progress.calls == 1 else 'calls'}" if progress.calls else ""),
    ]
    hint = safe_text(floor.hint)
    keys = f" · {hint}"
    line = Text(" · ".join(_fitting(parts, width - len(keys))), style="reverse" if progress.paused else "dim")
    line.truncate(width - len(keys), overflow="ellipsis")
    return line.append(keys if line.plain else hint)


def _state(floor: LiveState) -> str:
    """`pausing: 2 answers to come`, `paused`, else the round."""
    if floor.progress.paused or not floor.pausing:
        return "paused" if floor.progress.paused else safe_text(floor.round)
    count = floor.to_come
    return f"pausing: {count} {'answer' if count == 1 else 'answers'} to come" if count else "pausing"


def _fitting(parts: Sequence[tuple[int, str]], width: int) -> list[str]:
    """The parts that fit, in their order; parts with the highest rank number are dropped first."""
    kept = [(rank, part) for rank, part in parts if part]
    while len(kept) > 1 and sum(cell_len(part) + 3 for _, part in kept) - 3 > width:
        kept.remove(max(kept, key=lambda one: one[0]))
    return [part for _, part in kept]


def money(progress: RunProgress) -> str:
    """The cost so far; an unknown price is not shown as free."""
    if progress.spent:
        return f"${dollars(progress.spent, 4)}" + (" plus unknown" if progress.unpriced else "")
    return "cost unknown" if progress.unpriced else "free" if progress.calls else ""


def _count(words: int, allowed: int | None) -> str:
    return f"{words}/{allowed} words" if allowed else f"{words} words" if words else ""


def _time(seconds: float, allowed: int | None) -> str:
    """Elapsed time, beside the time that the word allowance would take to speak."""
    return f"{minutes(seconds)}/{minutes(allowed)}" if allowed else minutes(seconds)


ERASE = "\r\x1b[J"


class Screen:
    def __init__(self, console: Console) -> None:
        self.console = console
        self._painted: list[str] = []

    def paint(self, stays: Iterable[Text], repaints: Sequence[Text]) -> None:
        """Write a frame at once, so that it is never visible half painted."""
        above, below = [self._coded(line) for line in stays], [self._coded(line) for line in repaints]
        if not above and below == self._painted:
            return
        frame = ERASE + "".join(f"{line}\n" for line in above) + "\n".join(below)
        if below:
            frame += "\r" + (f"\x1b[{len(below) - 1}A" if len(below) > 1 else "")
        self._painted = below
        self.console.file.write(frame)
        self.console.file.flush()

    def erase(self) -> None:
        if self._painted:
            self._painted = []
            self.console.file.write(ERASE)
            self.console.file.flush()

    def _coded(self, line: Text) -> str:
        with self.console.capture() as held:
            self.console.print(line, end="", soft_wrap=True)
        return held.get()


PAINTS = 10
"""Most repaints per second."""


class LiveDisplay:
    """Takes events at once from any thread; one thread paints."""

    def __init__(
        self,
        console: Console | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        asks_here: bool = False,
    ) -> None:
        self.console = console or Console(file=sys.stdout, markup=False, emoji=False, highlight=False)
        self.floor = LiveState(clock)
        self._teller = Narrator(asks_here=asks_here)
        self._screen = Screen(self.console)
        self._lines: list[NarratedLine] = []
        self._last: Look = "title"
        self._lock = threading.RLock()
        self._stop = threading.Event()
        self._held = False
        self._gone: OSError | None = None
        self._painter: threading.Thread | None = None

    def show(self, event: Event) -> None:
        passing = isinstance(event, TextStreamed)
        if self._gone and not passing:  # the thread of live text must not fail for a lost terminal
            raise BrokenPipeError from self._gone
        with self._lock:
            self.floor.take(event)
            # The row of a seat says why it waits; only what concerns a whole server is worth a line for good.
            if not passing and not (isinstance(event, CallDelayed) and event.reason != "breaker"):
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

    def pausing(self) -> None:
        with self._lock:
            self.floor.pausing = True

    def conclude(self, report: RunSummary) -> None:
        for line in ended(report):
            show_line(line)

    @contextmanager
    def aside(self) -> Generator[None]:
        """Paint nothing meanwhile; what happens is shown afterwards."""
        self._held = True
        self.close()
        try:
            yield
        finally:
            self._held = False
            self._begin_to_paint()

    def heard(self, address: str) -> None:
        with self._lock:
            self.floor.answer_here(address)

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
            below = [] if self.floor.progress.ending else footer(self.floor, self._teller.roster, self.console)
            self._screen.paint(self._due(), below)

    def _begin_to_paint(self) -> None:
        if self._painter is None and not self._held:
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
