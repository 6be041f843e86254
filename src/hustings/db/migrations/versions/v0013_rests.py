"""Runs that rest or change hands: until when, how often, and why; and who sees to what follows them."""

from __future__ import annotations

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("hustings_run", sa.Column("rests_until", sa.Double()))
    for name in ("resumptions", "put_offs", "restarts"):
        op.add_column("hustings_run", sa.Column(name, sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("hustings_run", sa.Column("follower", sa.Text(), nullable=False, server_default=""))
    resting = sa.text("rests_until is not null")
    op.create_index(
        "hustings_run_at_rest", "hustings_run", ["rests_until"], sqlite_where=resting, postgresql_where=resting
    )
    held = sa.text("executor_id <> '' and state in ('waiting', 'running', 'paused')")
    op.create_index("hustings_run_held", "hustings_run", ["executor_id"], sqlite_where=held, postgresql_where=held)
