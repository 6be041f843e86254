"""How people label the turns of a debate, without seeing what models said of them: one label a turn and person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from .connection import insert_if_absent, now
from .tables import LABEL

CHUNK = 5_000
"""Ids per query: databases limit the number of parameters."""


@dataclass(frozen=True)
class TurnLabel:
    turn_id: str
    labeller: str
    verdict: str | None
    """Whether its words and deeds fit, in the words of an evaluation; None if the person cannot tell."""
    rung: str | None
    """The highest rung that it asserts: L1, L2, L3, or `none` of causes; None if the person cannot tell."""


def keep(db: sa.Connection, run_id: str, label: TurnLabel) -> None:
    """Store a label; it replaces the one that the same person gave to the turn before."""
    given = {"verdict": label.verdict, "rung": label.rung, "at": now()}
    row = {"run_id": run_id, "turn_id": label.turn_id, "labeller": label.labeller, **given}
    if not db.execute(insert_if_absent(db, LABEL).values(row).returning(LABEL.c.turn_id)).first():
        here = (LABEL.c.run_id == run_id, LABEL.c.turn_id == label.turn_id, LABEL.c.labeller == label.labeller)
        db.execute(sa.update(LABEL).where(*here).values(given))


def labels_of(db: sa.Connection, run_ids: Sequence[str]) -> dict[str, list[TurnLabel]]:
    """The labels of each debate that has any, in the order they were given."""
    found: dict[str, list[TurnLabel]] = {}
    for first in range(0, len(run_ids), CHUNK):
        here = LABEL.c.run_id.in_(run_ids[first : first + CHUNK])
        for row in db.execute(sa.select(LABEL).where(here).order_by(LABEL.c.at, LABEL.c.turn_id)):
            found.setdefault(row.run_id, []).append(TurnLabel(row.turn_id, row.labeller, row.verdict, row.rung))
    return found
