"""Paints on a scrolling terminal: permanent lines, and below them a few that are repainted.

The cursor rests where the repainted lines begin. Even if the width changes, everything below it is theirs, and erasing
it leaves the terminal clean. The cursor is never hidden, so nothing has to be restored.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

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
