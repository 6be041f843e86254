"""Parses bytes into a document, and refuses hostile input before it costs time or memory: the size limits."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import isinf
from typing import Any, Literal, NoReturn, cast

from .rulebook import Book, Found, quoted


@dataclass(frozen=True)
class SizeLimits:
    """The published limits. Limits of lists have the names of the fields they bound."""

    size: int = 64 * 2**20
    """Bytes of the file."""
    depth: int = 64
    values: int = 1_000_000
    string: int = 2**20
    """Characters of one string."""
    rounds: int = 10_000
    turns: int = 1_000
    addresses: int = 1_000
    attempts: int = 100
    participants: int = 1_000
    participant_state_log: int = 100_000
    intervention_log: int = 100_000
    findings: int = 1_000
    """Findings reported per rule; more of the same would say nothing new."""


PUBLISHED = SizeLimits()


Why = Literal["size", "syntax", "depth", "values", "duplicate", "number"]


@dataclass(frozen=True)
class Document:
    """The parsed document, or the reason why it was refused."""

    raw: bytes
    limits: SizeLimits
    document: Any = None
    why: Why | None = None
    detail: str = ""


reading_rule: Book[Document, Iterator[Found]] = Book()


def read(raw: bytes, limits: SizeLimits) -> Document:
    try:
        measure(raw, limits)
        document = json.loads(
            raw.decode(), object_pairs_hook=_unique, parse_constant=_no_number, parse_int=_integer, parse_float=_float
        )
    except _Refused as refused:
        why, detail = refused.args
        return Document(raw, limits, None, why, detail)
    except (ValueError, RecursionError) as error:
        return Document(raw, limits, None, "syntax", str(error))
    return Document(raw, limits, document)


def measure(raw: bytes, limits: SizeLimits) -> None:
    """Count values and depth before any parser recurses or allocates."""
    if len(raw) > limits.size:
        raise _Refused("size", f"{len(raw)} bytes, {limits.size} are allowed")
    # With escapes removed, every quote in a text that is valid JSON begins or ends a string.
    plain = raw.replace(b"\\\\", b"").replace(b'\\"', b"")
    # Each value has at most two strings, its key and itself; a file with more quotes has too many values.
    many_strings = plain.count(b'"') > 4 * limits.values + 2
    bones = b"" if many_strings else b"".join(plain.translate(None, _FLESH).split(b'"')[::2])
    opened, closed = bones.count(b"[") + bones.count(b"{"), bones.count(b"]") + bones.count(b"}")
    if many_strings or opened + bones.count(b",") > limits.values:
        raise _Refused("values", f"more than {limits.values} values")
    if opened != closed:
        raise _Refused("syntax", f"{opened} brackets open and {closed} close")
    if max(accumulate(_STEPS[sign] for sign in bones.replace(b",", b"")), default=0) > limits.depth:
        raise _Refused("depth", f"more than {limits.depth} levels")


def strings(document: object, bad: Callable[[str], bool]) -> Iterator[tuple[str, str]]:
    """Yield the bad strings in order, each with its JSON pointer; a key has the pointer of its object."""
    path: list[str | int] = []
    levels = [_members(document)]
    while levels:
        for key, value in levels[-1]:
            if isinstance(key, str) and bad(key):
                yield _pointer(path), key
            if isinstance(value, str) and bad(value):
                yield _pointer([*path, key]), value
            elif isinstance(value, list | dict):
                path.append(key)
                levels.append(_members(cast("object", value)))
                break
        else:
            levels.pop()
            del path[-1:]


def _members(value: object) -> Iterator[tuple[str | int, object]]:
    if isinstance(value, dict):
        return iter(cast("dict[str, object]", value).items())
    return enumerate(cast("list[object]", value) if isinstance(value, list) else [])


def _pointer(path: list[str | int]) -> str:
    """JSON pointer (RFC 6901). It stops above a key that is longer than any of our names, or that cannot be encoded."""
    pointer = ""
    for key in path:
        part = str(key).replace("~", "~0").replace("/", "~1")
        if len(pointer) + len(part) >= _LONGEST_POINTER or SURROGATE.search(part):
            break
        pointer = f"{pointer}/{part}"
    return pointer


class _Refused(Exception):
    """Carries the reason and the detail."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))
        raise _Refused("duplicate", quoted(twice))
    return members


def _no_number(name: str) -> NoReturn:
    raise _Refused("number", name)


def _integer(digits: str) -> int:
    # Check the length first: a number of thousands of digits must not be converted at all.
    value = int(digits) if len(digits) <= _LONGEST_NUMBER else _LARGEST + 1
    if not -_LARGEST <= value <= _LARGEST:
        raise _Refused("number", quoted(digits))
    return value


def _float(digits: str) -> float:
    value = float(digits)
    if isinf(value):
        raise _Refused("number", quoted(digits))
    return value


SURROGATE = re.compile("[\ud800-\udfff]")
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_FLESH = bytes(sign for sign in range(256) if sign not in _STEPS and sign not in b'",')
"""All bytes but brackets, commas and quotes."""
_LARGEST = 2**53 - 1
_LONGEST_NUMBER = len(str(-_LARGEST))
_LONGEST_POINTER = 1_000
