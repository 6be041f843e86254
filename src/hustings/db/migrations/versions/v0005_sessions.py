"""Sessions of browsers: a cookie holds a random id instead of the token that it stands for."""

from __future__ import annotations

# pyright: reportUnknownArgumentType=false
import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "hustings_session",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("token", sa.Text(), nullable=False),
        sa.Column("expires", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_index("hustings_session_by_token", "hustings_session", ["token"], unique=False)
