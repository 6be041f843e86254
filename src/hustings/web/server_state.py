"""State of the running server (database, models, tokens, limits, event streams), and the context of each request."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from secrets import token_urlsafe
from typing import Annotated, Self, TypeVar

from anyio import CapacityLimiter, to_thread
from fastapi import Depends, Path, Request

from hustings.config.variables import variables, with_default
from hustings.db import tokens
from hustings.db.connection import connect
from hustings.db.tokens import Access, Credential
from hustings.engine.client import EngineClient
from hustings.engine.live_text import Bus
from hustings.engine.service import RunService
from hustings.engine.status import Status
from hustings.errors import NotFound
from hustings.llm.environment import Environment
from hustings.llm.local_servers import LocalServer, find
from hustings.runs.queries import RunQueries
from hustings.runs.run_summary import RunSummary

from .allowed_models import AllowedModels, allowed_models, cards
from .event_stream import EventStreams
from .limits import Allowance, Limits, must_be_within
from .problems import Refused, unknown
from .schemas import Id

T = TypeVar("T")
HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
LOCAL = "local"
"""Owner of all debates on a server that requires no token."""
FRESH_SECONDS = 30.0
"""Seconds for which a scan of the local servers is reused."""
RECHECK_SECONDS = 0.5
"""Seconds after which the tokens of open streams are checked again, all at once."""
BURST_SECONDS = 4.0
"""A caller may make the requests of this many seconds at once."""
STREAM_WAIT = 5.0
"""Seconds after which another stream may be tried."""
MOST_EARLY = 1_000
"""Browsers that can be signed in without a token."""
HEAVY_AT_ONCE = 2
"""Estimates, views and comparisons in parallel; each occupies a processor."""


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
    limits: Limits = field(default_factory=Limits)
    openai: bool = False
    """Whether debates are offered as models to clients of OpenAI."""
    look: Callable[[], Environment] = variables
    find: Callable[[], tuple[LocalServer, ...]] = find
    """Finds the model servers of this machine."""


@dataclass
class ServerState:
    """Shared by all requests. Use it as a context manager, which opens and closes its resources."""

    setting: ServerConfig
    bus: Bus = field(default_factory=Bus)
    """Live text of the worker in this process; silent without one."""
    worker: str | None = None
    """Id of the worker in this process, if there is one."""

    def __post_init__(self) -> None:
        self.database = connect(self.setting.url)
        self.operator = RunService(RunQueries(self.database), EngineClient(self.setting.url))
        """Service that sees the runs of all owners."""
        self.status = Status(self.database, self.worker)
        self.feed = EventStreams(self.database, self.bus)
        self._services: dict[str, RunService] = {}
        self._lock = threading.Lock()
        self._allowed_models: tuple[float, AllowedModels] | None = None
        self._heavy = CapacityLimiter(HEAVY_AT_ONCE)
        self._watched = Counter[Credential]()
        self._refused: frozenset[Credential] = frozenset()
        self._checked_at = 0.0
        self._guarded = False
        self._early = set[str]()
        """Sessions of browsers of this machine that were here before a token was required."""
        limits = self.setting.limits
        self.requests = Allowance(limits.requests_per_second, limits.requests_per_second * BURST_SECONDS)
        self.debates = Allowance(limits.debates_per_minute / 60, limits.debates_per_minute)
        self.streams = Counter[str]()
        """Number of open streams, by owner and by address."""
        self.keys_tried: dict[str, tuple[str, bool]] = {}
        """When models were last called with a key on the operator's wish, and whether they answered; by its name."""

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

    def access_of(self, given: Credential, address: str = "") -> Access | None:
        """What a token or session opens; None if a valid one is required."""
        if access := tokens.access_of(self.database, given):
            self._guarded = not self.setting.unguarded
            return access
        if self.guarded and given.session not in self._early:
            return None
        return Access(LOCAL, holder=f"address:{address}")

    def early_session(self, given: Credential) -> str | None:
        """A session for a browser of this machine, so that the first token locks nobody out; None if it needs none."""
        if self.guarded or self.setting.unguarded or given.session in self._early or len(self._early) >= MOST_EARLY:
            return None
        session = token_urlsafe(32)
        self._early.add(session)
        return session

    def close_session(self, session: str) -> None:
        self._early.discard(session)
        tokens.close_session(self.database, session)

    def must_have_room(self, *callers: str) -> None:
        """Refuse another stream to a caller who has too many open."""
        if any(self.streams[caller] >= self.setting.limits.streams for caller in callers):
            raise Refused(429, "Too many live pages are open.", fix="Close some of them.", wait=STREAM_WAIT)

    @contextmanager
    def counted_stream(self, given: Credential, *callers: str) -> Generator[None]:
        """Count an open stream for these callers, and watch its token or session."""
        self.streams.update(callers)
        self._watched[given] += 1
        try:
            yield
        finally:
            self.streams -= Counter(callers)  # drops what is at zero
            self._watched -= Counter([given])

    async def still_knows(self, given: Credential) -> bool:
        """Whether the token or session of an open stream is still valid; one check serves all streams."""
        if time.monotonic() - self._checked_at >= RECHECK_SECONDS:
            self._checked_at = time.monotonic()  # concurrent callers reuse the last answer
            self._refused = await to_thread.run_sync(self._no_longer_valid, [*self._watched])
        return given not in self._refused

    def _no_longer_valid(self, watched: Collection[Credential]) -> frozenset[Credential]:
        valid = tokens.valid(self.database, watched)
        early = {one for one in watched if one.session in self._early}
        return frozenset(watched) - valid - early if self.guarded else frozenset()

    @property
    def guarded(self) -> bool:
        """Whether the server requires a token. It never stops doing so: revoking the last token lets nobody in."""
        if not self._guarded and not self.setting.unguarded:
            self._guarded = self.setting.needs_token or tokens.ever_issued(self.database)
        return self._guarded

    @property
    def known(self) -> Environment:
        """Settings and keys of this machine, with a default model for seats that name none."""
        return with_default(self.setting.look(), self.allowed_models.first, "offered first")

    @property
    def allowed_models(self) -> AllowedModels:
        with self._lock:
            known = self._allowed_models
            if known is None or time.monotonic() - known[0] > FRESH_SECONDS:
                return self._offer(self.setting.find())
            return known[1]

    def look_again(self) -> tuple[LocalServer, ...]:
        """Scan the local servers now, and offer the models that are there."""
        servers = self.setting.find()
        with self._lock:
            self._offer(servers)
        return servers

    def _offer(self, servers: Sequence[LocalServer]) -> AllowedModels:
        offered = allowed_models(self.setting.look(), servers, self.setting.allowed)
        self._allowed_models = (time.monotonic(), offered)
        return offered

    async def heavily(self, work: Callable[[], T]) -> T:
        """Run CPU-bound work in a thread, a few at a time."""
        return await to_thread.run_sync(work, limiter=self._heavy)

    @property
    def words(self) -> frozenset[str]:
        """Public names that error responses may repeat."""
        return frozenset({*self.allowed_models.model_specs, *(card.name for card in cards()), *_settings()})


