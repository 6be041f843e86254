"""Find model servers on this machine: probe the usual ports in parallel under one deadline, loopback only."""

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
"""Seconds for all probes together."""
MOST_BYTES = 2**20
MOST_MODELS = 500
_NAME = re.compile(r"[^\s\x00-\x1f\x7f-\x9f\"'`$\\|&;<>(){}*?!]{1,200}")
"""Model names that are accepted. Servers choose the names, and users copy them into shell commands."""
_OWNERS = {"llamacpp": "llamacpp", "vllm": "vllm", "library": "ollama", "organization_owner": "lmstudio"}
"""`owned_by` in a list of models to the provider that it reveals."""


@dataclass(frozen=True)
class LocalServer:
    """A server that answers like a model server. It may have no models loaded yet."""

    name: str
    """Provider name, as in `PROVIDERS`."""
    url: str
    """Base URL for model calls."""
    models: tuple[str, ...] = ()


@dataclass(frozen=True)
class Port:
    """An address to probe."""

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
    """Return every server that answers in time, the usual ports first. A silent port costs the deadline at most."""
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
    here = dict(found)  # a late thread still writes into `found`
    return tuple({here[port].url: here[port] for port in asked if port in here}.values())


def named(environment: Mapping[str, str]) -> tuple[Port, ...]:
    """Servers on this machine that environment variables name."""
    ollama = port_of(environment.get("OLLAMA_HOST", "").strip(), "ollama", 11434)
    other = port_of(environment.get("HUSTINGS_ENDPOINT", "").strip(), "openai_compatible", 80)
    return tuple(port for port in (ollama, other) if port is not None)


def port_of(text: str, name: str, usual: int) -> Port | None:
    """Parse an address such as `localhost:1234/v1`. None if it is invalid or not on loopback."""
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
    """Replace a wildcard listen address (0.0.0.0, ::) by the loopback address that reaches it."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    return ("::1" if address.version == 6 else "127.0.0.1") if address.is_unspecified else host


def ask_one(port: Port, end: float) -> LocalServer | None:
    """Ask one port for its models until `end` on the monotonic clock. None if no model server answers by then."""
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


class _ListedModel(BaseModel, defer_build=True):
    id: str = ""
    name: str = ""
    owned_by: str = ""


class _List(BaseModel, defer_build=True):
    """A list of models in OpenAI's form (`data`) or Ollama's (`models`); some servers send both."""

    data: list[_ListedModel] | None = None
    models: list[_ListedModel] | None = None


def _answer(port: Port, end: float) -> bytes:
    """Return the body of the answer. HTTP/1.0, because the body then ends with the connection or by its length."""
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
    """Whether the answer is complete by its declared length: some servers keep the connection open."""
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
