"""A TCP proxy that breaks connections on command: between a worker and its database, a provider or a reader.

Commands, a line each on the control port, answered by `ok` or `unknown`:

    up            all is well again
    down          new connections are refused, open ones reset
    freeze        connections stay open, and nothing passes
    reset         open connections are reset, new ones are welcome
    latency MS    everything read takes so long to pass
    cut N         each connection is reset once N bytes have come back

Loopback only, on both sides. It ends with its standard input.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import struct
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Any

from hustings.errors import Unsuitable

ROOT = Path(__file__).parents[2]


@contextmanager
def child(module: str, *options: str) -> Generator[dict[str, Any]]:
    """Run a module, and yield what it said when it was ready; it lives until its standard input is closed."""
    command = [sys.executable, "-m", module, *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        ready = process.stdout.readline()
        if not ready:
            raise RuntimeError(f"{module} did not start; what it wrote to standard error says why")
        yield {**json.loads(ready), "pid": process.pid}


def ready(**said: Any) -> None:
    """Tell the parent that the server is ready; from now on, end when standard input is closed."""
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()
    Thread(target=_end_with_stdin, daemon=True).start()


def _end_with_stdin() -> None:
    while os.read(0, 4096):
        pass
    os._exit(0)


HOST = "127.0.0.1"
LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True)
class Proxy:
    """Client of a running proxy."""

    port: int
    control: int
    host: str = HOST

    def up(self) -> None:
        self._tell("up")

    def down(self) -> None:
        self._tell("down")

    def freeze(self) -> None:
        self._tell("freeze")

    def reset(self) -> None:
        self._tell("reset")

    def latency(self, seconds: float) -> None:
        self._tell(f"latency {seconds * 1000:g}")

    def cut(self, size: int) -> None:
        """Holds for new connections and for open ones, counted from their beginning."""
        self._tell(f"cut {size}")

    def _tell(self, command: str) -> None:
        with socket.create_connection((self.host, self.control), timeout=10) as control:
            control.sendall(f"{command}\n".encode())
            if (answer := control.makefile().readline()) != "ok\n":
                raise Unsuitable(f"the proxy answers {answer!r} to {command!r}")


@contextmanager
def proxied(host: str, port: int) -> Generator[Proxy]:
    """Start a proxy in front of a server on loopback; everything passes until it is told otherwise."""
    must_be_here(host)
    with child(__name__, f"--host={host}", f"--port={port}") as said:
        yield Proxy(said["port"], said["control"])


def must_be_here(host: str) -> None:
    if host not in LOOPBACK:
        raise Unsuitable(f"a proxy for tests reaches servers on this machine only, not {host!r}: {', '.join(LOOPBACK)}")


class ProxyRelay:
    def __init__(self, host: str, port: int) -> None:
        self.upstream = (host, port)
        self._open: set[asyncio.StreamWriter] = set()
        self._thawed = asyncio.Event()
        self._thawed.set()
        self._latency = 0.0
        self._cut: int | None = None
        self._front: asyncio.Server | None = None
        self.port = 0

    async def listen(self) -> None:
        if self._front is None:
            self._front = await asyncio.start_server(self._serve, HOST, self.port)
            self.port = self._front.sockets[0].getsockname()[1]

    async def control(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while words := (await reader.readline()).decode().split():
                writer.write(b"ok\n" if await self._obey(*words) else b"unknown\n")
                await writer.drain()
        writer.close()

    async def _obey(self, word: str, number: str = "0") -> bool:
        match word:
            case "up":
                self._latency, self._cut = 0.0, None
                self._thawed.set()
                await self.listen()
            case "down":
                if self._front:
                    self._front.close()
                    self._front = None
                self._reset_all()
            case "freeze":
                self._thawed.clear()
            case "reset":
                self._reset_all()
            case "latency":
                self._latency = float(number) / 1000
            case "cut":
                self._cut = int(number)
            case _:
                return False
        return True

    def _reset_all(self) -> None:
        for writer in list(self._open):
            reset(writer)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self._thawed.wait()
        try:
            far_reader, far_writer = await asyncio.open_connection(*self.upstream)
        except OSError:
            reset(writer)
            return
        pair = {writer, far_writer}
        self._open |= pair
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(self._pump(reader, far_writer, back=False))
                both.create_task(self._pump(far_reader, writer, back=True))
        except* OSError:
            # A break on one side breaks the other side as well.
            for end in pair:
                reset(end)
        finally:
            self._open -= pair
            for end in pair:
                end.close()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, back: bool) -> None:
        passed = 0
        while data := await reader.read(65536):
            await self._hold()
            if back and self._cut is not None and passed + len(data) >= self._cut:
                writer.write(data[: max(0, self._cut - passed)])
                await writer.drain()
                await asyncio.sleep(0.01)  # a reset would take back what is not yet sent
                raise ConnectionResetError("cut on purpose")
            passed += len(data)
            writer.write(data)
            await writer.drain()
        await self._hold()
        writer.write_eof()

    async def _hold(self) -> None:
        await self._thawed.wait()
        if self._latency:
            await asyncio.sleep(self._latency)


def reset(writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        connection: socket.socket = writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


async def serve(host: str, port: int) -> None:
    relay = ProxyRelay(host, port)
    await relay.listen()
    control = await asyncio.start_server(relay.control, HOST, 0)
    ready(port=relay.port, control=control.sockets[0].getsockname()[1])
    await control.serve_forever()


def main() -> None:
    cli = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    cli.add_argument("--host", default=HOST, choices=LOOPBACK, help="of the server behind it")
    cli.add_argument("--port", type=int, required=True)
    given = cli.parse_args()
    with suppress(KeyboardInterrupt):
        asyncio.run(serve(given.host, given.port))


if __name__ == "__main__":
    main()
