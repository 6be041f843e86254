"""One request to the pretend provider and its answer: bytes, chunks and bodies in the format of OpenAI."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .provider_answers import good_answer
from .provider_ledger import ReceivedCall

DONE = b"data: [DONE]\n\n"
PIECES = 4
"""Number of pieces in which an answer streams."""


@dataclass
class Exchange:
    """One request being answered; faults are written with these methods."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    call: ReceivedCall
    request: Mapping[str, Any]
    size: int
    """Bytes of the request."""
    credential: str
    seed: int
    delay: float
    hang: float

    @cached_property
    def good(self) -> str:
        return good_answer(self.request, self.call.key, self.seed)

    @cached_property
    def model(self) -> str:
        return json.dumps(self.request.get("model", "m"))

    @property
    def stream(self) -> bool:
        return self.call.stream

    # -- bytes ---------------------------------------------------------------------------

    async def write(self, data: bytes) -> None:
        if self.reader.at_eof():
            raise ConnectionResetError("the caller has hung up")
        self.writer.write(data)
        await self.writer.drain()

    async def send(self, status: int, body: bytes, kind: str = "application/json", *more: str) -> None:
        await self.write(head(status, kind, f"Content-Length: {len(body)}", *more) + body)

    async def events(self, parts: Iterable[bytes]) -> None:
        """Send all of a stream at once, with its end."""
        await self.write(STREAM + b"".join(framed(part) for part in parts) + b"0\r\n\r\n")

    async def slowly(self, parts: Iterable[bytes], gap: float) -> None:
        for part in parts:
            await self.write(part)
            await asyncio.sleep(gap)

    def hang_up(self) -> None:
        """Close the connection in the middle of the answer."""
        self.writer.close()
        raise ConnectionResetError("on purpose")

    def reset(self) -> None:
        connection: socket.socket = self.writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()
        raise ConnectionResetError("on purpose")

    # -- the provider's format -----------------------------------------------------------

    async def reply(self, content: str | None, finish: str | None = "stop", **extra: Any) -> None:
        """A well-formed answer, streamed if the caller asked for a stream."""
        self.call.billed = True
        if self.stream:
            await self.events([*self.pieces(content), *self.ending(content, finish, **extra)])
        else:
            await self.send(200, self.completion(content, finish, **extra))

    def chunk(self, delta: str, finish: str | None = None) -> bytes:
        start = f'data: {{"id":"c{self.call.number}","object":"chat.completion.chunk","created":1,"model":{self.model}'
        choice = f'{{"index":0,"delta":{delta},"finish_reason":{json.dumps(finish)}}}'
        return f'{start},"choices":[{choice}]}}\n\n'.encode()

    def pieces(self, content: str | None) -> list[bytes]:
        """The first chunk of a stream, and the chunks with the words."""
        text = content or ""
        step = max(1, -(-len(text) // PIECES))
        words = (text[start : start + step] for start in range(0, len(text), step))
        first = self.chunk('{"role":"assistant","content":""}')
        return [first, *(self.chunk(f'{{"content":{json.dumps(word)}}}') for word in words)]

    def ending(self, content: str | None, finish: str | None = "stop", **extra: Any) -> list[bytes]:
        last = self.chunk(json.dumps(extra), finish)
        options: Mapping[str, Any] = self.request.get("stream_options") or {}
        if not options.get("include_usage"):
            return [last, DONE]
        start = f'data: {{"id":"c{self.call.number}","object":"chat.completion.chunk","created":1,"model":{self.model}'
        usage = f'{start},"choices":[],"usage":{json.dumps(self.usage(content))}}}\n\n'
        return [last, usage.encode(), DONE]

    def completion(self, content: str | None, finish: str | None = "stop", **extra: Any) -> bytes:
        choice = {"index": 0, "message": {"role": "assistant", "content": content, **extra}, "finish_reason": finish}
        about = f'"id":"c{self.call.number}","object":"chat.completion","created":1,"model":{self.model}'
        return f'{{{about},"choices":[{json.dumps(choice)}],"usage":{json.dumps(self.usage(content))}}}'.encode()

    def usage(self, content: str | None) -> dict[str, Any]:
        """Four bytes count as one token; nothing is ever cached here."""
        asked, said = self.size // 4, len((content or "").encode("utf-8", "replace")) // 4 + 1
        tokens = {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}
        return {**tokens, "prompt_tokens_details": {"cached_tokens": 0}}


def head(status: int, kind: str, *more: str) -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status} X", f"Content-Type: {kind}", *more, "", ""]).encode()


STREAM = head(200, "text/event-stream", "Transfer-Encoding: chunked")


def framed(part: bytes) -> bytes:
    """One chunk of a chunked HTTP body."""
    return b"%x\r\n%b\r\n" % (len(part), part)
