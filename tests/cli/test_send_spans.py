"""`hustings export --send`: spans go to the collector that the user names, and nowhere else."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from hustings.cli.send_spans import Collector, collector
from hustings.errors import Unsuitable
from tests.rig.postgres import ready_sqlite_file

from .engine import TOPIC, run

NAMED = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_HEADERS")


@contextmanager
def receiving(status=200):
    """A collector on loopback, and what arrives there: path, headers and body."""
    arrived = []

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["content-length"]))
            arrived.append((self.path, dict(self.headers), json.loads(body)))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(b"say the\nmagic word" if status != 200 else b"{}")

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Receiver) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", arrived
        server.shutdown()


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    url = ready_sqlite_file(tmp_path_factory.mktemp("spans"))
    run("run", TOPIC, "-m", "improviser", "--judges", "none", "--database", url)
    return url


@pytest.fixture(autouse=True)
def _alone(monkeypatch):
    for name in NAMED:
        monkeypatch.delenv(name, raising=False)


def test_they_arrive_with_the_headers_that_the_user_set(url, monkeypatch):
    with receiving() as (address, arrived):
        monkeypatch.setenv(NAMED[0], address)
        monkeypatch.setenv(NAMED[2], "x-key=a%20b, other=c")
        told = run("export", "last", "--send", "--database", url)
    ((path, headers, body),) = arrived
    assert told.stdout == f"1 debate sent to {address}/v1/traces\n"
    assert (path, headers["x-key"], headers["other"]) == ("/v1/traces", "a b", "c")
    assert len(body["resourceSpans"][0]["scopeSpans"][0]["spans"]) == 13


def test_an_option_names_the_collector_too(url, monkeypatch):
    monkeypatch.setenv(NAMED[1], "http://127.0.0.1:1/never")
    with receiving() as (address, arrived):
        run("export", "last", "--send-to", f"{address}/v1/traces/", "--database", url)
    assert [path for path, *_ in arrived] == ["/v1/traces/"]


def test_a_collector_that_refuses_is_quoted_in_one_line(url):
    with (
        receiving(status=401) as (address, _),
        pytest.raises(Unsuitable, match=r"refused the spans \(401 say the magic word\)"),
    ):
        run("export", "last", "--send-to", address, "--database", url)


def test_a_collector_that_is_away_is_named():
    with receiving() as (address, _):
        pass
    with pytest.raises(Unsuitable, match=f"no collector answers at {address}"):
        Collector(address, {}).send("{}")


def test_without_a_name_nothing_is_sent(url):
    with pytest.raises(Unsuitable, match="no collector is named"):
        run("export", "last", "--send", "--database", url)


@pytest.mark.parametrize("address", ["collector:4318", "ftp://127.0.0.1", "http://"])
def test_what_is_not_an_address_is_refused(address):
    with pytest.raises(Unsuitable, match="is not the address of a collector"):
        collector(address, {})


def test_the_address_for_traces_is_taken_as_it_is():
    assert collector("", {NAMED[1]: "http://127.0.0.1:4318/x", NAMED[0]: "http://other"}).address.endswith("/x")


@pytest.mark.parametrize("more", [("--to", "md"), ("-o", "x.md")])
def test_a_file_and_a_collector_exclude_each_other(url, more):
    with pytest.raises(Unsuitable, match="--send sends spans"):
        run("export", "last", "--send-to", "http://127.0.0.1:1", "--database", url, *more)
