"""The call ledger: records paid answers before the engine's checkpoint, so that no call is paid for twice.

A row is keyed by what the call *is* (lineage and key), not by where it ran: the same call, repeated
after a crash, a takeover or a fork, finds its answer here. A row without an answer is a call in
flight: it may have been billed, so the amount held for it counts as spent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa
from pydantic import ConfigDict, TypeAdapter

from hustings.transcript.call_try import CallTry

from .budget import CHUNK, RESERVE, SETTLED, Sum, reserve, reserving, settle, settling
from .caps import MICRO
from .connection import Prepared, insert_if_absent
from .instants import instant
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
class Reservation:
    """How a call stands: the row of the ledger, or that there is none."""

    key: str
    state: Literal["sent", "waiting", "answered"]
    """`sent`: it may be made now, or is. `waiting`: put off, or the budget has no room. `answered`: nothing is sent."""
    tries: tuple[CallTry, ...] = ()
    """Tries before the latest; of a call that waits, all of them."""
    deaths: int = 0
    """Workers that died while this call was in flight."""
    sent_at: float = 0.0
    """When its latest try was sent; 0 if it never was, as for words of people."""
    answered_at: str | None = None
    answer: str | None = None

    @property
    def attempt(self) -> int:
        """Number of its latest try, from 1."""
        return len(self.tries) + (self.state != "waiting")


def send(db: sa.Connection, entry: LedgerEntry, at: float) -> Reservation:
    """Record a call before it is made. A try whose worker died is settled in full."""
    if _first(db, entry, at):
        return Reservation(entry.key, "sent", sent_at=at)
    row = db.execute(_SELECT, _place(entry)).one_or_none()
    if row is None:
        return Reservation(entry.key, "waiting")
    if row.state == "answered" or _is_this_try(row, entry, at):
        return _reservation(row)
    if row.state == "waiting":
        return _reserve_next(db, entry, at, _tries(row.tried), row.deaths)
    lost = _lost(row)
    _settle_try(db, row, lost)
    return _reserve_next(db, entry, at, (*_tries(row.tried), lost), row.deaths + 1)


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


def resend(db: sa.Connection, entry: LedgerEntry, at: float, tries: Sequence[CallTry]) -> Reservation:
    """Settle the last of the tries so far, and reserve the next one."""
    row = db.execute(_SELECT, _place(entry)).one()
    if row.state == "answered" or _is_this_try(row, entry, at):
        return _reservation(row)
    if row.state == "sent":
        _settle_try(db, row, tries[-1])
    return _reserve_next(db, entry, at, tries, row.deaths)


def try_again(db: sa.Connection, entry: LedgerEntry, at: float, tries: Sequence[CallTry]) -> None:
    """Note the next try after one that was not billed: the amount held for that one covers it."""
    values = {**_place(entry), "new_tries": len(tries) + 1, "at": at, "new_tried": _dumped(tries)}
    db.execute(_TRY_AGAIN, values)


def _is_this_try(row: sa.Row[*tuple[Any, ...]], entry: LedgerEntry, at: float) -> bool:
    """Whether this very try is on record: if a database dies right after a commit, the writer commits again."""
    return (row.state, row.executor_id, row.sent_at) == ("sent", entry.executor_id, at)


def _reserve_next(
    db: sa.Connection, entry: LedgerEntry, at: float, tries: Sequence[CallTry], deaths: int
) -> Reservation:
    """Reserve a further try of a call whose tries so far are settled; without room it waits."""
    room = reserve(db, entry.budget_id, entry.worst)
    held = entry.worst if room else NOTHING
    state = "sent" if room else "waiting"
    values = {
        "new_state": state,
        "new_tries": len(tries) + room,
        "new_deaths": deaths,
        "new_tried": _dumped(tries),
        "by": entry.executor_id,
        "money": held.money,
        "more": held.tokens,
        "at": at,
        "budget": entry.budget_id,
    }
    db.execute(_RESEND, {**_place(entry), **values})
    return Reservation(entry.key, state, tuple(tries), deaths, at)


def _settle_try(db: sa.Connection, row: sa.Row[*tuple[Any, ...]], paid: CallTry) -> None:
    """Book a try that is over, in the budget and with the call: the sums of both are equal at any time."""
    held = Sum(row.held, row.held_tokens)
    settle(db, row.budget_id, held, paid)
    _BOOK.run(db, {"this_lineage": row.lineage, "this_key": row.key, **settling(row.budget_id, held, paid)})


def _lost(row: sa.Row[*tuple[Any, ...]]) -> CallTry:
    """The try in flight of a worker that died: nobody knows what it cost, so it is booked in full."""
    return CallTry(ended="lost", sent_at=instant(row.sent_at), unproven=row.held_tokens, booked=row.held / MICRO)


def answered(db: sa.Connection, entry: LedgerEntry, record: Mapping[str, Any], paid: CallTry) -> None:
    """Record the answer, and settle its try."""
    values = {**_place(entry), **record, **settling(entry.budget_id, entry.worst, paid)}
    if db.dialect.name == "postgresql":
        _ANSWER_AT_ONCE.run(db, values)
    elif _ANSWER_ALONE.run(db, values).rowcount:
        settle(db, entry.budget_id, entry.worst, paid)


def put_off(db: sa.Connection, entry: LedgerEntry, tries: Sequence[CallTry]) -> None:
    """Settle the last try, and mark the call as waiting: it has no answer yet and will be made later."""
    row = db.execute(_SELECT, _place(entry)).one()
    if row.state == "sent":
        _settle_try(db, row, tries[-1])
        db.execute(_PUT_OFF, {**_place(entry), "new_tried": _dumped(tries)})


def reopen(db: sa.Connection, lineage: str, key: str, tries: Sequence[CallTry]) -> None:
    """Take back an answer that cannot be used, so that the call is made again. What it cost stays booked."""
    here = (CALL.c.lineage == lineage, CALL.c.key == key)
    change = {"state": "waiting", "answer": None, "kind": None, "answered_at": None, "tried": _dumped(tries)}
    db.execute(sa.update(CALL).where(*here).values(change))


def give_up(db: sa.Connection, lineage: str, records: Mapping[str, dict[str, Any]], by: str) -> None:
    """Record the failure as the answer of calls that were put off and will not be made."""
    for key, record in records.items():
        put_off_ = (CALL.c.lineage == lineage, CALL.c.key == key, CALL.c.state == "waiting")
        if not db.execute(sa.update(CALL).where(*put_off_).values(state="answered", **record)).rowcount:
            enter(db, lineage, key, record, by)


def inherit(db: sa.Connection, entry: LedgerEntry, ancestors: Sequence[str]) -> str | None:
    """Copy an ancestor's answer into a fork, and return it. Calls that failed there are made again."""
    for lineage in ancestors:
        row = db.execute(_SELECT, {"this_lineage": lineage, "this_key": entry.key}).one_or_none()
        if row is not None and row.state == "answered" and row.kind in SAID:
            enter(db, entry.lineage, entry.key, {"answer": row.answer, "kind": row.kind}, entry.executor_id)
            return str(row.answer)
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


