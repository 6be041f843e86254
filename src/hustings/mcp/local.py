"""`hustings mcp`: the server over standard input and output, for the user of this machine.

The first call opens the database and starts a worker, which executes debates while the host keeps the server.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
from anyio.to_thread import run_sync
from mcp.server.stdio import stdio_server

from .server import create_server

if TYPE_CHECKING:
    from hustings.config.plan_run import RunPlan
    from hustings.engine.service import RunService

    from .shapes import StartArguments

T = TypeVar("T")
AT_A_TIME = 16
"""Debates that the worker of one host executes at a time."""
DRAIN_SECONDS = 1
"""Hosts kill a server that takes longer to leave. The next worker continues what is unfinished."""


def serve_host(url: str) -> None:
    """Serve one host until it closes the connection."""
    with ExitStack() as stack:
        opening = _Opening(url, stack)

        async def caller_of(_: Any) -> LocalCaller:
            return await run_sync(opening.caller)

        server = create_server(caller_of)

        async def talk() -> None:
            async with stdio_server() as (incoming, outgoing):
                await server.run(incoming, outgoing, server.create_initialization_options())

        anyio.run(talk)


class _Opening:
    """Opens the database and starts the worker once, however many calls arrive at the same time."""

    def __init__(self, url: str, stack: ExitStack) -> None:
        self._url, self._stack, self._lock = url, stack, threading.Lock()
        self._caller: LocalCaller | None = None

    def caller(self) -> LocalCaller:
        with self._lock:
            if self._caller is None:
                with ExitStack() as opened:  # what fails half-way is closed, and the next call tries again
                    self._caller = LocalCaller(opened.enter_context(_working(self._url)))
                    self._stack.push(opened.pop_all())
            return self._caller


@contextmanager
def _working(url: str) -> Generator[RunService]:
    """The service of a database, with a worker that executes its debates."""
    from hustings.config.configured_tools import models_for  # noqa: PLC0415  heavy
    from hustings.config.plan_run import affordable  # noqa: PLC0415
    from hustings.config.variables import variables  # noqa: PLC0415
    from hustings.engine.follow_up_worker import FollowUpWorker  # noqa: PLC0415
    from hustings.engine.service import open_service  # noqa: PLC0415
    from hustings.engine.worker import Duty, Worker  # noqa: PLC0415

    known = variables()
    with open_service(url) as service:
        service.upgrade()
        duty = Duty(concurrency=AT_A_TIME, drain=DRAIN_SECONDS)
        with Worker(url, models_for(known), duty), FollowUpWorker(service, known, lambda made: affordable(made, known)):
            yield service


class LocalCaller:
    """The user of this machine: may do everything with all debates of the database."""

    def __init__(self, service: RunService) -> None:
        self.service = service

    def must_be_permitted(self, tool: str, run_id: str = "") -> None:
        """Everything is."""

    def plan(self, asked: StartArguments) -> RunPlan:
        from hustings.config.plan_run import plan_run  # noqa: PLC0415  heavy
        from hustings.config.variables import variables  # noqa: PLC0415
        from hustings.runs.request import DebateRequest, requested  # noqa: PLC0415

        with requested("debate"):
            request = DebateRequest(**asked.request_fields, on_failure="go-on")
        return plan_run(request, variables(), external=asked.external)

    @contextmanager
    def waiting(self) -> Generator[None]:
        yield

    async def heavily(self, work: Callable[[], T]) -> T:
        return await run_sync(work)
