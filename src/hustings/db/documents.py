"""Texts of documents, each stored once under its digest and reached through a run alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256

import sqlalchemy as sa

from hustings.errors import Unsuitable

from .connection import as_operator, insert_if_absent
from .tables import DOCUMENT, RUN_DOCUMENT


def keep(db: sa.Connection, run_id: str, digests: Mapping[str, str], texts: Mapping[str, str], *, of: str = "") -> None:
    """Store the documents of a run (id to digest, id to text) after its row; texts not given are those of run `of`.

    The digest alone opens nothing: a text is handed in, or another run that the caller may read has it.
    """
    theirs = used_by(db, of) if of else {}
    if missing := [each for each, digest in digests.items() if each not in texts and theirs.get(each) != digest]:
        raise Unsuitable(f"the text of {missing[0]} is missing", fix="start the debate again with its documents")
    for each, text in texts.items():
        if each in digests and digest_of(text) != digests[each]:
            raise _changed(each)
    rows = [{"run_id": run_id, "id": each, "digest": digest} for each, digest in digests.items()]
    if rows:
        # Before the texts, because row security finds their owner through these rows.
        db.execute(sa.insert(RUN_DOCUMENT), rows)
    for digest, text in {digests[each]: texts[each] for each in digests if each in texts}.items():
        _keep_text(db, digest, text)


def _keep_text(db: sa.Connection, digest: str, text: str) -> None:
    """Store a text once. One that is there is touched, so that `drop_unused` waits for this transaction to end."""
    stored = db.execute(insert_if_absent(db, DOCUMENT).values(digest=digest, text=text).returning(DOCUMENT.c.digest))
    if stored.first() is None:
        touched = db.execute(sa.update(DOCUMENT).where(DOCUMENT.c.digest == digest).values(digest=digest))
        if not touched.rowcount:  # dropped in the meantime
            db.execute(insert_if_absent(db, DOCUMENT).values(digest=digest, text=text))


def used_by(db: sa.Connection, run_id: str) -> dict[str, str]:
    """Ids and digests of a run's documents."""
    query = sa.select(RUN_DOCUMENT.c.id, RUN_DOCUMENT.c.digest).where(RUN_DOCUMENT.c.run_id == run_id)
    return {row.id: row.digest for row in db.execute(query)}


def texts_of(db: sa.Connection, run_id: str) -> dict[str, str]:
    """Texts of a run's documents by id. A text that is not the one stored for the run is refused."""
    joined = RUN_DOCUMENT.outerjoin(DOCUMENT, DOCUMENT.c.digest == RUN_DOCUMENT.c.digest)
    query = sa.select(RUN_DOCUMENT.c.id, RUN_DOCUMENT.c.digest, DOCUMENT.c.text).select_from(joined)
    rows = db.execute(query.where(RUN_DOCUMENT.c.run_id == run_id)).all()
    for row in rows:
        if row.text is None or digest_of(row.text) != row.digest:
            raise _changed(row.id)
    return {row.id: row.text for row in rows}


def digest_of(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def let_go(db: sa.Connection, run_ids: Sequence[str]) -> list[str]:
    """Take the documents away from runs that are deleted. Return their digests, for `drop_unused`."""
    here = RUN_DOCUMENT.c.run_id.in_(run_ids)
    digests = [*db.scalars(sa.select(RUN_DOCUMENT.c.digest).where(here).distinct())]
    db.execute(sa.delete(RUN_DOCUMENT).where(here))
    return digests


def drop_unused(db: sa.Connection, digests: Sequence[str]) -> None:
    """Delete those texts that no run uses. As the operator from here on, since owners see their own runs alone."""
    if digests:
        as_operator(db)
    for first in range(0, len(digests), CHUNK):
        here = DOCUMENT.c.digest.in_(digests[first : first + CHUNK])
        # Waits for those who store the same text now; the next statement sees what they have stored.
        db.execute(sa.select(DOCUMENT.c.digest).where(here).order_by(DOCUMENT.c.digest).with_for_update())
        used = sa.exists().where(RUN_DOCUMENT.c.digest == DOCUMENT.c.digest)
        db.execute(sa.delete(DOCUMENT).where(here, ~used))


def _changed(document: str) -> Unsuitable:
    return Unsuitable(
        f"the text of {document} is not the one that was brought to the debate",
        why="it is missing, or its digest differs",
        fix="restore the database from a backup, or start the debate again with its documents",
    )


CHUNK = 1_000
