"""Read the packaged catalogue of personalities, lenses and topics; errors name the file and the entry."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from pydantic import ValidationError

from hustings.errors import BrokenFile
from hustings.script.catalogue import Catalogue


@cache
def load_catalogue() -> Catalogue:
    """The catalogue of this package, read once."""
    return read_catalogue(files("hustings") / "data")


def read_catalogue(folder: Traversable) -> Catalogue:
    """Read the catalogue from a folder that contains the four files."""
    tables = {part: _table(folder, *place) for part, place in PLACES.items()}
    entries = {part: [_entry(*item) for item in table.items()] for part, table in tables.items()}
    try:
        return Catalogue.model_validate({**entries, "defaults": tables["defaults"]})
    except ValidationError as error:
        raise BrokenFile(_complaint(error, tables)) from error


def _table(folder: Traversable, name: str, inner: str = "") -> dict[str, Any]:
    try:
        table = tomllib.loads((folder / name).read_text(encoding="utf-8"))
    except OSError as error:
        raise BrokenFile(f"{name} cannot be read: put it back, or install hustings anew ({error})") from error
    except ValueError as error:
        raise BrokenFile(f"{name} is not TOML in UTF-8: mend it ({error})") from error
    if not inner:
        return table
    if astray := sorted(table.keys() - {place[-1] for place in PLACES.values()}):
        raise BrokenFile(f"{name}, [{astray[0]}]", fix="begin the title with 'domains.' or 'lenses.'")
    return table.get(inner, {})


def _entry(title: str, content: Any) -> Any:
    """Use the title of an entry as its id. A value that is no table is passed on, for the models to refuse."""
    try:
        return {**content, "id": title}
    except TypeError:
        return content


def _complaint(error: ValidationError, tables: dict[str, dict[str, Any]]) -> str:
    first = error.errors(include_url=False)[0]
    part, *path = first["loc"]
    name, *inner = PLACES[str(part)]
    where = [name]
    if path:
        title = list(tables[str(part)])[path[0]] if isinstance(path[0], int) else str(path[0])
        where += [f"[{'.'.join([*inner, title])}]", *map(str, path[1:])]
    value = first["input"]
    given = f", not {value!r}" if isinstance(value, str | int | float) else ""
    return (
        f"{', '.join(where)}: {first['msg'].removeprefix('Value error, ')}{given}. "
        "The comment at the head of the file shows how an entry is written."
    )


PLACES = {
    "personalities": ("personalities.toml",),
    "domains": ("lenses.toml", "domains"),
    "lenses": ("lenses.toml", "lenses"),
    "topics": ("topics.toml",),
    "defaults": ("defaults.toml",),
}
"""Part of the catalogue to the file that contains it, and the table within that file."""
