"""The call ledger: records paid answers before the engine's checkpoint, so that no call is paid for twice.

A row is keyed by what the call *is* (lineage and key), not by where it ran: the same call, repeated
after a crash, a takeover or a fork, finds its answer here. A row without an answer is a call in
flight: it may have been billed, so the amount held for it counts as spent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import sqlalchemy as sa

from .budget import CHUNK, RESERVE, SETTLED, Booking, Sum, reserve, reserving, settle, settling
from .connection import Prepared, insert_if_absent
from .tables import BUDGET, CALL

NOTHING = Sum()
SAID = frozenset({"ok", "refused", "filtered", "truncated", "empty", "malformed"})
"""Kinds of answers in which the seat said something, or declined to."""


@dataclass(frozen=True)
class LedgerEntry:
    """A call, its budget and worker, and the most it can cost."""

    lineage: str
    key: str
    budget_id: str
    executor_id: str
    worst: Sum


@dataclass(frozen=True)
class Answered:
    """The answer is known: nothing is sent."""

    answer: str


@dataclass(frozen=True)
class Try:
    """One try of a call. Money in millionths of a dollar."""

    kind: str
    """Kind of the answer or fault; `lost` if the worker died before there was one."""
    sent_at: float
    answered_at: float | None = None
    tokens_in: int | None = None
    tokens_cached: int | None = None
    tokens_out: int | None = None
    """As the provider counted them, where that can be right."""
    tokens: int = 0
    """Those known: as reported, or by our own count where the report cannot be right."""
    price: int | None = None
    """None is unknown."""
    booked: int = 0
    misreport: str = ""
    """What is wrong with the provider's report."""
    reported_in: int | None = None
    reported_out: int | None = None
    """As the provider counted them, if that cannot be right."""


@dataclass(frozen=True)
class CallOnRecord:
    """A call of the ledger, and how it stands."""

    key: str
    state: Literal["sent", "waiting", "answered"]
    tries: int
    sent_at: float
    """When its last try was sent; 0 if it never was, as for words of people."""
    answered_at: str | None
    tried: tuple[Try, ...]
    """Tries before the last."""


@dataclass(frozen=True)
class Sent:
    """The call is recorded as sent and may be made now."""

    tries: int
    deaths: int = 0
    """Workers that died while this call was in flight."""
    tried: tuple[Try, ...] = ()
    """Tries before this one."""


@dataclass(frozen=True)
class Broke:
    """The budget has no room: the call is not made."""


def send(db: sa.Connection, entry: LedgerEntry, at: float) -> Answered | Sent | Broke:
    """Record a call before it is made. A try whose worker died is settled in full."""
    if _first(db, entry, at):
        return Sent(1)
    row = db.execute(_SELECT, _place(entry)).one_or_none()
    if row is None:
        return Broke()
    if row.state == "answered":
        return Answered(row.answer)
    if _stands(row, entry, at):
        return Sent(row.tries, row.deaths, _tries(row.tried))
    tried, died = _tries(row.tried), row.state == "sent"
    if died:
        tried = (*tried, Try("lost", row.sent_at, booked=row.held))
    return _again(db, entry, at, row, None, Sent(row.tries, row.deaths + died, tried))


def _first(db: sa.Connection, entry: LedgerEntry, at: float) -> bool:
    """Reserve and record a call that is not on record yet. False if it is, or if there is no room."""
    values = {
        **reserving(entry.budget_id, entry.worst),
        **_place(entry),
        "by": entry.executor_id,
        "at": at,
    }
    if db.dialect.name == "postgresql":
        return _FIRST_AT_ONCE.run(db, values).rowcount == 1
    return _RESERVE_NEW.run(db, values).rowcount == 1 and _ENTER_NEW.run(db, values).rowcount == 1


def resend(
    db: sa.Connection, entry: LedgerEntry, at: float, paid: Booking | None, tried: Sequence[Try] = ()
) -> Answered | Sent | Broke:
    """Settle the previous try, at its price or in full if that is unknown, and reserve the next one."""
    row = db.execute(_SELECT, _place(entry)).one()
    if row.state == "answered":
        return Answered(row.answer)
    if _stands(row, entry, at):
        return Sent(row.tries, row.deaths, _tries(row.tried))
    return _again(db, entry, at, row, paid, Sent(row.tries, row.deaths, tuple(tried)))


