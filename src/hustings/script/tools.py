"""Tools of the user: what a seat may have fetched, by which inputs, how often, and what is told of the tool."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, JsonValue, ValidationError

MOST_TOOLS = 10
MOST_USES = 20
MOST_CALLS = 20
MOST_INPUTS = 20
MOST_CHOICES = 50
MOST_CHARACTERS = 20_000
"""Characters of a result that are kept."""
LONGEST_INPUT = 500
SECONDS, MOST_SECONDS = 30.0, 600.0
"""For one call, usually and at most."""
MOST_PRICE = 100.0
"""USD for one call."""
ROLE = "tool"
"""Of the silent seats that tools fill."""
PREFIX = "tool_"
InputKind = Literal["text", "number", "whole number", "yes or no", "choice"]
_KINDS: Mapping[str, InputKind] = {
    "string": "text",
    "number": "number",
    "integer": "whole number",
    "boolean": "yes or no",
}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,63}")
_CHOICE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_. -]{0,63}")
"""Names of inputs and choices are the server's: anything that could be a sentence stays out of the prompts."""


class ToolInput(BaseModel, frozen=True, defer_build=True):
    """One input of a tool."""

    name: str
    kind: InputKind
    choices: tuple[str, ...] = ()
    required: bool = True


class ToolUse(BaseModel, frozen=True, defer_build=True):
    """One thing that a server of tools can do, by the name that the server gives it."""

    name: str
    inputs: Annotated[tuple[ToolInput, ...], Field(max_length=MOST_INPUTS)] = ()


class ToolTerms(BaseModel, frozen=True, defer_build=True):
    """A tool as a debate knows it. Where it runs is known to the machine that runs it, and to no debate."""

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,30}$")]
    about: Annotated[str, Field(min_length=1, max_length=300, pattern=r"^[^\x00-\x1f\x7f]*$")]
    """What it is for, in the user's words."""
    uses: Annotated[tuple[ToolUse, ...], Field(min_length=1, max_length=MOST_USES)]
    seats: tuple[str, ...]
    """Ids of the seats that may have something fetched."""
    calls: Annotated[int, Field(ge=1, le=MOST_CALLS)] = 3
    """How often each side may."""
    characters: Annotated[int, Field(ge=1, le=MOST_CHARACTERS)] = 4_000

    @property
    def seat_id(self) -> str:
        """Id of the silent seat that it fills."""
        return f"{PREFIX}{self.name}"

    def use(self, name: str) -> ToolUse | None:
        return next((one for one in self.uses if one.name == name), None)


class _Schema(BaseModel, defer_build=True):
    """As much of a JSON Schema as a form can ask for."""

    type: JsonValue = None
    enum: tuple[JsonValue, ...] = ()
    options: tuple[_Schema, ...] = Field((), alias="anyOf")
    reference: str = Field("", alias="$ref")
    definitions: Mapping[str, _Schema] = Field(default_factory=dict, alias="$defs")
    properties: Mapping[str, _Schema] = {}
    required: tuple[str, ...] = ()


def read_use(name: str, schema: Mapping[str, Any]) -> ToolUse:
    """What a server's JSON Schema asks for. Optional inputs of other kinds are left out; a needed one is refused.

    Raises `ValueError`, which says what does not work in words for the user.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"its name {name[:64]!r} is not made of letters, digits, dots, dashes and underscores")
    try:
        whole = _Schema.model_validate(schema)
    except ValidationError:
        raise ValueError(f"what {name!r} takes can't be read") from None
    if whole.type != "object":
        raise ValueError(f"{name!r} does not take named inputs")
    inputs: list[ToolInput] = []
    for field, given in whole.properties.items():
        found = _input(field, given, whole.definitions, required=field in whole.required)
        if found is not None:
            inputs.append(found)
        elif field in whole.required:
            raise ValueError(
                f"{name!r} needs the input {field[:64]!r}, which is not a text, a number, a choice or yes or no"
            )
    if len(inputs) > MOST_INPUTS:
        raise ValueError(f"{name!r} takes {len(inputs)} inputs, and {MOST_INPUTS} is the most")
    return ToolUse(name=name, inputs=tuple(inputs))


def _input(name: str, schema: _Schema, definitions: Mapping[str, _Schema], *, required: bool) -> ToolInput | None:
    """An input that a form can ask for; None for any other."""
    some = [one for one in schema.options if one.type != "null"]
    schema = some[0] if len(some) == 1 else schema
    schema = definitions.get(schema.reference.removeprefix("#/$defs/"), schema)
    choices = tuple(dict.fromkeys(one for one in schema.enum if isinstance(one, str) and _CHOICE.fullmatch(one)))
    if not _NAME.fullmatch(name) or len(choices) < len(schema.enum) or len(choices) > MOST_CHOICES:
        return None
    if choices:
        return ToolInput(name=name, kind="choice", choices=choices, required=required)
    kind = _KINDS.get(schema.type) if isinstance(schema.type, str) else None
    return ToolInput(name=name, kind=kind, required=required) if kind else None
