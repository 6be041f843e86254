"""State of the running server (database, allowed models, tokens, event streams), and the context of each request."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Annotated, Self, TypeVar

from anyio import CapacityLimiter, to_thread
from fastapi import Depends, Path, Request

from hustings.config.variables import variables, with_default
from hustings.db import tokens
from hustings.db.connection import connect
from hustings.engine.client import EngineClient
from hustings.engine.live_text import Bus
from hustings.engine.service import RunService
from hustings.errors import NotFound
from hustings.llm.environment import Environment
from hustings.llm.local_servers import find
from hustings.runs.queries import RunQueries, RunSummary

from .allowed_models import AllowedModels, allowed_models, cards
from .event_stream import EventStreams
from .problems import unknown
from .schemas import Id

T = TypeVar("T")
HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
LOCAL = "local"
"""Owner of all debates on a server that requires no token."""
FRESH_SECONDS = 30.0
"""Seconds for which a scan of the local servers is reused."""
RECHECK_SECONDS = 10.0
"""Seconds after which the token of an open stream is checked again."""
MOST_KNOWN = 1_000
HEAVY_AT_ONCE = 2
"""Estimates, views and comparisons in parallel; each occupies a processor."""


@dataclass(frozen=True)
class Credential:
    """What a request identifies itself by: a token, or the id of a browser's session."""

    token: str = field(default="", repr=False)
    session: str = field(default="", repr=False)


@dataclass(frozen=True)
class ServerConfig:
    """Options that the operator chose."""

    url: str
    allowed: tuple[str, ...] = ()
    """Models that users may seat besides the configured and found ones."""
    hosts: frozenset[str] = HOSTS
    """Host names that the server accepts."""
    needs_token: bool = False
    """Whether a token is required even before one has been made."""
    unguarded: bool = False
    """Whether everyone who can reach the server may use it without a token."""
    proxies: frozenset[str] = frozenset()
    """Addresses of proxies that end TLS; a forwarded header is believed from these alone."""
    look: Callable[[], Environment] = variables


@dataclass
class ServerState:
    """Shared by all requests. Use it as a context manager, which opens and closes its resources."""

    setting: ServerConfig
    bus: Bus = field(default_factory=Bus)
    """Live text of the worker in this process; silent without one."""

    def __post_init__(self) -> None:
        self.database = connect(self.setting.url)
        self.operator = RunService(RunQueries(self.database), EngineClient(self.setting.url))
        """Service that sees the runs of all owners."""
        self.feed = EventStreams(self.database, self.bus)
        self._services: dict[str, RunService] = {}
        self._lock = threading.Lock()
        self._allowed_models: tuple[float, AllowedModels] | None = None
        self._heavy = CapacityLimiter(HEAVY_AT_ONCE)
        self._known: dict[tuple[Credential, str], tuple[float, bool]] = {}
        self._guarded = False
        self.streams = Counter[str]()
        """Number of open streams, by owner."""

    def __enter__(self) -> Self:
        self.operator.upgrade()
        self._guarded = self.guarded
        self.operator.engine.dbos.list_workflows(limit=1)  # connect once, before many threads do
        return self

    def __exit__(self, *_: object) -> None:
        self.feed.close()
        self.operator.engine.close()
        self.database.close()

    def service(self, owner: str) -> RunService:
        """Service limited to the runs of one owner."""
        with self._lock:
            if owner not in self._services:
                self._services[owner] = self.operator.acting_for(owner)
            return self._services[owner]

    def owner_of(self, given: Credential) -> str | None:
        """The owner that a token or session stands for; None if a valid one is required."""
        if owner := self._known_owner(given):
            self._guarded = not self.setting.unguarded
            return owner
        return None if self.guarded else LOCAL

    def _known_owner(self, given: Credential) -> str | None:
        if given.token:
            return tokens.owner_of(self.database, given.token)
        return tokens.owner_of_session(self.database, given.session) if given.session else None

    async def still_knows(self, given: Credential, owner: str) -> bool:
        """Whether a token or session is still valid; checked periodically, once for all its streams."""
        looked, so = self._known.get((given, owner), (0.0, True))
        if time.monotonic() - looked >= RECHECK_SECONDS:
            if len(self._known) > MOST_KNOWN:
                self._known.clear()
            self._known[given, owner] = time.monotonic(), so  # concurrent callers reuse the last answer
            so = await to_thread.run_sync(lambda: self.owner_of(given) == owner)
            self._known[given, owner] = time.monotonic(), so
        return so

    @property
    def guarded(self) -> bool:
        """Whether the server requires a token. It never stops doing so: revoking the last token lets nobody in."""
        if not self._guarded and not self.setting.unguarded:
            self._guarded = self.setting.needs_token or tokens.exist(self.database)
        return self._guarded

    @property
    def known(self) -> Environment:
        """Settings and keys of this machine, with a default model for seats that name none."""
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
        """Run CPU-bound work in a thread, a few at a time."""
        return await to_thread.run_sync(work, limiter=self._heavy)

    @property
    def words(self) -> frozenset[str]:
        """Public names that error responses may repeat."""
        return frozenset({*self.allowed_models.model_specs, *(card.name for card in cards()), *_settings()})


def _settings() -> Iterable[str]:
    return (name for card in cards() for name in card.settings.get("properties", {}))


VOTER = "hustings_voter"


@dataclass(frozen=True)
class RequestContext:
    state: ServerState
    owner: str
    cookie: str
    """Tells one browser from another."""
    credential: Credential = Credential()

    @property
    def service(self) -> RunService:
        return self.state.service(self.owner)

    @property
    def runs(self) -> RunQueries:
        return self.service.runs

    @property
    def voter(self) -> str:
        return f"{self.owner}:{self.cookie}"

    def debate(self, run_id: str) -> RunSummary:
        """A debate of this owner; audits are refused."""
        report = self.run(run_id)
        if report.judged:
            raise unknown()
        return report

    def run(self, run_id: str) -> RunSummary:
        """Any run of this owner, debate or audit."""
        try:
            return self.runs.read(run_id)
        except NotFound:
            raise unknown() from None


def context_of(request: Request) -> RequestContext:
    return RequestContext(
        request.app.state.state, request.scope["owner"], request.cookies.get(VOTER, ""), request.scope["credential"]
    )


Context = Annotated[RequestContext, Depends(context_of)]
RunId = Annotated[Id, Path()]
