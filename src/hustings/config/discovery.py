"""What was looked for on this machine to find models, and what was there; keys by their names only."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Literal
from urllib.parse import urlsplit

from pydantic import BaseModel

from hustings.llm.environment import Environment
from hustings.llm.local_servers import PORTS, LocalServer, Port, named

from .models import keys_at_hand


class LookedFor(BaseModel, frozen=True, defer_build=True):
    """A place where a model server might answer."""

    name: str
    where: str
    """Host and port."""
    state: Literal["ready", "no model", "not there"]
    models: int


class Discovery(BaseModel, frozen=True, defer_build=True):
    """What a search for models looked for and found."""

    servers: tuple[LookedFor, ...]
    keys: tuple[str, ...]
    """Names of the keys that were found; never the keys."""
    ready: bool
    """Whether there is a model that argues; the improviser does not."""


def usual_ports() -> tuple[Port, ...]:
    """Where a search looks: the usual ports, and what the environment names."""
    return tuple(dict.fromkeys((*PORTS, *named(os.environ))))


def discovery(known: Environment, servers: Sequence[LocalServer], ports: Iterable[Port], *, ready: bool) -> Discovery:
    """Tell a finished search; every port that was asked is in it, those without an answer too."""
    answered = {server.url: server for server in servers}
    return Discovery(
        servers=tuple(_looked(port, answered.get(port.url)) for port in ports),
        keys=tuple(keys_at_hand(known).values()),
        ready=ready,
    )


def _looked(port: Port, server: LocalServer | None) -> LookedFor:
    models = len(server.models) if server else 0
    state = "ready" if models else "no model" if server else "not there"
    name = server.name if server else port.name
    return LookedFor(name=name, where=urlsplit(port.url).netloc, state=state, models=models)