def try_again(db: sa.Connection, entry: LedgerEntry, at: float, tries: int, tried: Sequence[Try]) -> None:
    """Note the next try after one that was not billed: the amount held for that one covers it."""
    values = {**_place(entry), "new_tries": tries, "at": at, "new_tried": _told(tried)}
    db.execute(_TRY_AGAIN, values)


def _stands(row: sa.Row[*tuple[Any, ...]], entry: LedgerEntry, at: float) -> bool:
    """Whether this very try is on record: if a database dies right after a commit, the writer commits again."""
    return (row.state, row.executor_id, row.sent_at) == ("sent", entry.executor_id, at)


def _again(
    db: sa.Connection, entry: LedgerEntry, at: float, row: sa.Row[*tuple[Any, ...]], paid: Booking | None, so_far: Sent
) -> Sent | Broke:
    if row.state == "sent":
        _settle_try(db, row, paid)
    room = reserve(db, entry.budget_id, entry.worst)
    held = entry.worst if room else NOTHING
    values = {
        "new_state": "sent" if room else "waiting",
        "new_tries": so_far.tries + room,
        "new_deaths": so_far.deaths,
        "new_tried": _told(so_far.tried),
        "by": entry.executor_id,
        "money": held.money,
        "more": held.tokens,
        "at": at,
        "budget": entry.budget_id,
    }
    db.execute(_RESEND, {**_place(entry), **values})
    return replace(so_far, tries=so_far.tries + 1) if room else Broke()


def _settle_try(db: sa.Connection, row: sa.Row[*tuple[Any, ...]], paid: Booking | None) -> None:
    """Book a try that is over, in the budget and with the call: the sums of both are equal at any time."""
    held = Sum(row.held, row.held_tokens)
    paid = Booking.in_full(held) if paid is None else paid.within(held)
    settle(db, row.budget_id, held, paid)
    db.execute(_BOOK, {"this_lineage": row.lineage, "this_key": row.key, **_booked(paid)})


def _booked(paid: Booking) -> dict[str, int]:
    return {"new_price": paid.money, "new_tokens": paid.tokens, "new_unproven": paid.unproven}


def answered(db: sa.Connection, entry: LedgerEntry, record: dict[str, Any], paid: Booking | None) -> None:
    """Record the answer and its cost. An unknown cost (None) counts as the worst case."""
    paid = Booking.in_full(entry.worst) if paid is None else paid.within(entry.worst)
    values = {**_place(entry), **record, **_booked(paid)}
    if db.dialect.name == "postgresql":
        _ANSWER_AT_ONCE.run(db, {**values, **settling(entry.budget_id, entry.worst, paid)})
    elif _ANSWER_ALONE.run(db, values).rowcount:
        settle(db, entry.budget_id, entry.worst, paid)


def put_off(db: sa.Connection, entry: LedgerEntry, paid: Booking | None, tried: Sequence[Try] = ()) -> None:
    """Mark a call as waiting: it has no answer yet and will be made later."""
    row = db.execute(_SELECT, _place(entry)).one()
    if row.state == "sent":
        _settle_try(db, row, paid)
        db.execute(_PUT_OFF, {**_place(entry), "new_tried": _told(tried)})


def reopen(db: sa.Connection, lineage: str, key: str, tried: Sequence[Try]) -> None:
    """Take back an answer that cannot be used, so that the call is made again. What it cost stays booked."""
    here = (CALL.c.lineage == lineage, CALL.c.key == key)
    change = {"state": "waiting", "answer": None, "kind": None, "answered_at": None, "tried": _told(tried)}
    db.execute(sa.update(CALL).where(*here).values(change))


def give_up(db: sa.Connection, lineage: str, records: Mapping[str, dict[str, Any]], by: str) -> None:
    """Record the failure as the answer of calls that were put off and will not be made."""
    for key, record in records.items():
        put_off_ = (CALL.c.lineage == lineage, CALL.c.key == key, CALL.c.state == "waiting")
        if not db.execute(sa.update(CALL).where(*put_off_).values(state="answered", **record)).rowcount:
            enter(db, lineage, key, record, by)