def _settings() -> Iterable[str]:
    return (name for card in cards() for name in card.settings.get("properties", {}))


@dataclass(frozen=True)
class RequestContext:
    state: ServerState
    access: Access
    credential: Credential
    address: str

    @property
    def owner(self) -> str:
        return self.access.owner

    @property
    def actor(self) -> str:
        """Who makes the request, for the activity log."""
        holder = self.access.holder
        return holder if ":" in holder else f"token:{holder}"

    @property
    def operates(self) -> bool:
        """Whether the caller is who runs this server, and not a stranger whom it lets in without a token."""
        stranger = self.state.setting.unguarded and self.access.holder.startswith("address:")
        return self.owner == LOCAL and self.access.role == "owner" and not stranger

    def must_operate(self) -> None:
        if not self.operates:
            fix = "On the machine of the server, use: hustings config show, hustings doctor"
            raise Refused(403, "Only the operator of this server sees its settings.", fix=fix)

    @property
    def service(self) -> RunService:
        return self.state.service(self.owner).by(self.actor)

    @property
    def runs(self) -> RunQueries:
        return self.service.runs

    @property
    def voter(self) -> str:
        """Who votes: the holder of a token or link; on a server that requires none, the address."""
        return f"{self.owner}:{self.access.holder}"

    def blind(self, run_id: str) -> bool:
        """Whether the caller is a judge who has not voted yet, and must not see names and results."""
        return self.access.role == "judge" and self.voter not in self.runs.votes(run_id)

    def must_be_within_limits(self) -> None:
        """Count a debate, fork or judging that is about to begin."""
        for caller in (f"owner:{self.owner}", f"address:{self.address}"):
            must_be_within(self.state.debates, caller, "debates per minute")

    def debate(self, run_id: str) -> RunSummary:
        """A debate of this owner; audits are refused."""
        report = self.run(run_id)
        if report.judged:
            raise unknown()
        return report

    def run(self, run_id: str) -> RunSummary:
        """Any run of this owner, debate or audit; a judge sees no audits."""
        try:
            report = self.runs.read(run_id)
        except NotFound:
            raise unknown() from None
        if report.judged and self.access.role == "judge":
            raise unknown()
        return report


def context_of(request: Request) -> RequestContext:
    scope = request.scope
    return RequestContext(request.app.state.state, scope["access"], scope["credential"], scope["address"])


Context = Annotated[RequestContext, Depends(context_of)]
RunId = Annotated[Id, Path()]
