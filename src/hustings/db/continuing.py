"""Whether more will come of a debate by itself: it or one of its audits waits or runs, or a follow-up is due.

A run whose seats the caller plays does not go on by itself.
"""

from __future__ import annotations

import sqlalchemy as sa

from .caps import OVER
from .run_rows import HOSTED_BY
from .tables import RUN


def continues(db: sa.Connection, run_id: str) -> bool:
    """One query, so that a follow-up that is entered meanwhile cannot fall between two."""
    told_to_go = sa.and_(RUN.c.state == "paused", RUN.c.control != "pause")
    followed = sa.and_(RUN.c.state.in_(OVER), RUN.c.follows == "due")
    open_ = sa.or_(RUN.c.state.in_(("waiting", "running")), told_to_go)
    going = sa.or_(sa.and_(open_, ~RUN.c.executor_id.startswith(HOSTED_BY)), followed)
    kin = sa.or_(RUN.c.run_id == run_id, RUN.c.judged == run_id)
    return db.execute(sa.select(RUN.c.run_id).where(kin, going).limit(1)).first() is not None
