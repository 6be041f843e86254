"""Sums over all runs and their calls, for metrics: runs by state, usage by model, and how long calls took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import sqlalchemy as sa

from .caps import OVER
from .connection import Database
from .tables import BUDGET, LEASE, RUN

CHUNK = 5_000
"""Runs per query: databases limit the number of parameters."""
UNKNOWN = "unknown"
"""Model and kind of a call that has no answer."""
BUCKETS = (0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0)
"""Upper bounds of the histogram of calls, in seconds."""


@dataclass(frozen=True)
class CallSums:
    """Sums over calls. Money is in millionths of a dollar."""

    calls: int = 0
    money: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    timed: int = 0
    """Calls whose duration is known."""
    milliseconds: int = 0
    tries: int = 0
    """Requests that were sent for them."""

    def __add__(self, other: CallSums) -> CallSums:
        return CallSums(
            *(mine + theirs for mine, theirs in zip(vars(self).values(), vars(other).values(), strict=True))
        )


@dataclass(frozen=True)
class CallGroup:
    """What calls are summed by: model, kind of the answer, and the first bucket that holds their duration."""

    model: str
    kind: str
    bucket: int


SumsByGroup = Mapping[CallGroup, CallSums]


@dataclass(frozen=True)
class Booked:
    """Sums over the budgets of all runs, which are what `hustings list` shows."""

    calls: int
    tokens: int
    money: int
    held: int
    misreported: int = 0
    """Answers whose provider reported tokens that cannot be right, or none."""


@dataclass
class Standing:
    """Where all runs stand: how many in each state, since when the oldest waits, and which have called models."""

    states: Counter[str] = field(default_factory=Counter[str])
    oldest_waiting: str | None = None
    over: set[str] = field(default_factory=set[str])
    going: set[str] = field(default_factory=set[str])
    """Begun, and may call more. A run that waits has called none."""


def standing(db: sa.Connection) -> Standing:
    found = Standing()
    for run_id, state, created_at in db.execute(sa.select(RUN.c.run_id, RUN.c.state, RUN.c.created_at)):
        found.states[state] += 1
        if state == "waiting":
            found.oldest_waiting = min(found.oldest_waiting or created_at, created_at)
        else:
            (found.over if state in OVER else found.going).add(run_id)
    return found


def live_workers(db: sa.Connection, database: Database) -> int:
    return db.scalar(sa.select(sa.func.count()).where(LEASE.c.expires >= database.now)) or 0


def booked(db: sa.Connection) -> Booked:
    sums = (BUDGET.c.calls, BUDGET.c.tokens, BUDGET.c.spent, BUDGET.c.held, BUDGET.c.misreported)
    of_runs = BUDGET.c.id.startswith("run:", autoescape=True)
    row = db.execute(sa.select(*(sa.func.coalesce(sa.func.sum(each), 0) for each in sums)).where(of_runs)).one()
    return Booked(*map(int, row))


def usage(db: sa.Connection, run_ids: Sequence[str]) -> dict[CallGroup, CallSums]:
    """CallSums of some runs. Answers of people, and those inherited from another run, are no calls."""
    found: dict[CallGroup, CallSums] = {}
    for first in range(0, len(run_ids), CHUNK):
        rows = db.execute(_USAGE[db.dialect.name], {"runs": list(run_ids[first : first + CHUNK])})
        for model, kind, bucket, *sums in rows:
            group = CallGroup(model or UNKNOWN, kind or UNKNOWN, bucket)
            found[group] = found.get(group, CallSums()) + CallSums(*(int(each or 0) for each in sums))
    return found


# Each answer is parsed once for all of its figures, and not once more for every bucket.
_BUCKET = " ".join(f"when ms <= {round(bound * 1000)} then {place}" for place, bound in enumerate(BUCKETS))
_SAID = {
    "sqlite": "json_extract(answer, '$.tokens_in') as tokens_in, json_extract(answer, '$.tokens_out') as tokens_out, "
    "json_extract(answer, '$.latency_ms') as ms from hustings_call",
    "postgresql": "tokens_in, tokens_out, latency_ms as ms from hustings_call left join lateral jsonb_to_record("
    "cast(answer as jsonb)) as figures (tokens_in bigint, tokens_out bigint, latency_ms bigint) on true",
}
_USAGE = {
    dialect: sa.text(
        f"with said as materialized (select model, kind, tries, price, {said} "  # noqa: S608  our own names
        "where lineage in :runs and budget_id <> '') "
        f"select model, kind, case {_BUCKET} else {len(BUCKETS)} end as bucket, "
        "count(*), sum(price), sum(tokens_in), sum(tokens_out), count(ms), sum(ms), sum(tries) "
        "from said group by model, kind, bucket"
    ).bindparams(sa.bindparam("runs", expanding=True))
    for dialect, said in _SAID.items()
}


def misreported(db: sa.Connection, most: int) -> list[tuple[str, int]]:
    """The newest runs with reports of tokens that cannot be right, and how many."""
    of_run = BUDGET.c.id == sa.literal("run:") + RUN.c.run_id
    query = sa.select(RUN.c.run_id, BUDGET.c.misreported).join(BUDGET, of_run).where(BUDGET.c.misreported > 0)
    rows = db.execute(query.order_by(RUN.c.created_at.desc(), RUN.c.run_id).limit(most))
    return [(row.run_id, row.misreported) for row in rows]
