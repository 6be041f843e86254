"""The environment of models and keys: process variables, `.env`, settings files, and keys stored on this machine.

Keys are kept in the system's keyring, else in a file that only the user can read. A keyring cannot list the names it
holds, so the file lists those as well, without the keys.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from hustings.errors import BrokenFile, NotFound, Unsuitable
from hustings.llm.endpoints import ALIASES, PROVIDERS
from hustings.llm.environment import Environment, Tables
from hustings.llm.model_spec import ModelSpec
from hustings.readers.files import is_file

from . import paths
from .paths import config_folder, read_text, write_private
from .settings_files import cast_layer, file_layers, settings_files

Where = Literal["keyring", "key file"]
SERVICE = "hustings"
LONGEST_KEY = 8192


def keys_file() -> Path:
    return config_folder() / "keys.json"


def variable_of(name: str) -> str:
    """The variable name of a key: `name` itself, or the usual variable of the provider `name`."""
    if re.fullmatch(r"[A-Z][A-Z0-9_]*_API_KEY", name):
        return name
    provider = ALIASES.get(name.lower(), name.lower())
    if provider not in PROVIDERS:
        known = [provider for provider, endpoint in PROVIDERS.items() if endpoint.keys]
        if get_close_matches(provider, known, 1):
            raise NotFound.among(known, "provider", name)
        # The message does not repeat the name: it may be the key itself.
        raise NotFound(
            "unknown provider or key name",
            fix=f"use {', '.join(known)}, or a name like PRO_LLM_API_KEY",
        )
    if not PROVIDERS[provider].keys:
        raise Unsuitable(f"{provider} needs no key", fix="if your server needs one, store it as LLM_API_KEY")
    return PROVIDERS[provider].keys[0]


class Kept(Mapping[str, str]):
    """Stored keys by name. The file is read on first use, the keyring only for a key that it holds."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or keys_file()

    @cached_property
    def entries(self) -> dict[str, str | None]:
        """Names and keys; None for a key in the keyring."""
        return _read(self.path)

    @property
    def places(self) -> dict[str, str]:
        """Where each key is stored."""
        return {name: "keyring" if key is None else "key file" for name, key in self.entries.items()}

    def __getitem__(self, name: str) -> str:
        key = self.entries[name]
        return _from_keyring(name) if key is None else key

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


def keep(name: str, secret: str) -> Where:
    """Store a key, and return where."""
    secret = secret.strip()
    if not secret or len(secret) > LONGEST_KEY or not secret.isascii() or not secret.isprintable() or " " in secret:
        raise Unsuitable(
            "this doesn't look like a key", fix="a key has no spaces and only ASCII characters. Copy it again"
        )
    entries, backend = _read(keys_file()), _backend()
    if backend is not None:
        try:
            backend.set_password(SERVICE, name, secret)
        except Exception:  # noqa: BLE001  a third-party backend may fail in any way: a locked or refused wallet
            backend = None
    _write(keys_file(), {**entries, name: None if backend is not None else secret})
    return "key file" if backend is None else "keyring"


def forget(name: str) -> Where:
    """Delete a key, and return where it was."""
    entries = _read(keys_file())
    if name not in entries:
        raise NotFound(f"no key {name} is stored", fix="see the stored keys: hustings keys list")
    if (key := entries.pop(name)) is None and (backend := _backend()) is not None:
        with suppress(Exception):  # it is gone already
            backend.delete_password(SERVICE, name)
    _write(keys_file(), entries)
    return "keyring" if key is None else "key file"


def _from_keyring(name: str) -> str:
    cure = f"unlock it, or store the key again: hustings keys set {name}"
    if (backend := _backend()) is None:
        raise Unsuitable(
            f"{name} is in the system keyring, which can't be reached (is the package `keyring` installed?): {cure}"
        )
    try:
        found: Any = backend.get_password(SERVICE, name)
    except Exception as error:  # noqa: BLE001  a third-party backend may fail in any way
        why = type(error).__name__
        raise Unsuitable(f"{name} is in the system keyring, which refused access ({why}): {cure}") from None
    if not found:
        raise Unsuitable(f"{name} is missing from the system keyring: {cure}")
    return str(found)


