"""The event loop on which a worker executes runs, in threads that never keep a program from ending."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor, wait
from queue import SimpleQueue
from typing import Any, ParamSpec, TypeVar

from hustings.llm.egress import hang_up

log = logging.getLogger(__name__)
THREADS = 4
"""For what would block the loop: name look-ups, resampling of panels, indexing of books."""
SETTLE_SECONDS = 2.0
"""Seconds that work which is called off may take to let go."""
T = TypeVar("T")
P = ParamSpec("P")


class RunLoop:
    """Starts at once. All that is submitted runs on one thread; `close` calls off what is left."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._loop.set_default_executor(_Threads(THREADS))
        self._open: set[Future[Any]] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="hustings-runs", daemon=True)
        self._thread.start()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        self._open.add(future)
        future.add_done_callback(self._open.discard)
        return future

    def close(self, seconds: float = 0.0) -> None:
        """Give the work some seconds to end, then call it off."""
        wait([*self._open], seconds)
        called_off = asyncio.run_coroutine_threadsafe(self._call_off(), self._loop)
        called_off.add_done_callback(lambda _: self._loop.call_soon_threadsafe(self._loop.stop))
        self._thread.join(2 * SETTLE_SECONDS)
        if self._thread.is_alive():
            log.warning("a debate is still computing; it is left behind")
        else:
            self._loop.close()

    async def _call_off(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        if others:
            await asyncio.wait(others, timeout=SETTLE_SECONDS)
        await hang_up()
        await self._loop.shutdown_asyncgens()


class _Threads(ThreadPoolExecutor):
    """Threads that Python does not wait for. It shuts every usual pool before a program's last words are over."""

    def __init__(self, threads: int) -> None:
        super().__init__(1)  # which starts no thread before something is submitted to it
        self._work: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._count = threads
        for _ in range(threads):
            threading.Thread(target=self._serve, name="hustings-aside", daemon=True).start()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future = Future[T]()

        def carry_out() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(fn(*args, **kwargs))
                except BaseException as error:  # noqa: BLE001  it belongs to the one who waits
                    future.set_exception(error)

        self._work.put(carry_out)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002
        for _ in range(self._count):
            self._work.put(None)

    def _serve(self) -> None:
        while work := self._work.get():
            work()
