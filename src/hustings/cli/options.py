"""Options shared by commands, and their defaults from settings files; a group of options is one dataclass."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, signature
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from hustings.config.paths import settings_paths
from hustings.db.caps import Caps, OnFailure
from hustings.errors import Unsuitable

from .display import Mode, mode_of

if TYPE_CHECKING:
    from hustings.config.documents import DebateSubject
    from hustings.llm.environment import Environment
    from hustings.runs.follow_ups import FollowUps
    from hustings.script.debate import Scenario

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
Budget = Annotated[
    float | None,
    typer.Option(min=0.0, metavar="USD", envvar="HUSTINGS_BUDGET", help="Spending limit (default $1.00 if paid)."),
]

ProtocolOption = Annotated[
    str,
    typer.Option(
        "--protocol",
        "-p",
        envvar="HUSTINGS_PROTOCOL",
        help="Rules of the debate: a name that hustings protocols lists, or a file of your own: ./duel.py",
    ),
]
OnFailureOption = Annotated[
    OnFailure,
    typer.Option(
        "--on-failure",
        envvar="HUSTINGS_ON_FAILURE",
        help="If a seat gives no usable answer: pause, or go on without that answer.",
    ),
]
Estimated = Annotated[bool, typer.Option("--estimate", help="Show cost and exit. Makes no calls.")]
Depth = Annotated[int, typer.Option(min=1, max=3, help="Detail: 1 verdict, 2 every argument, 3 everything.")]


@dataclass(frozen=True)
class MotionOptions:
    """What is debated."""

    motion: Annotated[
        str,
        typer.Argument(
            metavar="MOTION",
            help="What to debate: a question in words, a text file such as plan.md, or - for standard input.",
        ),
    ] = ""
    files: Annotated[
        list[str] | None,
        typer.Option(
            "--file",
            metavar="FILE",
            help="A document that every speaker and judge reads; - is stdin. Further ones are for speakers: FILE, or "
            "SEAT:FILE for a seat, team or role alone. Repeatable.",
        ),
    ] = None
    folders: Annotated[
        list[str] | None,
        typer.Option(
            "--dir",
            metavar="FOLDER",
            help="All documents of a folder, for speakers; not hidden files, keys and what .gitignore names.",
        ),
    ] = None
    look_ups: Annotated[
        int | None,
        typer.Option(
            "--look-ups",
            metavar="N",
            min=0,
            max=100,
            help="How often each side may look something up in further documents, instead of reading them whole. "
            "Otherwise only documents too long for the prompts are looked up.",
        ),
    ] = None

    tools: Annotated[
        list[str] | None,
        typer.Option(
            "--tools",
            metavar="NAME",
            help="A tool from your settings, [tools.NAME], that speakers may have something fetched by. Repeatable.",
        ),
    ] = None
    allow_tools: Annotated[
        bool, typer.Option("--allow-tools", help="Start the commands of --tools without asking, now and later.")
    ] = False
    debate_id: Annotated[
        str, typer.Option("--debate-id", metavar="ID", help="Names the experiment; otherwise made of the question.")
    ] = ""
    meta: Annotated[
        list[str] | None,
        typer.Option(
            "--meta",
            metavar="KEY=VALUE",
            help="For the transcript: task_type, scenario_id, asset_symbol, market_context, time_horizon_default or "
            "required_rung; repeatable.",
        ),
    ] = None

    @property
    def scenario(self) -> Scenario:
        """What transcripts say about the scenario."""
        from hustings.script.debate import Scenario  # noqa: PLC0415  commands that only read need none

        pairs = [text.partition("=") for text in self.meta or ()]
        if wrong := [key for key, _, value in pairs if key not in Scenario.model_fields or not value]:
            known = ", ".join(Scenario.model_fields)
            raise Unsuitable(f"--meta {wrong[0]!r}", fix=f"write it as KEY=VALUE; the keys are {known}")
        return Scenario.model_validate({key: value for key, _, value in pairs})

    @property
    def request_fields(self) -> dict[str, Any]:
        """Fields of a request beside question and documents."""
        return {"debate_id": self.debate_id, "meta": self.scenario, "look_ups": self.look_ups}

    def offers(self, known: Environment, say: Callable[[str], None]) -> dict[str, Any]:
        """The field of a request with the tools; asks once whether each may be started."""
        if not self.tools:
            return {}
        from hustings.config.configured_tools import offers  # noqa: PLC0415  few debates have any

        def agree(sentence: str) -> bool:
            say(sentence)
            if not self.allow_tools and not (sys.stdin.isatty() and sys.stderr.isatty()):
                raise Unsuitable("a tool needs your yes before it is started", fix="add --allow-tools")
            return self.allow_tools or typer.confirm("Start it now and in later debates?", err=True)

        return {"tools": offers(self.tools, known, agree)}

    def told(self, say: Callable[[str], None]) -> DebateSubject:
        """The question and its documents; says what was taken from folders."""
        from hustings.config.documents import subject_of  # noqa: PLC0415  commands that only read need none

        if not self.motion and not self.files:
            raise Unsuitable("The question is empty", fix='hustings "Should …?", or hustings plan.md')
        found = subject_of(self.motion, self.files or (), self.folders or ())
        for remark in found.remarks:
            say(remark)
        return found


@dataclass(frozen=True)
class Cast:
    """Models of the seats, and settings of the protocol."""

    settings: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="A setting of the protocol. Repeatable.")
    ] = None
    model: Annotated[
        str,
        typer.Option(
            "--model", "-m", help="Model for every seat: provider/model, provider/model@base_url, improviser or human."
        ),
    ] = ""
    pro: Annotated[str, typer.Option("--pro", metavar="MODEL", help="Model for the side in favour.")] = ""
    con: Annotated[str, typer.Option("--con", metavar="MODEL", help="Model for the side against.")] = ""
    seats: Annotated[
        list[str] | None,
        typer.Option("--seat", metavar="SEAT=MODEL", help="Model for one seat, team or role. Repeatable."),
    ] = None
    endpoint: Annotated[
        str,
        typer.Option(
            "--endpoint", metavar="URL", help="OpenAI-compatible server for all seats. Name its model with -m."
        ),
    ] = ""
    profile: Annotated[
        str, typer.Option("--profile", envvar="HUSTINGS_PROFILE", help="Profile from hustings.toml to use.")
    ] = ""
    cast_name: Annotated[
        str, typer.Option("--cast", envvar="HUSTINGS_CAST", help="Cast from hustings.toml to use: models by seat.")
    ] = ""

    @property
    def values(self) -> dict[str, Any]:
        return dict(setting(text) for text in self.settings or ())

    @property
    def flags(self) -> dict[str, str]:
        pairs = [text.partition("=") for text in self.seats or ()]
        if wrong := [seat for seat, _, model in pairs if not seat or not model]:
            raise Unsuitable(f"--seat {wrong[0]!r} has no model", fix="write it like --seat con=improviser")
        return {"pro": self.pro, "con": self.con, **{seat: model for seat, _, model in pairs}}

    @property
    def known(self) -> Environment:
        from hustings.config.variables import variables  # noqa: PLC0415  commands that only read need none

        return variables(profile=self.profile, cast=self.cast_name)

    def for_all(self, say: Callable[[str], None]) -> str:
        """The model named for every seat, asking --endpoint for it if needed."""
        if not self.endpoint:
            return self.model
        from hustings.config.models import at_endpoint  # noqa: PLC0415  it asks servers

        choice = at_endpoint(self.endpoint, self.model)
        say(choice.sentence)
        return choice.flag


@dataclass(frozen=True)
class CapOptions:
    """Caps of a debate."""

    budget: Budget = None
    max_tokens_total: Annotated[
        int | None, typer.Option(min=0, envvar="HUSTINGS_MAX_TOKENS_TOTAL", help="Limit of tokens, input and output.")
    ] = None
    max_calls: Annotated[int | None, typer.Option(min=0, envvar="HUSTINGS_MAX_CALLS", help="Limit of model calls.")] = (
        None
    )
    max_minutes: Annotated[
        float | None,
        typer.Option(min=0.001, envvar="HUSTINGS_MAX_MINUTES", help="Start no new call after this many minutes."),
    ] = None

    @property
    def given(self) -> Caps:
        from hustings.runs.request import requested  # noqa: PLC0415  heavy

        with requested("debate", {"tokens": "--max-tokens-total", "calls": "--max-calls", "seconds": "--max-minutes"}):
            return Caps.of(
                dollars=self.budget, tokens=self.max_tokens_total, calls=self.max_calls, minutes=self.max_minutes
            )


@dataclass(frozen=True)
class Manner:
    """Retries, language and seed of a debate, and how its speakers argue."""

    retries: Annotated[
        int | None,
        typer.Option(
            min=0,
            envvar="HUSTINGS_RETRIES",
            help="Retries after an unusable answer. A call that gets no answer is always sent once more.",
        ),
    ] = None
    on_failure: OnFailureOption = "pause"
    language: Annotated[
        str,
        typer.Option(
            envvar="HUSTINGS_LANGUAGE",
            help="Language that speakers write in, as a code: en, de, pt-BR. The briefing's own words are English; "
            "pages are in English or German.",
        ),
    ] = "en"
    seed: Annotated[int | None, typer.Option(help="Passed to models that support it. Results may still vary.")] = None
    keep_reasoning: Annotated[
        bool,
        typer.Option(
            "--keep-reasoning", help="Keep the models' reasoning text in the transcript, where a provider sends it."
        ),
    ] = False
    personas: Annotated[
        list[str] | None,
        typer.Option(
            "--persona",
            metavar="SEAT=NAME",
            help="A personality or lens for a seat, a team or a role; repeatable. `hustings catalogue` lists them.",
        ),
    ] = None
    panel: Annotated[
        str,
        typer.Option(
            "--panel", metavar="PANEL", help='Panelists of `moderated`: "Ada: engineer, Ben: nurse", or a file.'
        ),
    ] = ""

    @property
    def request_fields(self) -> dict[str, Any]:
        """Fields of a request that hold these options."""
        fields: dict[str, Any] = {"retries": self.retries, "language": self.language, "seed": self.seed}
        fields["on_failure"] = self.on_failure
        return {**fields, "keep_reasoning": self.keep_reasoning}

    @property
    def manners(self) -> dict[str, str]:
        """Personality or lens by seat."""
        pairs = [text.partition("=") for text in self.personas or ()]
        if wrong := [seat for seat, _, name in pairs if not seat or not name]:
            raise Unsuitable(
                f"--persona {wrong[0]!r}", fix="write it as SEAT=NAME, for example --persona pro=diplomatic"
            )
        return {seat: name for seat, _, name in pairs}

    @property
    def panelists(self) -> dict[str, Any]:
        """The panel as a setting, from words or from a file with a panelist on each line."""
        if not self.panel:
            return {}
        from hustings.config.documents import panel_in  # noqa: PLC0415  commands that only read need none

        return {"panel": panel_in(self.panel)}


@dataclass(frozen=True)
class FollowUpOptions:
    """Options of the follow-ups: judging, comparison, summary and evaluation."""

    judges: Annotated[
        str,
        typer.Option(
            "--judges",
            metavar="MODEL,…",
            envvar="HUSTINGS_JUDGES",
            help="Models that judge. `auto`: JUDGE_LLM_MODEL, else the speakers' own. `none` skips judging.",
        ),
    ] = "auto"
    with_control: Annotated[
        bool,
        typer.Option(
            "--control", envvar="HUSTINGS_CONTROL", help="Also ask the same models without a debate, and compare."
        ),
    ] = False
    with_summary: Annotated[
        bool,
        typer.Option(
            "--summary", envvar="HUSTINGS_SUMMARY", help="Also let the first judge's model write a checked summary."
        ),
    ] = False
    with_evaluation: Annotated[
        bool,
        typer.Option(
            "--evaluate",
            envvar="HUSTINGS_EVALUATE",
            help="Also evaluate how each turn reasons. Costs several times the debate.",
        ),
    ] = False

    @property
    def follow_ups(self) -> FollowUps:
        from hustings.runs.follow_ups import FollowUps  # noqa: PLC0415  commands that only read need none

        return FollowUps.of(
            self.judges, control=self.with_control, summary=self.with_summary, evaluate=self.with_evaluation
        )


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
        given = {name: value for name, value in given.items() if name not in {"judges", "with_control"}}
    return dict.fromkeys(parts, given) or given


def _profile(arguments: Sequence[str]) -> str:
    told = [text.partition("=")[2] for text in arguments if text.startswith("--profile=")]
    told += [after for before, after in pairwise(arguments) if before == "--profile"]
    return told[-1] if told else ""
