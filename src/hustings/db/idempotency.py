"""Idempotency keys: a repeated request with the same key returns the run of the first one."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from hustings.errors import Unsuitable

from .connection import insert_if_absent, now
from .tables import REQUEST

DAY = 86_400.0
"""Seconds for which a key is remembered."""


class Conflict(Unsuitable):
    """The key was used for a different request."""


@dataclass(frozen=True)
class RequestKey:
    """A key that the client chose for a request, and the digest of the request."""

    key: str
    digest: str


def claim_key(db: sa.Connection, owner: str, made: RequestKey, run_id: str) -> str | None:
    """Return None if the key is new, and bind it to this run; otherwise return the run it is bound to.

    Runs in the same transaction that enters the run, so that two simultaneous requests are serialised.
    """
    db.execute(sa.delete(REQUEST).where(REQUEST.c.at < now() - DAY))
    row = {"owner": owner, "key": made.key, "digest": made.digest, "run_id": run_id, "at": now()}
    if db.execute(insert_if_absent(db, REQUEST).values(row).returning(REQUEST.c.key)).first():
        return None
    here = (REQUEST.c.owner == owner, REQUEST.c.key == made.key)
    before = db.execute(sa.select(REQUEST).where(*here)).one()
    if before.digest != made.digest:
        raise Conflict("this key stands for another request", fix="choose a new key for what is new")
    return before.run_id
