"""Merges settings files in layers: the user's `config.toml`, the project's `hustings.toml`, then a profile."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from hustings.errors import NotFound, Unsuitable
from hustings.llm.environment import Tables, prefix_of
from hustings.llm.model_spec import parse_model_spec

from .file_schema import OPTIONS, PARAMETERS, Profile
from .paths import PROJECT_FILE, found_upwards, user_file
from .toml import ParsedSettings, read_settings


def settings_files() -> tuple[ParsedSettings, ...]:
    """The user's file, then the project's, if they exist."""
    own, project = user_file(), found_upwards(PROJECT_FILE)
    files = [read_settings(own, shared=False)] if own.is_file() else []
    return (*files, read_settings(project, shared=True)) if project else tuple(files)


def option_defaults(profile: str = "", files: tuple[ParsedSettings, ...] | None = None) -> dict[str, Any]:
    """Defaults of the commands' options from the files, by parameter name."""
    return {PARAMETERS.get(name, name): value for name, (value, _) in options(profile, files).items()}


def options(profile: str = "", files: tuple[ParsedSettings, ...] | None = None) -> dict[str, tuple[Any, str]]:
    """Every option that a file sets, with its value and the file that wins."""
    files = settings_files() if files is None else files
    layers = [*((file.place, file.said, file.shared) for file in files), *profile_layers(profile, files)]
    found: dict[str, tuple[Any, str]] = {}
    for place, said, _ in layers:
        given = said.model_dump(include=set(OPTIONS), exclude_none=True)
        found |= {name: (value, place) for name, value in given.items()}
    return found


def file_layers(profile: str = "", files: tuple[ParsedSettings, ...] | None = None) -> tuple[Tables, ...]:
    """Model settings from the files, lowest precedence first."""
    files = settings_files() if files is None else files
    layers = [*((file.place, file.said, file.shared) for file in files), *profile_layers(profile, files)]
    return tuple(Tables(place, _tables(said), shared) for place, said, shared in layers)


def profile_layers(name: str, files: tuple[ParsedSettings, ...]) -> list[tuple[str, Profile, bool]]:
    """Layers of the chosen profile; if both files define it, the project's wins over the user's."""
    name = name or chosen("profile", files)
    if not name:
        return []
    found = [
        (f"profile {name} ({file.place})", file.said.profiles[name], file.shared)
        for file in files
        if name in file.said.profiles
    ]
    if not found:
        raise _unknown("profile", name, [other for file in files for other in file.said.profiles])
    return found


def cast_layer(name: str = "", files: tuple[ParsedSettings, ...] | None = None) -> Tables | None:
    """The chosen cast: models by seat, team or role. It wins over every variable."""
    files = settings_files() if files is None else files
    name = name or chosen("cast", files)
    if not name:
        return None
    file = next((file for file in reversed(files) if name in file.said.casts), None)
    if file is None:
        raise _unknown("cast", name, [other for file in files for other in file.said.casts])
    tables: dict[str, dict[str, Any]] = {}
    for seat, model in file.said.casts[name].items():
        try:
            tables[prefix_of(seat)] = parse_model_spec(model).model_dump(exclude_unset=True)
        except Unsuitable as error:
            raise Unsuitable(f"{file.path}, casts.{name}.{seat}: {error}") from None
    return Tables(f"cast {name}", tables, file.shared)


def chosen(kind: str, files: tuple[ParsedSettings, ...]) -> str:
    """The profile or cast named by a variable, else by the project's file, else by the user's."""
    named = os.environ.get(f"HUSTINGS_{kind.upper()}", "").strip()
    return named or next((name for file in reversed(files) if (name := getattr(file.said, kind))), "")


def _tables(said: Profile) -> Mapping[str, Mapping[str, Any]]:
    speakers = {**({"llm": said.llm} if said.llm else {}), **said.__pydantic_extra__}
    return {prefix_of(name): speaker.model_dump(exclude_none=True) for name, speaker in speakers.items()}


def _unknown(kind: str, name: str, known: list[str]) -> NotFound:
    if not known:
        return NotFound(f"no {kind} {name!r}", fix=f"no file has any; write one into hustings.toml as [{kind}s.{name}]")
    return NotFound.among(known, kind, name)
