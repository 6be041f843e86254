"""Tags that an owner gives to debates, to find and group them by."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import sqlalchemy as sa

from .connection import insert_if_absent
from .tables import RUN, TAG

CHUNK = 5_000
"""Ids per query: databases limit the number of parameters."""


def replace_tags(db: sa.Connection, run_id: str, tags: Collection[str]) -> None:
    """Give a run exactly these tags."""
    db.execute(sa.delete(TAG).where(TAG.c.run_id == run_id, TAG.c.tag.not_in(tags)))
    for tag in tags:
        db.execute(insert_if_absent(db, TAG).values(run_id=run_id, tag=tag))


def tags_of(db: sa.Connection, run_ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The tags of each run that has any, in the order of the alphabet."""
    found: dict[str, tuple[str, ...]] = {}
    for first in range(0, len(run_ids), CHUNK):
        here = TAG.c.run_id.in_(run_ids[first : first + CHUNK])
        for row in db.execute(sa.select(TAG).where(here).order_by(TAG.c.tag)):
            found[row.run_id] = (*found.get(row.run_id, ()), row.tag)
    return found


def all_tags(db: sa.Connection, owner: str | None) -> list[str]:
    """Every tag that an owner uses; without an owner, that anyone uses."""
    mine = sa.select(TAG.c.tag).join(RUN, RUN.c.run_id == TAG.c.run_id)
    return list(
        db.scalars((mine if owner is None else mine.where(RUN.c.owner == owner)).distinct().order_by(TAG.c.tag))
    )
