"""What a person can ask of a debate in plain values: each field with its option, its setting and its limits.

Options of commands, defaults in settings files, the API's body, a line of a batch and the assistant's tool are made of
these fields; `DebateRequest` adds what only a program or a command can give.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator

from hustings.db.caps import Amount, Caps, OnFailure
from hustings.script.catalogue import Persona
from hustings.script.debate import Scenario
from hustings.script.documents import MOST_LOOK_UPS
from hustings.transcript.models import SAFE_ID

Tier = Literal["quick", "standard", "strict"]
"""How many judges: 1, 3 or 5."""


Temperature = Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)]


@dataclass(frozen=True)
class Option:
    """How people give a field: as an option of commands, as a default in settings files, as an assistant's argument."""

    help: str
    names: tuple[str, ...] = ()
    """As typed. None: after the field."""
    metavar: str = ""
    variable: bool = False
    """Whether HUSTINGS_FIELD sets its default."""
    example: str = ""
    """Of a field with parts, which is given as KEY=VALUE."""
    setting: str = ""
    """Its description in settings files. Empty: they give no default."""
    tool: str = ""
    """Its description for assistants. Empty: they can't give it."""
    simple: type | None = None
    """What is typed, where the field allows more."""


class DebateSetupFields(BaseModel, defer_build=True):
    """What is debated, by whom and how."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    question: Annotated[str, Option("", tool="One question that can be decided, in full.")] = ""
    """Empty: the title of the document puts it."""
    protocol: Annotated[
        str,
        Option(
            "Rules of the debate: a name that hustings protocols lists, or a file of your own: ./duel.py",
            ("--protocol", "-p"),
            variable=True,
            setting="`hustings protocols` lists them",
            tool="structured, moderated, roundtable, adaptive, competition or another.",
        ),
    ] = "structured"
    temperature: Annotated[
        Temperature | None,
        Option(
            "Temperature of all speakers. One of a seat, team or role in your settings goes before it.",
            metavar="T",
            tool="0 to 2, for all speakers. Empty: as set up.",
        ),
    ] = None
    settings: Annotated[
        Mapping[str, JsonValue],
        Option("A setting of the protocol. Repeatable.", ("--set",), metavar="KEY=VALUE", example="rounds=2"),
    ] = {}
    model: Annotated[
        str,
        Option(
            "Model for every seat: provider/model, provider/model@base_url, improviser or human.",
            ("--model", "-m"),
            tool="provider/model for all seats, or your own name. Empty: as set up.",
        ),
    ] = ""
    """Empty: as configured."""
    seats: Annotated[
        Mapping[str, str],
        Option(
            "Model for one seat, team or role. Repeatable.",
            ("--seat",),
            metavar="SEAT=MODEL",
            example="con=improviser",
        ),
    ] = {}
    """Models for seats by id, team or role; the narrowest name wins."""
    personas: Annotated[
        Mapping[str, str | Persona],
        Option(
            "A personality or lens for a seat, a team or a role; repeatable. `hustings catalogue` lists them.",
            ("--persona",),
            metavar="SEAT=NAME",
            example="pro=diplomatic",
        ),
    ] = {}
    """How seats argue: a personality or a lens of the catalogue, for a seat by id, team or role."""
    look_ups: Annotated[
        Annotated[int, Field(ge=0, le=MOST_LOOK_UPS)] | None,
        Option(
            "How often each side may look something up in further documents, instead of reading them whole. "
            "Otherwise only documents too long for the prompts are looked up.",
            metavar="N",
        ),
    ] = None
    debate_id: Annotated[
        str,
        Field(pattern=f"^({SAFE_ID})?$"),
        Option("Names the experiment; otherwise made of the question.", metavar="ID"),
    ] = ""
    """Names the experiment in transcripts. Empty: made of the question, and the same for every protocol."""
    meta: Annotated[
        Scenario,
        Option(
            "For the transcript: task_type, scenario_id, asset_symbol, market_context, time_horizon_default or "
            "required_rung; repeatable.",
            metavar="KEY=VALUE",
            example="task_type=forecast",
        ),
    ] = Scenario()
    """What transcripts say about the scenario."""
    language: Annotated[
        str,
        Option(
            "Language that speakers write in, as a code: en, de, pt-BR. The briefing's own words are English; "
            "pages are in English or German.",
            variable=True,
            setting="language of the debate",
        ),
    ] = "en"
    retries: Annotated[
        Annotated[int, Field(ge=0)] | None,
        Option(
            "Retries after an unusable answer. A call that gets no answer is always sent once more.",
            variable=True,
            setting="retries after an unusable answer",
        ),
    ] = None
    """None: as the protocol has it. From 1 on, speakers can be told something."""
    on_failure: Annotated[
        OnFailure,
        Option("If a seat gives no usable answer: pause, or go on without that answer.", variable=True),
    ] = "pause"
    seed: Annotated[int | None, Option("Passed to models that support it. Results may still vary.")] = None
    keep_reasoning: Annotated[
        bool,
        Option("Keep the models' reasoning text in the transcript, where a provider sends it."),
    ] = False

    @field_validator("seats")
    @classmethod
    def _named(cls, seats: Mapping[str, str]) -> dict[str, str]:
        """Ignore seats without a model."""
        return {seat: model for seat, model in seats.items() if model}


class LimitFields(BaseModel, defer_build=True):
    """Limits of a debate with all that follows it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    budget: Annotated[
        Annotated[float, Field(ge=0, allow_inf_nan=False)] | None,
        Option(
            "Spending limit (default $1.00 if paid).",
            metavar="USD",
            variable=True,
            setting="spending limit of a debate, in USD",
            tool="Spending limit, judging included.",
        ),
    ] = None
    """In dollars."""
    max_tokens_total: Annotated[
        Amount | None,
        Option(
            "Limit of tokens, input and output.",
            variable=True,
            setting="limit of tokens of a debate, input and output",
        ),
    ] = None
    max_calls: Annotated[
        Amount | None, Option("Limit of model calls.", variable=True, setting="limit of calls of a debate")
    ] = None
    max_minutes: Annotated[
        Annotated[float, Field(gt=0, allow_inf_nan=False)] | None,
        Option(
            "Start no new call after this many minutes.",
            variable=True,
            setting="start no new call after this many minutes",
        ),
    ] = None

    @property
    def caps(self) -> Caps:
        return Caps.of(
            dollars=self.budget, tokens=self.max_tokens_total, calls=self.max_calls, minutes=self.max_minutes
        )


