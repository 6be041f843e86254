"""Who executes a run: a worker takes it up, here or from the queue, and runs of dead workers are handed on.

Each time a run is taken out of a rest, or away from a worker, `resumptions` counts one more. A worker that was to take
it up under the number before finds that out, and leaves it alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from . import leases
from .caps import OPEN
from .run_rests import lock
from .run_rows import HOSTED_BY
from .tables import HELD, LEASE, RUN


@dataclass(frozen=True)
class TakenUp:
    """A run that changed hands."""

    resumptions: int
    """Its new number."""
    began: bool
    """Whether a wave of it had begun."""
    after: str
    """The worker that had it; empty: none."""
    restarts: int = 0
    """How many workers have died with it since its last wave began."""


def claim(db: sa.Connection, run_id: str, executor_id: str, resumptions: int) -> sa.RowMapping | None:
    """Take up a run that was given to this worker. None if it rests, is over, or another has taken it up since."""
    lock(db, run_id)
    given = (
        RUN.c.run_id == run_id,
        _OPEN,
        RUN.c.resumptions == resumptions,
        RUN.c.rests_until.is_(None),
        RUN.c.executor_id.in_(["", executor_id]),
    )
    taken = sa.update(RUN).where(*given).values(executor_id=executor_id).returning(RUN)
    return db.execute(taken).mappings().one_or_none()


def take(db: sa.Connection, run_id: str, executor_id: str) -> TakenUp | None:
    """Take up a run for a worker of this process. None if it is over, or a live worker has it."""
    lock(db, run_id)
    row = db.execute(sa.select(RUN.c.executor_id, RUN.c.waves).where(RUN.c.run_id == run_id, _OPEN)).one_or_none()
    if row is None or (row.executor_id not in ("", executor_id) and not leases.end(db, row.executor_id)):
        return None
    number = _take_up(db, executor_id, RUN.c.run_id == run_id)
    return TakenUp(number.resumptions, began=row.waves > 0, after=row.executor_id) if number is not None else None


def take_rested(db: sa.Connection, run_id: str, executor_id: str = "") -> int | None:
    """Take a run out of its rest, for a worker or the queue. Return its new number; None if it does not rest."""
    row = _take_up(db, executor_id, RUN.c.run_id == run_id, RUN.c.rests_until.is_not(None))
    return row.resumptions if row is not None else None


def orphans(db: sa.Connection) -> list[sa.Row[*tuple[str, str, int]]]:
    """Id, worker and number of each run that is not over, does not rest, and whose worker is gone."""
    here = (~RUN.c.executor_id.startswith(HOSTED_BY), RUN.c.rests_until.is_(None))
    columns = (RUN.c.run_id, RUN.c.executor_id, RUN.c.resumptions)
    return [*db.execute(sa.select(*columns).where(HELD, *here, _WITHOUT_LEASE))]


def hand_on(db: sa.Connection, run_id: str, executor_id: str, number: int) -> TakenUp | None:
    """Take a run away from a dead worker, for the queue. None if it is over, rests, or has changed hands by now."""
    lock(db, run_id)
    here = (RUN.c.run_id == run_id, _OPEN, RUN.c.executor_id == executor_id, RUN.c.resumptions == number)
    row = _take_up(db, "", *here, RUN.c.rests_until.is_(None), _WITHOUT_LEASE, restarts=RUN.c.restarts + 1)
    if row is None:
        return None
    return TakenUp(row.resumptions, began=row.waves > 0, after=executor_id, restarts=row.restarts)


def _take_up(
    db: sa.Connection, executor_id: str, *here: sa.ColumnElement[bool], **more: Any
) -> sa.Row[*tuple[int, int, int]] | None:
    change = {"executor_id": executor_id, "resumptions": RUN.c.resumptions + 1, "rests_until": None, **more}
    query = sa.update(RUN).where(*here).values(change)
    return db.execute(query.returning(RUN.c.resumptions, RUN.c.waves, RUN.c.restarts)).one_or_none()


_OPEN = RUN.c.state.in_(OPEN)
_WITHOUT_LEASE = ~sa.exists().where(LEASE.c.executor_id == RUN.c.executor_id)