def _backend() -> Any:
    """The system's keyring, if the extra is installed and a real keyring exists."""
    if find_spec("keyring") is None:
        return None
    import keyring  # noqa: PLC0415  slow and optional

    try:
        backend: Any = keyring.get_keyring()
        return backend if float(backend.priority) > 0 else None
    except Exception:  # noqa: BLE001  a third-party backend may fail in any way
        return None


def _read(path: Path) -> dict[str, str | None]:
    if not is_file(path):
        return {}
    about = path.stat()
    if os.name == "posix" and (about.st_uid != os.getuid() or stat.S_IMODE(about.st_mode) & 0o077):
        raise Unsuitable(f"others can read the keys in {path}", fix=f"chmod 600 {path}, and consider new keys")
    try:
        return TypeAdapter(dict[str, str | None]).validate_json(read_text(path))
    except ValidationError:  # its text would repeat the keys
        cure = "delete it, then store your keys again: hustings keys set PROVIDER"
        raise BrokenFile(f"{path} was changed or damaged", fix=cure) from None


def _write(path: Path, entries: Mapping[str, str | None]) -> None:
    write_private(path, json.dumps(dict(sorted(entries.items())), indent=2))


def variables(*, profile: str = "", cast: str = "") -> Environment:
    """Return the environment of this machine. HUSTINGS_PROFILE and HUSTINGS_CAST name a profile and cast by default."""
    path = paths.found_upwards(paths.DOTENV)
    process = {name: value for name, value in os.environ.items() if value.strip()}
    files, kept = settings_files(), Kept()
    return Environment(
        process,
        models_of(path) if path else {},
        file_layers(profile, files),
        kept,
        kept.places,
        cast_layer(cast, files),
        {name: table.model_fields_said for file in files for name, table in file.said.commands.items()},
    )


def with_keys(known: Environment, keys: Mapping[str, str]) -> Environment:
    """Add keys by provider or variable; they come before all that are set or stored."""
    given = {variable_of(name): key for name, key in keys.items()}
    for_any = tuple(name for name in given if name == "LLM_API_KEY")
    if empty := [name for name, key in given.items() if not key.strip()]:
        raise Unsuitable(f"the key {empty[0]} is empty", fix="leave it out, or give the key itself")
    return replace(known, process={**known.process, **given}, for_any=for_any) if given else known


def with_timeout(known: Environment, seconds: float | None) -> Environment:
    """Give every answer this time, but where a variable names another for its seat."""
    if seconds is None:
        return known
    if seconds <= 0:
        raise Unsuitable(f"timeout is {seconds}", fix="give more than 0 seconds")
    return replace(known, process={**known.process, "LLM_TIMEOUT": str(seconds)})


def with_default(known: Environment, model_spec: ModelSpec, place: str = "found here") -> Environment:
    """Add a model for every seat that has none configured; no key of another layer is sent to it."""
    table = model_spec.model_dump(include={"provider", "model", "base_url"}, exclude_defaults=True)
    return replace(known, files=(Tables(place, {"LLM_": table}, shared=True), *known.files))


def models_of(path: Path) -> dict[str, str]:
    """Variables of a `.env` that concern models; the others belong to other programs."""
    found = assignments(read_text(path))
    about = {name: value for name, value in found.items() if "LLM_" in name or name.endswith("_API_KEY")}
    return {name: value for name, value in about.items() if value}


def assignments(text: str) -> dict[str, str]:
    """Parse `KEY=VALUE` lines, values plain or quoted; other lines are skipped."""
    return {found["name"]: (found["quoted"] or found["plain"] or "").strip() for found in _LINE.finditer(text)}


_LINE = re.compile(
    r"^[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*+"
    r"(?:(?P<quote>['\"])(?P<quoted>.*?)(?P=quote)|(?P<plain>[^\s#'\"](?:[^ \t\n]|[ \t]++(?!#|\r?$))*+))?"
    r"[ \t]*+(?:(?<=[ \t])#.*)?\r?$",
    re.MULTILINE,
)
