"""Options of the commands that begin a debate: those of a request's fields, and what only a command can give."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args, get_origin

import typer
from annotated_types import Ge, Gt, Le
from pydantic import JsonValue

from hustings.config.documents import panel_in, subject_of
from hustings.config.variables import variables
from hustings.db.caps import Caps
from hustings.errors import Unsuitable
from hustings.runs.debate_fields import (
    OPTIONS,
    DebateFields,
    DebateSetupFields,
    FollowUpFields,
    LimitFields,
    option_name,
)
from hustings.runs.protocol_files import protocol_fields
from hustings.runs.request import DebateRequest, requested

from .options import setting
from .terminal import talk

if TYPE_CHECKING:
    from hustings.llm.environment import Environment

G = TypeVar("G", bound=type[object])
LEAST = 0.001
"""The smallest number that an option takes for a field whose numbers are above zero."""
MODEL_FIELDS = ("settings", "model", "seats")
HOW_FIELDS = tuple(name for name in DebateSetupFields.model_fields if name not in {"question", *MODEL_FIELDS})
"""Fields that say how a debate is held."""
NAMES: Mapping[str, str] = {name: option_name(name) for name in OPTIONS}


def with_fields(*names: str, **defaults: Any) -> Callable[[G], G]:
    """Give a group the options of these fields of a debate, before its own. `defaults` are other than the fields'."""

    def add(group: G) -> G:
        own = vars(group).get("__annotations__", {})
        group.__annotations__ = {**{name: _annotation(name) for name in names}, **own}
        for name in names:
            default = None if OPTIONS[name].example else DebateFields.model_fields[name].default
            setattr(group, name, defaults.get(name, default))
        return group

    return add


def _annotation(name: str) -> Any:
    """A field as Typer takes it; one with parts is a list of KEY=VALUE."""
    field, option = DebateFields.model_fields[name], OPTIONS[name]
    kind, limits = _simple(field.annotation)
    numbers = {limit for part in limits for limit in (part, *getattr(part, "metadata", ()))}
    return Annotated[
        list[str] | None if option.example else option.simple or kind,
        typer.Option(
            *(option.names or (option_name(name),)),
            metavar=option.metavar or None,
            envvar=f"HUSTINGS_{name.upper()}" if option.variable else None,
            help=option.help,
            min=next((_least(limit) for limit in numbers if isinstance(limit, Ge | Gt)), None),
            max=next((_most(limit) for limit in numbers if isinstance(limit, Le)), None),
        ),
    ]


def _simple(annotation: Any) -> tuple[Any, tuple[Any, ...]]:
    """A type without what is said about its values, and that apart."""
    if get_origin(annotation) is Annotated:
        return get_args(annotation)[0], get_args(annotation)[1:]
    inner = [part for part in get_args(annotation) if get_origin(part) is Annotated]
    if not inner:
        return annotation, ()
    return get_args(inner[0])[0] | None, get_args(inner[0])[1:]


def _least(limit: Ge | Gt) -> Any:
    return limit.ge if isinstance(limit, Ge) else LEAST


def _most(limit: Le) -> Any:
    return limit.le


@dataclass(frozen=True)
class FieldOptions:
    """Options that give fields of a debate."""

    def values(self, names: Iterable[str] = OPTIONS) -> dict[str, Any]:
        """The fields that they give."""
        own = {field.name for field in fields(self)}
        given = {name: getattr(self, name) for name in names if name in own}
        return {name: _parts(name, value or ()) if OPTIONS[name].example else value for name, value in given.items()}


def _parts(name: str, texts: Iterable[str]) -> dict[str, JsonValue]:
    """A field with parts, from texts like KEY=VALUE. Only values of settings are more than text."""
    if name == "settings":
        return dict(setting(text) for text in texts)
    pairs = [text.partition("=") for text in texts]
    if wrong := ["".join(pair) for pair in pairs if not pair[0] or not pair[2]]:
        option = option_name(name)
        raise Unsuitable(f"{option} {wrong[0]!r} has no value", fix=f"write it like {option} {OPTIONS[name].example}")
    return {key: value for key, _, value in pairs}


