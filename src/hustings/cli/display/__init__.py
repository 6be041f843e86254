"""Displays of a run (live, plain, json, quiet), built from events alone, and the choice among them; prints Markdown."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Literal, Protocol

from hustings.cli.terminal import safe_text, show

if TYPE_CHECKING:
    from hustings.runs.run_summary import RunSummary
    from hustings.transcript.events import Event

    from .live_state import Patience

Mode = Literal["live", "plain", "json", "quiet"]


class Display(Protocol):
    """Shows the events of runs, one run after another, live text included. Events may come from any thread."""

    def show(self, event: Event) -> None: ...

    def recall(self, events: Iterable[Event]) -> None:
        """Take in events that were shown before, elsewhere."""
        ...

    def say(self, text: str) -> None:
        """Show a message to the person between events."""
        ...

    def pausing(self) -> None:
        """Show that the run pauses as soon as the answers under way are there."""
        ...

    def conclude(self, report: RunSummary) -> None:
        """Show how a run ended."""
        ...

    def aside(self) -> AbstractContextManager[None]:
        """Leave the terminal to a question for the person at it."""
        ...

    def heard(self, address: str) -> None:
        """Note that a person has answered the call of that address."""
        ...

    def close(self) -> None:
        """Restore the terminal; safe to repeat."""
        ...


def display(mode: Mode, keys: str = "", *, asks_here: bool = False, patience: Patience | None = None) -> Display:
    """Create a display. `keys` is the key hint of the live display, instead of Ctrl-C for a pause.

    `asks_here` says that people are asked at this terminal; `patience` is how long and how often models are asked.
    """
    from .lines import JsonDisplay, PlainDisplay, QuietDisplay  # noqa: PLC0415  only one is needed

    match mode:
        case "json":
            return JsonDisplay()
        case "quiet":
            return QuietDisplay()
        case "plain":
            return PlainDisplay(asks_here=asks_here)
        case "live":
            from .live_view import LiveDisplay  # noqa: PLC0415  heavy

            shown = LiveDisplay(asks_here=asks_here)
            shown.floor.keys = keys or shown.floor.keys
            shown.floor.patience = patience
            return shown


def mode_of(wished: Mode | None, *, as_json: bool = False) -> Mode:
    """The requested mode; otherwise live at a terminal that can repaint, and plain elsewhere."""
    if as_json:
        return "json"
    return wished or ("live" if repaints(os.environ, terminal=sys.stdout.isatty()) else "plain")


def repaints(environment: Mapping[str, str], *, terminal: bool) -> bool:
    """Whether the output is an interactive terminal that can repaint."""
    known = environment.get("TERM", "") not in {"", "dumb", "unknown"}
    return terminal and known and not environment.get("CI")


def show_markdown(text: str) -> None:
    """Render headings, lists and tables to fit the screen; without a terminal, print plain text."""
    if not repaints(os.environ, terminal=sys.stdout.isatty()):
        from hustings.report.markdown import unescape  # noqa: PLC0415  little is printed this way

        show(unescape(text))
        return
    from rich.console import Console  # noqa: PLC0415  heavy
    from rich.markdown import Markdown  # noqa: PLC0415

    Console().print(Markdown(safe_text(text), hyperlinks=False))
