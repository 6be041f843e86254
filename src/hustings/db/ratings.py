"""How readers rate debates, from 1 to 5: one rating of each reader, the latest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from .connection import insert_if_absent, now
from .tables import RATING

CHUNK = 5_000
"""Ids per query: databases limit the number of parameters."""


@dataclass(frozen=True)
class Rating:
    rater: str
    stars: int
    comment: str


@dataclass(frozen=True)
class MeanRating:
    """What readers made of a debate together."""

    mean: float
    count: int


def rate(db: sa.Connection, run_id: str, rating: Rating) -> None:
    """Store a rating; it replaces the one that the same reader gave before."""
    given = {"stars": rating.stars, "comment": rating.comment, "at": now()}
    row = {"run_id": run_id, "rater": rating.rater, **given}
    if not db.execute(insert_if_absent(db, RATING).values(row).returning(RATING.c.rater)).first():
        here = (RATING.c.run_id == run_id, RATING.c.rater == rating.rater)
        db.execute(sa.update(RATING).where(*here).values(given))


def ratings_of(db: sa.Connection, run_id: str) -> list[Rating]:
    """All ratings of a debate, the latest last."""
    query = sa.select(RATING).where(RATING.c.run_id == run_id).order_by(RATING.c.at, RATING.c.rater)
    return [Rating(row.rater, row.stars, row.comment) for row in db.execute(query)]


def means(db: sa.Connection, run_ids: Sequence[str]) -> dict[str, MeanRating]:
    """The mean rating of each debate that was rated."""
    found: dict[str, MeanRating] = {}
    for first in range(0, len(run_ids), CHUNK):
        here = RATING.c.run_id.in_(run_ids[first : first + CHUNK])
        total, count = sa.func.sum(RATING.c.stars).label("total"), sa.func.count().label("of")
        for row in db.execute(sa.select(RATING.c.run_id, total, count).where(here).group_by(RATING.c.run_id)):
            found[row.run_id] = MeanRating(round(int(row.total) / row.of, 2), row.of)
    return found
