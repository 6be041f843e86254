"""Entity tags: a client that holds the current version of an answer is told so, and is sent nothing more."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from importlib.metadata import version
from typing import Any

from fastapi import Request, Response

KEPT = {"Cache-Control": "private, no-cache", "Vary": "Accept-Encoding, Authorization, Cookie"}
"""A browser may keep the answer, for the same caller alone, and asks whether it is current before each use."""
SAME: dict[int | str, dict[str, Any]] = {304: {"description": "The version that the client has is current"}}
"""For the description of a route."""


def tag_of(facts: Iterable[object]) -> str:
    """Tag of an answer that depends on these facts and on the release. Weak, because the answer may be compressed."""
    text = repr((version("hustings"), *facts))
    return f'W/"{sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]}"'


def current(request: Request, tag: str, make: Callable[[], Response]) -> Response:
    """The answer with its tag, or only that the client has it; then it is not even made."""
    if _has(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers={"ETag": tag, **KEPT})
    made = make()
    made.headers.update({"ETag": tag, **KEPT})
    return made


def _has(held: str, tag: str) -> bool:
    """Whether the client holds this version. Proxies may strengthen a tag, so only what is quoted is compared."""
    return tag.removeprefix("W/") in {one.strip().removeprefix("W/") for one in held.split(",")}