def of_wave(db: sa.Connection, lineage: str, wave: int) -> list[Reservation]:
    """The calls of a wave that were sent or answered, in their order."""
    here = (CALL.c.lineage == lineage, CALL.c.key.startswith(f"{wave:03d}."))
    return [_reservation(row) for row in db.execute(sa.select(CALL).where(*here).order_by(CALL.c.key))]


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
            tries = _TRIES.validate_python(json.loads(row.answer)["tries"]) if row.answer else _tries(row.tried)
            lost = [round(each.booked * MICRO) for each in tries if each.price is None and each.ended not in SAID]
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
        call_try = _lost(row)
        _settle_try(db, row, call_try)
        tries = _dumped((*_tries(row.tried), call_try))
        db.execute(_PUT_OFF, {"this_lineage": row.lineage, "this_key": row.key, "new_tried": tries})
    return len(lost)


_TRIES = TypeAdapter(tuple[CallTry, ...], config=ConfigDict(defer_build=True))


def _tries(text: str) -> tuple[CallTry, ...]:
    return _TRIES.validate_json(text)


def _dumped(tries: Sequence[CallTry]) -> str:
    return _TRIES.dump_json(tuple(tries), exclude_defaults=True).decode()


def _reservation(row: sa.Row[*tuple[Any, ...]]) -> Reservation:
    tries = _tries(row.tried)
    return Reservation(row.key, row.state, tries, row.deaths, row.sent_at, row.answered_at, row.answer)


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
    "price": sa.func.coalesce(CALL.c.price, 0) + sa.bindparam("paid", type_=sa.BigInteger),
    "tokens": CALL.c.tokens + sa.bindparam("paid_tokens", type_=sa.BigInteger),
    "unproven_tokens": CALL.c.unproven_tokens + sa.bindparam("unproven", type_=sa.BigInteger),
}
_BOOK = Prepared(sa.update(CALL).where(*_HERE).values(_PRICED))
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
