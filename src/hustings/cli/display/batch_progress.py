"""Shows the progress of a batch: one repainted line, or a new line for every change."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager

from hustings.cli.terminal import safe_text, talk
from hustings.db.states import OPEN

from . import Mode


@contextmanager
def progress(mode: Mode) -> Generator[Callable[[str], None]]:
    """Yield a function that shows a line of progress."""
    if mode == "quiet":
        yield lambda _: None
    elif mode != "live":
        yield talk
    else:
        from rich.console import Console  # noqa: PLC0415  for a terminal only
        from rich.text import Text  # noqa: PLC0415

        from .screen import Screen  # noqa: PLC0415

        screen = Screen(console := Console(file=sys.stdout, markup=False, emoji=False, highlight=False))

        def repaint(text: str) -> None:
            line = Text(safe_text(f"{text} · ^C leaves"), style="dim")
            line.truncate(max(console.width - 1, 10), overflow="ellipsis")
            screen.paint([], [line])

        try:
            yield repaint
        finally:
            screen.erase()


def stands(how: Mapping[str, int], total: int, spent: float) -> str:
    """`12 of 50 over · 11 played, 1 failed, 4 running, 34 waiting · $0.1200`."""
    over = sum(count for state, count in how.items() if state not in OPEN)
    counted = ", ".join(f"{count} {state.replace('_', ' ')}" for state, count in sorted(how.items()))
    return f"{over} of {total} over · {counted or 'none begun'} · ${spent:.4f}"
