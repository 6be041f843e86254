"""A run may be about another one, and come to a judgement."""

from __future__ import annotations

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("hustings_run", sa.Column("judged", sa.Text(), server_default="", nullable=False))
    op.add_column("hustings_run", sa.Column("judgement", sa.Text(), nullable=True))
    op.create_index("hustings_run_by_judged", "hustings_run", ["judged", "created_at"], unique=False)
