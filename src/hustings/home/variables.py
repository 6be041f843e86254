"""What this machine says about models and keys: the process, `.env`, files of settings, and keys that are kept."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from hustings.llm.endpoints import endpoint_of
from hustings.llm.environment import DOTENV, Environment, Tables
from hustings.llm.voices import Voice, diverted

from . import places
from .files import read_text
from .keys import Kept
from .settings import cast_layer, file_layers, settings_files


@dataclass(frozen=True)
class Variables:
    """All of it, layer by layer; the process wins over `.env`, and both over files."""

    process: Mapping[str, str]
    added: Mapping[str, str]
    """By `.env`, where the process does not say it."""
    files: tuple[Tables, ...] = ()
    cast: Tables | None = None
    kept: Kept | None = None
    dotenv: Mapping[str, str] = field(default_factory=dict[str, str])
    """All of `.env` that concerns models."""

    @cached_property
    def all(self) -> Environment:
        dotenv = {**self.added, **self.dotenv}
        if self.kept is None:
            return Environment(self.process, dotenv, self.files, cast=self.cast)
        return Environment(self.process, dotenv, self.files, self.kept, self.kept.places, self.cast)

    @property
    def configured(self) -> bool:
        """Somebody said which model is to speak, for one seat at least."""
        names = re.compile(r"(\w+_)?LLM_(PROVIDER|MODEL|BASE_URL)")
        said = any(names.fullmatch(name) for name in (*self.process, *self.added))
        files = (*self.files, *([self.cast] if self.cast else []))
        return said or any(
            table.keys() & {"provider", "model", "base_url"} for f in files for table in f.tables.values()
        )

    def with_default(self, voice: Voice, place: str = "found here") -> Variables:
        """The same, with a voice for every seat that is not set up; no key of another layer is sent to it."""
        table = voice.model_dump(include={"provider", "model", "base_url"}, exclude_defaults=True)
        return replace(self, files=(Tables(place, {"LLM_": table}, shared=True), *self.files))

    def must_not_divert(self, voice: Voice) -> None:
        """A folder that somebody else wrote must not send a key of yours to an address of theirs.

        Voices are drawn up under the same rule. Here it is kept for those that come from elsewhere: a stored run.
        """
        if not voice.key or not voice.base_url:
            return
        shared = {DOTENV: {value for name, value in self.added.items() if name.endswith("LLM_BASE_URL")}}
        shared |= {file.place: _addresses(file) for file in self._all_files if file.shared}
        key_from = self.all.place_of(voice.key)
        senders = [place for place, addresses in shared.items() if voice.base_url in addresses]
        if senders and key_from not in senders and not self._said_by_the_user(voice):
            raise diverted(senders[0], voice.label, voice, key_from)

    def _said_by_the_user(self, voice: Voice) -> bool:
        """The user gave that address, or it is where that key belongs."""
        own = {value for name, value in self.process.items() if name.endswith("LLM_BASE_URL")}
        own |= {address for file in self._all_files if not file.shared for address in _addresses(file)}
        return voice.base_url in own or voice.key in endpoint_of(voice.provider, voice.base_url).keys

    @property
    def _all_files(self) -> tuple[Tables, ...]:
        return self.files if self.cast is None else (*self.files, self.cast)


def _addresses(file: Tables) -> set[str]:
    return {str(table["base_url"]) for table in file.tables.values() if "base_url" in table}


def variables(*, profile: str = "", cast: str = "") -> Variables:
    """What is said here; a profile and a cast by their names, else by HUSTINGS_PROFILE and HUSTINGS_CAST."""
    path = places.found_upwards(places.DOTENV)
    about_models = models_of(path) if path else {}
    process = {name: value for name, value in os.environ.items() if value.strip()}
    files = settings_files()
    return Variables(
        process,
        {name: value for name, value in about_models.items() if name not in process},
        file_layers(profile, files),
        cast_layer(cast, files),
        Kept(),
        about_models,
    )


def models_of(path: Path) -> dict[str, str]:
    """Of a `.env`, what concerns models: the rest is somebody else's."""
    found = assignments(read_text(path))
    about = {name: value for name, value in found.items() if "LLM_" in name or name.endswith("_API_KEY")}
    return {name: value for name, value in about.items() if value}


def assignments(text: str) -> dict[str, str]:
    """`KEY=VALUE` lines, values plain or in quotes; what is none of it is passed over."""
    return {found["name"]: (found["quoted"] or found["plain"] or "").strip() for found in _LINE.finditer(text)}


_LINE = re.compile(
    r"^[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*"
    r"(?:(?P<quote>['\"])(?P<quoted>.*?)(?P=quote)|(?P<plain>[^\s#'\"].*?)??)[ \t]*(?:[ \t]#.*)?\r?$",
    re.MULTILINE,
)
