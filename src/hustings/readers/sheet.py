"""Reads the text of an XLSX: sheets with their names, rows of cells as they are shown, without what is hidden."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from .file_text import TextSize, Unreadable
from .package import Attributes, Package, PartReader, is_on

CELL = " | "
MOST_COLUMNS = 16_384
"""As many as a sheet can have."""
WIDEST_GAP = 20
"""Empty cells in a row that are shown."""


def read_workbook(package: Package, part: str) -> str:
    """Sheets with a form feed between them. One that is hidden is empty, so that the others keep their numbers."""
    book = _Workbook()
    package.read(part, book)
    related = package.relations(part)
    strings, styles, size = _Strings(), _CellStyles(), TextSize()
    for one in related.values():
        if one.kind == "sharedStrings":
            package.read(one.target, strings)
        elif one.kind == "styles":
            package.read(one.target, styles)
    sheets: list[str] = []
    for name, number, shown in book.sheets:
        rows = _Rows(strings.found, styles, size, first_day=book.first_day)
        if shown and number in related:
            package.read(related[number].target, rows)
        sheets.append(f"{size.counted(name)}\n\n" + "\n".join(rows.found) if rows.found else "")
    return "\f".join(sheets)


class _Workbook(PartReader):
    def __init__(self) -> None:
        super().__init__()
        self.sheets: list[tuple[str, str, bool]] = []
        """Name, id of the part, and whether it is shown."""
        self.first_day = datetime(1899, 12, 30)  # noqa: DTZ001 - a sheet knows no zone

    def start(self, name: str, given: Attributes) -> None:
        if name == "sheet":
            number = next((value for key, value in given.items() if key.endswith("}id")), "")
            self.sheets.append((given.get("name", ""), number, given.get("state", "visible") == "visible"))
        elif name == "workbookPr" and is_on(given.get("date1904", "0")):
            self.first_day = datetime(1904, 1, 1)  # noqa: DTZ001


class _Strings(PartReader):
    """Texts that cells share, without hints how they are pronounced."""

    UNREAD = frozenset({"rPh", "phoneticPr"})

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._words: list[str] = []

    def text(self, words: str) -> None:
        if self.path[-1] == "t":
            self._words.append(words)

    def end(self, name: str) -> None:
        if name == "si":
            self.found.append(" ".join("".join(self._words).split()))
            self._words = []


class _CellStyles(PartReader):
    """How numbers are shown, as far as it changes what a reader reads: as days, hours or percent."""

    def __init__(self) -> None:
        super().__init__()
        self._own: dict[str, str] = {}
        self._formats: list[str] = []

    def start(self, name: str, given: Attributes) -> None:
        if name == "numFmt":
            self._own[given.get("numFmtId", "")] = given.get("formatCode", "")
        elif name == "xf" and self.path[-1] == "cellXfs":
            self._formats.append(given.get("numFmtId", ""))

    def format_of(self, style: str) -> str:
        number = self._formats[int(style)] if style.isdecimal() and int(style) < len(self._formats) else ""
        return SHIPPED.get(number) or QUOTED.sub("", self._own.get(number, ""))


class _Rows(PartReader):
    UNREAD = frozenset({"f", "rPh", "extLst"})

    def __init__(self, strings: list[str], styles: _CellStyles, size: TextSize, *, first_day: datetime) -> None:
        super().__init__()
        self.found: list[str] = []
        self._strings, self._styles, self._size, self._first_day = strings, styles, size, first_day
        self._hidden_columns: list[range] = []
        self._hidden = False
        self._cells: list[str] = []
        self._column = 0
        """Columns of this row that are told."""
        self._given: Attributes = {}
        self._words: list[str] = []

    def start(self, name: str, given: Attributes) -> None:
        if name == "col" and is_on(given.get("hidden", "0")) and len(self._hidden_columns) < MOST_COLUMNS // 64:
            self._hidden_columns.append(range(int(given.get("min", "1")), int(given.get("max", "1")) + 1))
        elif name == "row":
            self._hidden, self._cells, self._column = is_on(given.get("hidden", "0")), [], 0
        elif name == "c":
            self._given, self._words = given, []

    def text(self, words: str) -> None:
        if self.path[-1] in {"v", "t"}:
            self._words.append(words)

    def end(self, name: str) -> None:
        if name == "c" and not self._hidden:
            self._cell("".join(self._words))
        elif name == "row" and not self._hidden and any(self._cells):
            self.found.append(self._size.counted(CELL.join(self._cells) + "\n")[:-1])

    def _cell(self, value: str) -> None:
        column = _column(self._given.get("r", "")) or self._column + 1
        shown = self._shown(value)
        if not shown or any(column in hidden for hidden in self._hidden_columns):
            return
        self._cells += [""] * min(max(column - self._column - 1, 0), WIDEST_GAP)
        self._cells.append(shown)
        self._column = column

    def _shown(self, value: str) -> str:
        kind = self._given.get("t", "n")
        if kind == "s" and value.strip():
            if not (value.strip().isdecimal() and int(value) < len(self._strings)):
                raise Unreadable("a cell names a text that is not there")
            return self._strings[int(value)]
        if kind == "b":
            return "TRUE" if value.strip() == "1" else "FALSE"
        if kind == "n" and value.strip():
            return self._number(value.strip())
        return " ".join(value.split())

    def _number(self, value: str) -> str:
        """A number as the cell shows it, but for its rounding."""
        style = self._styles.format_of(self._given.get("s", ""))
        if not style and value.isdecimal():
            return value
        try:
            number = float(value)
        except ValueError:
            return value
        if "%" in style:
            return f"{number * 100:.15g}%"
        if DAYS.search(style) and 0 <= number < DAYS_UNTIL_10000:
            moment = self._first_day + timedelta(seconds=round(number * 86_400))
            return f"{moment:%H:%M}" if number < 1 else f"{moment:%Y-%m-%d %H:%M}".removesuffix(" 00:00")
        return f"{number:.15g}"


def _column(place: str) -> int:
    """The number of a column by its letters; 0 if the place is not given."""
    found = LETTERS.match(place)
    number = 0
    for letter in found[0] if found else "":
        number = number * 26 + ord(letter) - 64
    if number > MOST_COLUMNS:
        raise Unreadable(f"a cell stands in column {number:,}, and a sheet has {MOST_COLUMNS:,}")
    return number


LETTERS = re.compile(r"[A-Z]{1,9}")
SHIPPED = {"9": "0%", "10": "0.00%", **{str(n): "yyyy-mm-dd" for n in (*range(14, 23), 45, 46, 47)}}
QUOTED = re.compile(r"\"[^\"]*\"|\\.|\[[^\]]{0,255}\]")
DAYS = re.compile("[ydhYDH]|m{1,5}[-/. ]")
DAYS_UNTIL_10000 = 2_956_000
"""Days that a sheet can count, in either way, before the year 10000."""
