"""What the files of settings say of a command's options, where neither an option nor a variable does."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from hustings.config.settings_files import option_defaults

OWN_SETTINGS = frozenset({"config", "doctor", "keys", "init", "completion"})
"""Commands that must work where files are broken: they are there to say so."""


def default_map(command: str, arguments: Sequence[str], parts: tuple[str, ...] = ()) -> dict[str, Any]:
    """What the files say of a command's options; of a group's, for each of its commands."""
    if command in OWN_SETTINGS or "--help" in arguments:
        return {}
    given = option_defaults(_profile(arguments))
    if command != "run":
        # A debate may be left unjudged by default; whoever says `judge` means it.
        given = {name: value for name, value in given.items() if name not in {"judges", "with_control"}}
    return dict.fromkeys(parts, given) or given


def _profile(arguments: Sequence[str]) -> str:
    told = [text.partition("=")[2] for text in arguments if text.startswith("--profile=")]
    told += [after for before, after in pairwise(arguments) if before == "--profile"]
    return told[-1] if told else ""
