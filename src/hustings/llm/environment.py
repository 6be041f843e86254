"""Layers of model settings: variables, `.env`, files, stored keys; marks those that others may have written.

From lowest to highest: local servers that were found, the user's file, the project's file, a profile. Then, first for
all seats, then for a role, a team and a seat: stored keys, `.env`, the process environment. A cast is above them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from hustings.errors import NotFound

_NOT_IN_A_NAME = re.compile(r"[^A-Z0-9]")
_SAYS_WHO = re.compile(r"(?P<prefix>(?:(?P<word>\w+)_)?LLM_)(?P<field>PROVIDER|MODEL|BASE_URL)")
PROCESS, DOTENV = "env", ".env"


def word_of(name: str) -> str:
    """The name of a seat, team or role as environment variables spell it."""
    return _NOT_IN_A_NAME.sub("_", name.upper())


def prefix_of(table: str) -> str:
    """Prefix of the variables that mean the same as a table in a file."""
    return "LLM_" if table == "llm" else f"{word_of(table)}_LLM_"


@dataclass(frozen=True)
class Tables:
    """Settings from one file: the table `llm` for all seats, other tables for roles, teams and seats."""

    place: str
    """Name of the file, as shown to users."""
    tables: Mapping[str, Mapping[str, Any]]
    """By prefix of the equivalent variables; inside, by field of `ModelSpec`."""
    shared: bool = False
    """The file lies in a folder that another person may have written."""

    def get(self, name: str) -> str | None:
        """The value that a variable of this name would have."""
        found = _SAYS_WHO.fullmatch(name)
        value = self.tables.get(found["prefix"], {}).get(found["field"].lower()) if found else None
        return None if value is None else str(value)


@dataclass(frozen=True, eq=False)
class Environment(Mapping[str, str]):
    """All settings as one mapping by variable name; the highest layer wins. `resolve` reads it layer by layer."""

    process: Mapping[str, str] = field(default_factory=dict[str, str])
    dotenv: Mapping[str, str] = field(default_factory=dict[str, str])
    files: tuple[Tables, ...] = ()
    """Lowest first."""
    kept: Mapping[str, str] = field(default_factory=dict[str, str])
    """Stored keys by name. A key is fetched only when it is read."""
    kept_in: Mapping[str, str] = field(default_factory=dict[str, str])
    """Where each stored key is."""
    cast: Tables | None = None
    commands: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    """Programs of the user by name: fields of `ModelSpec` that their settings say."""
    for_any: tuple[str, ...] = ()
    """Keys that a caller gave for whatever address a debate names, if that has no key of its own."""

    def command(self, name: str) -> Mapping[str, Any]:
        if name in self.commands:
            return self.commands[name]
        if self.commands:
            raise NotFound.among(self.commands, "command", name)
        raise NotFound(
            f"no command {name!r}", fix=f"describe it in config.toml as [commands.{name}]: hustings config path"
        )

    def place_of(self, name: str) -> str:
        """Where a variable is set; empty if it is not set."""
        if self.cast is not None and self.cast.get(name):
            return self.cast.place
        if name in self.process:
            return PROCESS
        if name in self.dotenv:
            return DOTENV
        if file := self._file_with(name):
            return file.place
        return self.kept_in.get(name, "")

    def shared_places_of(self, address: str) -> list[str]:
        """Shared places that name an address. Empty if the user names the same address elsewhere."""
        dotenv = {name: value for name, value in self.dotenv.items() if name not in self.process}
        said: list[tuple[str, bool, Any]] = []
        for place, shared, variables in ((DOTENV, True, dotenv), (PROCESS, False, self.process)):
            said += [(place, shared, value) for name, value in variables.items() if name.endswith("LLM_BASE_URL")]
        for file in self._all_files:
            said += [(file.place, file.shared, table.get("base_url")) for table in file.tables.values()]
        places = {place: shared for place, shared, value in said if value == address}
        return list(places) if all(places.values()) else []

    @property
    def set_up(self) -> list[str]:
        """Names with model settings: first `llm`, which applies to all, then seats, teams and roles."""
        words = {(found["word"] or "llm").lower() for name in self if (found := _SAYS_WHO.fullmatch(name))}
        return sorted(words, key=lambda word: (word != "llm", word))

    def __getitem__(self, name: str) -> str:
        if self.cast is not None and (said := self.cast.get(name)):
            return said
        for variables in (self.process, self.dotenv):
            if name in variables:
                return variables[name]
        if file := self._file_with(name):
            return file.get(name) or ""
        return self.kept[name]

    def _file_with(self, name: str) -> Tables | None:
        return next((file for file in reversed(self.files) if file.get(name)), None)

    @property
    def _all_files(self) -> tuple[Tables, ...]:
        return self.files if self.cast is None else (*self.files, self.cast)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    @cached_property
    def _names(self) -> tuple[str, ...]:
        said = [
            f"{prefix}{name.upper()}"
            for file in self._all_files
            for prefix, table in file.tables.items()
            for name in table
            if file.get(f"{prefix}{name.upper()}")
        ]
        return tuple(dict.fromkeys((*self.process, *self.dotenv, *said, *self.kept_in)))


def layered(environment: Mapping[str, str]) -> Environment:
    """Treat a plain mapping as the process environment."""
    return environment if isinstance(environment, Environment) else Environment(environment)
