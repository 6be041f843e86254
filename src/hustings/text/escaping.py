"""Escapes untrusted text: control characters that would steer a page or a terminal are shown instead."""

from __future__ import annotations

import json
import re
from typing import Any


def visible(text: str) -> str:
    """The same text; line breaks and tabs stay, every other control character is shown by its number."""
    return STEERING.sub(lambda found: f"\\u{{{ord(found.group()):x}}}", text)


def on_one_line(text: str) -> str:
    return visible(" ".join(text.split()))


def as_json(value: Any, *, indent: int | None = None) -> str:
    """JSON that is readable in any language and parses back to the same value; control characters are escaped."""
    return escaped(json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False))


def escaped(text: str) -> str:
    """Escape control characters in the source of JSON or a script, so that its quoted strings keep their values."""
    return STEERING.sub(lambda found: json.dumps(found.group())[1:-1], text)


STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f\ud800-\udfff]"
)
