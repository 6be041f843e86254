"""The address of the server that runs with a database, for commands on the same machine."""

from __future__ import annotations

import socket
from collections.abc import Generator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from urllib.parse import urlsplit

from hustings.errors import Unsuitable

from .paths import state_folder

PATIENCE = 0.5
"""Seconds that a server has to take a connection."""


@contextmanager
def announced(url: str, listens: str, reached: str) -> Generator[None]:
    """Note where a server listens and how others reach it, until it stops. Where nothing can be written, it serves."""
    file: Path | None = None
    said = f"{listens}\n{reached}\n"
    with suppress(OSError, Unsuitable):
        file = _file(url)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.write_text(said, encoding="utf-8")
    try:
        yield
    finally:
        with suppress(OSError):
            if file and file.read_text(encoding="utf-8") == said:  # else another server noted itself
                file.unlink()


def running_server(url: str) -> str | None:
    """How the server of a database is reached, if one runs here; one that was killed leaves its note."""
    try:
        listens, reached = _file(url).read_text(encoding="utf-8").splitlines()
        at = urlsplit(listens)
        with socket.create_connection((at.hostname or "", at.port or 80), PATIENCE):
            return reached
    except (OSError, ValueError, Unsuitable):
        return None


def _file(url: str) -> Path:
    return state_folder() / "servers" / sha256(url.encode()).hexdigest()[:16]
