"""Delete runs completely: rows, audits, events, answers, votes and budgets.

What the owner has spent stays spent. Answers that a fork inherited stay as long as the fork does.
"""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from .tables import BUDGET, CALL, EVENT, REQUEST, RUN, VOTE


def forget(db: sa.Connection, run_ids: Sequence[str]) -> None:
    """Delete dependent rows before the run, because row security finds their owner through the run."""
    for table, column in ((EVENT, EVENT.c.run_id), (VOTE, VOTE.c.run_id), (REQUEST, REQUEST.c.run_id)):
        db.execute(sa.delete(table).where(column.in_(run_ids)))
    alone = [run_id for run_id in run_ids if not _inherited(db, run_id, run_ids)]
    db.execute(sa.delete(CALL).where(CALL.c.lineage.in_(alone)))
    db.execute(sa.delete(BUDGET).where(BUDGET.c.id.in_([f"run:{run_id}" for run_id in run_ids])))
    db.execute(sa.delete(RUN).where(RUN.c.run_id.in_(run_ids)))


def _inherited(db: sa.Connection, lineage: str, gone: Sequence[str]) -> bool:
    """Whether a remaining run inherits these answers. In quoted text the quotation mark would be escaped."""
    said = RUN.c.spec.contains(f'{{"lineage":"{lineage}","before_wave":', autoescape=True)
    return bool(db.scalar(sa.select(sa.exists().where(said, RUN.c.run_id.not_in(gone)))))
