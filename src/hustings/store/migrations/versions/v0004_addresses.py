"""A turn in a log says which question it answers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from hustings.core.events import EVENT, with_addresses

revision = "0004"
down_revision = "0003"

LOG = sa.table("hustings_event", *map(sa.column, ("run_id", "seq", "kind", "body")))
NEEDED = ("round_opened", "turn_begun", "turn_entered")


def upgrade() -> None:
    db = op.get_bind()
    for run_id in db.scalars(sa.select(LOG.c.run_id).distinct()).all():
        here = LOG.c.run_id == run_id
        rows = db.execute(sa.select(LOG.c.seq, LOG.c.body).where(here, LOG.c.kind.in_(NEEDED)).order_by(LOG.c.seq))
        log = [(seq, EVENT.validate_json(body)) for seq, body in rows]
        for (seq, old), new in zip(log, with_addresses(event for _, event in log), strict=True):
            if new is not old:
                body = new.model_dump_json(exclude={"seq"}, exclude_none=True)
                db.execute(sa.update(LOG).where(here, LOG.c.seq == seq).values(body=body))
