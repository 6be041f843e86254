"""Servers of tools (MCP): starts one for each call, asks it for what is on the list and nothing else, and ends it.

The package `mcp` is loaded when a tool is used. Nothing that a server says about itself is shown to a model.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from hustings.errors import Unreachable, Unsuitable
from hustings.installation import install_hint
from hustings.script.tools import MOST_CHARACTERS, ToolUse, read_use

from .child_process import KILL, child_environment, signal_group
from .egress import AddressPolicy, http_client
from .model import Kind, LlmRequest, LlmResponse, OnText, Usage

if TYPE_CHECKING:
    from asyncio.subprocess import Process

    from mcp import ClientSession

MOST_BYTES = 4_000_000
"""That a server may send in one call, the list of its tools included."""
MOST_PAGES = 20
"""Of the list of a server's tools."""
GRACE = 1.0
"""Seconds in which a server must end by itself, and again when it is told to."""
NOTHING = Usage(0, 0, 0, 0)
CALL = "hustings/call"
"""Under this name a server is told which call it is; the same for every retry."""


@dataclass(frozen=True)
class ToolServer:
    """Where a tool runs, as the user set it up on this machine."""

    name: str
    allow: tuple[str, ...]
    """What may be called."""
    command: tuple[str, ...] = ()
    url: str = ""
    variables: Mapping[str, SecretStr] = field(default_factory=dict[str, SecretStr])
    """For a command: its own variables."""
    key: SecretStr | None = None
    """For an address: sent as a bearer token."""

    @property
    def place(self) -> str:
        return self.url or " ".join(self.command)


class TooMuch(Exception):
    """The server sent more than any result needs."""


class NotOffered(Exception):
    """The server does not offer what was agreed, or not as it was agreed."""


def must_be_installed() -> None:
    if find_spec("mcp") is None:
        raise Unsuitable("tools need an optional package", fix=install_hint("tools"))


def uses_of(server: ToolServer, policy: AddressPolicy, seconds: float) -> tuple[ToolUse, ...]:
    """Ask a server what it offers, and return what is allowed of it. Calls nothing."""
    must_be_installed()

    async def look() -> dict[str, Any]:
        async with asyncio.timeout(seconds), _session(server, policy) as session:
            return await _schemas(session)

    try:
        found = asyncio.run(look())
    except Exception as error:  # noqa: BLE001  a server may fail in any way
        raise Unreachable(
            f"the tool {server.name} does not answer",
            why=_REASONS[_kind_of(error)],
            fix=f"try it by hand: {server.place}. Then: hustings doctor",
        ) from None
    if missing := [name for name in server.allow if name not in found]:
        raise Unsuitable(
            f"the tool {server.name} offers no {missing[0]!r}",
            fix=f"correct `allow` in [tools.{server.name}]: it offers {', '.join(map(repr, sorted(found)[:20])) or 0}",
        )
    try:
        return tuple(read_use(name, found[name]) for name in server.allow)
    except ValueError as error:
        raise Unsuitable(
            f"the tool {server.name} can't be used: {error}", fix=f"take it off `allow` in [tools.{server.name}]"
        ) from None


class McpTool:
    """One tool behind the `Model` interface: the request says which use of it, and with which inputs."""

    def __init__(self, server: ToolServer, policy: AddressPolicy) -> None:
        self._server, self._policy = server, policy

    async def answer(self, request: LlmRequest, on_text: OnText) -> LlmResponse:  # noqa: ARG002
        known, inputs = request.extra["use"], request.extra["inputs"]
        if known is None or known.name not in self._server.allow:
            return self._failed("rejected", "it is not on the list of what may be called", sent=False)
        sent = False
        try:
            async with asyncio.timeout(request.seconds), _session(self._server, self._policy) as session:
                found = (await _schemas(session)).get(known.name)
                if found is None or read_use(known.name, found) != known:
                    raise NotOffered  # noqa: TRY301
                sent = True
                # A server that keeps what it answered can tell by its name a call that is made again.
                result = await session.call_tool(known.name, dict(inputs), meta=_named(request))
        except Exception as error:  # noqa: BLE001  a server may fail in any way
            kind = _kind_of(error)
            return self._failed(kind, _REASONS[kind] if kind != "rejected" else _refusal(error), sent=sent)
        if result.is_error:
            return self._failed("rejected", "it reported an error", sent=True)
        texts = [part.text for part in result.content if part.type == "text"]
        text = "\n\n".join(texts)[: 4 * MOST_CHARACTERS].strip()
        if not text:
            return self._failed("rejected", "its result has no text", sent=True)
        return LlmResponse("ok", text, usage=NOTHING, model=f"tool/{self._server.name}")

    def _failed(self, kind: Kind, detail: str, *, sent: bool) -> LlmResponse:
        billed = "maybe" if sent else "no"
        return LlmResponse(kind, detail=detail, usage=NOTHING, billed=billed, model=f"tool/{self._server.name}")


