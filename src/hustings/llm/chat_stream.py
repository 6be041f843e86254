"""The stream of a chat server as a client reads it safely: words as text, reports of tokens set aside.

Many servers report tokens in every chunk, as totals, which a client would add up; some send words as a list of parts.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, cast

import httpx2

_reports: ContextVar[list[Any] | None] = ContextVar("reports", default=None)


@contextmanager
def reports_set_aside() -> Generator[list[Any]]:
    """Inside, what is streamed to this task has no reports of tokens: the list has them, as the server sent them."""
    reports: list[Any] = []
    token = _reports.set(reports)
    try:
        yield reports
    finally:
        _reports.reset(token)


async def read_plainly(response: httpx2.Response) -> None:
    """For a client's hooks: change the streams of those who asked for it."""
    reports = _reports.get()
    if reports is not None and response.is_success:
        response.stream = _WithoutReports(cast("httpx2.AsyncByteStream", response.stream), reports)


class _WithoutReports(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream, reports: list[Any]) -> None:
        self.stream, self.reports = stream, reports

    async def __aiter__(self) -> AsyncIterator[bytes]:
        held = bytearray()
        async for piece in self.stream:
            held += piece
            if b"\n" in piece or b"\r" in piece:
                *lines, last = held.splitlines(keepends=True)
                whole = last.endswith((b"\n", b"\r"))
                held = bytearray() if whole else last
                yield b"".join(self._line(bytes(line)) for line in (*lines, *([last] if whole else ())))
        if held:
            yield self._line(bytes(held))

    async def aclose(self) -> None:
        await self.stream.aclose()

    def _line(self, line: bytes) -> bytes:
        field, _, value = line.partition(b":")
        try:
            chunk: Any = json.loads(value) if field == b"data" else None
        except (ValueError, RecursionError):  # `[DONE]`, or what the client will refuse
            return line
        if not isinstance(chunk, dict):
            return line
        changed = self._set_aside(cast("dict[str, Any]", chunk))
        changed = _join(cast("dict[str, Any]", chunk)) or changed
        return b"data: " + json.dumps(chunk).encode() + line[len(line.rstrip()) :] if changed else line

    def _set_aside(self, chunk: dict[str, Any]) -> bool:
        report = chunk.pop("usage", None)
        if report is not None:
            self.reports.append(report)
        return report is not None


def _join(chunk: dict[str, Any]) -> bool:
    """Make one text of the parts of what is said."""
    choices = chunk.get("choices")
    changed = False
    for choice in cast("list[Any]", choices) if isinstance(choices, list) else ():
        delta: Any = cast("dict[str, Any]", choice).get("delta") if isinstance(choice, dict) else None
        if isinstance(delta, dict) and isinstance(parts := cast("dict[str, Any]", delta).get("content"), list):
            delta["content"] = "".join(map(_text_of_part, cast("list[Any]", parts)))
            changed = True
    return changed


def _text_of_part(part: Any) -> str:
    text = cast("dict[str, Any]", part).get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) else ""
