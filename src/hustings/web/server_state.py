"""What the server was set up with: the database, the models on offer, whoever is let in, and the words as they come."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Self, TypeVar

from anyio import CapacityLimiter, to_thread

from hustings.config.variables import variables, with_default
from hustings.db import tokens
from hustings.db.connection import connect
from hustings.engine.client import EngineClient
from hustings.engine.live_text import Bus
from hustings.engine.service import RunService
from hustings.llm.environment import Environment
from hustings.llm.local_servers import find
from hustings.runs.queries import RunQueries

from .event_stream import EventStreams
from .models import AllowedModels, allowed_models, cards

T = TypeVar("T")
HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
LOCAL = "local"
"""Whose debates are those of a server that asks for no token."""
FRESH_SECONDS = 30.0
"""So long a look at the servers on this machine counts."""
RECHECK_SECONDS = 10.0
"""So long a token counts for streams that are open."""
MOST_KNOWN = 1_000
HEAVY_AT_ONCE = 2
"""Estimates, views and comparisons: they take a processor each."""


@dataclass(frozen=True)
class ServerConfig:
    """What the operator said."""

    url: str
    allowed: tuple[str, ...] = ()
    """Models that may be seated besides those that are set up or found."""
    hosts: frozenset[str] = HOSTS
    """Names under which the server may be called."""
    unguarded: bool = False
    """Whoever reaches it may use it, tokens or not."""
    look: Callable[[], Environment] = variables


@dataclass
class ServerState:
    """Use it as a context: inside, it can be asked."""

    setting: ServerConfig
    bus: Bus = field(default_factory=Bus)
    """Of the worker in this process, or of nobody."""

    def __post_init__(self) -> None:
        self.database = connect(self.setting.url)
        self.operator = RunService(RunQueries(self.database), EngineClient(self.setting.url))
        """Sees the runs of all owners."""
        self.feed = EventStreams(self.database, self.bus)
        self._services: dict[str, RunService] = {}
        self._lock = threading.Lock()
        self._allowed_models: tuple[float, AllowedModels] | None = None
        self._heavy = CapacityLimiter(HEAVY_AT_ONCE)
        self._known: dict[tuple[str | None, str], tuple[float, bool]] = {}
        self.streams = Counter[str]()
        """Open ones, by owner."""

    def __enter__(self) -> Self:
        self.operator.upgrade()
        self.operator.engine.dbos.list_workflows(limit=1)  # connects once, before many threads would
        return self

    def __exit__(self, *_: object) -> None:
        self.feed.close()
        self.operator.engine.close()
        self.database.close()

    def service(self, owner: str) -> RunService:
        """The runs of an owner, and no others."""
        with self._lock:
            if owner not in self._services:
                self._services[owner] = self.operator.acting_for(owner)
            return self._services[owner]

    def owner_of(self, token: str | None) -> str | None:
        """Who somebody is; None if they must say so first."""
        if token and (owner := tokens.owner_of(self.database, token)):
            return owner
        return None if self.guarded else LOCAL

    async def still_knows(self, token: str | None, owner: str) -> bool:
        """Whether a token still opens what it opened; looked up now and then, once for all who watch with it."""
        looked, so = self._known.get((token, owner), (0.0, True))
        if time.monotonic() - looked >= RECHECK_SECONDS:
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
            self._known[token, owner] = time.monotonic(), so  # whoever comes meanwhile takes the last answer
            so = await to_thread.run_sync(lambda: self.owner_of(token) == owner)
            self._known[token, owner] = time.monotonic(), so
        return so

    @property
    def guarded(self) -> bool:
        """Whether a token is asked for."""
        return not self.setting.unguarded and tokens.exist(self.database)

    def is_token(self, token: str) -> bool:
        return tokens.owner_of(self.database, token) is not None

    @property
    def known(self) -> Environment:
        """Settings and keys of this machine, with a model for seats of which nothing is said."""
        return with_default(self.setting.look(), self.allowed_models.first, "offered first")

    @property
    def allowed_models(self) -> AllowedModels:
        with self._lock:
            if self._allowed_models is None or time.monotonic() - self._allowed_models[0] > FRESH_SECONDS:
                self._allowed_models = (
                    time.monotonic(),
                    allowed_models(self.setting.look(), find(), self.setting.allowed),
                )
            return self._allowed_models[1]

    async def heavily(self, work: Callable[[], T]) -> T:
        """Work that takes a processor, beside the loop and a few at a time."""
        return await to_thread.run_sync(work, limiter=self._heavy)

    @property
    def words(self) -> frozenset[str]:
        """Names that everybody may read in an answer."""
        return frozenset({*self.allowed_models.model_specs, *(card.name for card in cards()), *_settings()})


def _settings() -> Iterable[str]:
    return (name for card in cards() for name in card.settings.get("properties", {}))
