"""Model servers on this machine, asked all at once under one deadline; only loopback is dialled."""

from __future__ import annotations

import os
import re
import socket
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from pydantic import BaseModel

from .endpoints import on_loopback

DEADLINE = 0.4
"""Seconds for all of them together."""
MOST_BYTES = 2**20
MOST_MODELS = 500
_NAME = re.compile(r"[^\s\x00-\x1f\x7f-\x9f\"'`$\\|&;<>(){}*?!]{1,200}")
"""What a model may be called. The names are other people's words, and end up in commands that are copied."""
_OWNERS = {"llamacpp": "llamacpp", "vllm": "vllm", "library": "ollama", "organization_owner": "lmstudio"}
"""Who a server says it is, in the list of its models."""


@dataclass(frozen=True)
class LocalServer:
    """Somebody who answers like a model server; without models there is nothing to talk to yet."""

    name: str
    """A provider of ours."""
    url: str
    """Base URL for calls."""
    models: tuple[str, ...] = ()


@dataclass(frozen=True)
class Port:
    """Where a server might be."""

    name: str
    host: str
    number: int
    path: str = "/v1/models"
    base: str = "/v1"

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.number}{self.base}"


PORTS = (
    Port("ollama", "127.0.0.1", 11434, "/api/tags"),
    Port("lmstudio", "127.0.0.1", 1234),
    Port("llamacpp", "127.0.0.1", 8080),
    Port("vllm", "127.0.0.1", 8000),
)


def find(
    environment: Mapping[str, str] | None = None, ports: Iterable[Port] | None = None, seconds: float = DEADLINE
) -> tuple[LocalServer, ...]:
    """Every server that answers in time, the usual ones first; a port that says nothing costs the deadline at most."""
    usual = PORTS if ports is None else ports
    asked = list(dict.fromkeys((*usual, *named(os.environ if environment is None else environment))))
    found: dict[Port, LocalServer] = {}
    end = time.monotonic() + seconds

    def ask(port: Port) -> None:
        if server := ask_one(port, end):
            found[port] = server

    threads = [threading.Thread(target=ask, args=(port,), daemon=True) for port in asked]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, end - time.monotonic()))
    here = dict(found)  # whoever is late writes into the other one
    return tuple({here[port].url: here[port] for port in asked if port in here}.values())


def named(environment: Mapping[str, str]) -> tuple[Port, ...]:
    """Servers that variables name, if they are on this machine."""
    ollama = port_of(environment.get("OLLAMA_HOST", "").strip(), "ollama", 11434)
    other = port_of(environment.get("HUSTINGS_ENDPOINT", "").strip(), "openai_compatible", 80)
    return tuple(port for port in (ollama, other) if port is not None)


def port_of(text: str, name: str, usual: int) -> Port | None:
    """Of an address such as `localhost:1234/v1`; None if there is none, or if it is not on loopback."""
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        number, host = parts.port or usual, parts.hostname or ""
    except ValueError:
        return None
    host = _dialled(host)
    shown = f"[{host}]" if ":" in host else host
    if parts.scheme != "http" or not on_loopback(f"http://{shown}"):
        return None
    host = "127.0.0.1" if host == "localhost" and name == "ollama" else host
    if name == "ollama":
        return Port(name, host, number, "/api/tags")
    base = parts.path.rstrip("/") or "/v1"
    return Port(name, host, number, f"{base}/models", base)


def _dialled(host: str) -> str:
    """Where a server that listens everywhere is reached from here."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    return ("::1" if address.version == 6 else "127.0.0.1") if address.is_unspecified else host


def ask_one(port: Port, end: float) -> LocalServer | None:
    """Who is there, by a clock that only goes forward; None if nobody answers like a model server by then."""
    try:
        said = _List.model_validate_json(_answer(port, end))
    except (OSError, ValueError):
        return None
    if said.data is None and said.models is None:
        return None
    entries = said.data or said.models or []
    names = (entry.id or entry.name for entry in entries[:MOST_MODELS])
    owner = _OWNERS.get(entries[0].owned_by, port.name) if entries else port.name
    return LocalServer(owner, port.url, tuple(dict.fromkeys(name for name in names if _NAME.fullmatch(name))))


class _ListedModel(BaseModel):
    id: str = ""
    name: str = ""
    owned_by: str = ""


class _List(BaseModel):
    """As OpenAI and as Ollama tell it; some servers tell it both ways."""

    data: list[_ListedModel] | None = None
    models: list[_ListedModel] | None = None


def _answer(port: Port, end: float) -> bytes:
    """The body of a plain answer. HTTP/1.0 is asked for: its end is the end of the connection, or counted."""
    with socket.create_connection((port.host, port.number), timeout=_left(end)) as line:
        host = f"[{port.host}]" if ":" in port.host else port.host
        request = f"GET {port.path} HTTP/1.0\r\nHost: {host}:{port.number}\r\nAccept: application/json\r\n\r\n"
        line.sendall(request.encode("ascii"))
        got = bytearray()
        while not _whole(got):
            line.settimeout(_left(end))
            if not (piece := line.recv(2**16)):
                break
            got += piece
            if len(got) > MOST_BYTES:
                raise ValueError("more than a list of models")
    head, _, body = bytes(got).partition(b"\r\n\r\n")
    if not re.match(rb"HTTP/1\.[01] 200\b", head):
        raise ValueError("no list of models")
    return _unchunked(body) if re.search(rb"(?im)^transfer-encoding:\s*chunked", head) else body


def _whole(got: bytearray) -> bool:
    """All of it is here, as far as it was counted: some servers keep the connection open."""
    head, gap, body = bytes(got).partition(b"\r\n\r\n")
    if not gap:
        return False
    if length := re.search(rb"(?im)^content-length:\s*(\d{1,9})\s*$", head):
        return len(body) >= int(length[1])
    return bool(re.search(rb"(?im)^transfer-encoding:\s*chunked", head)) and body.endswith(b"0\r\n\r\n")


def _unchunked(body: bytes) -> bytes:
    pieces: list[bytes] = []
    while True:
        size, _, body = body.partition(b"\r\n")
        length = int(size.partition(b";")[0], 16)
        if not length:
            return b"".join(pieces)
        pieces.append(body[:length])
        body = body[length + 2 :]


def _left(end: float) -> float:
    if (left := end - time.monotonic()) <= 0:
        raise TimeoutError
    return left
