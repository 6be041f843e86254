"""Throttle: keep all workers together within an endpoint's limits, and away from an endpoint in trouble.

A healthy endpoint without configured limits costs no statement: a view of the unhealthy endpoints is
read once a second, and rows are written only when something changes. While the database is unavailable
the view stays as it was; whether a call may be made at all is decided elsewhere.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import defaultdict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from time import monotonic
from typing import TypeVar

from sqlalchemy.exc import SQLAlchemyError

from hustings.db.connection import Database
from hustings.db.faults import unusable
from hustings.db.rate_limits import (
    LONGEST_WAIT,
    OPEN_SECONDS,
    SHORTEST_WAIT,
    UNLIMITED,
    EndpointLimits,
    Health,
    RateLimits,
)
from hustings.llm.model import LlmResponse
from hustings.llm.model_spec import ModelSpec

T = TypeVar("T")
AT_ONCE = 64
"""Calls that one worker makes to one endpoint at the same time."""
LOOK = 1.0
"""Seconds between two reads of the endpoints' health."""
PATIENCE = 2.0
"""Seconds that a call waits for the database on behalf of the limits."""
WELL = Health()
log = logging.getLogger(__name__)


def endpoint_of(model_spec: ModelSpec) -> EndpointLimits:
    """The endpoint whose limits a model shares; key and model are part of its identity."""
    return EndpointLimits(
        f"{model_spec.base_url or model_spec.provider}|{model_spec.key}|{model_spec.model}",
        model_spec.requests_per_minute or UNLIMITED,
        model_spec.tokens_per_minute or UNLIMITED,
    )


