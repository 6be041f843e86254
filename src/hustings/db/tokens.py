"""API tokens: identify the owner of a request. Shown once and stored as a digest, which opens nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from secrets import token_urlsafe

import sqlalchemy as sa

from hustings.errors import NotFound, Unsuitable

from .connection import Database
from .tables import TOKEN

OWNER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""No colon, because budget ids use it as a separator."""
ID = 12
"""Hex digits of the digest that serve as the token's id."""
MINUTE = 60.0
"""Seconds between two updates of a token's last use."""


@dataclass(frozen=True)
class Token:
    """The public part of a token. Times are in seconds since 1970."""

    id: str
    owner: str
    name: str
    created_at: float
    used_at: float | None


def issue(database: Database, owner: str, name: str = "") -> str:
    """Create a token. It cannot be read again."""
    if not OWNER.fullmatch(owner):
        raise Unsuitable(f"{owner!r} is no name for an owner", fix="letters, digits, dots and dashes, 64 at most")
    token = token_urlsafe(32)
    with database.writing() as db:
        row = {"digest": _digest(token), "owner": owner, "name": name, "created_at": database.now}
        db.execute(sa.insert(TOKEN).values(row))
    return token


def owner_of(database: Database, token: str) -> str | None:
    """Owner of a token, or None. Lookup by digest, so its duration reveals nothing about any token."""
    here = TOKEN.c.digest == _digest(token)
    stale = sa.or_(TOKEN.c.used_at.is_(None), TOKEN.c.used_at < database.now - MINUTE)
    with database.reading() as db:
        row = db.execute(sa.select(TOKEN.c.owner, stale.label("stale")).where(here)).one_or_none()
    if row is not None and row.stale:
        with database.writing() as db:
            db.execute(sa.update(TOKEN).where(here).values(used_at=database.now))
    return row.owner if row is not None else None


def every(database: Database) -> list[Token]:
    with database.reading() as db:
        rows = db.execute(sa.select(TOKEN).order_by(TOKEN.c.owner, TOKEN.c.created_at))
        return [Token(row.digest[:ID], row.owner, row.name, row.created_at, row.used_at) for row in rows]


def exist(database: Database) -> bool:
    with database.reading() as db:
        return bool(db.scalar(sa.select(sa.exists(sa.select(TOKEN.c.digest)))))


def revoke(database: Database, token_id: str) -> None:
    """Delete a token by its id; it is refused from now on."""
    if len(token_id) < ID:
        raise Unsuitable(f"{token_id!r} is too short", fix="`hustings tokens list` shows the whole id")
    with database.writing() as db:
        here = TOKEN.c.digest.startswith(token_id, autoescape=True)
        if not db.execute(sa.delete(TOKEN).where(here)).rowcount:
            raise NotFound(f"no token {token_id!r}", fix="`hustings tokens list` shows those there are")


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
