"""Options shared by commands, and their defaults from settings files; a group of options is one dataclass."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from itertools import pairwise
from typing import Annotated, Any, get_type_hints

import typer

from hustings.config.paths import settings_paths
from hustings.errors import Unsuitable

from .display import Mode, mode_of

DatabaseOption = Annotated[
    str,
    typer.Option(
        "--database",
        metavar="URL",
        envvar="HUSTINGS_DATABASE",
        help="A file, or postgresql://USER@HOST/NAME. Default: a file in your data folder.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Output JSON.")]
AsLines = Annotated[bool, typer.Option("--json", help="Output each event as a line of JSON.")]
DisplayOption = Annotated[
    Mode | None,
    typer.Option(
        "--display",
        envvar="HUSTINGS_DISPLAY",
        help="How to show it. Default: live in a terminal, otherwise plain.",
    ),
]
Run = Annotated[str, typer.Argument(metavar="RUN", help="Debate: its ID, the start of it, or `last`.")]
OneRunOrFile = Annotated[
    str,
    typer.Argument(
        metavar="RUN", help="Debate: its ID, the start of it, or `last`. Or a transcript file. Or use --batch."
    ),
]
OneRun = Annotated[
    str, typer.Argument(metavar="RUN", help="Debate: its ID, the start of it, or `last`. Or use --batch.")
]
Batch = Annotated[str, typer.Option("--batch", metavar="NAME", help="All unfinished debates of this batch.")]
Estimated = Annotated[bool, typer.Option("--estimate", help="Show cost and exit. Makes no calls.")]
Depth = Annotated[int, typer.Option(min=1, max=3, help="Detail: 1 verdict, 2 every argument, 3 everything.")]


@dataclass(frozen=True)
class Place:
    """Where a debate runs and is stored, and how it is shown."""

    detach: Annotated[bool, typer.Option("--detach", help="Queue it for workers and return.")] = False
    database: DatabaseOption = ""
    display: DisplayOption = None
    json_lines: AsLines = False

    @property
    def mode(self) -> Mode:
        return mode_of(self.display, as_json=self.json_lines)

    @property
    def as_json(self) -> bool:
        return self.mode == "json"


def setting(text: str) -> tuple[str, Any]:
    """Parse `key=value`; the value is read as JSON if it is valid JSON, else as text."""
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise Unsuitable(f"--set {text!r} has no value", fix="write it like --set rounds=2")
    try:
        return key, json.loads(value)
    except (ValueError, RecursionError):
        return key, value


def flat(command: Callable[..., None]) -> Callable[..., None]:
    """Replace the option groups of a command by their single options, as Typer requires."""
    hints = get_type_hints(command, include_extras=True)
    own = signature(command).parameters.values()
    groups = {p.name: hints[p.name] for p in own if is_dataclass(hints[p.name])}
    options: list[Parameter] = []
    for p in own:
        if p.name not in groups:
            options.append(p.replace(annotation=hints[p.name], kind=Parameter.KEYWORD_ONLY))
            continue
        of_group = get_type_hints(groups[p.name], include_extras=True)
        for field in fields(groups[p.name]):
            default = Parameter.empty if field.default is MISSING else field.default
            kind = Parameter.KEYWORD_ONLY
            options.append(Parameter(field.name, kind, default=default, annotation=of_group[field.name]))

    @wraps(command)
    def flattened(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        command(**given)

    flattened.__dict__["__signature__"] = signature(command).replace(parameters=options)
    flattened.__annotations__ = {option.name: option.annotation for option in options}
    return flattened


OWN_SETTINGS = frozenset({"config", "doctor", "keys", "init", "completion"})
"""Commands that must work with broken settings files, since they report or fix them."""


def default_map(command: str, arguments: Sequence[str], parts: tuple[str, ...] = ()) -> dict[str, Any]:
    """Defaults from the files for a command, or for each command of a group."""
    if command in OWN_SETTINGS or "--help" in arguments:
        return {}
    profile = _profile(arguments)
    if not (profile or os.environ.get("HUSTINGS_PROFILE") or any(settings_paths())):
        return {}
    from hustings.config.settings_files import option_defaults  # noqa: PLC0415  heavy, and most have no file

    given = option_defaults(profile)
    if command not in {"run", "batch"}:
        # A file may turn judging off by default; the command `judge` must still judge.
        given = {name: value for name, value in given.items() if name not in {"judges", "control"}}
    return dict.fromkeys(parts, given) or given


def _profile(arguments: Sequence[str]) -> str:
    told = [text.partition("=")[2] for text in arguments if text.startswith("--profile=")]
    told += [after for before, after in pairwise(arguments) if before == "--profile"]
    return told[-1] if told else ""
