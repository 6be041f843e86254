"""Forms of answers: the contract with the model, its parser, the words that other seats read, and the points made."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Annotated, Any, ClassVar, Literal, TypeVar, cast, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from hustings.transcript.models import AddressMove

Objection = Literal["refute", "challenge", "partial"]
ResponseKind = Literal[Objection, "concede", "support", "answer"]
"""What a response does to its target; an `answer` defends against a response."""
OBJECTIONS: frozenset[str] = frozenset(get_args(Objection))
"""Responses that speak against their target."""
WEIGHED = OBJECTIONS | {"support"}
"""Responses whose effect is judged; a concession has the effect it says it has."""


class Point(BaseModel, frozen=True):
    id: str
    kind: Literal["argument", "statement"] | ResponseKind
    """A statement is read with the rest, but no judge weighs it."""
    words: str
    """As other seats read them."""
    claim: str = ""
    """What an argument asserts, in one sentence."""
    target: str = ""
    """The point a response is about."""
    questions: tuple[str, ...] = ()
    """What it asks the author of its target."""


MAX_ANSWER = 400_000
"""Characters; a longer answer counts as truncated and is not parsed."""
DEEPEST = 8
"""Levels that get more indentation: a hostile answer nests many more."""

SeatId = Annotated[str, Field(json_schema_extra={"x-choice": "seat"})]
"""One of the seats the brief offers."""
ClaimId = Annotated[str, Field(json_schema_extra={"x-choice": "claim"})]
"""One of the arguments the brief offers."""
ItemId = Annotated[str, Field(json_schema_extra={"x-choice": "item"})]
"""One of the things the brief asks about."""
IssueId = Annotated[str, Field(json_schema_extra={"x-choice": "issue"})]
"""One of the issues the brief offers."""
OwnId = Annotated[str, Field(json_schema_extra={"x-choice": "own"})]
"""An id the speaker gives to an argument of its own: the prefix the brief offers, and a number."""
Quote = Annotated[str, Field(json_schema_extra={"x-quote": True})]
"""Words of another speaker, verbatim."""


@dataclass(frozen=True)
class Link:
    """The seat or claim that an answer addresses; the recorder finds the turn."""

    seat: str = ""
    claim: str = ""
    move: AddressMove | None = None
    quote: str = ""


class Unfit(Exception):
    """The answer does not fit the form; says why, in lines the seat can act on."""

    def __init__(self, *complaints: str) -> None:
        super().__init__("; ".join(complaints))
        self.complaints = complaints


class Form(BaseModel):
    """The shape of an answer. Subclasses add fields and, where it helps the reader, words of their own."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, str_strip_whitespace=True)

    prose: ClassVar[bool] = False
    """Plain words instead of JSON."""

    def said(self) -> str:
        """The answer as other seats read it."""
        return in_lines(self.model_dump(mode="json"))

    def counted(self) -> str:
        """The words that count against an allowance."""
        return self.said()

    def claims(self) -> Sequence[str]:
        """Ids of the arguments it puts forward."""
        return ()

    def links(self) -> Sequence[Link]:
        """The seats and claims it answers."""
        return ()

    def puts_forward(self) -> Sequence[Point]:
        """The points it puts forward, if its form lists them; judges weigh them one by one."""
        return ()


class Speech(Form):
    """Plain words."""

    prose: ClassVar[bool] = True

    text: str

    def said(self) -> str:
        return self.text


F = TypeVar("F", bound=Form)


def parse(form: type[F], text: str) -> F:
    """Parse an answer strictly: no guessing, no free text where a form is due."""
    if not text.strip():
        raise Unfit("the answer is empty")
    if form.prose:
        return form.model_validate({"text": text.strip()})
    try:
        return form.model_validate_json(unfenced(text))
    except ValidationError as error:
        raise Unfit(*complaints(error)) from None


def unfenced(text: str) -> str:
    """JSON as models send it: bare, or in one Markdown code block."""
    text = text.strip()
    if not (text.startswith("```") and text.endswith("```") and "\n" in text):
        return text
    return text[text.index("\n") : -3].strip()


def complaints(error: ValidationError) -> list[str]:
    """What to correct, field by field; the first few are enough for one answer."""
    lines = [(".".join(str(step) for step in e["loc"]), e["msg"]) for e in error.errors(include_url=False)]
    shown = [f"{place}: {message}" if place else message for place, message in lines[:8]]
    return [*shown, f"and {len(lines) - 8} more"] if len(lines) > 8 else shown


@cache
def schema_of(form: type[Form]) -> Mapping[str, Any]:
    """JSON Schema of a form with references resolved; do not change it, it is shared."""
    schema = form.model_json_schema()
    return cast("Mapping[str, Any]", _resolved(schema, schema.pop("$defs", {})))


@cache
def fingerprint(form: type[Form]) -> str:
    """Hash that changes with the form's schema, and with nothing else."""
    return sha256(json.dumps(schema_of(form), sort_keys=True).encode()).hexdigest()


