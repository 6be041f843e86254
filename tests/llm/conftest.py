"""Servers on loopback for the models' tests; a connection to anywhere else fails the test that made it."""

import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from tests.rig.local_model import running
from tests.rig.provider import serving

LOOPBACK = ("127.0.0.1", "::1")


def stay_at_home(event, arguments):
    if event == "socket.connect" and isinstance(arguments[1], tuple) and arguments[1][0] not in LOOPBACK:
        raise AssertionError(f"a test dialled {arguments[1][0]}")


sys.addaudithook(stay_at_home)


@pytest.fixture(scope="session")
def provider():
    with serving(hang=2.5) as running_provider:
        yield running_provider


@pytest.fixture(scope="session")
def local_model():
    with running() as model:
        yield model


@dataclass
class Canary:
    """Keeps what it was sent, and always answers the same."""

    url: str = ""
    status: int = 500
    kind: str = "text/event-stream"
    answer: bytes = b""
    headers: dict = field(default_factory=dict)
    heard: list = field(default_factory=list)

    @property
    def port(self):
        return int(self.url.rpartition(":")[2])


@contextmanager
def listening():
    canary = Canary()

    class Listener(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            canary.heard.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            self.send_response(canary.status)
            about = {"Content-Type": canary.kind, "Content-Length": str(len(canary.answer)), **canary.headers}
            for name, value in about.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(canary.answer)

        def do_GET(self):
            self.do_POST()

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Listener) as server:
        canary.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield canary
        server.shutdown()
        thread.join()


@pytest.fixture
def canary():
    with listening() as server:
        yield server
