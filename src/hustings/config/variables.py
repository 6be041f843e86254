"""Builds the environment of models and keys: process variables, `.env`, settings files and stored keys."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

from hustings.llm.environment import Environment, Tables
from hustings.llm.model_spec import ModelSpec

from . import paths
from .key_store import Kept
from .settings_files import cast_layer, file_layers, settings_files
from .text_files import read_text


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
    )


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
    r"^[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*"
    r"(?:(?P<quote>['\"])(?P<quoted>.*?)(?P=quote)|(?P<plain>[^\s#'\"].*?)??)[ \t]*(?:[ \t]#.*)?\r?$",
    re.MULTILINE,
)
