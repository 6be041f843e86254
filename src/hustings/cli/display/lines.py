"""The displays without repainting: `quiet`, `plain` lines of text, and `json` lines."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hustings.cli.narrate import Narrator
from hustings.cli.state_text import ended
from hustings.cli.terminal import show_event, show_line, talk
from hustings.transcript.events import Event, TextStreamed

if TYPE_CHECKING:
    from hustings.runs.run_summary import RunSummary


class QuietDisplay:
    """No events; messages and how a run ended go to stderr."""

    def show(self, event: Event) -> None:
        pass

    def recall(self, events: Iterable[Event]) -> None:
        pass

    def say(self, text: str) -> None:
        talk(text)

    def pausing(self) -> None:
        pass

    def conclude(self, report: RunSummary) -> None:
        for line in ended(report):
            talk(line)

    @contextmanager
    def aside(self) -> Generator[None]:
        sys.stdout.flush()
        yield

    def heard(self, address: str) -> None:
        pass

    def close(self) -> None:
        pass


class PlainDisplay(QuietDisplay):
    """Lines of text, for pipes, logs and terminals that cannot repaint."""

    def __init__(self, *, asks_here: bool = False) -> None:
        self._teller = Narrator(asks_here=asks_here)

    def show(self, event: Event) -> None:
        if isinstance(event, TextStreamed):
            return
        for line in self._teller.tell(event):
            show_line(line.text)
        sys.stdout.flush()

    def recall(self, events: Iterable[Event]) -> None:
        self._teller.recall(events)

    def conclude(self, report: RunSummary) -> None:
        for line in ended(report):
            show_line(line)


class JsonDisplay(QuietDisplay):
    """Every durable event as a line of JSON."""

    def show(self, event: Event) -> None:
        if not isinstance(event, TextStreamed):
            show_event(event.model_dump(mode="json", exclude_none=True))

    def conclude(self, report: RunSummary) -> None:
        show_event({"kind": "done", **report.model_dump(mode="json", exclude_none=True)})
