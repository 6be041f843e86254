"""Schema of `hustings.toml` and `config.toml`; the JSON Schema for editors is generated from it."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from hustings.llm.model_spec import Address, Price

Cap = Annotated[int, Field(ge=0)]


class ModelTable(BaseModel):
    """A model and where it answers. Never a key: `hustings keys set`, or a variable."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    provider: str | None = Field(None, description="openai, anthropic, google, ollama, …; `hustings models` lists them")
    model: str | None = Field(None, description="the model's name, as its provider spells it")
    base_url: Address | None = Field(None, description="address of an OpenAI-compatible server")
    temperature: float | None = Field(None, ge=0)
    max_tokens: int | None = Field(None, gt=0, description="no answer may be longer")
    price: Price | None = Field(None, description="USD per million tokens, where nobody knows it")
    requests_per_minute: int | None = Field(None, gt=0)
    tokens_per_minute: int | None = Field(None, gt=0)
    at_once: int | None = Field(None, gt=0, description="calls it takes at the same time")
    context: int | None = Field(None, gt=0, description="the model's window in tokens")


class Options(BaseModel):
    """Defaults of the commands' options; a variable HUSTINGS_… or the option itself wins."""

    protocol: str | None = Field(None, description="`hustings protocols` lists them")
    language: str | None = Field(None, description="in which debates are held")
    retries: int | None = Field(None, ge=0, description="how often a bad answer is sent back")
    budget: float | None = Field(None, ge=0, allow_inf_nan=False, description="most a debate may cost, in USD")
    max_tokens_total: Cap | None = Field(None, description="most tokens of a debate, read and written")
    max_calls: Cap | None = Field(None, description="most calls of a debate")
    max_minutes: float | None = Field(None, gt=0, allow_inf_nan=False, description="no new call after so long")
    judges: str | None = Field(None, description="who judges: models with commas between, `auto` or `none`")
    control: bool | None = Field(None, description="also ask the debaters' models without a debate")
    display: Literal["live", "plain", "json", "quiet"] | None = Field(None, description="how a debate is shown")
    database: str | None = Field(None, description="where runs are kept; in config.toml only")


class Profile(Options):
    """Settings under one name, chosen by --profile; tables are those of seats, teams and roles, or `llm`."""

    model_config = ConfigDict(frozen=True, extra="allow", allow_inf_nan=False)
    # Tells pydantic the type of every other table.
    __pydantic_extra__: dict[str, ModelTable] = Field(init=False)  # pyright: ignore[reportIncompatibleVariableOverride]

    llm: ModelTable | None = Field(None, description="the model of every seat that has none of its own")


class File(Profile):
    """All of a file. Any table with another name is a seat, a team or a role: [pro], [pro_2], [judge]."""

    profile: str | None = Field(None, description="the profile that is chosen if none is named")
    cast: str | None = Field(None, description="the cast that is chosen if none is named")
    profiles: dict[str, Profile] = Field(default_factory=dict, description="chosen by --profile NAME")
    casts: dict[str, dict[str, str]] = Field(
        default_factory=dict, description="chosen by --cast NAME: seat, team or role = model, such as ollama/llama3.2"
    )


OPTIONS = tuple(Options.model_fields)
SPEAKER = tuple(ModelTable.model_fields)
TABLES = ("llm", "profiles", "casts")
PARAMETERS = {"control": "with_control"}
"""Options whose parameter in the commands has another name."""


def schema() -> str:
    """JSON Schema of both files."""
    made: dict[str, Any] = File.model_json_schema()
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **made}, indent=2) + "\n"
