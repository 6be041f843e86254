"""Runs that rest: until when, how often they were queued again, and how often a provider has put them off."""

from __future__ import annotations

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("hustings_run", sa.Column("rests_until", sa.Double()))
    for name in ("resumptions", "put_offs"):
        op.add_column("hustings_run", sa.Column(name, sa.BigInteger(), nullable=False, server_default="0"))
    resting = sa.text("rests_until is not null")
    op.create_index(
        "hustings_run_at_rest", "hustings_run", ["rests_until"], sqlite_where=resting, postgresql_where=resting
    )
