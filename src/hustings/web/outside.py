"""What an operator sees from outside: health, readiness and metrics as text; also on a loopback port of their own."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from hustings.engine.status import Status
from hustings.errors import Unsuitable

HEALTHZ, READYZ, METRICS = "/healthz", "/readyz", "/metrics"
PLAIN = "text/plain; charset=utf-8"
LOOPBACK = "127.0.0.1"
NAMES = frozenset({"127.0.0.1", "localhost"})
SLOWEST_SECONDS = 10


@dataclass(frozen=True)
class PlainAnswer:
    """An answer to an operator: status, text and content type."""

    status: int
    text: str
    kind: str = PLAIN


def healthz() -> PlainAnswer:
    """The process answers."""
    return PlainAnswer(200, "ok\n")


def readyz(status: Status) -> PlainAnswer:
    why = status.not_ready()
    return PlainAnswer(503, f"not ready: {why}\n") if why else PlainAnswer(200, "ready\n")


def metrics(status: Status) -> PlainAnswer:
    from .metrics import CONTENT_TYPE, prometheus_text  # noqa: PLC0415  loaded by the first scrape

    try:
        return PlainAnswer(200, prometheus_text(status.snapshot()), CONTENT_TYPE)
    except Unsuitable as error:
        return PlainAnswer(503, f"no metrics: {error.what}\n")


@contextmanager
def metrics_port(status: Status, port: int | None) -> Generator[int | None]:
    """Answer on a port of this machine alone, without a token. Yields the port; without one, nothing is opened."""
    if port is None:
        yield None
        return
    try:
        server = _Port(status, port)
    except OSError as error:
        raise Unsuitable(
            f"can't open port {port}", why=error.strerror or "", fix="use a free port: --metrics-port 0"
        ) from None
    thread = threading.Thread(target=server.serve_forever, name="hustings-metrics", daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


class _Port(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, status: Status, port: int) -> None:
        super().__init__((LOOPBACK, port), _Handler)
        self.status = status


class _Handler(BaseHTTPRequestHandler):
    timeout = SLOWEST_SECONDS
    server_version, sys_version = "hustings", ""

    def do_GET(self) -> None:
        said = self._said()
        body = said.text.encode()
        self.send_response(said.status)
        for name, value in (
            ("Content-Type", said.kind),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
            ("X-Content-Type-Options", "nosniff"),
        ):
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_HEAD(self) -> None:
        self.do_GET()

    def _said(self) -> PlainAnswer:
        if self.headers.get("Host", "").partition(":")[0].lower() not in NAMES:
            # A page of another site whose name leads here could read it in a browser.
            return PlainAnswer(421, "unknown host name\n")
        assert isinstance(self.server, _Port)  # noqa: S101  made above
        match self.path.partition("?")[0]:
            case "/healthz":
                return healthz()
            case "/readyz":
                return readyz(self.server.status)
            case "/metrics":
                return metrics(self.server.status)
            case _:
                return PlainAnswer(404, "choose from /healthz, /readyz and /metrics\n")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the library's name
        """Scrapes are no news."""
