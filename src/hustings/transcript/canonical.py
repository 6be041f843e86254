"""Canonical JSON of a document (RFC 8785), and the SHA-256 digest that reveals later changes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any, cast

import rfc8785

ALGORITHM, CANONICALIZATION = "sha256", "RFC8785"


def sealed(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of the document with its integrity block."""
    block = {"algorithm": ALGORITHM, "canonicalization": CANONICALIZATION, "digest": digest(document)}
    return {**document, "integrity": block}


def digest(document: Mapping[str, Any]) -> str:
    """SHA-256 of the canonical form of everything but the integrity block."""
    sha256 = hashlib.sha256()
    _spell({key: value for key, value in document.items() if key != "integrity"}, sha256.update)
    return sha256.hexdigest()


def canonical(value: object) -> bytes:
    """The canonical form. Raises ValueError for values that have none, such as NaN or half of a surrogate pair."""
    pieces: list[bytes] = []
    _spell(value, pieces.append)
    return b"".join(pieces)


# The C encoder of `json` escapes strings as RFC 8785 does. The rfc8785 library would make one call for each
# escaped character, and a hostile file has millions of them.
_quote = json.encoder.encode_basestring


def _spell(value: object, put: Callable[[bytes], object], before: str = "") -> None:
    """Write `before` and then the value, in as few pieces as possible."""
    if isinstance(value, str):
        put(f"{before}{_quote(value)}".encode())
    elif isinstance(value, dict):
        members = cast("dict[str, object]", value)
        sign = f"{before}{{"
        for key in sorted(members, key=_utf16):
            _spell(members[key], put, f"{sign}{_quote(key)}:")
            sign = ","
        put(b"}" if members else f"{sign}}}".encode())
    elif isinstance(value, list | tuple):
        sign = f"{before}["
        for item in cast("list[object]", value):
            _spell(item, put, sign)
            sign = ","
        put(b"]" if value else f"{sign}]".encode())
    else:
        put(before.encode() + rfc8785.dumps(cast("Any", value)))


def _utf16(key: str) -> bytes:
    """RFC 8785 sorts keys by their UTF-16 code units, not by their characters."""
    return key.encode("utf-16be")
