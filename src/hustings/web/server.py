"""Runs the application under uvicorn: prints its address, and closes all streams before it stops."""

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
"""Seconds for responses in progress when the server stops."""


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

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002  uvicorn's signature
        """Close the streams, which never end by themselves. Do not raise the signal again: others have work to do."""
        self.force_exit = self.should_exit
        self.should_exit = True
        self._feed.close()


def serve(app: ASGIApp, feed: EventStreams, line: socket.socket, *, open_browser: bool = False) -> None:
    """Serve until a signal arrives."""
    _Server(config_of(app), feed, line, open_browser=open_browser).run([line])


def config_of(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        lifespan="off",
        ws="none",
        proxy_headers=False,  # else a client could forge its scheme and address
        server_header=False,
        timeout_graceful_shutdown=LAST_SECONDS,
    )


def address_of(line: socket.socket) -> str:
    host, port = line.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@contextmanager
def heard_from_others(url: str) -> Generator[Bus]:
    """A bus that receives the live text of other workers, if the database is PostgreSQL, which relays it."""
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
