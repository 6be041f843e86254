"""Walks a document along the models of `transcript/models.py` and shows each field to the field rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from types import NoneType, UnionType
from typing import Any, Final, Literal, NamedTuple, Union, cast, get_args, get_origin

from pydantic import BaseModel, JsonValue

from hustings.transcript.models import Intervention, Transcript

from .reader import SizeLimits
from .rulebook import Book, Finding, Found, Rule

Kind = Literal["string", "integer", "number", "boolean", "list", "object", "anything"]


@dataclass(frozen=True)
class Shape:
    """What a value must be."""

    kind: Kind
    enum: tuple[str, ...] = ()
    items: Field | None = None
    """What each entry of a list must be."""
    fields: tuple[Field, ...] = ()
    """Fields of an object that has a model."""

    def accepts(self, value: object) -> bool:
        """JSON types, strictly: a bool is no number, 1.0 is no integer."""
        return self.kind == "anything" or type(value) in _TYPES[self.kind]


@dataclass(frozen=True)
class Field:
    name: str
    shape: Shape
    required: bool
    scopes: tuple[str, ...] = ()
    """Scopes of an intervention that make the field required."""

    @cached_property
    def settled(self) -> frozenset[type]:
        """Types of values that no rule needs to check, which are most."""
        plain = self.shape.kind in _KINDS.values() and not self.shape.enum
        optional = not self.required and not self.scopes
        absent = (NoneType, type(ABSENT)) if optional else ()
        return frozenset((*(_TYPES[self.shape.kind] if plain else ()), *absent))


class Spot(NamedTuple):
    """A field and its value, as a rule sees them."""

    name: str
    shape: Shape
    value: Any
    limits: SizeLimits

    @property
    def entries(self) -> int:
        """Length of a list; 0 for anything else."""
        value: object = self.value
        return len(cast("list[object]", value)) if isinstance(value, list) else 0


ABSENT: Final = object()
field_rule: Book[Spot, str | None] = Book()


def misfits(document: object, limits: SizeLimits) -> list[Finding]:
    """Every field that a field rule objects to, at most `limits.findings` per rule."""
    told: dict[Rule, list[Found]] = {written: [] for written, _ in field_rule.entries}
    _look_at(Spot("", shape_of(Transcript), document, limits), "", told)
    return [written.finding(found) for written, places in told.items() for found in places]


def _look_at(spot: Spot, pointer: str, told: dict[Rule, list[Found]]) -> None:
    for written, look in field_rule.entries:
        if (detail := look(spot)) is not None:
            if len(told[written]) < spot.limits.findings:
                told[written].append(Found(pointer, detail))
            return
    for name, shape, value in _parts(spot.shape, spot.value):
        _look_at(Spot(name, shape, value, spot.limits), f"{pointer}/{name}", told)


def _parts(shape: Shape, value: Any) -> Iterator[tuple[str, Shape, Any]]:
    """Entries and fields to check; null counts as absent where the field is optional."""
    if shape.items:
        for i, item in enumerate(value):
            if type(item) not in shape.items.settled:
                yield str(i), shape.items.shape, item
    for field in shape.fields:
        below = value.get(field.name, ABSENT)
        if type(below) in field.settled:
            continue
        if below is None and not field.required:
            below = ABSENT
        if below is not ABSENT or field.required or value.get("scope") in field.scopes:
            yield field.name, field.shape, below


@cache
def shape_of(annotation: Any) -> Shape:
    """The shape of a type as the models use it. `null` needs no case of its own: it means an absent field."""
    if annotation is JsonValue:
        return Shape("anything")
    if get_origin(annotation) in {Union, UnionType}:
        (inner,) = (part for part in get_args(annotation) if part is not NoneType)
        return shape_of(inner)
    if get_origin(annotation) is Literal:
        return Shape("string", enum=get_args(annotation))
    if get_origin(annotation) is list:
        return Shape("list", items=Field("", shape_of(get_args(annotation)[0]), required=True))
    if get_origin(annotation) is dict:
        return Shape("object")
    if issubclass(annotation, BaseModel):
        return Shape("object", fields=tuple(_fields(annotation)))
    return Shape(_KINDS[annotation])


def _fields(model: type[BaseModel]) -> Iterator[Field]:
    scopes = SCOPES if model is Intervention else {}
    for name, info in model.model_fields.items():
        yield Field(name, shape_of(info.annotation), required=info.is_required(), scopes=scopes.get(name, ()))


SCOPES: dict[str, tuple[str, ...]] = {
    "round_index": ("round",),
    "turn_id": ("turn", "attempt"),
    "attempt_index": ("attempt",),
}
_KINDS: dict[type, Kind] = {str: "string", int: "integer", float: "number", bool: "boolean"}
_TYPES: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "list": (list,),
    "object": (dict,),
}
