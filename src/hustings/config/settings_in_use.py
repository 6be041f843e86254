"""Settings in use and where each comes from: a variable, a settings file, or the built-in default."""

from __future__ import annotations

import os
from typing import Any

from pydantic import ValidationError

from hustings.errors import Unsuitable
from hustings.runs.debate_fields import DebateFields, LimitFields
from hustings.script.complaints import complaints

from .paths import discreet, own_database
from .settings_files import OPTIONS, ParsedSettings, chosen, options, settings_files

BUILT_IN = "built in"
DEFAULTS: dict[str, Any] = {
    **{name: field.default for name, field in DebateFields.model_fields.items() if name in OPTIONS},
    "display": None,
    "database": "",
}
"""Defaults of `hustings run`; None where it decides for itself."""


def options_in_use(profile: str = "") -> dict[str, tuple[Any, str]]:
    """Every option with its value and origin, and the profiles and casts there are. A password is not shown."""
    usual = {name: (value, BUILT_IN) for name, value in {**DEFAULTS, "database": own_database()}.items()}
    return {**usual, **_set(profile), **_named()}


def database_in_use() -> str:
    """The database that a variable or the user's settings name; empty if none does."""
    return str(_said("", settings_files()).get("database", ("",))[0])


def limits_in_use() -> LimitFields:
    """The limits of a debate that variables or settings name."""
    said = _said("", settings_files())
    try:
        return LimitFields.model_validate({name: said[name][0] for name in LimitFields.model_fields if name in said})
    except ValidationError as error:  # files were read before: it is a variable
        what = f"HUSTINGS_{str(error.errors()[0]['loc'][0]).upper()} can't be used"
        raise Unsuitable(what, why="; ".join(complaints(error)), fix="correct it, or unset it") from None


def _said(profile: str, files: tuple[ParsedSettings, ...]) -> dict[str, tuple[Any, str]]:
    """Options that files or variables set, each with its origin."""
    named = {name: f"HUSTINGS_{name.upper()}" for name in OPTIONS}
    set_ = {name: os.environ.get(variable, "").strip() for name, variable in named.items()}
    return {**options(profile, files), **{name: (text, f"env {named[name]}") for name, text in set_.items() if text}}


def _set(profile: str) -> dict[str, tuple[Any, str]]:
    """Options set by files or variables, and the chosen profile and cast."""
    files = settings_files()
    found = _said(profile, files)
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
