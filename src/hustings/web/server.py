"""The application on a socket: it says where it is, and when it is told to stop, it lets go of every stream first."""

from __future__ import annotations

import socket
import sys
import webbrowser
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from uuid import uuid4

import uvicorn
from starlette.types import ASGIApp

from hustings.engine.live_text import Bus, PostgresRelay

from .event_stream import EventStreams

LAST_SECONDS = 5
"""For answers that are on their way."""


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, feed: EventStreams, line: socket.socket, *, open_browser: bool) -> None:
        super().__init__(config)
        self._feed, self._line, self._open = feed, line, open_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        url = address_of(self._line)
        sys.stdout.write(f"{url}\n")
        sys.stdout.flush()
        if self._open:
            webbrowser.open(url)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002  as it is called
        """Streams never end by themselves; the signal is not raised again, as others have things to finish."""
        self.force_exit = self.should_exit
        self.should_exit = True
        self._feed.close()


def serve(app: ASGIApp, feed: EventStreams, line: socket.socket, *, open_browser: bool = False) -> None:
    """Until a signal."""
    _Server(config_of(app), feed, line, open_browser=open_browser).run([line])


def config_of(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="off",
        ws="none",
        proxy_headers=False,  # else whoever calls could say by which name
        server_header=False,
        timeout_graceful_shutdown=LAST_SECONDS,
    )


def address_of(line: socket.socket) -> str:
    host, port = line.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@contextmanager
def heard_from_others(url: str) -> Generator[Bus]:
    """The words of workers elsewhere, where the database carries them."""
    bus = Bus()
    if not url.startswith("postgres"):
        yield bus
        return
    relay = PostgresRelay(bus, url, f"server-{uuid4().hex[:12]}")
    relay.start()
    try:
        yield bus
    finally:
        relay.close()
