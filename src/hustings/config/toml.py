"""Parses a settings file; errors give the line, the setting's name and the nearest valid name."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from hustings.errors import BrokenFile

from .file_schema import OPTIONS, SPEAKER, TABLES, File
from .text_files import read_text

WORDS = ("pro", "con", "judge", "moderator", "debater", "panelist", "contrarian")
"""Common teams and roles. Names of other protocols are looked up only when needed."""
_SECRET = re.compile(r"(?i)key|secret|password|^token$")


@dataclass(frozen=True)
class ParsedSettings:
    """A settings file, parsed and validated."""

    path: Path
    said: File
    shared: bool = False
    """The file lies in a folder that others may have written."""

    @property
    def place(self) -> str:
        return self.path.name


def read_settings(path: Path, *, shared: bool) -> ParsedSettings:
    text = read_text(path)
    try:
        said: dict[str, Any] = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BrokenFile(f"{path} is no TOML", why=str(error), fix="mend that line") from None
    try:
        found = File.model_validate(said)
    except ValidationError as error:
        # The error's own text repeats the input, which may be a key in the wrong place.
        wrong = error.errors(include_input=False, include_url=False)[0]
        at = tuple(str(part) for part in wrong["loc"])
        raise _broken(path, text, at, *_complaint(at, wrong["type"], wrong["msg"])) from None
    if shared and (at := _place_of_database(found)):
        what = "a folder that others share must not say where your runs are kept"
        raise _broken(path, text, at, what, "set it in config.toml: hustings config path")
    for at in _strange_tables(found):
        raise _broken(path, text, at, "no protocol has such a seat, team or role", _nearest(at[-1], (*TABLES, *WORDS)))
    return ParsedSettings(path, found, shared)


def _broken(path: Path, text: str, at: Sequence[str], what: str, fix: str) -> BrokenFile:
    line = line_of(text, at)
    where = f", line {line}" if line else ""
    return BrokenFile(f"{path}{where}, {'.'.join(at)}: {what}", fix=fix)


def _complaint(at: tuple[str, ...], kind: str, message: str) -> tuple[str, str]:
    """What is wrong, and how to fix it."""
    name = at[-1]
    if kind in {"extra_forbidden", "model_type"} and _SECRET.search(name):
        return "keys do not belong into this file", "`hustings keys set PROVIDER`, or a line LLM_API_KEY=… of .env"
    if kind == "string_type" and at in {("profile",), ("cast",)}:
        return "it names the one to choose", f"write [{name}s.NAME] for what is in it"
    if kind == "extra_forbidden":
        return "there is no such setting of a model", _nearest(name, SPEAKER)
    if kind == "model_type":
        return "there is no such setting", _nearest(name, (*OPTIONS, "profile", "cast", *TABLES))
    return "it cannot be used as it stands", f"{message[0].lower()}{message[1:]}"


def _nearest(name: str, known: Iterable[str]) -> str:
    known = list(known)
    near = get_close_matches(name, known, 1, 0.5)
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known)}"


def _place_of_database(said: File) -> tuple[str, ...]:
    if said.database is not None:
        return ("database",)
    return next(
        (("profiles", name, "database") for name, profile in said.profiles.items() if profile.database is not None), ()
    )


def _strange_tables(said: File) -> Iterable[tuple[str, ...]]:
    """Tables whose name looks like a misspelt known one, unless a protocol has a seat of that name."""
    for at in tables_of(said):
        word = at[-1].lower().partition("_")[0]
        if word not in (*WORDS, "llm") and get_close_matches(word, (*WORDS, *TABLES), 1, 0.75) and word not in seated():
            yield at


def tables_of(said: File) -> list[tuple[str, ...]]:
    """Paths of all tables that name a seat, team or role."""
    own = [(name,) for name in said.__pydantic_extra__]
    profiles = [("profiles", title, name) for title, part in said.profiles.items() for name in part.__pydantic_extra__]
    return [*own, *profiles, *(("casts", title, name) for title, cast in said.casts.items() for name in cast)]


def seated() -> frozenset[str]:
    """All names by which seats of the known protocols can be addressed."""
    from hustings.runs.catalogue_files import load_catalogue  # noqa: PLC0415  heavy and rarely needed
    from hustings.runs.registry import protocols  # noqa: PLC0415
    from hustings.runs.staging import plan  # noqa: PLC0415

    seats = [seat for protocol in protocols().values() for seat in plan(protocol, "Is it so?").seats]
    names = {name for seat in seats for name in (seat.id, seat.id.partition("_")[0], seat.team, seat.role)}
    return frozenset(names | {lens.id for lens in load_catalogue().lenses})


def line_of(text: str, at: Sequence[str]) -> int | None:
    """Line of a setting by its path; for an inline value, the line of the table or key around it."""
    table: list[str] = []
    best, length = None, 0
    for number, line in enumerate(text.splitlines(), 1):
        if title := re.match(r"\s*\[\[?([^\[\]]+)\]", line):
            table = path = _parts(title[1])
        elif name := re.match(
            r"\s*((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"|'[^']*'))*)\s*=", line
        ):
            path = [*table, *_parts(name[1])]
        else:
            continue
        shared = min(len(path), len(at))
        if shared > length and path[:shared] == list(at)[:shared]:
            best, length = number, shared
    return best


def _parts(text: str) -> list[str]:
    return [part.strip().strip("\"'") for part in text.split(".")]
