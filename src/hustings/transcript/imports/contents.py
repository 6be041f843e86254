"""Reads chat messages of any program: who speaks, what is said, and when; texts alone or in parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from hustings.errors import BrokenFile

from .spoken import text_of

Message = Mapping[str, Any]


def message_in(value: object, where: str) -> Message:
    """An object of the file; anything else is refused."""
    if not isinstance(value, dict):
        raise BrokenFile(f"{where} is no object", fix="correct the file, or name its shape with --as")
    return cast("Message", value)


def list_in(value: object, where: str) -> list[Any]:
    """A list of the file; anything else is refused."""
    if not isinstance(value, list):
        raise BrokenFile(f"{where} is no list", fix="correct the file, or name its shape with --as")
    return cast("list[Any]", value)


def content_of(value: object, where: str) -> str | None:
    """The words of a message; None for calls of tools, pictures and the like. Parts of text are put together."""
    match value:
        case str():
            return text_of(value, where)
        case list():
            parts = [_part(part, where) for part in cast("list[object]", value)]
            return "\n".join(part for part in parts if part) or None
        case _:
            return None


def _part(value: object, where: str) -> str:
    match value:
        case str():
            return text_of(value, where)
        case {"type": "text", "text": str() as text}:
            return text_of(text, where)
        case _:
            return ""


def first_text(message: Message, *fields: str) -> str:
    """The first of these fields that holds a text; empty if none does."""
    found = (value.strip() for name in fields if isinstance(value := message.get(name), str))
    return next(filter(None, found), "")
