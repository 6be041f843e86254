"""Reads the text of a DOCX: paragraphs, tables as rows, text boxes, notes; without hidden and deleted words."""

from __future__ import annotations

from .file_text import TextSize
from .package import Attributes, Package, PartReader, is_on, own

CELL = " | "


def read_word(package: Package, part: str) -> str:
    """Paragraphs with a blank line between them, then foot- and endnotes."""
    related = package.relations(part).values()
    styles = _HiddenStyles()
    for one in related:
        if one.kind == "styles":
            package.read(one.target, styles)
    size, hidden = TextSize(), styles.hidden()
    parts = [part, *(one.target for one in related if one.kind in {"footnotes", "endnotes"})]
    blocks: list[str] = []
    for name in parts:
        body = _Body(hidden, size)
        package.read(name, body)
        blocks += body.blocks
    return "\n\n".join(blocks)


class _Body(PartReader):
    UNREAD = frozenset(
        {"del", "moveFrom", "Fallback", "rPrChange", "pPrChange", "tblPrChange", "trPrChange", "tcPrChange"}
        | {"sectPrChange", "separator", "continuationSeparator"}
    )

    def __init__(self, hidden_styles: frozenset[str], size: TextSize) -> None:
        super().__init__()
        self.hidden_styles, self.size = hidden_styles, size
        self.blocks: list[str] = []
        self._cells: list[list[str]] = []
        """Cells that are open, one inside the other, by their paragraphs."""
        self._rows: list[list[str]] = []
        self._tables: list[list[str]] = []
        self._paragraphs: list[list[str]] = []
        self._hidden = [False]
        """Whether the open paragraphs are hidden by their style, and last the run."""

    def start(self, name: str, given: Attributes) -> None:
        match name:
            case "p":
                self._paragraphs.append([])
                self._hidden.append(False)
            case "r":
                self._hidden.append(self._hidden[-1])
            case "tbl":
                self._tables.append([])
            case "tr":
                self._rows.append([])
            case "tc":
                self._cells.append([])
            case "pStyle" if self.path[-1] == "pPr":
                self._hidden[-1] = own(given, "val") in self.hidden_styles
            case "rStyle" if self.path[-2:] == ["r", "rPr"]:
                self._hidden[-1] = self._hidden[-1] or own(given, "val") in self.hidden_styles
            case "vanish" if self.path[-2:] == ["r", "rPr"]:
                self._hidden[-1] = is_on(own(given, "val"))
            case "tab" | "br" | "cr" | "noBreakHyphen" if self.path[-1] == "r":
                self._say(SIGNS[name])
            case _:
                pass

    def text(self, words: str) -> None:
        if self.path[-1] == "t":
            self._say(words)

    def _say(self, words: str) -> None:
        if self._paragraphs and not self._hidden[-1]:
            self._paragraphs[-1].append(self.size.counted(words))

    def end(self, name: str) -> None:
        match name:
            case "r":
                self._hidden.pop()
            case "p":
                self._hidden.pop()
                self._finished("".join(self._paragraphs.pop()).strip())
            case "tc":
                cell = " ".join(" ".join(self._cells.pop()).split())
                if self._rows:
                    self._rows[-1].append(cell)
            case "tr":
                row = self.size.counted(CELL.join(self._rows.pop()))
                if self._tables and row.strip(" |"):
                    self._tables[-1].append(row)
            case "tbl":
                self._finished("\n".join(self._tables.pop()))
            case _:
                pass

    def _finished(self, block: str) -> None:
        if block:
            (self._cells[-1] if self._cells else self.blocks).append(block)


class _HiddenStyles(PartReader):
    """Styles whose words are hidden, and those that are based on them."""

    def __init__(self) -> None:
        super().__init__()
        self._style = ""
        self._vanish: dict[str, bool] = {}
        self._based_on: dict[str, str] = {}

    def start(self, name: str, given: Attributes) -> None:
        if name == "style":
            self._style = own(given, "styleId")
        elif name == "basedOn":
            self._based_on[self._style] = own(given, "val")
        elif name == "vanish" and self.path[-2:] == ["style", "rPr"]:
            self._vanish[self._style] = is_on(own(given, "val"))

    def hidden(self) -> frozenset[str]:
        return frozenset(style for style in (*self._vanish, *self._based_on) if self._is_hidden(style))

    def _is_hidden(self, style: str) -> bool:
        for _ in range(MOST_BASES):
            if style in self._vanish:
                return self._vanish[style]
            style = self._based_on.get(style, "")
        return False


MOST_BASES = 12
SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "\u2011"}