class PanelFields(BaseModel, defer_build=True):
    """What is asked of judges, whoever they are."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tier: Tier | None = None
    judge_temperature: Annotated[
        Temperature | None, Option("Temperature of all judges. Default: that of your settings, else 0.2.", metavar="T")
    ] = None


class FollowUpFields(PanelFields, defer_build=True):
    """What follows a debate."""

    judges: Annotated[
        str | tuple[str, ...],
        Option(
            "Models that judge. `auto`: JUDGE_LLM_MODEL, else the speakers' own. `none` skips judging.",
            metavar="MODEL,…",
            variable=True,
            setting="models that judge, separated by commas; `auto` or `none`",
            simple=str,
        ),
    ] = "auto"
    control: Annotated[
        bool,
        Option(
            "Also ask the same models without a debate, and compare.",
            variable=True,
            setting="also ask the same models without a debate",
        ),
    ] = False
    summary: Annotated[bool, Option("Also let the first judge's model write a checked summary.", variable=True)] = False
    evaluate: Annotated[
        Tier | bool,
        Option("Also evaluate how each turn reasons. Costs several times the debate.", variable=True, simple=bool),
    ] = False
    """Last, by the same judges: `quick` with one of them, else three."""


class DebateFields(FollowUpFields, LimitFields, DebateSetupFields, defer_build=True):
    """All that can be asked of a debate in plain values."""


OPTIONS: Mapping[str, Option] = {
    name: option
    for name, field in DebateFields.model_fields.items()
    for option in field.metadata
    if isinstance(option, Option)
}
"""How each field is given, by its name."""


def option_name(field: str) -> str:
    """The option that gives a field, as it is typed."""
    return (*OPTIONS[field].names, f"--{field.replace('_', '-')}")[0]
