"""Full-text search over questions and speeches: FTS5 on SQLite, tsvector on PostgreSQL. Triggers fill it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from .run_rows import of_owner
from .tables import PASSAGE, RUN

MOST_WORDS = 8
"""Words of a query that count."""
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True)
class IndexedPassage:
    """A question (without a turn) or a speech that was found."""

    run_id: str
    topic: str
    turn_id: str
    seat: str
    text: str


def words_of(query: str) -> tuple[str, ...]:
    """The words of a query. Signs are left out, so nothing in it can be taken for syntax of a database."""
    return tuple(dict.fromkeys(_WORD.findall(query.lower())))[:MOST_WORDS]


def matching(
    db: sa.Connection, words: Sequence[str], owner: str | None, most: int, *, topics: bool | None = None
) -> list[int]:
    """Ids of passages with all these words; the last may be the beginning of one. `topics`: only questions, or none.

    The owner's role may not use the index of PostgreSQL (its operators are not leakproof), so this runs as the operator
    and returns ids alone; `passages` reads them as the owner.
    """
    kind = {None: "", True: "and passage.turn_id = ''", False: "and passage.turn_id <> ''"}[topics]
    mine = "" if owner is None else "and run.owner = :owner"
    query = sa.text(_QUERIES[db.dialect.name].format(more=f"and run.judged = '' {kind} {mine}"))
    values = {"match": _match(db.dialect.name, words), "most": most, **({} if owner is None else {"owner": owner})}
    return list(db.scalars(query, values))


def passages(db: sa.Connection, ids: Sequence[int], owner: str | None) -> list[IndexedPassage]:
    """What was found, in the order of the ids."""
    columns = (PASSAGE.c.id, PASSAGE.c.run_id, RUN.c.topic, PASSAGE.c.turn_id, PASSAGE.c.seat, PASSAGE.c.text)
    query = sa.select(*columns).join(RUN, RUN.c.run_id == PASSAGE.c.run_id).where(PASSAGE.c.id.in_(ids))
    found = {row.id: IndexedPassage(*row[1:]) for row in db.execute(query.where(*of_owner(owner)))}
    return [found[each] for each in ids if each in found]


def _match(dialect: str, words: Sequence[str]) -> str:
    if dialect == "sqlite":
        return " ".join(f'"{word}"' for word in words) + "*"
    return " & ".join(f"'{word}'" for word in words) + ":*"


_QUERIES = {
    "sqlite": (
        "select passage.id from hustings_words join hustings_passage as passage on passage.id = hustings_words.rowid "
        "join hustings_run as run on run.run_id = passage.run_id "
        "where hustings_words match :match {more} order by hustings_words.rank, passage.id desc limit :most"
    ),
    "postgresql": (
        "select passage.id from hustings_passage as passage join hustings_run as run on run.run_id = passage.run_id "
        "where to_tsvector('simple', left(passage.text, 100000)) @@ to_tsquery('simple', :match) {more} "
        "order by passage.id desc limit :most"
    ),
}
