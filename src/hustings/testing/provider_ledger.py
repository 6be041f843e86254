"""Ledger of the pretend provider: what it was asked and would have billed. Fault tests check against it.

Kept in memory and, if there is a log, in a file: a line when a call begins and another when it has ended.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Any, TextIO

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
