"""Who calls a tool, and what that caller may do: the user of this machine, or the holder of a token."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext

    from hustings.config.plan_run import RunPlan
    from hustings.engine.service import RunService

    from .shapes import StartArguments

T = TypeVar("T")


class Caller(Protocol):
    """Raises `HustingsError` for what is refused."""

    @property
    def service(self) -> RunService:
        """The runs that the caller may see."""
        ...

    def must_be_permitted(self, tool: str, run_id: str = "") -> None: ...

    def plan(self, asked: StartArguments) -> RunPlan:
        """The debate that is asked for: with its judging if models hold it, without if the caller plays."""
        ...

    def waiting(self) -> AbstractContextManager[None]:
        """Count a call that stays open."""
        ...

    async def heavily(self, work: Callable[[], T]) -> T:
        """Do CPU-bound work in a thread."""
        ...


CallerOf = Callable[["ServerRequestContext[Any, Any]"], Awaitable[Caller]]
"""Finds who makes a request; the first one may open the database."""
