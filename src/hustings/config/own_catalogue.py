"""The catalogue with the user's own personalities, lenses and topics, from settings files and the folders they name."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from hustings.errors import BrokenFile
from hustings.runs.registry import load_catalogue
from hustings.runs.request import DebateRequest
from hustings.script.catalogue import GENERAL, Catalogue, Lens, Personality, Topic
from hustings.script.complaints import complaints

from .paths import read_text
from .settings_files import ParsedSettings, settings_files

TOPIC = "topic:"
"""Begins a motion that names a topic of the catalogue."""
KINDS: Mapping[str, type[Personality | Lens | Topic]] = {
    "personalities": Personality,
    "lenses": Lens,
    "topics": Topic,
}


def own_catalogue(files: tuple[ParsedSettings, ...] | None = None) -> Catalogue:
    """The shipped catalogue, with the user's entries added; one of the same name replaces the shipped one."""
    shipped = load_catalogue()
    own: dict[str, dict[str, Any]] = {kind: {} for kind in KINDS}
    for place, kind, tables in _found(settings_files() if files is None else files):
        own[kind] |= {name: _entry(place, kind, name, table) for name, table in tables.items()}
    if not any(own.values()):
        return shipped
    merged = {kind: tuple(({e.id: e for e in getattr(shipped, kind)} | own[kind]).values()) for kind in KINDS}
    try:
        return Catalogue.model_validate({**dict(shipped), **merged})
    except ValidationError as error:
        raise BrokenFile("your own entries do not fit the catalogue", why="; ".join(complaints(error))) from None


def _found(files: tuple[ParsedSettings, ...]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Tables of entries, with the file and the kind of each: those of a folder first, then those of the file itself."""
    for file in files:
        if file.said.catalogue:
            folder = file.path.parent / Path(file.said.catalogue).expanduser()
            if not folder.is_dir():
                raise BrokenFile(
                    f"{file.path}, catalogue: there is no folder {str(folder)!r}", fix="make it, or change the setting"
                )
            for kind in KINDS:
                if (path := folder / f"{kind}.toml").is_file():
                    yield str(path), kind, _tables(path, kind)
        for kind in KINDS:
            yield str(file.path), kind, getattr(file.said, kind)


def _tables(path: Path, kind: str) -> Mapping[str, Any]:
    """Entries of a file; lenses may stand under `lenses.`, as in the shipped file."""
    try:
        read: dict[str, Any] = tomllib.loads(read_text(path))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BrokenFile(f"{path} is no TOML", why=str(error), fix="correct that line") from None
    inner = read.get(kind)
    return cast("dict[str, Any]", inner) if isinstance(inner, dict) else read


def _entry(place: str, kind: str, name: str, table: Any) -> Personality | Lens | Topic:
    usual = {"domain": GENERAL} if kind == "lenses" else {}
    try:
        return KINDS[kind].model_validate({**usual, **dict(table), "id": name})
    except (ValidationError, TypeError, ValueError) as error:
        why = "; ".join(complaints(error)) if isinstance(error, ValidationError) else "it is no table"
        fields = ", ".join(each for each in KINDS[kind].model_fields if each != "id")
        raise BrokenFile(f"{place}, {kind}.{name}: {why}", fix=f"an entry has {fields}") from None


def with_entries(request: DebateRequest) -> DebateRequest:
    """Replace names of the catalogue in a request by what stands there."""
    named = request.question.startswith(TOPIC)
    if not named and not request.personas:
        return request
    known = own_catalogue()
    personas = {
        seat: known.manner(manner) if isinstance(manner, str) else manner for seat, manner in request.personas.items()
    }
    change: dict[str, Any] = {"personas": personas}
    if named:
        topic = known.topic(request.question.removeprefix(TOPIC).strip())
        usual = request.language == DebateRequest.model_fields["language"].default
        change |= {"question": topic.text, "language": topic.language if usual else request.language}
    return request.model_copy(update=change)
