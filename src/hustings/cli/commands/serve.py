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
from hustings.cli.terminal import talk
from hustings.config.paths import address
from hustings.engine.runner import preload_client
from hustings.errors import Unsuitable

from .worker import await_database, follow_up_worker, leaving_on_signals, models, share_one_heap

if TYPE_CHECKING:
    from hustings.engine.worker import Worker
    from hustings.web.server_state import ServerState

USUAL_PORT = 8642
AT_A_TIME = 64
"""Debates that the built-in worker executes at a time."""
DRAIN = 3
"""Seconds for calls in flight when the server stops; the next server continues what is unfinished."""


@dataclass(frozen=True)
class Reach:
    """Options of the address to listen at, and who may connect."""

    host: Annotated[str, typer.Option(help="Where to listen; beyond this machine only with tokens.")] = "127.0.0.1"
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = USUAL_PORT
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="A name by which others call this server; repeatable."),
    ] = None
    behind_proxy: Annotated[
        list[str] | None,
        typer.Option("--behind-proxy", metavar="ADDRESS", help="A proxy that speaks TLS for this server; repeatable."),
    ] = None
    needs_token: Annotated[
        bool, typer.Option("--require-token", help="Ask for a token on this machine too, even before one is made.")
    ] = False
    requests_per_second: Annotated[
        float, typer.Option(min=1.0, metavar="N", help="Requests that one token, and one address, may make.")
    ] = 50.0
    debates_per_minute: Annotated[
        float, typer.Option(min=1.0, metavar="N", help="Debates that one owner, and one address, may begin.")
    ] = 30.0
    most_streams: Annotated[
        int, typer.Option("--streams", min=1, metavar="N", help="Live pages that one owner, and one address, may open.")
    ] = 256
    unguarded: Annotated[
        bool,
        typer.Option(
            "--unsafe-allow-unauthenticated", help="Let everybody who can reach it use it, and spend your money."
        ),
    ] = False


def serve_pages(
    *,
    reach: Reach,
    observing: Observing,
    database: DatabaseOption = "",
    no_worker: Annotated[bool, typer.Option("--no-worker", help="Leave the debates to `hustings worker`.")] = False,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the page in your browser.")] = False,
    allow: Annotated[
        list[str] | None, typer.Option("--allow", metavar="MODEL", help="A model that may be seated; repeatable.")
    ] = None,
) -> None:
    """Show debates in the browser, and hold those that are begun there. Ctrl-C ends it; what runs goes on later."""
    share_one_heap()
    from hustings.web.app import (  # noqa: PLC0415
        create_app,
        heard_from_others,
        serve,
    )
    from hustings.web.limits import Limits  # noqa: PLC0415
    from hustings.web.server_state import HOSTS, ServerConfig, ServerState  # noqa: PLC0415

    url = address(database)
    hosts = frozenset({*HOSTS, _called(reach.host), *(name.lower() for name in reach.allow_host or ())})
    proxies = frozenset(map(_address, reach.behind_proxy or ()))
    setting = ServerConfig(
        url,
        tuple(allow or ()),
        hosts,
        proxies=proxies,
        needs_token=reach.needs_token,
        unguarded=reach.unguarded,
        limits=Limits(reach.requests_per_second, reach.debates_per_minute, reach.most_streams),
    )
    with ExitStack() as stack:
        lines = stack.enter_context(observing.logging())
        await_database(url, threading.Event())
        stack.enter_context(leaving_on_signals(lambda: talk("Ending; once more to leave at once.")))
        worker = None if no_worker else _worker(url)
        lines.worker = worker.executor_id if worker else ""
        bus = worker.bus if worker else stack.enter_context(heard_from_others(url))
        house = stack.enter_context(ServerState(setting, bus, worker.executor_id if worker else None))
        _must_be_guarded(house, reach.host)
        if worker:
            preload_client()
            stack.enter_context(worker)
            stack.enter_context(follow_up_worker(url, house.known))
        stack.enter_context(observing.port(house.status))
        with _bound(reach.host, reach.port) as line:
            serve(create_app(house), house.feed, line, open_browser=open_browser)
    talk("Ended. What is not finished goes on with the next: hustings serve")


def _worker(url: str) -> Worker:
    from hustings.engine.worker import Duty, Worker  # noqa: PLC0415  heavy

    return Worker(url, models(), Duty(concurrency=AT_A_TIME, drain=DRAIN))


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        raise Unsuitable(
            f"nothing can listen at {host}, port {port}", why=error.strerror or "", fix="take another: --port 0"
        ) from None


def _must_be_guarded(house: ServerState, host: str) -> None:
    """Refuse to listen beyond this machine without tokens: strangers could spend the owner's money."""
    if house.setting.unguarded and house.setting.needs_token:
        raise Unsuitable(
            "--require-token and --unsafe-allow-unauthenticated exclude each other", fix="drop one of them"
        )
    if house.setting.unguarded or _on_loopback(host) or house.guarded:
        return
    raise Unsuitable(
        "others could use this server, and spend your money",
        why="it would listen beyond this machine, and there is no token",
        fix="hustings tokens add NAME; or spell it out: --unsafe-allow-unauthenticated",
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
        raise Unsuitable(f"--behind-proxy {given!r} is no address", fix="give the proxy's IP address") from None


def _called(host: str) -> str:
    """The host as a browser sends it in the Host header."""
    return f"[{host}]" if ":" in host else host.lower()