def _resolved(node: Any, definitions: Mapping[str, Any]) -> Any:
    match node:
        case {"$ref": str(reference), **beside}:
            form = _resolved(definitions[reference.rsplit("/", 1)[-1]], definitions)
            # The field's own description counts; the docstring of a form is for readers of the code.
            return {key: value for key, value in form.items() if key != "description"} | beside
        case dict():
            fields = cast("dict[str, Any]", node)
            return {key: _resolved(value, definitions) for key, value in fields.items()}
        case list():
            return [_resolved(item, definitions) for item in cast("list[Any]", node)]
        case _:
            return node


@cache
def contract(form: type[Form]) -> str:
    """The form described in words, for the prompt; empty if the answer is plain words."""
    if form.prose:
        return ""
    lines = "\n".join(_fields(schema_of(form), 1))
    return f"Answer with one JSON object and nothing else. Its fields:\n{lines}"


def _fields(schema: Mapping[str, Any], depth: int) -> Iterator[str]:
    for name, field in schema["properties"].items():
        optional = "" if name in schema.get("required", ()) else ", may be left out"
        yield f"{'  ' * depth}{name}: {_kind(field)}{optional}{_meaning(field)}"
        item = field.get("items", field)
        if "properties" in item:
            yield from _fields(item, depth + 1)


def _kind(field: Mapping[str, Any]) -> str:
    if "anyOf" in field:
        return " or ".join(_kind(option) for option in field["anyOf"])
    if "enum" in field:
        return "one of " + ", ".join(json.dumps(value) for value in field["enum"])
    match field.get("type"):
        case "array":
            least, most = field.get("minItems", 0), field.get("maxItems")
            count = f"{least} to {most}" if most else f"{least} or more" if least else "any number"
            return f"list of {count}, each: {_kind(field['items'])}"
        case "integer" if "minimum" in field and "maximum" in field:
            return f"whole number from {field['minimum']} to {field['maximum']}"
        case "object":
            return "object with"
        case "string":
            return _text(field)
        case kind:
            return {"integer": "whole number", "boolean": "true or false"}.get(str(kind), str(kind))


def _text(field: Mapping[str, Any]) -> str:
    least, most = field.get("minLength"), field.get("maxLength")
    if least and most:
        return f"text of {least} to {most} characters"
    if least:
        return f"text of at least {least} characters"
    return f"text of at most {most} characters" if most else "text"


def _meaning(field: Mapping[str, Any]) -> str:
    about = field.get("description", "")
    return f" ({about})" if about else ""


@cache
def fields_marked(form: type[Form], kind: str) -> tuple[str, ...]:
    """Names of the fields that take a choice of that kind."""
    return tuple(dict.fromkeys(_names(schema_of(form), kind)))


def _names(schema: Mapping[str, Any], kind: str) -> Iterator[str]:
    for name, field in schema.get("properties", {}).items():
        for option in (field, field.get("items", {}), *field.get("anyOf", ())):
            if option.get("x-choice") == kind:
                yield name
            yield from _names(option, kind)


def marked(form: Form, mark: str) -> Iterator[tuple[str, str]]:
    """Every text of an answer whose field carries a mark in the schema, after the mark's value."""
    yield from _walk(schema_of(type(form)), form.model_dump(mode="json"), mark)


def _walk(schema: Mapping[str, Any], value: Any, mark: str) -> Iterator[tuple[str, str]]:
    for option in schema.get("anyOf", ()):
        if (option["type"] == "null") == (value is None):
            yield from _walk(option, value, mark)
            return
    match value:
        case dict():
            for name, item in cast("dict[str, Any]", value).items():
                yield from _walk(schema.get("properties", {}).get(name, {}), item, mark)
        case list():
            for item in cast("list[Any]", value):
                yield from _walk(schema.get("items", {}), item, mark)
        case str() if mark in schema:
            yield str(schema[mark]), value
        case _:
            pass


def in_lines(value: Any, depth: int = 0) -> str:
    """Plain JSON values as indented lines, for people and prompts."""
    indent = "  " * min(depth, DEEPEST)
    match value:
        case dict():
            rows = cast("dict[str, Any]", value).items()
            return "\n".join(f"{indent}{name.replace('_', ' ')}:{_beside(item, depth)}" for name, item in rows)
        case list():
            return "\n".join(f"{indent}- {_beside(item, depth).strip()}" for item in cast("list[Any]", value))
        case bool():
            return "yes" if value else "no"
        case None:
            return "none"
        case _:
            return str(value)


def _beside(value: Any, depth: int) -> str:
    """What follows a field's name: on the same line if it is one value, below it if it is several."""
    if isinstance(value, dict | list):
        return "\n" + in_lines(cast("Any", value), depth + 1) if value else " none"
    return f" {in_lines(value)}"