class Throttle:
    """One per worker, used on one event loop."""

    def __init__(self, database: Database, *, at_once: int = AT_ONCE, open_seconds: float = OPEN_SECONDS) -> None:
        self._rate_limits, self._at_once = RateLimits(database, open_seconds=open_seconds), at_once
        # Our own threads: if they hang with the database, nothing else is short of threads.
        self._threads = ThreadPoolExecutor(2, "hustings-limits")
        self._gates: defaultdict[str, _Gate] = defaultdict(_Gate)
        self._view: dict[str, tuple[float, Health]] = {}
        self._look: asyncio.Task[None] | None = None
        self._looked_at = self._away_until = -math.inf
        self._away = False

    async def enter(self, model_spec: ModelSpec, tokens: int) -> float:
        """Return 0.0 to go ahead; then call `leave`, whatever happens. Else the seconds after which to ask again.

        Only a hold that the provider asked for makes this longer than a few seconds.
        """
        endpoint = endpoint_of(model_spec)
        gate = self._gates[endpoint.key]
        gate.most = model_spec.at_once
        while gate.inside >= self._room(endpoint.key):
            await gate.queue()
        gate.inside += 1
        wait = math.inf
        try:
            wait = await self._admit(endpoint, gate, tokens)
        finally:
            if wait > 0:
                self._free(endpoint.key)
        return wait

    async def leave(self, model_spec: ModelSpec, taken: int, response: LlmResponse | None) -> None:
        """Learn from the result of a call; None if it was aborted on our side."""
        endpoint = endpoint_of(model_spec)
        try:
            if response is not None:
                await self._learn(endpoint, response)
                if model_spec.tokens_per_minute and (unused := _unused(taken, response)):
                    await self._ask(lambda: self._rate_limits.give_back(endpoint, unused))
        finally:
            self._free(endpoint.key)

    def health(self, model_spec: ModelSpec) -> Health:
        """What is known of a model's endpoint now, without a look at the database: why `enter` made a call wait."""
        seen_at, health = self._seen(endpoint_of(model_spec).key)
        passed = monotonic() - seen_at
        return replace(health, hold=max(0.0, health.hold - passed), shut=max(0.0, health.shut - passed))

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _admit(self, endpoint: EndpointLimits, gate: _Gate, tokens: int) -> float:
        await self._refresh()
        seen_at, health = self._seen(endpoint.key)
        if wait := health.wait(monotonic() - seen_at):
            return max(SHORTEST_WAIT, wait)
        if not endpoint.limited and not health.breaking:
            return 0.0
        # A recent refusal counts for the whole worker: many calls ask no more often than one.
        if (wait := gate.ask_at - monotonic()) > 0:
            return max(SHORTEST_WAIT, wait)
        taken = await self._ask(lambda: self._rate_limits.take(endpoint, tokens))
        if taken is None:
            return LONGEST_WAIT if health.breaking else 0.0
        if taken:
            gate.ask_at = monotonic() + min(taken, LOOK)
        return taken

    async def _learn(self, endpoint: EndpointLimits, response: LlmResponse) -> None:
        match response.kind:
            case "rate_limited":
                await self._note(endpoint.key, lambda: self._rate_limits.punish(endpoint, response.after))
            case "timed_out":  # a silent server is slow, not gone: one call every 30 s would not make it faster
                pass
            case "overloaded" | "unreachable" | "garbled":
                await self._note(endpoint.key, lambda: self._rate_limits.trouble(endpoint))
                if response.after is not None:
                    await self._note(endpoint.key, lambda: self._rate_limits.punish(endpoint, response.after))
            case _ if (seen := self._seen(endpoint.key))[1].faults:
                self._view[endpoint.key] = seen[0], replace(seen[1], faults=0)
                await self._note(endpoint.key, lambda: self._rate_limits.well(endpoint))
            case _:
                pass

    async def _note(self, key: str, change: Callable[[], Health]) -> None:
        if (health := await self._ask(change)) is not None:
            self._view[key] = monotonic(), health

    def _seen(self, key: str) -> tuple[float, Health]:
        return self._view.get(key, (0.0, WELL))

    def _room(self, key: str) -> int:
        """Concurrent calls allowed. Where no rate is configured, half the rate means half as many at once."""
        most = min(self._at_once, self._gates[key].most or self._at_once)
        return max(1, int(most * self._seen(key)[1].rate))

    def _free(self, key: str) -> None:
        gate = self._gates[key]
        gate.inside -= 1
        gate.call(self._room(key) - gate.inside)

    async def _refresh(self) -> None:
        """Refresh the view. No call waits for it longer than until the next refresh."""
        if self._look is None or (self._look.done() and monotonic() - self._looked_at >= LOOK):
            self._looked_at = monotonic()
            self._look = asyncio.create_task(self._read())
        if not self._look.done():
            await asyncio.wait({self._look}, timeout=max(0.0, self._looked_at + LOOK - monotonic()))

    async def _read(self) -> None:
        if (ailing := await self._ask(self._rate_limits.ailing)) is not None:
            now = monotonic()
            self._view = {key: (now, health) for key, health in ailing.items()}

    async def _ask(self, work: Callable[[], T]) -> T | None:
        """Query the database in a thread; None if it is unavailable."""
        if monotonic() < self._away_until:
            return None
        try:
            found = await asyncio.wait_for(asyncio.get_running_loop().run_in_executor(self._threads, work), PATIENCE)
        except (SQLAlchemyError, TimeoutError) as error:
            if not self._away:
                log.warning("%s: using the last known limits", unusable(error).what)
            self._away, self._away_until = True, monotonic() + LOOK
            return None
        self._away = False
        return found


class _Gate:
    """Counts the calls of this worker to one endpoint, and queues the rest."""

    def __init__(self) -> None:
        self.inside = 0
        self.most: int | None = None
        """The model spec's own limit on concurrent calls, which applies in addition to others."""
        self.ask_at = -math.inf
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def queue(self) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # its turn had just come: pass it on
                self.call(1)
            raise

    def call(self, places: int) -> None:
        while places > 0 and self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                places -= 1


def _unused(taken: int, response: LlmResponse) -> int:
    """Tokens to give back. Unknown usage, and an answer that may have been billed, count as taken in full."""
    usage = response.usage
    if response.kind == "rate_limited":
        return 0
    if response.billed == "no":
        return taken
    return 0 if usage.input is None or usage.output is None else taken - usage.input - usage.output
