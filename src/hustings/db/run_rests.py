"""Rests of runs: a run that waits holds no place, until it is time or until it is told to go on."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from .connection import now
from .tables import RUN

FOREVER = 1e15
"""Until the run is told to go on."""


def lock(db: sa.Connection, run_id: str) -> None:
    """Keep others from changing a run until the transaction ends. SQLite has one writer at a time anyhow."""
    db.execute(sa.select(RUN.c.run_id).where(RUN.c.run_id == run_id).with_for_update())


def rest(db: sa.Connection, run_id: str, seconds: float | None, put_offs: int, executor_id: str) -> None:
    """Let a run rest for some time, or until it is woken. A worker that takes runs from the queue lets it go."""
    until = now() + seconds if seconds is not None else FOREVER
    change = {"rests_until": until, "put_offs": put_offs, "executor_id": executor_id}
    db.execute(sa.update(RUN).where(RUN.c.run_id == run_id).values(change))


def wake(db: sa.Connection, run_id: str) -> bool:
    """End the rest of a run now. Return False if it does not rest."""
    resting = (RUN.c.run_id == run_id, RUN.c.rests_until.is_not(None))
    return db.execute(sa.update(RUN).where(*resting).values(rests_until=0)).rowcount == 1


def pause_at_rest(db: sa.Connection, run_id: str) -> None:
    """Let a run that rests do so until it is told to go on."""
    db.execute(sa.update(RUN).where(RUN.c.run_id == run_id).values(rests_until=FOREVER))


def rested(db: sa.Connection, most: int, run_ids: Sequence[str] | None = None) -> list[sa.Row[*tuple[str, str]]]:
    """Id and worker of runs whose rest is over, the longest first."""
    over = (RUN.c.rests_until.is_not(None), RUN.c.rests_until <= now())
    these = () if run_ids is None else (RUN.c.run_id.in_(run_ids),)
    query = sa.select(RUN.c.run_id, RUN.c.executor_id).where(*over, *these)
    return [*db.execute(query.order_by(RUN.c.rests_until).limit(most))]


def resumptions_of(db: sa.Connection, run_ids: Sequence[str]) -> dict[str, int]:
    """How often each run was taken out of a rest."""
    rows = db.execute(sa.select(RUN.c.run_id, RUN.c.resumptions).where(RUN.c.run_id.in_(run_ids)))
    return {row.run_id: row.resumptions for row in rows}
