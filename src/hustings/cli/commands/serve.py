"""`hustings serve`: the web server, with a worker in the same process that executes the debates."""

from __future__ import annotations

import socket
import threading
from contextlib import ExitStack
from dataclasses import dataclass
from ipaddress import ip_address
from typing import TYPE_CHECKING, Annotated

import typer

from hustings.cli.observing import Observing
from hustings.cli.options import DatabaseOption
from hustings.cli.stopping import cut_short, leave_when_lost, leaving_on_signals, letting
from hustings.cli.terminal import talk
from hustings.config.paths import address
from hustings.config.running_server import announced
from hustings.engine.runner import preload_client
from hustings.errors import Unsuitable
from hustings.llm.model_spec import parse_model_spec

from .worker import await_database, follow_up_worker, models, share_one_heap

if TYPE_CHECKING:
    from hustings.engine.worker import Worker
    from hustings.web.app import Server
    from hustings.web.server_state import ServerConfig, ServerState

USUAL_PORT = 8642
AT_A_TIME = 64
"""Debates that the built-in worker executes at a time."""
DRAIN = 8
"""Seconds for answers under way when the server stops: containers are killed after ten."""


@dataclass(frozen=True)
class Reach:
    """Options of the address to listen at, and who may connect."""

    host: Annotated[
        str, typer.Option(help="Address to listen on. Other than this machine only with access tokens.")
    ] = "127.0.0.1"
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port. 0 picks a free one.")] = USUAL_PORT
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host", metavar="NAME", help="Host name under which others reach this server. Repeatable."
        ),
    ] = None
    behind_proxy: Annotated[
        list[str] | None,
        typer.Option("--behind-proxy", metavar="ADDRESS", help="IP address of a proxy that handles TLS. Repeatable."),
    ] = None
    needs_token: Annotated[
        bool, typer.Option("--require-token", help="Always require an access token, even on this machine.")
    ] = False
    requests_per_second: Annotated[
        float, typer.Option(min=1.0, metavar="N", help="Requests allowed per token and per address.")
    ] = 50.0
    debates_per_minute: Annotated[
        float, typer.Option(min=1.0, metavar="N", help="Debates that an owner or an address may start.")
    ] = 30.0
    most_streams: Annotated[
        int, typer.Option("--streams", min=1, metavar="N", help="Live pages that an owner or an address may open.")
    ] = 256
    unguarded: Annotated[
        bool,
        typer.Option("--unsafe-allow-unauthenticated", help="Let anyone on the network use it and spend your money."),
    ] = False


def serve_pages(
    *,
    reach: Reach,
    observing: Observing,
    database: DatabaseOption = "",
    no_worker: Annotated[
        bool, typer.Option("--no-worker", help="Don't run debates here. Leave them to `hustings worker`.")
    ] = False,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in your browser.")] = False,
    allow: Annotated[
        list[str] | None, typer.Option("--allow", metavar="MODEL", help="A model users may select. Repeatable.")
    ] = None,
    openai: Annotated[
        bool, typer.Option("--openai", help="Offer debates as models at /v1 to clients of OpenAI. They spend money.")
    ] = False,
) -> None:
    """Start, watch and read debates in your browser. Ctrl-C stops the server. Debates resume with the next start."""
    share_one_heap()
    from hustings.lab.routes import ROUTES  # noqa: PLC0415
    from hustings.mcp.over_http import mcp_app  # noqa: PLC0415
    from hustings.web.app import NO_PAGES, Server, address_of, create_app, has_pages, heard_from_others  # noqa: PLC0415
    from hustings.web.server_state import ServerState  # noqa: PLC0415

    url = address(database)
    setting = _setting(url, reach, tuple(map(_spelt_right, allow or ())), openai=openai)
    with observing.logging() as lines:
        with ExitStack() as stack:
            await_database(url, threading.Event())
            worker = None if no_worker else _worker(url)
            stops = _Stops(worker)
            stack.enter_context(leaving_on_signals(stops.ask, stops.leave))
            lines.worker = worker.executor_id if worker else ""
            bus = worker.bus if worker else stack.enter_context(heard_from_others(url))
            house = stack.enter_context(ServerState(setting, bus, worker.executor_id if worker else None))
            _must_be_guarded(house, reach.host)
            if worker:
                preload_client()
                stack.enter_context(worker)
                stack.enter_context(follow_up_worker(url, house.known))
            stack.enter_context(observing.port(house.status))
            if not has_pages():
                talk(NO_PAGES)
            with _bound(reach.host, reach.port) as line:
                app = create_app(house, [ROUTES], mcp=mcp_app(house))
                server = Server(app, house.feed, line, open_browser=open_browser)
                with announced(url, address_of(line), _reached(reach, address_of(line))):
                    stops.serve(server)
        if worker and worker.leaving.cut:
            talk(cut_short(worker.leaving.cut))
        talk("Stopped. Unfinished debates resume with: hustings serve")


