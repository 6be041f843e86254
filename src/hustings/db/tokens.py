"""API tokens and browser sessions: who makes a request and what it may do. Stored as digests, which open nothing."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_urlsafe
from typing import Literal, get_args

import sqlalchemy as sa

from hustings.errors import NotFound, Unsuitable

from . import activity
from .connection import Database, now
from .tables import ACTIVITY, SESSION, TOKEN

OWNER = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""No colon, because budget ids use it as a separator."""
ID = 12
"""Hex digits of the digest that serve as the token's id."""
SESSION_SECONDS = 14 * 24 * 60 * 60
"""Seconds for which a browser stays signed in."""
MINUTE = 60.0
"""Seconds between two updates of a token's last use."""
Role = Literal["owner", "viewer", "judge", "seat"]
ROLES: tuple[Role, ...] = get_args(Role)


@dataclass(frozen=True)
class Access:
    """Whose debates a request may touch, and as what."""

    owner: str
    role: Role = "owner"
    run_id: str = ""
    """The only debate that it opens; empty for all of the owner's."""
    seat: str = ""
    """The seat for which it speaks, if its role is `seat`."""
    holder: str = ""
    """Who holds it: the id of the token, or of the first one it was rotated from."""


@dataclass(frozen=True)
class Credential:
    """What a request identifies itself by: a token, or the id of a browser's session."""

    token: str = field(default="", repr=False)
    session: str = field(default="", repr=False)


@dataclass(frozen=True)
class Token:
    """The public part of a token. Times are in seconds since 1970."""

    id: str
    access: Access
    name: str
    created_at: float
    used_at: float | None
    expires: float | None


def issue(database: Database, access: Access, name: str = "", *, seconds: float | None = None, by: str = "") -> str:
    """Create a token, valid for some seconds or until it is revoked. It cannot be read again."""
    if not OWNER.fullmatch(access.owner):
        raise Unsuitable(
            f"{access.owner!r} can't be an owner's name", fix="use letters, digits, dots and dashes, up to 64"
        )
    with database.writing() as db:
        token = _put(db, access, name, seconds)
        action = "link added" if access.role == "seat" else "token added"
        activity.note(db, by or activity.person(), access.owner, action, _digest(token)[:ID], _told(access))
    return token


def rotate(database: Database, token_id: str, overlap: float, by: str = "") -> str:
    """Create the successor of a token; the old one is valid for some seconds more. Votes count as the same holder's."""
    with database.writing() as db:
        row = _one(db, token_id)
        left = None if row.expires is None else max(0.0, row.expires - (db.scalar(sa.select(now())) or 0.0))
        if left == 0.0:
            raise Unsuitable(f"token {token_id!r} has expired", fix="create a new one: hustings tokens add OWNER")
        token = _put(db, _access(row), row.name, left)
        ends = now() + (overlap if left is None else min(overlap, left))
        db.execute(sa.update(TOKEN).where(TOKEN.c.digest == row.digest).values(expires=ends))
        activity.note(
            db, by or activity.person(), row.owner, "token rotated", row.digest[:ID], f"now {_digest(token)[:ID]}"
        )
    return token


def revoke(database: Database, token_id: str, by: str = "") -> None:
    """Delete a token by its id; it is refused from now on, and its sessions end."""
    with database.writing() as db:
        row = _one(db, token_id)
        db.execute(sa.delete(TOKEN).where(TOKEN.c.digest == row.digest))
        db.execute(sa.delete(SESSION).where(SESSION.c.token == row.digest))
        activity.note(db, by or activity.person(), row.owner, "token revoked", row.digest[:ID], row.name)


def every(database: Database) -> list[Token]:
    """All tokens that are valid, and those that have expired."""
    with database.reading() as db:
        rows = db.execute(sa.select(TOKEN).order_by(TOKEN.c.owner, TOKEN.c.created_at)).all()
    return [
        Token(row.digest[:ID], _access(row), row.name, row.created_at, row.used_at, expires=row.expires) for row in rows
    ]


def ever_issued(database: Database) -> bool:
    """Whether there is a token, or ever was one: a server that had tokens does not open when the last is revoked."""
    there = sa.exists(sa.select(TOKEN.c.digest))
    was = sa.exists(sa.select(ACTIVITY.c.id).where(ACTIVITY.c.action.in_(["token added", "token revoked"])))
    with database.reading() as db:
        return bool(db.scalar(sa.select(sa.or_(there, was))))


