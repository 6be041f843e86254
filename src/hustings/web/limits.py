"""Limits that keep one caller from using up the server: bytes of a body, requests, debates, streams, slow heads."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any

from starlette.types import Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

from .problems import Refused

HEAD_SECONDS = 10.0
"""Seconds for the head of a request, from its first byte or from the start of the connection."""
MOST_BYTES = 2**21
"""Bytes of a request body, where no other limit is named."""
BODY_SECONDS = 20.0
"""Seconds for a request body."""
MOST_CALLERS = 10_000
"""Callers that are counted at a time; the one that was quiet longest is dropped first."""


@dataclass(frozen=True)
class BodyLimit:
    """What the body of a request may be."""

    bytes: int = MOST_BYTES
    seconds: float = BODY_SECONDS
    kind: str = "application/json"
    large: bool = False
    """Whether few of them may be in memory at once."""


FILE = BodyLimit(2**25, 60.0, "application/octet-stream", large=True)
WITH_DOCUMENTS = BodyLimit(2**24, 60.0, large=True)
"""A debate with the texts of its documents: several times what all seats together can read."""
BODIES = {
    ("POST", "/api/documents/read"): FILE,
    ("POST", "/api/debates/import"): FILE,
    ("POST", "/api/debates"): WITH_DOCUMENTS,
    ("POST", "/api/estimates"): WITH_DOCUMENTS,
}
LARGE_AT_ONCE = 4
"""Requests in progress whose body may be large; others wait."""


def body_limit(scope: Scope) -> BodyLimit:
    return BODIES.get((scope["method"], scope["path"]), BodyLimit())


@dataclass(frozen=True)
class Limits:
    """What one owner, and one address, may use."""

    requests_per_second: float = 50.0
    """Of one token and of one address: the readers of an owner do not slow each other down."""
    debates_per_minute: float = 30.0
    """Debates, forks and judgings begun."""
    streams: int = 256
    """Open streams."""


class Allowance:
    """Counts what callers use up: a rate, and a reserve that fills at that rate (token bucket)."""

    def __init__(self, per_second: float, reserve: float) -> None:
        self._rate, self._reserve = per_second, reserve
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait_of(self, caller: str, now: float | None = None) -> float:
        """Take one from the caller's reserve and return 0; if it is empty, return the seconds until there is one."""
        now = time.monotonic() if now is None else now
        with self._lock:
            left, since = self._left.pop(caller, (self._reserve, now))
            left = min(self._reserve, left + (now - since) * self._rate)
            wait = 0.0 if left >= 1.0 else (1.0 - left) / self._rate
            self._left[caller] = (left if wait else left - 1.0), now
            if len(self._left) > MOST_CALLERS:
                self._left.popitem(last=False)
        return wait


def must_be_within(allowance: Allowance, caller: str, what: str) -> None:
    if wait := allowance.wait_of(caller):
        raise Refused(429, f"Too many {what}.", fix="Wait a moment, then try again.", wait=wait)


def client_of(scope: Scope, proxies: frozenset[str]) -> str:
    """Address of the caller; behind a proxy that the operator named, the address that the proxy was called from."""
    peer: str = scope["client"][0] if scope["client"] else ""
    if peer not in proxies:
        return peer
    told = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    for one in reversed(",".join(told).split(",")):
        try:
            address = str(ip_address(one.strip()))
        except ValueError:
            break
        if address not in proxies:
            return address
    return peer


class ImpatientProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, but a head that does not come to its end closes the connection."""

    _waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._expect_head()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self.cycle or self.cycle.response_complete:
            self._expect_head()
        else:
            self._stop_waiting()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete and self.conn.trailing_data[0]:
            # The beginning of the next head came with this request: no more data may ever arrive to start its time.
            self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def _expect_head(self) -> None:
        if self._waiting is None:
            self._waiting = self.loop.call_later(HEAD_SECONDS, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