def _named(request: LlmRequest) -> Any:
    return {CALL: request.name}


_REASONS: Mapping[Kind, str] = {
    "timed_out": "no answer came in time",
    "unreachable": "its server could not be started or reached, or ended too early",
    "garbled": "its answer could not be read",
    "rejected": "its server refused",
}


def _kind_of(error: BaseException) -> Kind:
    """What went wrong, by the first error that says so."""
    from mcp import MCPError  # noqa: PLC0415  optional, and slow
    from mcp_types import CONNECTION_CLOSED  # noqa: PLC0415

    match error:
        case BaseExceptionGroup():
            return _kind_of(error.exceptions[0])
        case TimeoutError():
            return "timed_out"
        case MCPError():
            return "unreachable" if error.code == CONNECTION_CLOSED else "rejected"
        case NotOffered() | RuntimeError():
            return "rejected"
        case TooMuch() | ValueError():  # a validation error is one
            return "garbled"
        case _:
            return "unreachable"


def _refusal(error: BaseException) -> str:
    match error:
        case BaseExceptionGroup():
            return _refusal(error.exceptions[0])
        case NotOffered():
            return "its server no longer offers it as it was agreed"
        case RuntimeError():
            return "its server asked for more than a tool may have"
        case _:
            return _REASONS["rejected"]


async def _schemas(session: ClientSession) -> dict[str, Any]:
    """Schemas of all inputs by the names of the tools."""
    from mcp_types import PaginatedRequestParams  # noqa: PLC0415  optional, and slow

    found, cursor = dict[str, Any](), None
    for _ in range(MOST_PAGES):
        page = await session.list_tools(params=PaginatedRequestParams(cursor=cursor) if cursor else None)
        found |= {tool.name: tool.input_schema for tool in page.tools}
        cursor = page.next_cursor
        if not cursor:
            return found
    raise TooMuch


@asynccontextmanager
async def _session(server: ToolServer, policy: AddressPolicy) -> AsyncGenerator[ClientSession]:
    """A session with no answer for servers that want to ask a model, a person or for files."""
    from mcp import ClientSession  # noqa: PLC0415  optional, and slow

    async with AsyncExitStack() as stack:
        reads, writes = await stack.enter_async_context(_over_http(server, policy) if server.url else _by_pipe(server))
        session = await stack.enter_async_context(ClientSession(reads, writes))
        await session.initialize()
        yield session


@asynccontextmanager
async def _over_http(server: ToolServer, policy: AddressPolicy) -> AsyncGenerator[tuple[Any, Any]]:
    from mcp.client.streamable_http import streamable_http_client  # noqa: PLC0415  optional, and slow

    async with http_client(policy) as client:
        if server.key is not None:
            client.headers["authorization"] = f"Bearer {server.key.get_secret_value()}"
        async with streamable_http_client(server.url, http_client=client) as streams:
            yield streams[0], streams[1]


@asynccontextmanager
async def _by_pipe(server: ToolServer) -> AsyncGenerator[tuple[Any, Any]]:
    """The server as a child process. Lines are bounded here, which the client of the package does not do."""
    import anyio  # noqa: PLC0415  comes with the optional package

    process = await asyncio.create_subprocess_exec(
        *server.command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=child_environment(server.variables),
        limit=MOST_BYTES,
        start_new_session=True,
    )
    incoming, reads = anyio.create_memory_object_stream[Any](0)
    writes, outgoing = anyio.create_memory_object_stream[Any](0)
    try:
        async with anyio.create_task_group() as group, incoming, reads, writes, outgoing:
            group.start_soon(_hear, process, incoming)
            group.start_soon(_tell, process, outgoing)
            yield reads, writes
            group.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            await _end(process)


async def _hear(process: Process, incoming: Any) -> None:
    from mcp.shared.message import SessionMessage  # noqa: PLC0415  optional, and slow
    from mcp_types import jsonrpc_message_adapter  # noqa: PLC0415

    assert process.stdout is not None  # noqa: S101 - it was asked for
    size = 0
    async with incoming:
        while line := await process.stdout.readline():
            size += len(line)
            if size > MOST_BYTES:
                raise TooMuch
            await incoming.send(SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False)))


async def _tell(process: Process, outgoing: Any) -> None:
    assert process.stdin is not None  # noqa: S101 - it was asked for
    # A server that ends is noticed where it is heard.
    with suppress(ConnectionError):
        async for said in outgoing:
            process.stdin.write(said.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n")
            await process.stdin.drain()


async def _end(process: Process) -> None:
    """End a server and all that it started: by the end of its input, then by a signal, then for good."""
    if process.stdin is not None:
        process.stdin.close()
    for number in (None, signal.SIGTERM, KILL):
        if number is not None:
            signal_group(process, number)
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                await process.wait()
        if process.returncode is not None and number is None:
            signal_group(process, KILL)  # what it left behind
        if process.returncode is not None:
            return
