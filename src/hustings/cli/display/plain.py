"""The `plain` display: lines of text, for pipes, logs and terminals that cannot repaint."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from hustings.cli.narrate import Narrator, ended
from hustings.cli.terminal import show_line, talk
from hustings.transcript.events import Event, TextStreamed

if TYPE_CHECKING:
    from hustings.runs.summary import RunSummary


class PlainDisplay:
    def __init__(self) -> None:
        self._teller = Narrator()

    def show(self, event: Event) -> None:
        if isinstance(event, TextStreamed):
            return
        for line in self._teller.tell(event):
            show_line(line.text)
        sys.stdout.flush()

    def recall(self, events: Iterable[Event]) -> None:
        self._teller.recall(events)

    def say(self, text: str) -> None:
        talk(text)

    def conclude(self, report: RunSummary) -> None:
        for line in ended(report):
            show_line(line)

    def close(self) -> None:
        pass