def access_of(database: Database, given: Credential) -> Access | None:
    """What a token or session opens, or None. Lookup by digest, so its duration reveals nothing about any token."""
    if given.token:
        return _access_of_token(database, given.token)
    if not given.session:
        return None
    query = sa.select(TOKEN).join(SESSION, SESSION.c.token == TOKEN.c.digest)
    with database.reading() as db:
        row = db.execute(
            query.where(SESSION.c.digest == _digest(given.session), _open_session(), _valid())
        ).one_or_none()
    return None if row is None else _access(row)


def _access_of_token(database: Database, token: str) -> Access | None:
    here = TOKEN.c.digest == _digest(token)
    stale = sa.or_(TOKEN.c.used_at.is_(None), TOKEN.c.used_at < now() - MINUTE)
    with database.reading() as db:
        row = db.execute(sa.select(TOKEN, stale.label("stale")).where(here, _valid())).one_or_none()
    if row is not None and row.stale:
        with database.writing() as db:
            db.execute(sa.update(TOKEN).where(here).values(used_at=now()))
    return None if row is None else _access(row)


def valid(database: Database, given: Collection[Credential]) -> set[Credential]:
    """Those of many tokens and sessions that still open something; two queries for all of them."""
    tokens = {_digest(one.token): one for one in given if one.token}
    sessions = {_digest(one.session): one for one in given if one.session and not one.token}
    by_token = sa.select(TOKEN.c.digest).where(TOKEN.c.digest.in_([*tokens]), _valid())
    joined = sa.select(SESSION.c.digest).join(TOKEN, SESSION.c.token == TOKEN.c.digest)
    by_session = joined.where(SESSION.c.digest.in_([*sessions]), _open_session(), _valid())
    with database.reading() as db:
        found = {tokens[row.digest] for row in db.execute(by_token)}
        return found | {sessions[row.digest] for row in db.execute(by_session)}


# -- sessions of browsers ------------------------------------------------------------------


def open_session(database: Database, token: str) -> str | None:
    """Open a session for a browser and return its id, which cannot be read again; None if the token is not known."""
    if _access_of_token(database, token) is None:
        return None
    session = token_urlsafe(32)
    with database.writing() as db:
        db.execute(sa.delete(SESSION).where(SESSION.c.expires < now()))
        row = {"digest": _digest(session), "token": _digest(token), "expires": now() + SESSION_SECONDS}
        db.execute(sa.insert(SESSION).values(row))
    return session


def close_session(database: Database, session: str) -> None:
    with database.writing() as db:
        db.execute(sa.delete(SESSION).where(SESSION.c.digest == _digest(session)))


def _put(db: sa.Connection, access: Access, name: str, seconds: float | None) -> str:
    token = token_urlsafe(32)
    digest = _digest(token)
    row = {
        "digest": digest,
        "owner": access.owner,
        "name": name,
        "created_at": now(),
        "role": access.role,
        "run_id": access.run_id,
        "seat": access.seat,
        "holder": access.holder or digest[:ID],
        "expires": None if seconds is None else now() + seconds,
    }
    db.execute(sa.insert(TOKEN).values(row))
    return token


def _one(db: sa.Connection, token_id: str) -> sa.Row[*tuple[object, ...]]:
    if len(token_id) < ID:
        raise Unsuitable(f"{token_id!r} is too short", fix="see the whole ID: hustings tokens list")
    row = db.execute(sa.select(TOKEN).where(TOKEN.c.digest.startswith(token_id, autoescape=True))).one_or_none()
    if row is None:
        raise NotFound(f"no token {token_id!r}", fix="see the tokens: hustings tokens list")
    return row


def _access(row: sa.Row[*tuple[object, ...]]) -> Access:
    return Access(row.owner, row.role, row.run_id, row.seat, row.holder)


def _told(access: Access) -> str:
    limits = [access.run_id, access.seat]
    return " ".join([access.role, *filter(None, limits)])


def _valid() -> sa.ColumnElement[bool]:
    return sa.or_(TOKEN.c.expires.is_(None), TOKEN.c.expires >= now())


def _open_session() -> sa.ColumnElement[bool]:
    return SESSION.c.expires >= now()


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
