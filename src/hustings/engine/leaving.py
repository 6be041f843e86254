"""Leaving: a worker that stops begins no call any more, and lets the answers under way arrive."""

from __future__ import annotations

import asyncio
import math
import threading
import time

LOOK = 0.25
"""Seconds until a call that waits for its next try notices that its worker leaves."""


class Left(BaseException):
    """The worker leaves. DBOS takes a cancelled task for a failed workflow, unless it raises a non-`Exception`."""


class Leaving:
    """Shared by a worker and its calls, on whatever threads they are."""

    def __init__(self) -> None:
        self._lock = threading.RLock()  # a signal may come in the middle of `begin`, and begin it itself
        self._since = math.inf
        self._under_way = 0
        self.cut = 0
        """Calls that had no answer yet when the worker could wait no longer."""

    @property
    def begun(self) -> bool:
        return self._since < math.inf

    @property
    def under_way(self) -> int:
        """Calls that were begun, and whose answers are not on record."""
        return self._under_way

    def begin(self) -> int:
        """From now on no call begins. Return how many are under way."""
        with self._lock:
            self._since = min(self._since, time.monotonic())
            return self._under_way

    def seconds_left(self, most: float) -> int:
        """What is left of the seconds that answers get from the beginning on."""
        return max(0, math.ceil(min(self._since, time.monotonic()) + most - time.monotonic()))

    def begin_call(self) -> bool:
        """Return False if no call may begin; otherwise call `end_call`, whatever happens."""
        with self._lock:
            self._under_way += not self.begun
            return not self.begun

    def end_call(self) -> None:
        with self._lock:
            self._under_way -= 1

    async def sleep(self, seconds: float) -> bool:
        """Sleep. Return False as soon as the worker leaves."""
        end = time.monotonic() + seconds
        while not self.begun and (left := end - time.monotonic()) > 0:  # noqa: ASYNC110  an event belongs to one loop
            await asyncio.sleep(min(left, LOOK))
        return not self.begun
