"""What people make of a debate: one vote of each for a run, and the first stands."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from .connection import now
from .tables import VOTE


def cast(db: sa.Connection, run_id: str, voter: str, body: str) -> bool:
    """False if that voter has voted."""
    insert = postgresql.insert if db.dialect.name == "postgresql" else sqlite.insert
    row = {"run_id": run_id, "voter": voter, "at": now(), "body": body}
    return db.execute(insert(VOTE).values(row).on_conflict_do_nothing().returning(VOTE.c.voter)).first() is not None


def of_run(db: sa.Connection, run_id: str) -> dict[str, str]:
    """Voter to vote, in the order in which they came."""
    query = sa.select(VOTE.c.voter, VOTE.c.body).where(VOTE.c.run_id == run_id).order_by(VOTE.c.at, VOTE.c.voter)
    return {row.voter: row.body for row in db.execute(query)}