def inherit(db: sa.Connection, entry: LedgerEntry, ancestors: Sequence[str]) -> Answered | None:
    """Copy an ancestor's answer into a fork. Calls that failed there are made again."""
    for lineage in ancestors:
        row = db.execute(_SELECT, {"this_lineage": lineage, "this_key": entry.key}).one_or_none()
        if row is not None and row.state == "answered" and row.kind in SAID:
            enter(db, entry.lineage, entry.key, {"answer": row.answer, "kind": row.kind}, entry.executor_id)
            return Answered(row.answer)
    return None


def known(db: sa.Connection, lineage: str, key: str) -> str | None:
    """The answer to a call, if it is on record."""
    row = db.execute(_SELECT, {"this_lineage": lineage, "this_key": key}).one_or_none()
    return row.answer if row is not None and row.state == "answered" else None


def enter(db: sa.Connection, lineage: str, key: str, record: dict[str, Any], by: str) -> bool:
    """Record an answer without a cost: a person's words, or an inherited answer. The first answer stands."""
    values = {
        "lineage": lineage,
        "key": key,
        "state": "answered",
        "executor_id": by,
        "budget_id": "",
        "held": 0,
        "held_tokens": 0,
        "sent_at": 0.0,
        "price": 0,
        **record,
    }
    # RETURNING tells whether the row is new: not every driver gives a row count.
    return db.execute(insert_if_absent(db, CALL).returning(CALL.c.key), values).first() is not None


def answers(db: sa.Connection, lineage: str) -> dict[str, str]:
    """Key and answer of every answered call of a lineage."""
    query = sa.select(CALL.c.key, CALL.c.answer).where(CALL.c.lineage == lineage, CALL.c.state == "answered")
    return {row.key: row.answer for row in db.execute(query)}


def times(db: sa.Connection, lineage: str) -> list[tuple[str, float, str]]:
    """Key, time sent and time answered of every answered call of a lineage. Free calls were not sent."""
    query = sa.select(CALL.c.key, CALL.c.sent_at, CALL.c.answered_at).where(CALL.c.lineage == lineage)
    rows = db.execute(query.order_by(CALL.c.key))
    return [(row.key, row.sent_at, row.answered_at) for row in rows if row.sent_at and row.answered_at]


def of_wave(db: sa.Connection, lineage: str, wave: int) -> list[CallOnRecord]:
    """The calls of a wave that were sent or answered, in their order."""
    here = (CALL.c.lineage == lineage, CALL.c.key.startswith(f"{wave:03d}."))
    rows = db.execute(sa.select(CALL).where(*here).order_by(CALL.c.key))
    return [
        CallOnRecord(row.key, row.state, row.tries, row.sent_at, row.answered_at, _tries(row.tried)) for row in rows
    ]


@dataclass(frozen=True)
class HeldMoney:
    """Money booked for calls that brought no answer and may have been billed: those that broke off or are under way."""

    money: int = 0
    calls: int = 0


def held(db: sa.Connection, lineages: Sequence[str]) -> dict[str, HeldMoney]:
    """What is held for the calls of runs; nothing for a run without such calls."""
    found: dict[str, HeldMoney] = {}
    unsure = sa.or_(CALL.c.state == "sent", CALL.c.unproven_tokens > 0)
    mine = CALL.c.budget_id == sa.literal("run:") + CALL.c.lineage
    for first in range(0, len(lineages), CHUNK):
        here = CALL.c.lineage.in_(lineages[first : first + CHUNK])
        for row in db.execute(sa.select(CALL).where(here, mine, unsure)):
            # An answer has all tries of its call, the row those before the last.
            kept = json.loads(row.answer).get("tried", []) if row.answer else json.loads(row.tried)
            tried: list[dict[str, Any]] = kept
            lost = [each["booked"] for each in tried if each["price"] is None and each["kind"] not in SAID]
            if money := row.held + sum(lost):
                so_far = found.get(row.lineage, HeldMoney())
                found[row.lineage] = HeldMoney(so_far.money + money, so_far.calls + 1)
    return found


def in_flight(db: sa.Connection, lineage: str) -> set[str]:
    """Keys of the calls of a lineage that were sent and have no answer."""
    return {*db.scalars(sa.select(CALL.c.key).where(CALL.c.lineage == lineage, CALL.c.state == "sent"))}


