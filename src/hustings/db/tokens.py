"""API tokens and browser sessions: identify the owner of a request. Stored as digests, which open nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from secrets import token_urlsafe

import sqlalchemy as sa

from hustings.errors import NotFound, Unsuitable

from .connection import Database
from .tables import SESSION, TOKEN

OWNER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""No colon, because budget ids use it as a separator."""
ID = 12
"""Hex digits of the digest that serve as the token's id."""
SESSION_SECONDS = 14 * 24 * 60 * 60
"""Seconds for which a browser stays signed in."""
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
        db.execute(sa.delete(SESSION).where(SESSION.c.token.startswith(token_id, autoescape=True)))


# -- sessions of browsers ------------------------------------------------------------------


def open_session(database: Database, token: str) -> str | None:
    """Open a session for a browser and return its id, which cannot be read again; None if the token is not known."""
    if owner_of(database, token) is None:
        return None
    session = token_urlsafe(32)
    with database.writing() as db:
        db.execute(sa.delete(SESSION).where(SESSION.c.expires < database.now))
        row = {"digest": _digest(session), "token": _digest(token), "expires": database.now + SESSION_SECONDS}
        db.execute(sa.insert(SESSION).values(row))
    return session


def owner_of_session(database: Database, session: str) -> str | None:
    """Owner of a session that has neither expired nor been closed, and whose token has not been revoked."""
    mine = (SESSION.c.digest == _digest(session), SESSION.c.expires >= database.now)
    query = sa.select(TOKEN.c.owner).join(SESSION, SESSION.c.token == TOKEN.c.digest).where(*mine)
    with database.reading() as db:
        return db.scalar(query)


def close_session(database: Database, session: str) -> None:
    with database.writing() as db:
        db.execute(sa.delete(SESSION).where(SESSION.c.digest == _digest(session)))


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
