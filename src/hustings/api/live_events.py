"""The events of a debate as they happen. If a program leaves them before the end, the debate pauses."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterable, AsyncIterator, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from hustings.errors import Unsuitable
from hustings.transcript.events import Event

from .inputs import told_to_programs

if TYPE_CHECKING:
    from types import TracebackType

    from .handle import RunHandle


async def begun(begin: Callable[[], RunHandle]) -> RunHandle:
    """Begin in a thread, since the first debate loads the engine. A caller that is cancelled meanwhile pauses it."""
    made, left = list["RunHandle"](), threading.Event()

    def pause_if_left() -> None:
        for handle in made if left.is_set() else ():
            handle.pause()

    def work() -> RunHandle:
        made.append(begin())
        pause_if_left()
        return made[0]

    try:
        return await asyncio.to_thread(work)
    except asyncio.CancelledError:
        left.set()
        pause_if_left()
        raise


def running_loop() -> asyncio.AbstractEventLoop:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        fix = "in trio: await trio.to_thread.run_sync(held.run)"
        raise Unsuitable("only a program under asyncio can await a debate", fix=fix) from None


class LiveEvents(AsyncIterable[Event]):
    """Asynchronous events of a debate, which begins when the first one is requested.

    `async with` it, or a loop over it, that is left before the end pauses the debate at once.
    """

    def __init__(self, begin: Callable[[Callable[[Event], None]], RunHandle]) -> None:
        self._begin = begin
        self._handle: RunHandle | None = None
        self._waiting = asyncio.Queue[Event | None]()
        self._over = False

    def __aiter__(self) -> AsyncIterator[Event]:
        return _Loop(self)

    async def __anext__(self) -> Event:
        handle = self._handle or await self._start()
        if not self._over and (event := await self._waiting.get()):
            return event
        self._over = True
        with told_to_programs():
            handle.result.result()  # raises the error, if the run ended in one
        raise StopAsyncIteration

    async def _start(self) -> RunHandle:
        loop, waiting = running_loop(), self._waiting

        def put(event: Event | None) -> None:
            with suppress(RuntimeError):  # the listener's loop is closed
                loop.call_soon_threadsafe(waiting.put_nowait, event)

        self._handle = handle = await begun(lambda: self._begin(put))
        handle.result.add_done_callback(lambda _: put(None))
        return handle

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()

    async def aclose(self) -> None:
        self.leave()

    def leave(self) -> None:
        if self._handle is not None:
            self._handle.pause()

    __del__ = leave


class _Loop(AsyncIterator[Event]):
    """One `async for` over the events: Python drops it as the loop is left, where a generator would be kept."""

    def __init__(self, events: LiveEvents) -> None:
        self._events = events

    async def __anext__(self) -> Event:
        return await anext(self._events)

    def __del__(self) -> None:
        self._events.leave()
