"""What one caller may use up: requests, debates, streams, and time for the head of a request."""

import select
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.web import limits
from hustings.web.limits import Allowance, Limits, client_of

from .rig import MOTION, fresh, served


@given(st.floats(0.1, 100), st.integers(1, 50), st.lists(st.floats(0, 10), max_size=60))
def test_no_caller_gets_more_than_the_reserve_and_what_came_in_since(rate, reserve, pauses):
    allowance, now, taken = Allowance(rate, reserve), 0.0, 0
    for pause in pauses:
        now += pause
        taken += allowance.wait_of("ann", now) == 0.0
    assert taken <= reserve + rate * now + 1e-6


@given(st.floats(0.1, 100), st.integers(1, 5))
def test_a_refused_caller_is_told_how_long_to_wait(rate, reserve):
    allowance = Allowance(rate, reserve)
    waits = [allowance.wait_of("ann", 0.0) for _ in range(reserve + 1)]
    assert allowance.wait_of("ann", waits[-1] + 1e-6) == 0.0


def test_callers_do_not_use_up_what_others_have():
    allowance = Allowance(1.0, 1.0)
    assert [allowance.wait_of(caller, 0.0) for caller in ("ann", "bob", "ann")] == [0.0, 0.0, 1.0]


def test_the_number_of_callers_in_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(limits, "MOST_CALLERS", 3)
    allowance = Allowance(1.0, 1.0)
    for caller in "abcde":
        allowance.wait_of(caller, 0.0)
    assert (allowance.wait_of("e", 0.0), allowance.wait_of("a", 0.0)) == (1.0, 0.0)


PROXY = "127.0.0.9"


@pytest.mark.parametrize(
    ("peer", "told", "address"),
    [
        ("127.0.0.1", ["127.0.0.2"], "127.0.0.1"),
        (PROXY, [], PROXY),
        (PROXY, ["127.0.0.2"], "127.0.0.2"),
        (PROXY, ["127.0.0.7, 127.0.0.2"], "127.0.0.2"),
        (PROXY, ["127.0.0.7", f"127.0.0.2, {PROXY}"], "127.0.0.2"),
        (PROXY, ["127.0.0.7, nonsense"], PROXY),
        (PROXY, ["::1"], "::1"),
    ],
)
def test_an_address_is_believed_from_a_named_proxy_alone(peer, told, address):
    headers = [(b"x-forwarded-for", value.encode()) for value in told]
    assert client_of({"client": (peer, 1), "headers": headers}, frozenset({PROXY})) == address


def test_too_many_requests_are_refused_with_the_time_to_wait(tmp_path):
    with fresh("sqlite", tmp_path) as url, served(url, limits=Limits(requests_per_second=1.0)) as site:
        answers = [site.http.get("/api/about") for _ in range(8)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert answers[0].status_code == 200
    assert {answer.headers["retry-after"] for answer in refused} == {"1"}


def test_too_many_debates_in_a_minute_are_refused_and_not_entered(tmp_path):
    with fresh("sqlite", tmp_path) as url, served(url, limits=Limits(1_000, debates_per_minute=2)) as site:
        body = {"question": MOTION, "judges": "none"}
        answers = [site.http.post("/api/debates", json=body).status_code for _ in range(4)]
        assert answers == [202, 202, 429, 429]
        assert len(site.state.operator.runs.latest()) == 2


def closed(site, sent):
    """Whether the server closes, within some seconds, a connection on which this was sent."""
    host, port = site.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=5) as line:
        line.sendall(sent.replace("HOST", f"{host}:{port}").encode())
        while line.recv(4096):
            pass
    return True


@pytest.mark.parametrize(
    "sent", ["", "GET /api/about HTTP/1.1\r\nHo", "GET /api/about HTTP/1.1\r\nHost: HOST\r\n\r\nGET /api/ab"]
)
def test_a_head_that_does_not_end_closes_its_connection(still, sent, monkeypatch):
    monkeypatch.setattr(limits, "HEAD_SECONDS", 0.3)
    assert closed(still, sent)


def test_a_long_stream_is_not_taken_for_a_slow_head(still, monkeypatch):
    monkeypatch.setattr(limits, "HEAD_SECONDS", 0.2)
    run_id = still.begin()
    with still.http.stream("GET", f"/api/debates/{run_id}/events") as answer:
        words = answer.iter_raw()
        assert next(words).startswith(b"retry")
        line = answer.extensions["network_stream"].get_extra_info("socket")
        assert select.select([line], [], [], 1.0)[0] == []  # silent, and not closed
