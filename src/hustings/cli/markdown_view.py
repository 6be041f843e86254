"""Prints Markdown: rendered at a terminal, unchanged in a pipe."""

from __future__ import annotations

import os
import sys

from .display import repaints
from .terminal import safe_text, show


def show_markdown(text: str) -> None:
    """Render headings, lists and tables to fit the screen; without a terminal, print the source."""
    if not repaints(os.environ, terminal=sys.stdout.isatty()):
        show(text)
        return
    from rich.console import Console  # noqa: PLC0415  heavy
    from rich.markdown import Markdown  # noqa: PLC0415

    Console().print(Markdown(safe_text(text), hyperlinks=False))
