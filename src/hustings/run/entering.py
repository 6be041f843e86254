"""A commission goes on record with its budgets, in a transaction of whoever enters it."""

from __future__ import annotations

import sqlalchemy as sa

from hustings.core.errors import Unsuitable
from hustings.store import budget, runs
from hustings.store.caps import MICRO

from .commission import Commission
from .programme import Programme


def enter(db: sa.Connection, commission: Commission, programme: Programme | None = None) -> None:
    """With a programme, a steward sees to it that the run is begun, and to what follows it."""
    caps, debate = commission.caps, commission.debate
    paid = any(not voice.free for voice in commission.voices.values())
    if commission.above and paid and caps.money is None:
        raise Unsuitable("whoever has a budget must say how much of it a debate may take", fix="give it a cap in money")
    if not budget.admit(db, commission.above, caps.money or 0):
        raise Unsuitable(
            f"{commission.owner!r} has no room for a debate of {(caps.money or 0) / MICRO:.2f} USD",
            fix="lower its cap, or wait until others have ended",
        )
    runs.enter(
        db,
        {
            "run_id": commission.run_id,
            "owner": commission.owner,
            "batch": commission.batch,
            "protocol": f"{debate.protocol}/{debate.version}",
            "topic": debate.topic,
            "created_at": commission.created_at,
            "commission": commission.model_dump_json(),
            "judged": commission.judged,
            "programme": programme and programme.dump(),
            "follows": "due" if programme else "",
        },
    )
    # After the run: by it the database knows whose budget that is.
    budget.open_budget(db, commission.budget_id, caps)