@dataclass(frozen=True)
@with_fields(*LimitFields.model_fields)
class LimitOptions(FieldOptions):
    """Limits of a debate."""

    @property
    def caps(self) -> Caps:
        with requested("debate", NAMES):
            return LimitFields.model_validate(self.values(LimitFields.model_fields)).caps


@dataclass(frozen=True)
@with_fields(*MODEL_FIELDS)
class ModelOptions(FieldOptions):
    """Models of the seats, and settings of the protocol."""

    pro: Annotated[str, typer.Option("--pro", metavar="MODEL", help="Model for the side in favour.")] = ""
    con: Annotated[str, typer.Option("--con", metavar="MODEL", help="Model for the side against.")] = ""
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
    def environment(self) -> Environment:
        return variables(profile=self.profile, cast=self.cast_name)

    def request_fields(self) -> dict[str, Any]:
        """Fields of a request. Asks --endpoint for its model, if that is not named."""
        values = self.values()
        sides = {"pro": self.pro, "con": self.con}
        return {
            **values,
            "model": model_for_all(values["model"], self.endpoint),
            "seats": {seat: model for seat, model in {**sides, **values["seats"]}.items() if model},
        }


def model_for_all(model: str, endpoint: str) -> str:
    """The model named for every seat, asking --endpoint for it if needed."""
    if not endpoint:
        return model
    from hustings.config.models import at_endpoint  # noqa: PLC0415  it asks servers

    choice = at_endpoint(endpoint, model)
    talk(choice.sentence)
    return choice.flag


@dataclass(frozen=True)
@with_fields(*HOW_FIELDS)
class DebateOptions(LimitOptions, ModelOptions):
    """How a debate is held."""

    panel: Annotated[
        str,
        typer.Option(
            "--panel", metavar="PANEL", help='Panelists of `moderated`: "Ada: engineer, Ben: nurse", or a file.'
        ),
    ] = ""

    def request_fields(self) -> dict[str, Any]:
        values = super().request_fields()
        panel = {"panel": panel_in(self.panel)} if self.panel else {}
        return {**values, **protocol_fields(values["protocol"]), "settings": {**values["settings"], **panel}}


@dataclass(frozen=True)
@with_fields(*(name for name in FollowUpFields.model_fields if name in OPTIONS))
class JudgedDebateOptions(DebateOptions):
    """How a debate is held, and what follows it."""


@dataclass(frozen=True)
class QuestionOptions:
    """What is debated."""

    question: Annotated[
        str,
        typer.Argument(
            metavar="QUESTION",
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

    def request(self, how: DebateOptions) -> DebateRequest:
        """The request of a debate. Reads its documents, and asks once whether each tool may be started."""
        if not self.question and not self.files:
            raise Unsuitable("The question is empty", fix='hustings "Should …?", or hustings plan.md')
        subject = subject_of(self.question, self.files or (), self.folders or ())
        for remark in subject.remarks:
            talk(remark)
        with requested("debate", NAMES):
            return DebateRequest(
                question=subject.question,
                background=subject.background,
                documents=subject.documents,
                tools=self._offers(how.environment),
                **how.request_fields(),
            )

    def _offers(self, environment: Environment) -> Any:
        if not self.tools:
            return ()
        from hustings.config.configured_tools import offers  # noqa: PLC0415  few debates have any

        def agree(sentence: str) -> bool:
            talk(sentence)
            if not self.allow_tools and not (sys.stdin.isatty() and sys.stderr.isatty()):
                raise Unsuitable("a tool needs your yes before it is started", fix="add --allow-tools")
            return self.allow_tools or typer.confirm("Start it now and in later debates?", err=True)

        return offers(self.tools, environment, agree)
