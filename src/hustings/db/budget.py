"""Budgets: reserve the worst price of a call before it is made, settle the real price after, which is never more.

Every change is one statement, and the database decides whether there is room, never a figure that
was read earlier. A run's own cap is held in its owner's budgets for as long as it runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from hustings.transcript.call_try import CallTry

from .caps import MICRO, Caps
from .connection import Prepared, insert_if_absent, insert_in_chunks
from .tables import BUDGET

CHUNK = 5_000
"""Ids per query: databases limit the number of parameters."""


@dataclass(frozen=True)
class Sum:
    """An amount: millionths of a dollar, and tokens."""

    money: int = 0
    tokens: int = 0


@dataclass(frozen=True)
class Account:
    """State of a budget."""

    caps: Caps
    spent: Sum
    held: Sum
    calls: int
    unproven: int = 0
    """Of the tokens spent, those booked for tries that broke off or were not counted."""
    misreported: int = 0
    """Tries whose provider reported tokens that cannot be right, or none."""
    beyond: int = 0
    """Money that providers reported on top of what was booked."""


def open_budget(db: sa.Connection, budget_id: str, caps: Caps) -> None:
    """Create a budget. An existing one stays as it is."""
    open_budgets(db, [(budget_id, caps)])


def open_budgets(db: sa.Connection, budgets: Sequence[tuple[str, Caps]]) -> None:
    """Create budgets. Existing ones stay as they are."""
    rows = [
        {"id": budget_id, "cap": caps.money, "cap_tokens": caps.tokens, "cap_calls": caps.calls}
        for budget_id, caps in budgets
    ]
    insert_in_chunks(db, insert_if_absent(db, BUDGET), rows)


def set_caps(db: sa.Connection, budget_id: str, caps: Caps) -> None:
    """Set the caps of a budget, creating it if needed. What was spent stays spent."""
    open_budget(db, budget_id, caps)
    change = {"cap": caps.money, "cap_tokens": caps.tokens, "cap_calls": caps.calls}
    db.execute(sa.update(BUDGET).where(BUDGET.c.id == budget_id).values(change))


def reserve(db: sa.Connection, budget_id: str, worst: Sum) -> bool:
    """Hold the worst that a call can cost, if there is room for it and for one more call."""
    return db.execute(RESERVE, reserving(budget_id, worst)).rowcount == 1


def reserving(budget_id: str, worst: Sum) -> dict[str, str | int]:
    """Parameters of RESERVE."""
    return {"the_budget": budget_id, "money": worst.money, "more": worst.tokens}


def settle(db: sa.Connection, budget_id: str, held: Sum, paid: CallTry) -> None:
    """Replace the amount held for a try by what is booked for it."""
    _SETTLE.run(db, settling(budget_id, held, paid))


def settling(budget_id: str, held: Sum, paid: CallTry) -> dict[str, str | int]:
    """Parameters of SETTLED. A cap holds, whatever a provider reports: nothing beyond the amount held is booked."""
    booked = round(paid.booked * MICRO)
    money, tokens = min(booked, held.money), min(paid.tokens + paid.unproven, held.tokens)
    return {
        **reserving(budget_id, held),
        "paid": money,
        "paid_tokens": tokens,
        "unproven": min(paid.unproven, tokens),
        "wrong": int(bool(paid.misreport)),
        "over": round(paid.beyond * MICRO) + booked - money,
    }


def admit(db: sa.Connection, budget_ids: Sequence[str], cap: int) -> bool:
    """Hold a run's whole cap in every budget above it, or in none of them."""
    if not budget_ids:
        return True
    room = sa.or_(BUDGET.c.cap.is_(None), BUDGET.c.spent + BUDGET.c.held + cap <= BUDGET.c.cap)
    hold = sa.update(BUDGET).values(held=BUDGET.c.held + cap)
    with db.begin_nested() as all_or_none:
        # One by one in a fixed order, so that two runs that lock the same rows never deadlock.
        held = [db.execute(hold.where(BUDGET.c.id == name, room)).rowcount for name in sorted(budget_ids)]
        if not all(held):
            all_or_none.rollback()
    return all(held)


def discharge(db: sa.Connection, budget_ids: Sequence[str], cap: int, spent: int) -> None:
    """Release what a finished run held in the budgets above it, and book what it spent."""
    if budget_ids:
        change = {"held": BUDGET.c.held - cap, "spent": BUDGET.c.spent + spent, "calls": BUDGET.c.calls + 1}
        for name in sorted(budget_ids):
            db.execute(sa.update(BUDGET).where(BUDGET.c.id == name).values(change))


def account(db: sa.Connection, budget_id: str) -> Account | None:
    return accounts(db, [budget_id]).get(budget_id)


def accounts(db: sa.Connection, budget_ids: Sequence[str]) -> dict[str, Account]:
    chunks = (budget_ids[first : first + CHUNK] for first in range(0, len(budget_ids), CHUNK))
    found = (row for chunk in chunks for row in db.execute(sa.select(BUDGET).where(BUDGET.c.id.in_(chunk))))
    return {
        row.id: Account(
            Caps(money=row.cap, tokens=row.cap_tokens, calls=row.cap_calls),
            Sum(row.spent, row.tokens),
            Sum(row.held, row.held_tokens),
            row.calls,
            row.unproven_tokens,
            row.misreported,
            row.beyond,
        )
        for row in found
    }


def _room(cap: sa.Column[int], *parts: sa.ColumnElement[int]) -> sa.ColumnElement[bool]:
    return sa.or_(cap.is_(None), sum(parts[1:], parts[0]) <= cap)


_MONEY, _MORE = sa.bindparam("money", type_=sa.BigInteger), sa.bindparam("more", type_=sa.BigInteger)
RESERVE = (
    sa.update(BUDGET)
    .where(
        BUDGET.c.id == sa.bindparam("the_budget"),
        _room(BUDGET.c.cap, BUDGET.c.spent, BUDGET.c.held, _MONEY),
        _room(BUDGET.c.cap_tokens, BUDGET.c.tokens, BUDGET.c.held_tokens, _MORE),
        _room(BUDGET.c.cap_calls, BUDGET.c.calls, sa.literal(1)),
    )
    .values(held=BUDGET.c.held + _MONEY, held_tokens=BUDGET.c.held_tokens + _MORE, calls=BUDGET.c.calls + 1)
)
SETTLED = (
    sa.update(BUDGET)
    .where(BUDGET.c.id == sa.bindparam("the_budget"))
    .values(
        held=BUDGET.c.held - _MONEY,
        held_tokens=BUDGET.c.held_tokens - _MORE,
        spent=BUDGET.c.spent + sa.bindparam("paid", type_=sa.BigInteger),
        tokens=BUDGET.c.tokens + sa.bindparam("paid_tokens", type_=sa.BigInteger),
        unproven_tokens=BUDGET.c.unproven_tokens + sa.bindparam("unproven", type_=sa.BigInteger),
        misreported=BUDGET.c.misreported + sa.bindparam("wrong", type_=sa.BigInteger),
        beyond=BUDGET.c.beyond + sa.bindparam("over", type_=sa.BigInteger),
    )
)
_SETTLE = Prepared(SETTLED)
