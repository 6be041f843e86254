"""Reads a table of debates (CSV): the first line names the fields, every further line is a debate."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hustings.errors import BrokenFile
from hustings.script.complaints import Unfit

TABLES = (".csv", ".tsv")
DELIMITERS = (",", ";", "\t")
"""Excel writes semicolons where the comma is for decimals."""
NO_DELIMITER = "\x1f"
"""For a table with one column: its texts need no quotes around their commas."""
PARTED = ("settings", "seats", "personas", "meta")
"""Fields with parts, each in a column of its own: `settings.rounds`."""


def debates_of_table(text: str, known: Callable[[str], str]) -> Iterator[tuple[int, dict[str, Any] | Unfit]]:
    """Number of the line and fields of each debate; instead of them what is wrong with the line.

    `known` says of the name of a field what is wrong with it, or nothing.
    """
    text, delimiter = _delimiter(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        columns = _columns(next(reader, list[str]()), known)
        begin = reader.line_num + 1
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield begin, _debate(columns, cells)
            begin = reader.line_num + 1
    except csv.Error as error:
        raise BrokenFile(
            f"line {reader.line_num} is no line of a table",
            why=str(error),
            fix='put a text with quotation marks in quotes, and double those: "What is ""free""?"',
        ) from None


def _delimiter(text: str) -> tuple[str, str]:
    """The text without Excel's own line about it, and what stands between its cells."""
    head, _, rest = text.partition("\n")
    if found := re.fullmatch(r"sep=(.)\r?", head):
        return rest, found[1]
    names = re.sub(r'"[^"]*"', "", head)
    most = max(DELIMITERS, key=names.count)
    return text, most if most in names else NO_DELIMITER


def _columns(head: Sequence[str], known: Callable[[str], str]) -> list[str]:
    """The names of the columns; an empty name stands for a column without one."""
    columns = [name.strip() for name in head]
    columns = [low if not known(_first(low := name.lower())) else name for name in columns]
    wrong = [why for name in columns if name and (why := known(_first(name)))]
    wrong += [f"two columns {name!r}" for name in dict.fromkeys(columns) if name and columns.count(name) > 1]
    if not {"question", "file"} & {*columns} and not any("'question'" in why for why in wrong):
        wrong = ["no column 'question': the first line has to name the columns", *wrong]
    if wrong:
        raise BrokenFile("nothing was queued. Fix the first line:\n" + "\n".join(wrong))
    return columns


def _debate(columns: Sequence[str], cells: Sequence[str]) -> dict[str, Any] | Unfit:
    found: dict[str, Any] = {}
    for n, cell in enumerate(cells):
        if not cell.strip():
            continue
        name = columns[n] if n < len(columns) else ""
        if not name:
            return Unfit(f"more cells than the {len(columns)} columns: put a text with commas in quotes")
        whole, _, part = name.partition(".")
        if part:
            found.setdefault(whole, {})[part] = _value(cell.strip()) if whole == "settings" else cell.strip()
        else:
            found[name] = (
                cell if name == "question" else _value(cell.strip()) if cell.strip()[0] in "{[" else cell.strip()
            )
    return found


def _first(name: str) -> str:
    """The field of a column: that before the dot, if the field has parts."""
    whole, dot, _ = name.partition(".")
    return whole if dot and whole in PARTED else name


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text
