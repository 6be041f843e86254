"""The proxy lets everything pass, and breaks what it is told to break."""

import asyncio
import socket
import time
from contextlib import contextmanager
from threading import Thread

import pytest

from hustings.errors import Unsuitable
from tests.rig.proxy import must_be_here, proxied


@pytest.fixture(scope="module")
def running():
    with echoing() as port, proxied("127.0.0.1", port) as proxy:
        yield proxy


@pytest.fixture
def proxy(running):
    running.up()
    return running


def test_what_is_said_comes_back(proxy):
    with dialled(proxy) as line:
        assert said(line, b"hello") == b"hello"


def test_an_end_on_one_side_is_an_end_on_the_other(proxy):
    with dialled(proxy) as line:
        line.sendall(b"hello")
        line.shutdown(socket.SHUT_WR)
        assert line.makefile("rb").read() == b"hello"


def test_down_refuses_new_connections(proxy):
    proxy.down()
    with pytest.raises(ConnectionRefusedError):
        dialled(proxy)


def test_down_resets_open_connections(proxy):
    with dialled(proxy) as line:
        said(line, b"hello")
        proxy.down()
        with pytest.raises(ConnectionResetError):
            line.recv(1)


def test_up_opens_the_same_port_again(proxy):
    proxy.down()
    proxy.up()
    with dialled(proxy) as line:
        assert said(line, b"hello") == b"hello"


def test_frozen_nothing_passes(proxy):
    with dialled(proxy) as line:
        proxy.freeze()
        line.settimeout(0.2)
        with pytest.raises(TimeoutError):
            said(line, b"hello")


def test_what_was_frozen_passes_when_all_is_well_again(proxy):
    with dialled(proxy) as line:
        proxy.freeze()
        line.sendall(b"hello")
        proxy.up()
        assert line.recv(100) == b"hello"


def test_reset_breaks_what_is_open_and_nothing_else(proxy):
    with dialled(proxy) as line:
        said(line, b"hello")
        proxy.reset()
        with pytest.raises(ConnectionResetError):
            line.recv(1)
    with dialled(proxy) as line:
        assert said(line, b"again") == b"again"


def test_latency_takes_its_time_both_ways(proxy):
    proxy.latency(0.1)
    with dialled(proxy) as line:
        began = time.monotonic()
        said(line, b"hello")
        assert time.monotonic() - began >= 0.2


def test_a_cut_lets_so_many_bytes_come_back(proxy):
    proxy.cut(3)
    with dialled(proxy) as line:
        line.sendall(b"hello")
        assert line.recv(100, socket.MSG_WAITALL) == b"hel"


def test_a_server_that_is_not_there_is_a_reset(proxy):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with (
            proxied("127.0.0.1", unused.getsockname()[1]) as before_nothing,
            dialled(before_nothing) as line,
            pytest.raises(ConnectionResetError),
        ):
            line.recv(1)


def test_another_machine_is_refused():
    with pytest.raises(Unsuitable, match="on this machine only"):
        must_be_here("a.test")


def test_a_command_it_does_not_know_is_told(proxy):
    with pytest.raises(Unsuitable, match="unknown"):
        proxy._tell("explode")


def dialled(proxy):
    return socket.create_connection((proxy.host, proxy.port), timeout=5)


def said(line, words):
    line.sendall(words)
    return line.recv(100)


@contextmanager
def echoing():
    """A server that says what it hears, in a thread."""
    loop = asyncio.new_event_loop()

    async def echo(reader, writer):
        try:
            while data := await reader.read(100):
                writer.write(data)
        except ConnectionError:
            pass
        writer.close()

    server = loop.run_until_complete(asyncio.start_server(echo, "127.0.0.1", 0))
    thread = Thread(target=loop.run_forever)
    thread.start()
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        server.close()
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0.05))
        loop.close()