class _Stops:
    """What signals do to a server and its worker, as far as they have begun."""

    def __init__(self, worker: Worker | None) -> None:
        self._worker = worker
        self._server: Server | None = None
        self._asked = False

    def serve(self, server: Server) -> None:
        self._server = server
        if not self._asked:
            server.serve_pages()

    def ask(self) -> None:
        self._asked = True
        if self._server:
            self._server.stop()
        talk(letting(self._worker.leaving.begin() if self._worker else 0, DRAIN, "Ctrl-C again stops at once."))

    def leave(self) -> None:
        if self._worker:
            self._worker.leave_at_once()


def _setting(url: str, reach: Reach, allowed: tuple[str, ...], *, openai: bool) -> ServerConfig:
    from hustings.web.limits import Limits  # noqa: PLC0415  heavy
    from hustings.web.server_state import HOSTS, ServerConfig  # noqa: PLC0415

    return ServerConfig(
        url,
        allowed,
        frozenset({*HOSTS, _called(reach.host), *(name.lower() for name in reach.allow_host or ())}),
        proxies=frozenset(map(_address, reach.behind_proxy or ())),
        needs_token=reach.needs_token,
        unguarded=reach.unguarded,
        openai=openai,
        limits=Limits(reach.requests_per_second, reach.debates_per_minute, reach.most_streams),
    )


def _worker(url: str) -> Worker:
    from hustings.engine.worker import Duty, Worker  # noqa: PLC0415  heavy

    return Worker(url, models(), Duty(concurrency=AT_A_TIME, drain=DRAIN), leave_when_lost)


def _bound(host: str, port: int) -> socket.socket:
    from hustings.web.app import port_at  # noqa: PLC0415  heavy

    try:
        return port_at(host, port)
    except OSError as error:
        raise Unsuitable(
            f"can't open port {port} on {host}", why=error.strerror or "", fix="use a free port: --port 0"
        ) from None


def _reached(reach: Reach, listens: str) -> str:
    """The address under which others reach this server, as far as it was told."""
    port = listens.rpartition(":")[2]
    if reach.allow_host:
        return f"https://{reach.allow_host[0]}" if reach.behind_proxy else f"http://{reach.allow_host[0]}:{port}"
    return f"http://127.0.0.1:{port}" if reach.host in {"0.0.0.0", "::"} else f"http://{_called(reach.host)}:{port}"  # noqa: S104


def _must_be_guarded(house: ServerState, host: str) -> None:
    """Refuse to listen beyond this machine without tokens: strangers could spend the owner's money."""
    if house.setting.unguarded and house.setting.needs_token:
        raise Unsuitable(
            "--require-token and --unsafe-allow-unauthenticated contradict each other", fix="drop one of them"
        )
    if house.setting.unguarded or _on_loopback(host) or house.guarded:
        return
    raise Unsuitable(
        "refusing to start: anyone on the network could spend your money",
        why="the address is open to other machines, and there is no access token",
        fix="hustings tokens add NAME. To allow it anyway: --unsafe-allow-unauthenticated",
    )


def _on_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _address(given: str) -> str:
    try:
        return str(ip_address(given))
    except ValueError:
        raise Unsuitable(f"--behind-proxy {given!r} is not an IP address", fix="give the proxy's IP address") from None


def _spelt_right(model: str) -> str:
    """Refuse a misspelt model at the start, not at the first request."""
    parse_model_spec(model)
    return model


def _called(host: str) -> str:
    """The host as a browser sends it in the Host header."""
    return f"[{host}]" if ":" in host else host.lower()
