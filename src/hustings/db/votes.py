"""Votes of people on a debate: one per voter and run; the first one stands."""

from __future__ import annotations

import sqlalchemy as sa

from .connection import insert_if_absent, now
from .tables import VOTE


def cast(db: sa.Connection, run_id: str, voter: str, body: str) -> bool:
    """Return False if this voter has already voted."""
    row = {"run_id": run_id, "voter": voter, "at": now(), "body": body}
    return db.execute(insert_if_absent(db, VOTE).values(row).returning(VOTE.c.voter)).first() is not None


def of_run(db: sa.Connection, run_id: str) -> dict[str, str]:
    """Voter and vote, in the order of arrival."""
    query = sa.select(VOTE.c.voter, VOTE.c.body).where(VOTE.c.run_id == run_id).order_by(VOTE.c.at, VOTE.c.voter)
    return {row.voter: row.body for row in db.execute(query)}
