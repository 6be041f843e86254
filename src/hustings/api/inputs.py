"""Checks what a program gives against the types that are written for it, and reads the documents that it brings."""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, wraps
from inspect import signature
from math import inf
from pathlib import Path
from types import NoneType, SimpleNamespace, UnionType
from typing import Any, Literal, ParamSpec, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from pydantic import ValidationError

from hustings.config.documents import document_in, document_of, file_in, left_out
from hustings.errors import HustingsError, Unsuitable
from hustings.readers.document import brought, document_from, read_document
from hustings.readers.folder import documents_in_folder
from hustings.script.background import Background, title_of
from hustings.script.complaints import complaints
from hustings.script.documents import DocumentText

log = logging.getLogger("hustings")
P = ParamSpec("P")
R = TypeVar("R")

OPTIONS = {
    "as": "shape=",
    "budget": "budget=",
    "database": 'database=…, or database="temporary"',
    "file": "documents=",
    "item": "item=",
    "judges": "judges=",
    "look-ups": "look_ups=",
    "max-calls": "max_calls=",
    "max-minutes": "max_minutes=",
    "max-tokens-total": "max_tokens_total=",
    "model": "model=",
    "protocol": "protocol=",
    "retries": "retries=",
    "seat": "seats=",
    "set": "settings=",
    "speakers": "speakers=",
    "topic": "topic=",
}
"""Options of commands, and what programs write instead."""
COMMANDS = {"keys": "keys={…}", "list": "database=…"}
"""Commands, and what programs write instead."""
NAMED = re.compile(r"hustings (?P<command>[a-z]*)[^:;,()]*|(?P<key>has no key)|(?<![\w-])--(?P<option>[a-z][a-z-]*)")
"""A command with its options, a key, or an option that stands alone."""


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Refuse what does not fit the types that a function writes for its arguments, and tell its errors to programs."""
    places = signature(function)

    @wraps(function)
    def called(*given: P.args, **named: P.kwargs) -> R:
        with told_to_programs():
            must_fit(function, places.bind(*given, **named).arguments)
            return function(*given, **named)

    return called


@contextmanager
def told_to_programs() -> Generator[None]:
    """Name arguments beside the options of commands that an error names."""
    try:
        yield
    except HustingsError as error:
        names = dict.fromkeys(name for found in NAMED.finditer(str(error)) if (name := _in_python(found)))
        if names and "(in Python: " not in str(error):
            error.args = (f"{error} (in Python: {', '.join(names)})",)
        raise


def _in_python(found: re.Match[str]) -> str:
    name: str = "keys" if found["key"] else found["command"] or found["option"] or ""
    return {**COMMANDS, **OPTIONS}.get(name, "")


def must_fit(of: Callable[..., Any], given: Mapping[str, object]) -> None:
    """Refuse values that do not fit the types that a class or a function writes for them, by their names."""
    types = _types(of)
    for name, value in given.items():
        if name in types:
            _must_be(types[name], value, name)


@cache
def _types(of: Callable[..., Any]) -> Mapping[str, Any]:
    """Types of the arguments. Those of results may be names that only type checkers load."""
    written = {name: kind for name, kind in of.__annotations__.items() if name != "return"}
    return get_type_hints(SimpleNamespace(__annotations__=written), vars(sys.modules[of.__module__]))


def _must_be(wanted: Any, given: object, place: str) -> None:
    choices = get_args(wanted) if get_origin(wanted) in {Union, UnionType} else (wanted,)
    kinds = [get_origin(choice) or choice for choice in choices]
    for choice, kind in zip(choices, kinds, strict=True):
        if kind is Any or not (kind is Literal or isinstance(kind, type)):  # JSON is looked at where it is used
            return
        if FITS[kind](given) if kind in FITS else isinstance(given, kind):
            _must_hold(kind, get_args(choice), given, place)
            return
    *words, last = (word for choice in choices for word in _words(choice))
    raise Unsuitable(f"{place} is {_called(given)}", fix=f"give {', '.join(words)}{' or ' if words else ''}{last}")


def _words(choice: Any) -> list[str]:
    kind = get_origin(choice) or choice
    return [*map(repr, get_args(choice))] if kind is Literal else [WORDS.get(kind, kind.__name__)]


def _must_hold(kind: Any, inner: tuple[Any, ...], given: object, place: str) -> None:
    """Look into a list or a table."""
    if kind is Mapping:
        for name, one in cast("Mapping[object, object]", given).items():
            _must_be(inner[0], name, f"a name in {place}")
            _must_be(inner[1], one, f"{place}[{name!r}]")
    elif kind is Sequence:
        for number, one in enumerate(cast("Sequence[object]", given)):
            _must_be(inner[0], one, f"{place}[{number}]")


def _called(given: object) -> str:
    """What a value is. A text is not repeated: it may be a key."""
    plain = given is None or isinstance(given, bool | int | float)
    return repr(given) if plain else WORDS.get(type(given), type(given).__name__)


def _is_number(given: object) -> bool:
    return isinstance(given, int | float) and not isinstance(given, bool) and -inf < given < inf


FITS: Mapping[Any, Callable[[object], bool]] = {
    int: lambda given: isinstance(given, int) and not isinstance(given, bool),
    float: _is_number,
    Literal: lambda given: isinstance(given, str),  # the word itself is looked at where it is used
    Sequence: lambda given: isinstance(given, Sequence) and not isinstance(given, str | bytes | bytearray | memoryview),
}
"""Where more is meant than `isinstance` says."""
WORDS: Mapping[Any, str] = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "True or False",
    Path: "a Path",
    Sequence: "a list",
    Mapping: "a dict",
    NoneType: "None",
}


@contextmanager
def argument(name: str) -> Generator[None]:
    """Refuse a value by the name of its argument."""
    try:
        yield
    except ValidationError as error:
        raise Unsuitable(f"{name} can't be used", why="; ".join(complaints(error))) from None


# -- documents -----------------------------------------------------------------------------

Brought = str | Path | bytes | Background | DocumentText | Mapping[str, Any]
"""A document: its text, its file, what a file holds, or title, text and seats."""


def background_of(given: str | Path | bytes | Background | None) -> Background | None:
    """The document that comes with the question. A blank text is no document."""
    match given:
        case Path():
            return document_in(str(given))
        case bytes():
            return document_of(given, "background")
        case str() if given.strip():
            _must_be_words(given, "background")
            with argument("background"):
                return Background(title=title_of(given), text=given)
        case Background():
            return given
        case _:
            return None


def documents_of(given: Sequence[Brought]) -> tuple[DocumentText, ...]:
    """Further documents, those of folders among them."""
    return tuple(one for number, each in enumerate(given) for one in _documents(each, f"documents[{number}]"))


def _documents(given: Brought, place: str) -> Sequence[DocumentText]:
    match given:
        case Path() if os.path.isdir(given):  # noqa: PTH112  a `Path` raises what it may not see
            found = documents_in_folder(str(given))
            if found.left_out:
                log.warning("%s: %s", place, left_out(found))
            return found.documents
        case Path():
            return [read_document(given)]
        case bytes():
            return [document_from(given, place)]
        case str():
            _must_be_words(given, place)
            return [brought("", given, name=place)]
        case Background():
            return [brought(given.title, given.text, name=place)]
        case _:
            with argument(place):
                told = DocumentText.model_validate({"title": "-", **given} if isinstance(given, Mapping) else given)
            title = "" if told.title == "-" else told.title
            return [brought(title, told.text, seats=told.seats, media=told.media, name=place)]


def _must_be_words(text: str, place: str) -> None:
    """Refuse the name of a file where its text is wanted: a debate about the name would be paid for."""
    if not text.strip() or "\n" in text:
        return
    if os.path.exists(text) or (text[0] not in "@-" and file_in(text)):  # noqa: PTH110
        raise Unsuitable(f"{place} is the name of a file, {text!r}", fix=f"give its text, or Path({text!r}) to read it")
