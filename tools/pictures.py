"""Pictures of the live view for the docs: `hustings demo` in a pseudo-terminal, in the middle of each recording."""

from __future__ import annotations

import io
import re
import sys
from itertools import groupby
from pathlib import Path

from pyte.screens import Char
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.style import Style
from rich.text import Text

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.cli.display.pseudo import Terminal, session, staging  # noqa: E402  the tests' terminal, from a checkout

MOMENTS = {
    "structured": ("closing", 60),
    "competition": ("closing", 10),
    "roundtable": ("contribution", 15),
    "adaptive": ("refinement", 12),
    "moderated": ("answer", 20),
}
"""What is being said, and how many words of it have come."""
COLUMNS = 92
SPEED = 30
SCREENFUL = 20
"""Lines that were printed for good before a picture is worth taking."""
FRAME = re.sub(r"@font-face \{\{.*?\}\}", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
"""Rich's own, but for the letters it would load from elsewhere."""
NAMES = {"brown": "yellow", "brightbrown": "bright_yellow"}
"""Colours that the emulator calls otherwise; bright ones it writes in one word."""


def picture(stage: object, protocol: str) -> str:
    with session(stage, "demo", protocol, "--full", "--speed", SPEED, columns=COLUMNS) as terminal:
        if not terminal.read_until(lambda seen: _is_moment(seen, *MOMENTS[protocol])):
            raise LookupError(f"the recording of {protocol} has no such moment: choose another in MOMENTS")
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="standard")
    for line in styled(terminal):
        console.print(line, soft_wrap=True)
    console.print()  # else the frame cuts the last line
    return console.export_svg(title=f"hustings demo {protocol}", code_format=FRAME, unique_id=f"live-{protocol}")


def _is_moment(terminal: Terminal, brief: str, words: int) -> bool:
    found = re.search(rf" speaking · {brief} · (\d+)\b", "\n".join(terminal.below))
    return bool(found) and int(found[1]) >= words and len(terminal.lines) > SCREENFUL


def styled(terminal: Terminal) -> list[Text]:
    """What the screen shows, with its colours."""
    lines: list[Text] = []
    for row in (terminal.screen.buffer[n] for n in range(terminal.screen.lines)):
        line = Text()
        for look, cells in groupby((row[n] for n in range(terminal.screen.columns)), key=_look):
            line.append("".join(cell.data for cell in cells), look)
        line.rstrip()
        lines.append(line)
    while lines and not lines[-1].plain:
        lines.pop()
    return lines


def _look(cell: Char) -> Style:
    colour = None if cell.fg == "default" else NAMES.get(cell.fg, re.sub("^bright(?=[a-z])", "bright_", cell.fg))
    return Style(color=colour, bold=cell.bold, reverse=cell.reverse)


def main() -> None:
    folder = ROOT / "docs" / "pictures"
    folder.mkdir(parents=True, exist_ok=True)
    with staging() as stage:
        for protocol in MOMENTS:
            (folder / f"{protocol}.svg").write_text(picture(stage, protocol), "utf-8")
            print(f"docs/pictures/{protocol}.svg")


if __name__ == "__main__":
    main()
