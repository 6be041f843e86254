"""Sums of what runs have cost: by day, protocol and kind, by model, and by owner."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from .run_rows import HOSTED_BY, of_owner
from .tables import BUDGET, CALL, RUN


@dataclass(frozen=True)
class Spent:
    """A sum over runs or calls. Money is in millionths of a dollar."""

    runs: int = 0
    calls: int = 0
    tokens: int = 0
    """Those that are known."""
    money: int = 0
    """Booked, and held for calls in flight."""
    presumed: int = 0
    """Of the money, what stands for the most that a call could cost, because the real price is not known."""
    hosted: int = 0
    """Runs whose host pays: what it used is not known."""

    def __add__(self, other: Spent) -> Spent:
        return Spent(*(mine + theirs for mine, theirs in zip(vars(self).values(), vars(other).values(), strict=True)))


@dataclass(frozen=True)
class SpentGroup:
    """What runs are summed by."""

    owner: str
    day: str
    """On which they were entered, in UTC: the day whose limit they count against."""
    protocol: str


def on_runs(db: sa.Connection, owner: str | None, since: str = "") -> dict[SpentGroup, Spent]:
    """Sums over the budgets of runs, which are what `hustings list` shows. Without an owner, over those of all."""
    presumed = (
        sa.select(CALL.c.lineage, sa.func.sum(CALL.c.price).label("money"))
        .where(CALL.c.unproven_tokens > 0, CALL.c.budget_id == sa.literal("run:") + CALL.c.lineage)
        .group_by(CALL.c.lineage)
        .subquery()
    )
    by = (RUN.c.owner, sa.func.substr(RUN.c.created_at, 1, 10), RUN.c.protocol)
    hosted = sa.case((RUN.c.executor_id.startswith(HOSTED_BY, autoescape=True), 1), else_=0)
    sums = (
        sa.func.count(),
        _sum(BUDGET.c.calls),
        _sum(BUDGET.c.tokens - BUDGET.c.unproven_tokens),
        _sum(BUDGET.c.spent + BUDGET.c.held),
        _sum(sa.func.coalesce(presumed.c.money, 0) + BUDGET.c.held),
        _sum(hosted),
    )
    joined = RUN.outerjoin(BUDGET, BUDGET.c.id == sa.literal("run:") + RUN.c.run_id).outerjoin(
        presumed, presumed.c.lineage == RUN.c.run_id
    )
    query = sa.select(*by, *sums).select_from(joined).where(*_here(owner, since)).group_by(*by)
    return {SpentGroup(*row[:3]): Spent(*map(int, row[3:])) for row in db.execute(query)}


def on_models(db: sa.Connection, owner: str | None, since: str = "") -> dict[str, Spent]:
    """Sums over calls by the model that answered; empty for calls without an answer."""
    worst = sa.case((CALL.c.unproven_tokens > 0, CALL.c.price), else_=0)
    model, price = sa.func.coalesce(CALL.c.model, ""), sa.func.coalesce(CALL.c.price, 0)
    sums = (
        sa.func.count(sa.distinct(CALL.c.lineage)),
        sa.func.count(),
        _sum(CALL.c.tokens - CALL.c.unproven_tokens),
        _sum(price + CALL.c.held),
        _sum(sa.func.coalesce(worst, 0) + CALL.c.held),
    )
    joined = RUN.join(CALL, CALL.c.lineage == RUN.c.run_id)
    here = (*_here(owner, since), CALL.c.budget_id != "")
    query = sa.select(model, *sums).select_from(joined).where(*here).group_by(model)
    return {row[0]: Spent(*map(int, row[1:])) for row in db.execute(query)}


def _here(owner: str | None, since: str) -> tuple[sa.ColumnElement[bool], ...]:
    return (*of_owner(owner), *((RUN.c.created_at >= since,) if since else ()))


def _sum(what: sa.ColumnElement[int]) -> sa.ColumnElement[int]:
    return sa.func.coalesce(sa.func.sum(what), 0)
