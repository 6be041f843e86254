"""Fits an object to the schema of a form without changing a value: what no field asks for is left out, and named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from .complaints import Place, words_of_place

Schema = Mapping[str, Any]
ROWS_LOOKED_AT = 8
"""Of each list, when naming every fault of an answer would take long."""
DEEPEST_FRAME = 3
"""Frames around frames, such as a call within a list of calls."""
ARGUMENTS = ("arguments", "parameters", "args", "input")
"""Under these names calls hold what they are made with."""


@dataclass
class FittedAnswer:
    """An object as the form takes it."""

    values: Any
    left_out: list[str] = field(default_factory=list[str])
    row_numbers: dict[Place, int] = field(default_factory=dict[Place, int])
    """Where rows were left out: the number that each row had in the answer, by its place now."""


def fit_to_schema(values: Mapping[str, Any], schema: Schema, *, without_empty_rows: bool = False) -> FittedAnswer:
    """Leave out unknown keys, and rows that are only dots; if asked, all rows in which nothing stands."""
    fitted = FittedAnswer({})
    walk = _Walk(fitted, without_empty_rows=without_empty_rows)
    fitted.values = walk.fit(values, schema, (), ())
    return fitted


@dataclass
class _Walk:
    fitted: FittedAnswer
    without_empty_rows: bool

    def fit(self, value: Any, schema: Schema, was: Place, now: Place) -> Any:
        """A value without what its schema does not know. It stood at `was` in the answer, and stands at `now`."""
        schema = _alternative(schema, value)
        if isinstance(value, dict) and "properties" in schema:
            return self._fields(cast("dict[str, Any]", value), schema["properties"], was, now)
        if isinstance(value, list) and isinstance(schema.get("items"), Mapping):
            return self._rows(cast("list[Any]", value), schema["items"], was, now)
        return cast("Any", value)

    def _fields(self, values: dict[str, Any], fields: Mapping[str, Schema], was: Place, now: Place) -> dict[str, Any]:
        known: dict[str, Any] = {}
        names = _field_names(values, fields)
        for key, value in values.items():
            name = names.get(key)
            if name is None:
                self.fitted.left_out.append(f"{words_of_place((*was, key))}: no such field")
            else:
                known[name] = self.fit(value, fields[name], (*was, name), (*now, name))
        return known

    def _rows(self, rows: list[Any], schema: Schema, was: Place, now: Place) -> list[Any]:
        used: list[Any] = []
        for number, row in enumerate(rows):
            if _only_dots(row) or (self.without_empty_rows and _is_empty(row)):
                state = "only dots" if _only_dots(row) else "empty"
                self.fitted.left_out.append(f"{words_of_place((*was, number))}: {state}")
                continue
            place = (*now, len(used))
            if number != len(used):
                self.fitted.row_numbers[place] = number
            used.append(self.fit(row, schema, (*was, number), place))
        return used


def _alternative(schema: Schema, value: Any) -> Schema:
    """The alternative of a schema that a value may be meant for."""
    wanted = {dict: "properties", list: "items"}.get(cast("type[Any]", type(value)), "")
    options: list[Schema] = schema.get("anyOf", [])
    return next((option for option in options if wanted and wanted in option), schema)


def _field_names(values: Mapping[str, Any], fields: Mapping[str, Any]) -> dict[str, str]:
    """The field that each key stands for: its own, or the only one that differs in capitals and joints alone."""
    names = {key: key for key in values if key in fields}
    folded = {_folded(name): name for name in fields}
    strange = [(key, folded.get(_folded(key))) for key in values if key not in fields]
    for key, name in strange:
        alike = sum(other == name for _, other in strange)
        if name is not None and name not in values and alike == 1 and len(folded) == len(fields):
            names[key] = name
    return names


def _folded(name: str) -> str:
    return name.strip().casefold().replace("-", "_").replace(" ", "_")


def _only_dots(row: Any) -> bool:
    """Whether a row was left from an example: `"..."`, or an entry whose every field is dots."""
    if isinstance(row, dict):
        values = cast("dict[str, Any]", row)
        return bool(values) and all(isinstance(value, str) and _only_dots(value) for value in values.values())
    return isinstance(row, str) and row.strip() not in {"", "."} and not row.strip(" .…")


def _is_empty(row: Any) -> bool:
    if isinstance(row, dict):
        return all(map(_is_nothing, cast("dict[str, Any]", row).values()))
    return _is_nothing(row)


def _is_nothing(value: Any) -> bool:
    return not value.strip(" .…\t\r\n") if isinstance(value, str) else value is None or value in ([], {})


# -- frames --------------------------------------------------------------------------------


def shares_fields(values: Mapping[str, Any], schema: Schema) -> bool:
    """Whether an object may be meant for a form at all."""
    fields = schema["properties"]
    return bool(_field_names(values, fields)) or not (fields or values)


def within_frames(values: Mapping[str, Any], depth: int = 0) -> Iterator[Mapping[str, Any] | str]:
    """What may be the answer inside of an object: what it wraps, what a call is made with, or a schema's properties.

    A text is read as an object only where calls have one: any other text may quote another speaker.
    """
    if depth == DEEPEST_FRAME:
        return
    inner: list[Any] = [values[name] for name in ARGUMENTS if name in values and "name" in values]
    if isinstance(inner[0] if inner else None, str):
        yield inner.pop(0)
    if values.get("type") == "object" and "properties" in values:
        inner.append(values["properties"])
    if "function" in values:
        inner.append(values["function"])
    elif len(values) == 1:
        inner += values.values()
    for value in inner:
        rows = cast("list[Any]", value) if isinstance(value, list) else [value]
        if len(rows) == 1 and isinstance(rows[0], dict):
            wrapped = cast("dict[str, Any]", rows[0])
            yield wrapped
            yield from within_frames(wrapped, depth + 1)


def beginning_of(value: Any) -> Any:
    """A value with the first rows of each list alone."""
    match value:
        case dict():
            return {key: beginning_of(item) for key, item in cast("dict[str, Any]", value).items()}
        case list():
            return [beginning_of(item) for item in cast("list[Any]", value)[:ROWS_LOOKED_AT]]
        case _:
            return value
