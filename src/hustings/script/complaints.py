"""Says in plain words what does not fit a model of pydantic, field by field: for language models and for people."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

MOST_SHOWN = 8
"""The first few complaints are enough for one answer."""
MOST_GIVEN = 40
"""Characters of a wrong value that are repeated."""
WHOLE_SENTENCE = 8
"""Characters; a text that must be longer should be a sentence."""

Place = tuple[int | str, ...]


class Unfit(Exception):
    """The answer does not fit the form; says why, in lines the seat can act on."""

    def __init__(self, *complaints: str) -> None:
        super().__init__("; ".join(complaints))
        self.complaints = complaints


def complaints(
    error: ValidationError,
    row_numbers: Mapping[Place, int] | None = None,
    names: Mapping[str, str] | None = None,
) -> list[str]:
    """What to correct, field by field. Rows count from 1, or as `row_numbers` says where some were left out.

    `names` are those of fields that people know by another.
    """
    errors = [_renamed(item, names or {}) for item in error.errors(include_url=False)]
    rows = _unusable_rows(errors)
    lines = [line for item in errors if (line := _line(item, rows, row_numbers or {}))]
    return [*lines[:MOST_SHOWN], f"and {len(lines) - MOST_SHOWN} more"] if len(lines) > MOST_SHOWN else lines


def _renamed(error: ErrorDetails, names: Mapping[str, str]) -> ErrorDetails:
    return {**error, "loc": (*(names.get(str(step), step) for step in error["loc"][:1]), *error["loc"][1:])}


def _line(error: ErrorDetails, rows: Mapping[Place, int], row_numbers: Mapping[Place, int]) -> str:
    place = words_of_place(error["loc"], row_numbers)
    unusable = rows.get(error["loc"], 0)
    if error["type"] == "too_short" and unusable and isinstance(error["input"], list | tuple):
        # After unfit rows were taken away, as pydantic does, too few are left: the rows themselves are the fault.
        count, least = len(cast("list[Any]", error["input"])) - unusable, error["ctx"]["min_length"]  # type: ignore[typeddict-item]
        if count + unusable >= least:
            return ""
        return f"{place}: {entries(count)} could be used, {least} are needed; see the other lines"
    message = words_of_error(error)
    return f"{place}: {message}" if place else message


def _unusable_rows(errors: Sequence[ErrorDetails]) -> Mapping[Place, int]:
    """How many rows of each list have a fault."""
    found: dict[Place, set[int]] = {}
    for error in errors:
        for at, step in enumerate(error["loc"]):
            if isinstance(step, int):
                found.setdefault(error["loc"][:at], set()).add(step)
    return {place: len(rows) for place, rows in found.items()}


def words_of_place(place: Place, row_numbers: Mapping[Place, int] | None = None) -> str:
    """A place in an answer as people count: `arguments 2, claim`."""
    words = ""
    for at, step in enumerate(place):
        if isinstance(step, int):
            number = (row_numbers or {}).get(place[: at + 1], step) + 1
            words += f" {number}" if words else f"entry {number}"
        else:
            words += f", {printable(step)}" if words else printable(step)
    return words


def printable(text: str) -> str:
    """A name or a short value that a model or a person chose, in one line."""
    line = "".join(sign if sign.isprintable() else " " for sign in text[: MOST_GIVEN + 1])
    return line if len(line) <= MOST_GIVEN else f"{line[:MOST_GIVEN]}…"


def entries(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"


def words_of_error(error: ErrorDetails) -> str:
    """One error of pydantic in plain words, without its place."""
    kind = error["type"]
    limits: Mapping[str, Any] = error.get("ctx", {})
    match kind:
        case "string_too_short":
            return _too_short(limits["min_length"])
        case "string_too_long":
            return f"too long; at most {limits['max_length']} characters"
        case "too_short":
            return f"{entries(limits['actual_length'])}, at least {limits['min_length']} needed"
        case "too_long":
            count = f"{entries(limits['actual_length'])}, " if limits.get("actual_length") else ""
            return f"{count}at most {limits['max_length']} allowed"
        case "literal_error" | "enum":
            return f"must be {limits['expected']}"
        case "union_tag_invalid":
            return f"its {limits['discriminator']} must be one of {limits['expected_tags']}"
        case "value_error" | "assertion_error":
            return str(limits["error"])
        case "json_invalid":
            line = re.search(r"\bline (\d+)", str(limits["error"]))
            return f"not valid JSON{f' (line {line[1]})' if line else ''}"
        case _:
            return _bound(kind, limits) or _TYPES.get(kind) or _by_beginning(kind)


def _too_short(least: int) -> str:
    if least == 1:
        return "empty; write something"
    return (
        "too short; write one whole sentence" if least >= WHOLE_SENTENCE else f"too short; at least {least} characters"
    )


def _bound(kind: str, limits: Mapping[str, Any]) -> str:
    for name, (limit, words) in _BOUNDS.items():
        if kind == name:
            figure = limits[limit]
            return f"must be {words} {f'{figure:g}' if isinstance(figure, float) else figure}"
    return ""


_BOUNDS = {
    "greater_than": ("gt", "more than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "less than"),
    "less_than_equal": ("le", "at most"),
    "multiple_of": ("multiple_of", "a multiple of"),
}
_OBJECT = "must be an object with named fields"
_TYPES = {
    "missing": "missing",
    "extra_forbidden": "unknown field",
    "invalid_key": "the name of a field must be text",
    "none_required": "must be null",
    "finite_number": "must be an ordinary number",
    "union_tag_not_found": "its kind is missing",
    "string_pattern_mismatch": "not written as it should be",
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "json_type": "must be JSON",
    "callable_type": "must be a function",
    "path_type": "must be the path of a file",
    "missing_argument": "missing",
    "missing_keyword_only_argument": "missing",
    "missing_positional_only_argument": "missing",
    "unexpected_keyword_argument": "unknown field",
}
_BEGINNINGS = {
    "string_": "must be text",
    "int_": "must be a whole number",
    "float_": "must be a number",
    "decimal_": "must be a number",
    "complex_": "must be a number",
    "bool_": "must be true or false",
    "list_": "must be a list",
    "tuple_": "must be a list",
    "set_": "must be a list",
    "frozen_set_": "must be a list",
    "iterable_": "must be a list",
    "iteration_": "must be a list",
    "dict_": _OBJECT,
    "mapping_": _OBJECT,
    "dataclass_": _OBJECT,
    "bytes_": "must be bytes",
    "date_": "must be a date such as 2026-01-31",
    "datetime_": "must be a date and time such as 2026-01-31T12:00:00Z",
    "timezone_": "must be a date and time such as 2026-01-31T12:00:00Z",
    "time_": "must be a time such as 12:00:00",
    "time_delta_": "must be a length of time",
    "url_": "must be a web address",
    "uuid_": "must be a UUID",
}


def _by_beginning(kind: str) -> str:
    # The longest beginning counts: `time_delta_` is no `time_`.
    fitting = [beginning for beginning in _BEGINNINGS if kind.startswith(beginning)]
    return _BEGINNINGS[max(fitting, key=len)] if fitting else "can't be used here"
