"""Settings in use and where each comes from: a variable, a settings file, or the built-in default."""

from __future__ import annotations

import os
from typing import Any

from .paths import discreet, own_database
from .settings_files import OPTIONS, chosen, options, settings_files

BUILT_IN = "built in"
DEFAULTS: dict[str, Any] = {
    "protocol": "structured",
    "language": "en",
    "retries": None,
    "budget": None,
    "max_tokens_total": None,
    "max_calls": None,
    "max_minutes": None,
    "judges": "auto",
    "control": False,
    "display": None,
    "database": "",
}
"""Defaults of `hustings run`; None where it decides for itself."""


def options_in_use(profile: str = "") -> dict[str, tuple[Any, str]]:
    """Every option with its value and origin, and the profiles and casts there are. A password is not shown."""
    usual = {name: (value, BUILT_IN) for name, value in {**DEFAULTS, "database": own_database()}.items()}
    return {**usual, **_set(profile), **_named()}


def _set(profile: str) -> dict[str, tuple[Any, str]]:
    """Options set by files or variables, and the chosen profile and cast."""
    files = settings_files()
    found = options(profile, files)
    for name in OPTIONS:
        if value := os.environ.get(f"HUSTINGS_{name.upper()}", "").strip():
            found[name] = (value, f"env HUSTINGS_{name.upper()}")
    if "database" in found:
        found["database"] = (discreet(str(found["database"][0])), found["database"][1])
    picked = {kind: (name, "") for kind in ("profile", "cast") if (name := chosen(kind, files))}
    return {**picked, **{name: found[name] for name in OPTIONS if name in found}}


def _named() -> dict[str, tuple[Any, str]]:
    """Available profiles and casts, and the files that define them."""
    found: dict[str, tuple[Any, str]] = {}
    for kind in ("profiles", "casts"):
        having = [file for file in settings_files() if getattr(file.said, kind)]
        if names := sorted({name for file in having for name in getattr(file.said, kind)}):
            found[kind] = (", ".join(names), ", ".join(file.place for file in having))
    return found
