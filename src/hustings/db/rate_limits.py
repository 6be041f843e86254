"""Rate limits and circuit breakers of endpoints, shared by all workers: one row each, on the database's clock.

A row holds what remains of the minute's allowance, how long the provider wants no requests, and a
breaker that opens after several faults in a row. All times in it are in the past, so a clock that is
set back opens what was closed instead of closing it for longer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from .connection import Database
from .tables import RATE_LIMIT

UNLIMITED = 1e12
MINUTE = 60.0
BREAKING = 5
"""Faults in a row that open the breaker: no connection, an overloaded server, unreadable answers. No time-outs."""
OPEN_SECONDS = 30.0
"""An open breaker lets one call through in this time, to test whether the endpoint is back."""
FLOOR = 0.1
"""The rate never falls below this part of the full rate."""
RECOVERY = 0.05
"""Part of the full rate that returns with every minute without a 429."""
SHORTEST_HOLD, LONGEST_HOLD = 1.0, 86_400.0
SHORTEST_WAIT = 0.05
NEARLY = 0.9999
"""PostgreSQL reads the clock anew for every term while a recovering rate grows, so full is never exactly full."""
LONGEST_WAIT = 5.0
"""Longest wait before asking again: room may be returned, and a breaker close, before the computed time."""


@dataclass(frozen=True)
class EndpointLimits:
    """An endpoint and its allowance per minute, which is also the largest burst."""

    key: str
    requests: float = UNLIMITED
    tokens: float = UNLIMITED

    @property
    def limited(self) -> bool:
        return min(self.requests, self.tokens) < UNLIMITED


@dataclass(frozen=True)
class Health:
    """Health of an endpoint; times are in seconds from the moment it was read."""

    rate: float = 1.0
    faults: int = 0
    hold: float = 0.0
    """Until the provider accepts requests again."""
    shut: float = 0.0
    """Until the open breaker lets the next call through."""

    @property
    def breaking(self) -> bool:
        return self.faults >= BREAKING

    def wait(self, passed: float) -> float:
        return max(0.0, self.hold - passed, min(LONGEST_WAIT, self.shut - passed) if self.breaking else 0.0)


class RateLimits:
    """Every method is its own short transaction, because all workers share a row."""

    def __init__(self, database: Database, *, open_seconds: float = OPEN_SECONDS) -> None:
        self._database, self._sql = database, _Statements(database, open_seconds)
        # Autocommit: a worker that freezes between two round trips must not lock the row that all others need.
        self._engine = (
            database.engine.execution_options(isolation_level="AUTOCOMMIT")
            if database.dialect == "postgresql"
            else database.engine
        )

    def take(self, endpoint: EndpointLimits, tokens: int) -> float:
        """Take one request and its tokens. Return 0.0 if taken, else the seconds after which to ask again."""
        values = {**_values(endpoint), "wanted": float(tokens)}
        with self._engine.begin() as db:
            if db.execute(self._sql.take, values).rowcount == 1:
                return 0.0
            row = db.execute(self._sql.left, values).one_or_none()
            if row is None:
                db.execute(self._sql.insert, values)
                return 0.0 if db.execute(self._sql.take, values).rowcount == 1 else SHORTEST_WAIT
        short = max(
            (min(want, most * row.rate) - left) * MINUTE / (most * row.rate)
            for want, left, most in (
                (1.0, row.requests_left, endpoint.requests),
                (tokens, row.tokens_left, endpoint.tokens),
            )
        )
        return max(SHORTEST_WAIT, min(LONGEST_WAIT, short), _health(row).wait(0.0))

    def give_back(self, endpoint: EndpointLimits, tokens: int) -> None:
        """Return unused tokens of a shorter answer. A negative number charges a longer one."""
        with self._engine.begin() as db:
            db.execute(self._sql.give_back, {**_values(endpoint), "unused": float(tokens)})

    def punish(self, endpoint: EndpointLimits, after: float | None) -> Health:
        """Record a 429: hold all calls for a while, then halve the rate. During the hold it is not halved again."""
        hold = min(after, LONGEST_HOLD) if after is not None and after > SHORTEST_HOLD else SHORTEST_HOLD
        return self._change(self._sql.punish, endpoint, {"after": hold})

    def trouble(self, endpoint: EndpointLimits) -> Health:
        """Record a connection fault. The last of several in a row opens the breaker."""
        return self._change(self._sql.trouble, endpoint, {})

    def well(self, endpoint: EndpointLimits) -> Health:
        """Record an answer: reset the faults and close the breaker."""
        return self._change(self._sql.well, endpoint, {})

    def ailing(self) -> dict[str, Health]:
        """Every endpoint that is not in full health."""
        with self._database.reading() as db:
            return {row.key: _health(row) for row in db.execute(self._sql.ailing)}

    def _change(self, statement: sa.UpdateBase, endpoint: EndpointLimits, more: Mapping[str, float]) -> Health:
        values = {**_values(endpoint), **more}
        with self._engine.begin() as db:
            row = db.execute(statement, values).one_or_none()
            if row is None:
                db.execute(self._sql.insert, values)
                row = db.execute(statement, values).one()
        return _health(row)


class _Terms:
    """SQL expressions about a row, by the database's clock."""

    def __init__(self, database: Database, open_seconds: float) -> None:
        row, self.now = RATE_LIMIT.c, database.now
        self.sqlite = database.dialect == "sqlite"
        self.least, self.most = (sa.func.min, sa.func.max) if self.sqlite else (sa.func.least, sa.func.greatest)
        self.since_limited, since_opened = self.now - row.limited_at, self.now - row.opened_at
        self.rate = self.least(1.0, row.rate + sa.func.abs(self.since_limited) * (RECOVERY / MINUTE))
        self.held = sa.and_(self.since_limited >= 0, self.since_limited < row.hold)
        self.shut = sa.and_(row.faults >= BREAKING, since_opened >= 0, since_opened < open_seconds)
        self.most_requests, self.most_tokens = _number("per_minute") * self.rate, _TOKENS * self.rate
        self.requests_left = self._left(row.requests, self.most_requests)
        self.tokens_left = self._left(row.tokens, self.most_tokens)
        self.health = (
            self.rate.label("rate"),
            row.faults,
            sa.case((self.held, row.hold - self.since_limited), else_=0.0).label("hold"),
            sa.case((self.shut, open_seconds - since_opened), else_=0.0).label("shut"),
        )

    def _left(self, level: sa.ColumnElement[float], per_minute: sa.ColumnElement[float]) -> sa.ColumnElement[float]:
        return self.least(per_minute, level + sa.func.abs(self.now - RATE_LIMIT.c.at) * per_minute / MINUTE)