def settle_lost(db: sa.Connection, lineage: str, budget_id: str) -> int:
    """Count the unanswered calls of a finished run as spent in full."""
    mine = (CALL.c.lineage == lineage, CALL.c.budget_id == budget_id, CALL.c.state == "sent")
    lost = db.execute(sa.select(CALL).where(*mine)).all()
    for row in lost:
        _settle_try(db, row, None)
        tried = (*_tries(row.tried), Try("lost", row.sent_at, booked=row.held))
        db.execute(_PUT_OFF, {"this_lineage": row.lineage, "this_key": row.key, "new_tried": _told(tried)})
    return len(lost)


def _tries(text: str) -> tuple[Try, ...]:
    return tuple(Try(**one) for one in json.loads(text))


def _told(tried: Sequence[Try]) -> str:
    return json.dumps([asdict(one) for one in tried])


def _place(entry: LedgerEntry) -> dict[str, Any]:
    return {"this_lineage": entry.lineage, "this_key": entry.key}


_HERE = (CALL.c.lineage == sa.bindparam("this_lineage"), CALL.c.key == sa.bindparam("this_key"))
_SELECT = sa.select(CALL).where(*_HERE)
_RESEND = (
    sa.update(CALL)
    .where(*_HERE)
    .values(
        state=sa.bindparam("new_state"),
        tries=sa.bindparam("new_tries"),
        deaths=sa.bindparam("new_deaths"),
        executor_id=sa.bindparam("by"),
        held=sa.bindparam("money"),
        held_tokens=sa.bindparam("more"),
        sent_at=sa.bindparam("at"),
        budget_id=sa.bindparam("budget"),
        tried=sa.bindparam("new_tried"),
    )
)
_TRY_AGAIN = (
    sa.update(CALL)
    .where(*_HERE, CALL.c.state == "sent")
    .values(tries=sa.bindparam("new_tries"), sent_at=sa.bindparam("at"), tried=sa.bindparam("new_tried"))
)
_PRICED = {
    "price": sa.func.coalesce(CALL.c.price, 0) + sa.bindparam("new_price", type_=sa.BigInteger),
    "tokens": CALL.c.tokens + sa.bindparam("new_tokens", type_=sa.BigInteger),
    "unproven_tokens": CALL.c.unproven_tokens + sa.bindparam("new_unproven", type_=sa.BigInteger),
}
_BOOK = sa.update(CALL).where(*_HERE).values(_PRICED)
_ANSWER = (
    sa.update(CALL)
    .where(*_HERE, CALL.c.state == "sent")
    .values(
        state="answered",
        held=0,
        held_tokens=0,
        answered_at=sa.bindparam("new_answered_at"),
        kind=sa.bindparam("new_kind"),
        model=sa.bindparam("new_model"),
        answer=sa.bindparam("new_answer"),
        **_PRICED,
    )
)
_PUT_OFF = sa.update(CALL).where(*_HERE).values(state="waiting", held=0, held_tokens=0, tried=sa.bindparam("new_tried"))

# Room is reserved only for a call that is not on record. PostgreSQL does both in one statement.
_NEW_RESERVED = RESERVE.where(~sa.exists(sa.select(CALL.c.key).where(*_HERE)))
_NEW = {
    "lineage": sa.bindparam("this_lineage", type_=sa.Text),
    "key": sa.bindparam("this_key", type_=sa.Text),
    "state": sa.literal("sent", sa.Text),
    "executor_id": sa.bindparam("by", type_=sa.Text),
    "budget_id": sa.bindparam("the_budget", type_=sa.Text),
    "held": sa.bindparam("money", type_=sa.BigInteger),
    "held_tokens": sa.bindparam("more", type_=sa.BigInteger),
    "sent_at": sa.bindparam("at", type_=sa.Double),
}
_RESERVE_NEW = Prepared(_NEW_RESERVED)
_ENTER_NEW = Prepared(sa.insert(CALL).from_select(list(_NEW), sa.select(*_NEW.values())))
_ROOM = _NEW_RESERVED.returning(BUDGET.c.id).cte("room")
_FIRST_AT_ONCE = Prepared(sa.insert(CALL).from_select(list(_NEW), sa.select(*_NEW.values()).select_from(_ROOM)))
_DONE = _ANSWER.returning(CALL.c.key).cte("done")
_ANSWER_AT_ONCE = Prepared(SETTLED.where(sa.exists(sa.select(_DONE.c.key))))
_ANSWER_ALONE = Prepared(_ANSWER)
