"""Settings from files, in layers: a profile, the user's `config.toml`, the project's `hustings.toml`."""

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
    """The user's, then the project's, as far as there are any."""
    own, project = user_file(), found_upwards(PROJECT_FILE)
    files = [read_settings(own, shared=False)] if own.is_file() else []
    return (*files, read_settings(project, shared=True)) if project else tuple(files)


def option_defaults(profile: str = "", files: tuple[ParsedSettings, ...] | None = None) -> dict[str, Any]:
    """What the files say of the commands' options, by name of the parameter."""
    return {PARAMETERS.get(name, name): value for name, (value, _) in options(profile, files).items()}


def options(profile: str = "", files: tuple[ParsedSettings, ...] | None = None) -> dict[str, tuple[Any, str]]:
    """Every option that a file sets, its value, and which file that is."""
    files = settings_files() if files is None else files
    layers = [*((file.place, file.said, file.shared) for file in files), *profile_layers(profile, files)]
    found: dict[str, tuple[Any, str]] = {}
    for place, said, _ in layers:
        given = said.model_dump(include=set(OPTIONS), exclude_none=True)
        found |= {name: (value, place) for name, value in given.items()}
    return found


def file_layers(profile: str = "", files: tuple[ParsedSettings, ...] | None = None) -> tuple[Tables, ...]:
    """What the files say of models, lowest first."""
    files = settings_files() if files is None else files
    layers = [*((file.place, file.said, file.shared) for file in files), *profile_layers(profile, files)]
    return tuple(Tables(place, _tables(said), shared) for place, said, shared in layers)


def profile_layers(name: str, files: tuple[ParsedSettings, ...]) -> list[tuple[str, Profile, bool]]:
    """The chosen profile: the user's under the project's, if both have one of that name."""
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
    """The chosen cast: who sits where, by seat, team or role; it wins over every variable."""
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
    """The profile or cast that a variable names, else the project, else the user."""
    named = os.environ.get(f"HUSTINGS_{kind.upper()}", "").strip()
    return named or next((name for file in reversed(files) if (name := getattr(file.said, kind))), "")


def _tables(said: Profile) -> Mapping[str, Mapping[str, Any]]:
    speakers = {**({"llm": said.llm} if said.llm else {}), **said.__pydantic_extra__}
    return {prefix_of(name): speaker.model_dump(exclude_none=True) for name, speaker in speakers.items()}


def _unknown(kind: str, name: str, known: list[str]) -> NotFound:
    if not known:
        return NotFound(f"no {kind} {name!r}", fix=f"no file has any; write one into hustings.toml as [{kind}s.{name}]")
    return NotFound.among(known, kind, name)
