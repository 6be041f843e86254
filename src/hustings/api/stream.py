"""The events of a debate for a loop: what happens in another thread, one after the other, as something to iterate."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from hustings.core.events import Event

if TYPE_CHECKING:
    from .holding import Holding


class Stream(AsyncIterator[Event]):
    """Begins with its first event. Whoever lets go of it before the end pauses the debate, at once and not some time
    later as a generator would."""

    def __init__(self, hold: Callable[[Callable[[Event], None]], Holding]) -> None:
        self._hold = hold
        self._holding: Holding | None = None
        self._waiting = asyncio.Queue[Event | None]()
        self._over = False

    async def __anext__(self) -> Event:
        holding = self._holding or await self._begin()
        if not self._over and (event := await self._waiting.get()):
            return event
        self._over = True
        holding.result.result()  # raises what became of it, if that is no result
        raise StopAsyncIteration

    async def _begin(self) -> Holding:
        loop, waiting = asyncio.get_running_loop(), self._waiting

        def hear(event: Event | None) -> None:
            with suppress(RuntimeError):  # whoever listened is gone, and their loop with them
                loop.call_soon_threadsafe(waiting.put_nowait, event)

        self._holding = holding = await asyncio.to_thread(self._hold, hear)
        holding.result.add_done_callback(lambda _: hear(None))
        return holding

    async def aclose(self) -> None:
        self.__del__()

    def __del__(self) -> None:
        if self._holding is not None:
            self._holding.rest()
