"""Reads a reply as an answer on a form: exactly one object counts, and what is wrong is said in words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from .complaints import Unfit, complaints, printable
from .fit_answer import FittedAnswer, beginning_of, fit_to_schema, shares_fields, within_frames
from .json_answer import Defect, FoundObject, find_objects
from .reply_marks import words_alone

PROSE = "Send one JSON object: it begins with { and ends with }."
EMPTY = f"Your answer was empty. {PROSE}"
NO_WORDS = "the answer is empty"
TWO = "Your answer holds two different JSON objects. Send the one you mean."
CUT = "Your answer stops before its end. Send it again, shorter."
MANY = "Your answer is longer or more deeply nested than its form. Send one JSON object with the fields asked for."
MOST_NOTED = 8
MOST_COMPLAINTS = 200
"""Faults of pydantic that are put into words; beyond, the first rows of each list must do."""

F = TypeVar("F", bound=BaseModel)


@dataclass(frozen=True)
class ReadAnswer(Generic[F]):
    answer: F
    left_out: tuple[str, ...] = ()
    """What of the reply was no part of the form, and was left out."""


def read_words(reply: str) -> str:
    """A reply in plain words."""
    words = words_alone(reply)
    if not words:
        raise Unfit(CUT if words is None else NO_WORDS)
    return words


def read_object(form: type[F], schema: Mapping[str, Any], reply: str) -> ReadAnswer[F]:
    """Read a reply as a form, or raise `Unfit`. No value is guessed or changed."""
    if not reply.strip():
        raise Unfit(EMPTY)
    content = find_objects(reply)
    found = _meant(content.objects, schema)
    if len(found) > 1:
        raise Unfit(TWO)
    defect = content.defect
    # Beside an object that can't be read, another counts only if it ends the reply: others may be quoted in the first.
    if defect and not (found and found[0].last and defect.kind == "fault"):
        raise Unfit(_words_of(defect))
    if not found:
        raise Unfit(PROSE)
    try:
        return _read_found(form, schema, found[0])
    except Unfit as unfit:
        raise Unfit(_words_of(defect)) if defect else unfit from None


def _meant(objects: tuple[FoundObject, ...], schema: Mapping[str, Any]) -> list[FoundObject]:
    """The different objects that may be meant for a form: if some may, others are braces in the prose around them."""
    different = {json.dumps(each.values, sort_keys=True): each for each in objects}
    fitting = {
        text: each
        for text, each in different.items()
        if any(shares_fields(values, schema) for values, _ in _readings(each.values))
    }
    if fitting or len(different) == 1:
        return list((fitting or different).values())
    return []  # rows without their frame, as in YAML


def _words_of(defect: Defect) -> str:
    match defect.kind:
        case "cut":
            return CUT
        case "twice":
            return f"“{printable(defect.near)}” stands twice in one object. Send it once."
        case "fault":
            hint = "a comma or bracket is missing there, or a quotation mark within a text needs a backslash before it"
            return f"Your JSON can't be read after “{printable(' '.join(defect.near.split()))}”: {hint}."
        case _:
            return MANY


def _readings(values: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], str]]:
    """An object as it stands, then what lies in frames within it; each with what to note of its frame."""
    yield values, ""
    for inner in within_frames(values):
        if isinstance(inner, str):
            content = find_objects(inner)
            if len(content.objects) == 1 and content.defect is None:
                yield content.objects[0].values, ""
        else:
            yield inner, "type, properties: words of the form itself" if inner is values.get("properties") else ""


def _read_found(form: type[F], schema: Mapping[str, Any], found: FoundObject) -> ReadAnswer[F]:
    """The object as it stands if it fits; else what lies in frames within it, if exactly one reading of it fits."""
    readings = [reading for reading in _readings(found.values) if shares_fields(reading[0], schema)]
    fitting: list[ReadAnswer[F]] = []
    first_error: Unfit | None = None
    for values, frame in readings or [(found.values, "")]:
        try:
            answer, fitted = _validated(form, schema, values)
        except Unfit as unfit:
            first_error = first_error or unfit
        else:
            halves = ["half of a character"] if found.half_characters else []
            fitting.append(ReadAnswer(answer, _shortened([*filter(None, [frame]), *fitted.left_out, *halves])))
            if values is found.values:
                break
    if len(fitting) == 1:
        return fitting[0]
    raise first_error or Unfit(TWO)


def _shortened(lines: list[str]) -> tuple[str, ...]:
    more = len(lines) - MOST_NOTED
    return (*lines[:MOST_NOTED], *([f"and {more} more"] if more > 0 else []))


def _validated(form: type[F], schema: Mapping[str, Any], values: Mapping[str, Any]) -> tuple[F, FittedAnswer]:
    """Rows in which nothing stands are left out only if the answer does not fit with them."""
    fitted = fit_to_schema(values, schema)
    try:
        return _validate(form, fitted), fitted
    except ValidationError:
        fitted = fit_to_schema(values, schema, without_empty_rows=True)
    try:
        return _validate(form, fitted), fitted
    except ValidationError as error:
        if error.error_count() > MOST_COMPLAINTS:
            return _validated(form, schema, beginning_of(values))
        raise Unfit(*complaints(error, fitted.row_numbers)) from None


def _validate(form: type[F], fitted: FittedAnswer) -> F:
    # Through JSON: there a list is as good as a tuple, while numbers and texts stay strictly apart.
    return form.model_validate_json(json.dumps(fitted.values, ensure_ascii=False))
