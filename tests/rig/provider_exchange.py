"""Requests to the pretend provider, their answers in OpenAI's format, and a ledger of what it would have billed."""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any, TextIO

from .provider_answers import good_answer

KEPT_BODIES = 100
"""Number of latest requests that are kept word for word."""


@dataclass
class ReceivedCall:
    """One request as the provider saw it."""

    number: int
    key: str
    """The name the caller gave it."""
    nth: int
    """0 for the first request under this key."""
    fault: str
    stream: bool
    started: float
    ended: float | None = None
    billed: bool = False
    """The model ran, whether or not the answer arrived."""
    delivered: bool = False
    """Every byte was handed to the socket of a caller who had not hung up."""
    good: bool = False
    """What was sent is, if it was delivered, a complete and usable answer."""
    sdk_retry: str | None = None
    idempotency_key: str | None = None
    auth_digest: str | None = None
    """Tells keys apart; never the key itself."""


@dataclass
class Ledger:
    log: TextIO | None = None
    calls: list[ReceivedCall] = field(default_factory=list[ReceivedCall])
    seen: Counter[str] = field(default_factory=Counter[str])
    bodies: deque[bytes] = field(default_factory=lambda: deque[bytes](maxlen=KEPT_BODIES))
    most_at_once: int = 0
    _open: int = 0

    def open(self, call: ReceivedCall, body: bytes) -> None:
        self.calls.append(call)
        self.bodies.append(body)
        self._open += 1
        self.most_at_once = max(self.most_at_once, self._open)
        self._write(call)

    def close(self, call: ReceivedCall) -> None:
        call.ended = time()
        self._open -= 1
        self._write(call)

    def _write(self, call: ReceivedCall) -> None:
        if self.log:
            self.log.write(json.dumps(vars(call)) + "\n")
            self.log.flush()

    def forget(self) -> None:
        """Forget all calls. Those under way go on, but are no longer listed."""
        self.calls.clear()
        self.seen.clear()
        self.bodies.clear()
        self.most_at_once = self._open

    def summary(self) -> dict[str, Any]:
        billed = Counter(call.key for call in self.calls if call.billed)
        served = Counter(call.key for call in self.calls if call.good and call.delivered)
        return {
            "calls": len(self.calls),
            "keys": len(self.seen),
            "billed": billed.total(),
            "billed_again": billed.total() - len(billed),
            "served": served.total(),
            "served_again": served.total() - len(served),
            "most_per_key": max(self.seen.values(), default=0),
            "most_at_once": self.most_at_once,
            "open": self._open,
            "faults": dict(Counter(call.fault for call in self.calls)),
        }


def digest_of(credential: str | None) -> str | None:
    return sha256(credential.encode()).hexdigest()[:12] if credential else None


def read_log(path: Path) -> Sequence[ReceivedCall]:
    """The calls of a log, each as it was last written; a line that was cut short by a crash is left out."""
    calls: dict[tuple[float, int], ReceivedCall] = {}
    for line in path.read_text("utf-8").splitlines(keepends=True):
        if line.endswith("\n"):
            call = ReceivedCall(**json.loads(line))
            calls[call.started, call.number] = call
    return list(calls.values())


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
