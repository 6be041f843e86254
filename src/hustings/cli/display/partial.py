"""Makes an unfinished answer readable: plain text unchanged, a form as the words that others will read."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import NoneType
from typing import Annotated, Any, cast, get_args, get_origin

from pydantic_core import from_json

from hustings.errors import HustingsError
from hustings.script.forms import Form
from hustings.script.protocol import Protocol
from hustings.text.words import count_words

LONGEST = 100_000
"""Characters parsed; the rest is shown once the turn is entered."""
UNSAID = "\0"
"""Stands for what has not come yet, and cannot occur in a text."""


@dataclass(frozen=True)
class PartialText:
    text: str
    count: int
    """Number of words, as a word limit counts them."""
    whole: bool
    """Whether a JSON answer is complete; unknown, so False, for plain text."""


class PartialAnswer:
    """Collects the pieces of an answer, and parses them only when shown: many arrive between two repaints."""

    def __init__(self, forms: Sequence[type[Form]] = ()) -> None:
        self._forms = forms
        self._pieces: list[str] = []
        self._length = 0
        self._reading: PartialText | None = None

    def feed(self, piece: str) -> None:
        if self._length < LONGEST:
            self._pieces.append(piece)
            self._length += len(piece)
            self._reading = None

    def read(self) -> PartialText:
        if self._reading is None:
            self._reading = readable("".join(self._pieces)[:LONGEST], self._forms)
        return self._reading


def heading_of(protocol: str) -> str:
    """What the debate is called above its question; a protocol that is not installed has its name alone."""
    script = _script(protocol)
    return script.summary.partition(":")[0].rstrip(".") if script else protocol.partition("/")[0]


@cache
def _script(protocol: str) -> Protocol | None:
    """A script, named as `structured/1`; None if it is not installed."""
    from hustings.runs.registry import find_script  # noqa: PLC0415  heavy

    name, _, version = protocol.partition("/")
    if "+" in version:  # a file of the user's
        return None
    try:
        return find_script(name)
    except HustingsError:
        return None


@cache
def forms_of(protocol: str) -> tuple[type[Form], ...]:
    """Forms of a protocol, named as `structured/1`; empty if it is not installed."""
    if (script := _script(protocol)) is None:
        return ()
    found = vars(sys.modules[script.play.__module__]).values()
    return tuple(form for form in found if isinstance(form, type) and issubclass(form, Form) and not form.prose)


def readable(text: str, forms: Sequence[type[Form]] = ()) -> PartialText:
    """The words of an answer so far. Text that is not JSON is shown unchanged; broken JSON is not shown."""
    start = text.lstrip()
    if "```".startswith(start[:3]):
        inside = start.partition("\n")[2].lstrip()
        if inside[:1] not in {"{", "["}:
            return _plain(start if inside else "")
        start = inside
    if start[:1] not in {"{", "["}:
        return _plain(start)
    try:
        value, whole = _parsed(start)
        shown, counted = _rendered(value, forms)
    except (ValueError, RecursionError):
        return _plain("" if start.startswith("{") else start)
    return PartialText(shown, count_words(counted), whole)


def _plain(text: str) -> PartialText:
    return PartialText(text, count_words(text), whole=False)


def _parsed(text: str) -> tuple[Any, bool]:
    raw = text.encode("utf-8", "replace")  # a model may write half a character
    try:
        return from_json(raw.rstrip(b"` \n")), True
    except ValueError:
        value = from_json(raw, allow_partial="trailing-strings")
    _drop_unfinished(value, in_number=text[-1].isdigit())
    return value, False


def _drop_unfinished(value: Any, *, in_number: bool) -> bool:
    """Drop a last number or empty list that may still grow, so that further text only adds to what was shown."""
    if not isinstance(value, dict | list):
        return in_number and isinstance(value, int | float) and not isinstance(value, bool)
    parts = cast("dict[Any, Any]", value)  # a list is read and cut in the same way
    last = next(reversed(parts), None) if isinstance(value, dict) else -1
    if value and _drop_unfinished(parts[last], in_number=in_number):
        del parts[last]
    return not value


# -- words of a form -----------------------------------------------------------------------


def _rendered(value: Any, forms: Sequence[type[Form]]) -> tuple[str, str]:
    """The words to show, and those that count against a limit."""
    form = _fitting(cast("dict[str, Any]", value), forms) if isinstance(value, dict) else None
    if form is None or form.said is Form.said:
        words = in_words(value)
        return words, words
    try:
        said, counted = (_said(form, value, of) for of in (form.said, form.counted))
    except Exception:  # noqa: BLE001  a form of another author may not bear an answer that is not whole
        said = counted = in_words(value)
    return said, counted.replace("…", "")


def _fitting(value: Mapping[str, Any], forms: Sequence[type[Form]]) -> type[Form] | None:
    """The form that has all these fields; of several, the one whose fields come in this order."""
    named = [*value]
    fitting = [form for form in forms if named and set(named) <= form.model_fields.keys()]
    ordered = [form for form in fitting if [*form.model_fields][: len(named)] == named]
    return next(iter([*ordered, *fitting]), None)


def _said(form: type[Form], value: Any, of: Any) -> str:
    """The words of a form that is not whole, without the lines of which nothing has come."""
    lines = of(_filled(form, value)).split("\n")
    if UNSAID not in lines[-1]:
        return "\n".join(lines).replace(UNSAID, "…")
    empty = of(_filled(form, _emptied(value))).split("\n")
    while lines and empty and lines[-1] == empty[-1] and UNSAID in lines[-1]:
        lines.pop()
        empty.pop()
    return "\n".join(lines).replace(UNSAID, "…")


def _emptied(value: Any) -> Any:
    match value:
        case dict():
            return {name: _emptied(part) for name, part in cast("dict[str, Any]", value).items()}
        case list():
            return [_emptied(part) for part in cast("list[Any]", value)]
        case _:
            return UNSAID


def _filled(form: type[Form], value: Any) -> Form:
    """The form with what has come; what has not is marked."""
    given = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    fields = {name: _part(info.annotation, given.get(name)) for name, info in form.model_fields.items()}
    return form.model_construct(**fields)


def _part(kind: Any, value: Any) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _part(inner[0], value)
    if NoneType in inner:
        others = [one for one in inner if one is not NoneType]
        return None if value is None else _part(others[0], value)
    if origin is tuple:
        return tuple(_part(inner[0], one) for one in cast("list[Any]", value if isinstance(value, list) else []))
    if isinstance(kind, type) and issubclass(kind, Form):
        return _filled(kind, value)
    return UNSAID if value is None else value


def in_words(value: Any) -> str:
    """All texts and numbers of an answer in lines, without the names of its fields."""
    match value:
        case dict() | list():
            parts = cast("dict[Any, Any]", value).values() if isinstance(value, dict) else cast("list[Any]", value)
            return "\n".join(words for part in parts if (words := in_words(part)))
        case bool() | None:
            return ""
        case _:
            return str(value)