class _Statements:
    """SQL statements, built once: building one costs more than running it."""

    def __init__(self, database: Database, open_seconds: float) -> None:
        row, its = RATE_LIMIT.c, _Terms(database, open_seconds)
        here = row.key == sa.bindparam("which")
        mine = sa.update(RATE_LIMIT).where(here, *([] if its.sqlite else [_not_waiting_for_the_disk()]))
        insert = sqlite.insert if its.sqlite else postgresql.insert
        full: dict[str, sa.ColumnElement[Any]] = {
            "key": sa.bindparam("which"),
            "requests": _number("per_minute"),
            "tokens": _TOKENS,
            "at": its.now,
        }
        self.insert = insert(RATE_LIMIT).values(full).on_conflict_do_nothing()
        self.take = mine.where(
            sa.not_(its.held),
            sa.not_(its.shut),
            # A request above a whole minute's allowance goes out when the bucket is full, and leaves a debt.
            its.requests_left >= its.least(1.0, its.most_requests) * NEARLY,
            its.tokens_left >= its.least(_number("wanted"), its.most_tokens) * NEARLY,
        ).values(
            at=its.now,
            requests=its.requests_left - 1.0,
            tokens=its.tokens_left - _number("wanted"),
            opened_at=sa.case((row.faults >= BREAKING, its.now), else_=row.opened_at),
        )
        left = (its.requests_left.label("requests_left"), its.tokens_left.label("tokens_left"))
        self.left = sa.select(*left, *its.health).where(here)
        self.give_back = mine.values(tokens=its.least(_TOKENS, row.tokens + _number("unused")))
        self.punish = mine.values(
            at=its.now,
            requests=its.least(row.requests, 0.0),
            tokens=its.least(row.tokens, 0.0),
            rate=sa.case((its.held, its.rate), else_=its.most(FLOOR, its.rate * 0.5)),
            limited_at=its.now,
            hold=its.most(_number("after"), sa.case((its.held, row.hold - its.since_limited), else_=0.0)),
        ).returning(*its.health)
        self.trouble = mine.values(
            faults=row.faults + 1,
            opened_at=sa.case((row.faults + 1 == BREAKING, its.now), else_=row.opened_at),
        ).returning(*its.health)
        self.well = mine.values(faults=0).returning(*its.health)
        self.ailing = sa.select(row.key, *its.health).where(sa.or_(row.faults > 0, its.rate < 1.0, its.held))


def _number(name: str) -> sa.BindParameter[float]:
    return sa.bindparam(name, type_=sa.Double)


_TOKENS = _number("per_minute_tokens")


def _not_waiting_for_the_disk() -> sa.ColumnElement[bool]:
    """Skip the disk sync: a crash may lose the last moments of a row. Inside the statement it costs no round trip."""
    return sa.func.set_config("synchronous_commit", "off", sa.true()) == "off"


def _values(endpoint: EndpointLimits) -> dict[str, Any]:
    return {"which": endpoint.key, "per_minute": endpoint.requests, "per_minute_tokens": endpoint.tokens}


def _health(row: sa.Row[*tuple[Any, ...]]) -> Health:
    return Health(row.rate, row.faults, row.hold, row.shut)
