"""Panels that an owner has saved to begin debates with: who sits and who judges, under a name."""

from __future__ import annotations

import sqlalchemy as sa

from .connection import insert_if_absent, now
from .tables import PANEL


def panels_of(db: sa.Connection, owner: str) -> dict[str, str]:
    """Names and bodies, in the order of the alphabet."""
    query = sa.select(PANEL.c.name, PANEL.c.body).where(PANEL.c.owner == owner).order_by(PANEL.c.name)
    return {row.name: row.body for row in db.execute(query)}


def keep_panel(db: sa.Connection, owner: str, name: str, body: str) -> None:
    """Save a panel; it replaces the one of the same name."""
    given = {"body": body, "at": now()}
    row = {"owner": owner, "name": name, **given}
    if not db.execute(insert_if_absent(db, PANEL).values(row).returning(PANEL.c.name)).first():
        db.execute(sa.update(PANEL).where(PANEL.c.owner == owner, PANEL.c.name == name).values(given))


def remove_panel(db: sa.Connection, owner: str, name: str) -> bool:
    """Delete a panel, and return whether there was one."""
    return db.execute(sa.delete(PANEL).where(PANEL.c.owner == owner, PANEL.c.name == name)).rowcount == 1
