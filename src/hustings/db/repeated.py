"""Finds the run that a request key is bound to, to lead a repeated request to it."""

from __future__ import annotations

import sqlalchemy as sa

from .tables import REQUEST


def run_bound_to(db: sa.Connection, owner: str, key: str) -> str | None:
    here = (REQUEST.c.owner == owner, REQUEST.c.key == key)
    return db.scalar(sa.select(REQUEST.c.run_id).where(*here))
