"""The activity log: who made a token, started, stopped, deleted, capped or downloaded what, and when.

Rows are only ever added; triggers of the database refuse to change or delete one.
"""

from __future__ import annotations

from dataclasses import dataclass
from getpass import getuser
from typing import Literal

import sqlalchemy as sa

from .connection import now
from .tables import ACTIVITY

Action = Literal[
    "token added",
    "token rotated",
    "token revoked",
    "link added",
    "debate started",
    "debate forked",
    "debate imported",
    "judging started",
    "run paused",
    "run resumed",
    "run cancelled",
    "seats changed",
    "seats told",
    "debate deleted",
    "budget capped",
    "debate downloaded",
    "outcome recorded",
    "turns labelled",
]


@dataclass(frozen=True)
class Activity:
    """One row of the log. `at` is in seconds since 1970."""

    id: int
    at: float
    actor: str
    """`token:ID`, `address:IP` on a server that requires no token, or `user:NAME` at a terminal."""
    owner: str
    action: str
    subject: str
    """Id of the run or the token, or the name of the batch."""
    detail: str


def person() -> str:
    """The actor of a command: the user of this machine."""
    try:
        return f"user:{getuser()}"
    except (KeyError, OSError):  # a container may have a user without a name
        return "user:unknown"


def note(db: sa.Connection, actor: str, owner: str, action: Action, subject: str = "", detail: str = "") -> None:
    """Add a row, in the transaction of the act itself: neither is without the other."""
    row = {"at": now(), "actor": actor, "owner": owner, "action": action, "subject": subject, "detail": detail}
    db.execute(sa.insert(ACTIVITY).values(row).inline())  # an owner may add a row, and read none back


def latest(db: sa.Connection, most: int, *, owner: str = "", subject: str = "") -> list[Activity]:
    """The newest rows, newest first. `subject` is the beginning of a run's or token's id."""
    query = sa.select(ACTIVITY).order_by(ACTIVITY.c.id.desc()).limit(most)
    if owner:
        query = query.where(ACTIVITY.c.owner == owner)
    if subject:
        query = query.where(ACTIVITY.c.subject.startswith(subject, autoescape=True))
    return [Activity(**row) for row in db.execute(query).mappings()]
