"""What was booked for every call, and how far it is proven; reports of tokens that cannot be right."""

from __future__ import annotations

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    # A worker of the release before writes none of these, so they must have a default.
    for table, names in COUNTS.items():
        for name in names:
            op.add_column(table, sa.Column(name, sa.BigInteger(), server_default="0", nullable=False))
    op.add_column("hustings_call", sa.Column("tried", sa.Text(), server_default="[]", nullable=False))


COUNTS = {
    "hustings_call": ("tokens", "unproven_tokens"),
    "hustings_budget": ("unproven_tokens", "misreported", "beyond"),
}
