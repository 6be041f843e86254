"""What really happened in the matter of a debate, one answer for each: by it, confidence can be checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from .connection import insert_if_absent, now
from .tables import REAL_OUTCOME

CHUNK = 5_000
"""Ids per query: databases limit the number of parameters."""


@dataclass(frozen=True)
class RealOutcome:
    option: str
    """The option of the question that came true, as `yes`, `no` or the words of another."""
    source: str = ""
    """Where it can be read."""
    by: str = "user"
    """Who recorded it."""


def keep(db: sa.Connection, run_id: str, found: RealOutcome) -> None:
    """Store what happened; it replaces what was recorded before."""
    given = {"option": found.option, "source": found.source, "by": found.by, "at": now()}
    row = {"run_id": run_id, **given}
    if not db.execute(insert_if_absent(db, REAL_OUTCOME).values(row).returning(REAL_OUTCOME.c.run_id)).first():
        db.execute(sa.update(REAL_OUTCOME).where(REAL_OUTCOME.c.run_id == run_id).values(given))


def recorded(db: sa.Connection, run_ids: Sequence[str]) -> dict[str, RealOutcome]:
    """What happened after each debate of which it is known."""
    found: dict[str, RealOutcome] = {}
    for first in range(0, len(run_ids), CHUNK):
        here = REAL_OUTCOME.c.run_id.in_(run_ids[first : first + CHUNK])
        for row in db.execute(sa.select(REAL_OUTCOME).where(here)):
            found[row.run_id] = RealOutcome(row.option, row.source, row.by)
    return found
