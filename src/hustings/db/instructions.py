"""What people tell the seats of a run while it goes on: kept until a wave takes it, and the same after a crash."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from secrets import token_hex

import sqlalchemy as sa

from .connection import Prepared, now
from .tables import INSTRUCTION


@dataclass(frozen=True)
class Instruction:
    seat: str
    text: str
    wave: int
    """The wave whose questions it goes with; decided once, before that wave begins."""


def add(db: sa.Connection, run_id: str, seats: Sequence[str], text: str, by: str) -> None:
    at, name = now(), token_hex(6)
    rows = [
        {"run_id": run_id, "id": f"{name}.{n:03d}", "at": at, "seat": seat, "text": text, "by": by}
        for n, seat in enumerate(seats)
    ]
    db.execute(sa.insert(INSTRUCTION).values(rows).inline())


def take(db: sa.Connection, run_id: str, wave: int) -> list[Instruction]:
    """Assign what was told meanwhile to a wave that has not begun, and return all that belongs to it."""
    if _ANY.run(db, {"this_run": run_id, "this_wave": wave}).first() is None:  # so it is before nearly every wave
        return []
    here = INSTRUCTION.c.run_id == run_id
    if db.scalar(sa.select(sa.exists().where(here, INSTRUCTION.c.wave.is_(None)))):
        db.execute(sa.update(INSTRUCTION).where(here, INSTRUCTION.c.wave.is_(None)).values(wave=wave))
    return [each for each in taken(db, run_id) if each.wave == wave]


def taken(db: sa.Connection, run_id: str) -> list[Instruction]:
    """All that waves have taken, in the order in which it was told."""
    order = (INSTRUCTION.c.wave, INSTRUCTION.c.at, INSTRUCTION.c.id)
    here = (INSTRUCTION.c.run_id == run_id, INSTRUCTION.c.wave.is_not(None))
    rows = db.execute(sa.select(INSTRUCTION).where(*here).order_by(*order))
    return [Instruction(row.seat, row.text, row.wave) for row in rows]


def inherit(db: sa.Connection, run_id: str, forked_from: str, before_wave: int) -> None:
    """Give a fork what the seats were told before the wave at which it begins: the same questions, the same answers."""
    here = (INSTRUCTION.c.run_id == forked_from, INSTRUCTION.c.wave < before_wave)
    columns = [column for column in INSTRUCTION.c if column.name != "run_id"]
    copied = sa.select(sa.literal(run_id), *columns).where(*here)
    db.execute(sa.insert(INSTRUCTION).from_select(["run_id", *(column.name for column in columns)], copied))


_ANY = Prepared(
    sa.select(sa.literal(1))
    .select_from(INSTRUCTION)
    .where(
        INSTRUCTION.c.run_id == sa.bindparam("this_run"),
        sa.or_(INSTRUCTION.c.wave.is_(None), INSTRUCTION.c.wave == sa.bindparam("this_wave")),
    )
    .limit(1)
)
