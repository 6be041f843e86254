"""Ways to show a run: each reads the same events, and holds nothing that it could not rebuild from them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal, Protocol

from hustings.transcript.events import Event

if TYPE_CHECKING:
    from hustings.runs.summary import RunSummary

Mode = Literal["live", "plain", "json", "quiet"]


class Display(Protocol):
    """Reads the events of one run after the other, words as they come included; from whatever thread brings them."""

    def show(self, event: Event) -> None: ...

    def recall(self, events: Iterable[Event]) -> None:
        """What was shown before, elsewhere."""
        ...

    def say(self, text: str) -> None:
        """A word of ours to the person, in between."""
        ...

    def conclude(self, report: RunSummary) -> None:
        """The last words on a run."""
        ...

    def close(self) -> None:
        """Leave the terminal as it was; once more does no harm."""
        ...


def display(mode: Mode, keys: str = "") -> Display:
    """`keys` is what can be pressed, where that is not Ctrl-C for a pause."""
    from .json_lines import JsonDisplay  # noqa: PLC0415  one of them is needed
    from .plain import PlainDisplay  # noqa: PLC0415
    from .quiet import QuietDisplay  # noqa: PLC0415

    match mode:
        case "json":
            return JsonDisplay()
        case "quiet":
            return QuietDisplay()
        case "plain":
            return PlainDisplay()
        case "live":
            from .live_view import LiveDisplay  # noqa: PLC0415  brings its threads and its paint

            shown = LiveDisplay()
            shown.floor.keys = keys or shown.floor.keys
            return shown


def mode_of(wished: Mode | None, *, as_json: bool = False) -> Mode:
    """What was asked for; otherwise live where a person looks at a terminal that can repaint, and plain elsewhere."""
    if as_json:
        return "json"
    return wished or ("live" if repaints(os.environ, terminal=sys.stdout.isatty()) else "plain")


def repaints(environment: Mapping[str, str], *, terminal: bool) -> bool:
    """Whether somebody looks at it as it goes on."""
    known = environment.get("TERM", "") not in {"", "dumb", "unknown"}
    return terminal and known and not environment.get("CI")
