"""Forms of answers: the contract with the model, the words that other seats read, and the points made."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from typing import Annotated, Any, ClassVar, Literal, TypeVar, cast, get_args

from pydantic import BaseModel, ConfigDict, Field

from hustings.transcript.models import AddressMove

from .read_answer import ReadAnswer, read_object, read_words

Objection = Literal["refute", "challenge", "partial"]
ResponseKind = Literal[Objection, "concede", "withdraw", "support", "answer"]
"""What a response does to its target; an `answer` defends against a response, its author may `withdraw` an argument."""
Extent = Literal["all", "core", "point"]
"""How much of an argument is conceded or withdrawn: all of it, its core, or one point of it."""
OBJECTIONS: frozenset[str] = frozenset(get_args(Objection))
"""Responses that speak against their target."""
WEIGHED = OBJECTIONS | {"support"}
"""Responses whose effect is judged; a concession has the effect it says it has."""


class Point(BaseModel, frozen=True, defer_build=True):
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
    extent: Extent | Literal[""] = ""
    """How much a concession accepts or a withdrawal takes back; empty if its form does not ask."""
    quote: str = ""
    """The words of its target that it accepts or takes back."""
    disputes: str = ""
    """What of its target an objection is about (claim, reasoning, evidence, extent), if its form asks."""

    def noted(self) -> dict[str, Any]:
        """As it is noted: what a form did not ask for is left out."""
        body = self.model_dump(mode="json")
        return {name: value for name, value in body.items() if value or name not in {"extent", "quote", "disputes"}}


MAX_ANSWER = 400_000
"""Characters; a longer answer counts as truncated and is not parsed."""
TOLD = 200
"""Characters; a text that may be as long is not told its limit, as hardly any comes near it."""
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
OpposingQuote = Annotated[str, Field(json_schema_extra={"x-quote": "opposing"})]
"""Words of another seat than the one that the form names, verbatim."""
DocumentQuote = Annotated[str, Field(json_schema_extra={"x-quote": "document"})]
"""Words of the document that came with the question, verbatim."""


@dataclass(frozen=True)
class Link:
    """The seat or claim that an answer addresses; the recorder finds the turn, unless the answer shows which it is."""

    seat: str = ""
    claim: str = ""
    move: AddressMove | None = None
    quote: str = ""
    turn: str = ""


class Form(BaseModel, defer_build=True):
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


def read(form: type[F], reply: str) -> ReadAnswer[F]:
    """Read a reply as an answer on a form, with what was left out of it; raise `Unfit` if it does not fit."""
    if form.prose:
        return ReadAnswer(form.model_validate({"text": read_words(reply)}))
    return read_object(form, schema_of(form), reply)


def parse(form: type[F], reply: str) -> F:
    """The answer alone."""
    return read(form, reply).answer


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


def contract(form: type[Form], choices: Mapping[str, Sequence[str]] | None = None) -> str:
    """The fields of a form for the prompt, each with its rules and what it may name; empty for plain words."""
    return _contract(form, tuple((kind, tuple(some)) for kind, some in (choices or {}).items()))


@lru_cache(maxsize=512)
def _contract(form: type[Form], offered: tuple[tuple[str, tuple[str, ...]], ...]) -> str:
    if form.prose:
        return ""
    lines = "\n".join(_fields(schema_of(form), dict(offered), 0))
    return f"Answer with one JSON object and nothing else. Fields, in this order:\n{lines}"


Offered = Mapping[str, tuple[str, ...]]


def _fields(schema: Mapping[str, Any], offered: Offered, depth: int) -> Iterator[str]:
    """One line a field; a field with the same parts as one before is said to be like it."""
    known: dict[str, str] = {}
    for name, field in schema["properties"].items():
        inner, about = _inner(field), field.get("description", "")
        like = known.setdefault(json.dumps(inner["properties"]), name) if inner else name
        rest = "" if name in schema.get("required", ()) else " May be left out."
        if like != name:
            line = _sentence(f"like {like}; {about}" if about else f"like {like}")
        elif _names_nothing(field, offered):
            line, inner = "an empty list.", None
        else:
            line = _sentence(_rule(field, offered, about)) + (_opens(field) if inner else "")
        yield f"{'  ' * depth}{name}: {line.strip()}{rest}"
        if inner and like == name:
            yield from _fields(inner, offered, depth + 1)


def rule_of(field: Mapping[str, Any]) -> str:
    """What a field takes, and what it means, in words for a person."""
    return _sentence(_rule(field, {}, field.get("description", "")))


def _inner(field: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The object inside a field, if it has one: itself, an entry of its list, or its alternative to null."""
    for option in field.get("anyOf", (field,)):
        item = option.get("items", option)
        if "properties" in item:
            return item
    return None


def _names_nothing(field: Mapping[str, Any], offered: Offered) -> bool:
    """Whether entries of a list must name one of several things, and there are none."""
    item = field.get("items", {})
    parts = (item, *item.get("properties", {}).values())
    return any(offered.get(part.get("x-choice", ""), ("any",)) == () for part in parts)


def _rule(field: Mapping[str, Any], offered: Offered, about: str) -> str:
    options = [option for option in field.get("anyOf", (field,)) if option.get("type") != "null"]
    kinds = list(filter(None, (_kind(option, offered, about) for option in options)))
    nullable = len(options) < len(field.get("anyOf", ()))
    if nullable and any(offered.get(option.get("x-choice", ""), ("any",)) == () for option in options):
        return "null"
    if nullable and "null" not in about.lower():
        kinds = [*(kinds or ["text"]), "null"]
    most = min((option.get("maxLength", TOLD) for option in options), default=TOLD)
    limit = f" (up to {most} characters)" if most < TOLD else ""
    told = ": ".join(filter(None, (" or ".join(kinds), about)))
    return f"{told or ('' if _inner(field) else 'text')}{limit}"


def _sentence(text: str) -> str:
    return f"{text}." if text and text[-1] not in ".?!" else text


def _opens(field: Mapping[str, Any]) -> str:
    return " Each has:" if field.get("type") == "array" else " It has:"


def _kind(field: Mapping[str, Any], offered: Offered, about: str = "") -> str:
    """What a value may be, as far as its description does not say so."""
    if "enum" in field:
        spelt = all(re.search(rf"(?<!\w){re.escape(str(value))}(?!\w)", about) for value in field["enum"])
        return "" if spelt else "one of " + ", ".join(json.dumps(value) for value in field["enum"])
    match field.get("type"):
        case "array":
            least, most = field.get("minItems", 0), field.get("maxItems")
            count = f"{least} to {most}" if least and most else f"up to {most}" if most else f"{least} or more"
            each = "" if "properties" in field["items"] else _kind(field["items"], offered)
            return f"a list of {count}{f', each {each}' if each else ''}" if least or most else "a list"
        case "integer" if "minimum" in field and "maximum" in field:
            return f"whole number from {field['minimum']} to {field['maximum']}"
        case "string":
            return _choice(field.get("x-choice", ""), offered)
        case "object":
            return ""
        case kind:
            return {"integer": "whole number", "boolean": "true or false"}.get(str(kind), str(kind))


def _choice(kind: str, offered: Offered) -> str:
    """What a text may name; least lengths are checked and not told."""
    if kind not in offered:
        return ""
    if kind == "own":
        return f'"{offered[kind][0]}-1", "{offered[kind][0]}-2" and so on, in order'
    return ("one of " if len(offered[kind]) > 1 else "") + ", ".join(offered[kind])


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
