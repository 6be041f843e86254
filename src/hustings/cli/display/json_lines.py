"""The `json` display: every durable event as a line of JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from hustings.cli.terminal import show_event, talk
from hustings.transcript.events import Event, TextStreamed

if TYPE_CHECKING:
    from hustings.runs.summary import RunSummary


class JsonDisplay:
    def show(self, event: Event) -> None:
        if not isinstance(event, TextStreamed):
            show_event(event.model_dump(mode="json", exclude_none=True))

    def recall(self, events: Iterable[Event]) -> None:
        pass

    def say(self, text: str) -> None:
        talk(text)

    def conclude(self, report: RunSummary) -> None:
        show_event({"kind": "done", **report.model_dump(mode="json", exclude_none=True)})

    def close(self) -> None:
        pass
