"""Requests that are made once: whoever asks again under the same key is led to the run that came of it."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from hustings.errors import Unsuitable

from .connection import now
from .tables import REQUEST

DAY = 86_400.0
"""For so long a key is remembered."""


class Conflict(Unsuitable):
    """The key was used for something else."""


@dataclass(frozen=True)
class RequestKey:
    """A key that somebody chose for a request, and the digest of what it asks for."""

    key: str
    digest: str


def claim_key(db: sa.Connection, owner: str, made: RequestKey, run_id: str) -> str | None:
    """None if it is fresh, and from now on leads to this run; else the run it led to before.

    In one transaction with entering the run: two that ask at the same time are one after the other.
    """
    db.execute(sa.delete(REQUEST).where(REQUEST.c.at < now() - DAY))
    insert = postgresql.insert if db.dialect.name == "postgresql" else sqlite.insert
    row = {"owner": owner, "key": made.key, "digest": made.digest, "run_id": run_id, "at": now()}
    if db.execute(insert(REQUEST).values(row).on_conflict_do_nothing().returning(REQUEST.c.key)).first():
        return None
    here = (REQUEST.c.owner == owner, REQUEST.c.key == made.key)
    before = db.execute(sa.select(REQUEST).where(*here)).one()
    if before.digest != made.digest:
        raise Conflict("this key stands for another request", fix="choose a new key for what is new")
    return before.run_id
