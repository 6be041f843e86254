"""Defaults of a command's options from settings files; options and variables win over them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from hustings.config.settings_files import option_defaults

OWN_SETTINGS = frozenset({"config", "doctor", "keys", "init", "completion"})
"""Commands that must work with broken settings files, since they report or fix them."""


def default_map(command: str, arguments: Sequence[str], parts: tuple[str, ...] = ()) -> dict[str, Any]:
    """Defaults from the files for a command, or for each command of a group."""
    if command in OWN_SETTINGS or "--help" in arguments:
        return {}
    given = option_defaults(_profile(arguments))
    if command != "run":
        # A file may turn judging off by default; the command `judge` must still judge.
        given = {name: value for name, value in given.items() if name not in {"judges", "with_control"}}
    return dict.fromkeys(parts, given) or given


def _profile(arguments: Sequence[str]) -> str:
    told = [text.partition("=")[2] for text in arguments if text.startswith("--profile=")]
    told += [after for before, after in pairwise(arguments) if before == "--profile"]
    return told[-1] if told else ""
