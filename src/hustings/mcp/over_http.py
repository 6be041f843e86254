"""The path `/mcp` of `hustings serve`: tools for the holders of tokens, with the roles, owners and limits of the API.

Nothing is kept between two requests: each one brings its token, and is served by a transport of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, TypeVar

from anyio.to_thread import run_sync
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from hustings.errors import NotFound, Unsuitable
from hustings.runs.request import requested
from hustings.web import start_debate
from hustings.web.permissions import tool_must_be_permitted
from hustings.web.problems import Refused, answer
from hustings.web.schemas import NewDebate, Problem
from hustings.web.server_state import RequestContext, ServerState

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.lowlevel import Server
    from mcp.server.transport_security import TransportSecuritySettings

    from hustings.config.plan_run import RunPlan
    from hustings.engine.service import RunService

    from .shapes import StartArguments

T = TypeVar("T")
NOT_INSTALLED = Problem(
    title="This server offers no tools to assistants.",
    status=501,
    why="MCP needs an optional package.",
    fix="Ask the operator to run `hustings mcp` on the server: it says how to install it.",
)


def mcp_app(state: ServerState) -> ASGIApp:
    """Answers at `/mcp`, behind the security middleware. The SDK is loaded by the first request."""
    loading, loaded = threading.Lock(), list["_Loaded"]()

    def load() -> _Loaded:
        with loading:
            if not loaded:
                loaded.append(_Loaded(state))
            return loaded[0]

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "POST":  # nothing is sent without a request, and there is no session to end
            await Response(status_code=405, headers={"Allow": "POST"})(scope, receive, send)
        elif find_spec("mcp") is None:
            await answer(NOT_INSTALLED)(scope, receive, send)
        else:
            found = loaded[0] if loaded else await run_sync(load)
            await found.handle(scope, receive, send)

    return app


class _Loaded:
    """The server, once the SDK is there."""

    def __init__(self, state: ServerState) -> None:
        from mcp.server.transport_security import TransportSecuritySettings  # noqa: PLC0415  heavy

        from .server import create_server  # noqa: PLC0415

        async def caller_of(ctx: ServerRequestContext[Any, Any]) -> TokenCaller:
            assert ctx.request is not None  # noqa: S101  there is one for everything that comes over HTTP
            scope = ctx.request.scope
            return TokenCaller(RequestContext(state, scope["access"], scope["credential"], scope["address"]))

        self._server: Server[Any] = create_server(caller_of)
        names = [f"{name}{port}" for name in sorted(state.setting.hosts) for port in ("", ":*")]
        self._settings: TransportSecuritySettings = TransportSecuritySettings(
            enable_dns_rebinding_protection=True,
            allowed_hosts=[*names, *(f"{name}:*" for name in names)],
            allowed_origins=[
                f"{scheme}://{name}{port}" for scheme in ("http", "https") for name in names for port in ("", ":*")
            ],
        )

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager  # noqa: PLC0415  heavy

        manager = StreamableHTTPSessionManager(self._server, stateless=True, security_settings=self._settings)
        async with manager.run():
            await manager.handle_request(scope, receive, send)


class TokenCaller:
    """The holder of a token, with its role, owner and limits."""

    def __init__(self, context: RequestContext) -> None:
        self._context = context

    @property
    def service(self) -> RunService:
        return self._context.service

    def must_be_permitted(self, tool: str, run_id: str = "") -> None:
        with _in_our_words():
            tool_must_be_permitted(self._context.access, tool, run_id)

    def plan(self, asked: StartArguments) -> RunPlan:
        with requested("debate"):
            body = NewDebate(**asked.request_fields)
        with _in_our_words():
            self._context.must_be_within_limits()
            return start_debate.plan(self._context, body, external=asked.external)

    @contextmanager
    def waiting(self) -> Generator[None]:
        context = self._context
        callers = f"owner:{context.owner}", f"address:{context.address}"
        with _in_our_words():
            context.state.must_have_room(*callers)
        with context.state.counted_stream(context.credential, *callers):
            yield

    async def heavily(self, work: Callable[[], T]) -> T:
        return await self._context.state.heavily(work)


@contextmanager
def _in_our_words() -> Generator[None]:
    """Tell a refusal of the API as an error of a tool."""
    try:
        yield
    except Refused as refusal:
        said = refusal.problem
        kind = NotFound if said.status == 404 else Unsuitable
        raise kind(said.title.rstrip("."), why=said.why, fix=said.fix) from None
