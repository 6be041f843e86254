"""The `quiet` display: no events; messages and how a run ended go to stderr."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hustings.cli.narrate import ended
from hustings.cli.terminal import talk
from hustings.transcript.events import Event

if TYPE_CHECKING:
    from hustings.runs.summary import RunSummary


class QuietDisplay:
    def show(self, event: Event) -> None:
        pass

    def recall(self, events: Iterable[Event]) -> None:
        pass

    def say(self, text: str) -> None:
        talk(text)

    def conclude(self, report: RunSummary) -> None:
        for line in ended(report):
            talk(line)

    def close(self) -> None:
        pass
