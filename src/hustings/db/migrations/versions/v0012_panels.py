"""Panels that owners save to begin debates with."""

from __future__ import annotations

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    op.create_table(
        "hustings_panel",
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("owner", "name"),
    )
    if op.get_bind().dialect.name == "postgresql":
        mine = "owner = current_setting('hustings.owner', true)"
        op.execute("alter table hustings_panel enable row level security")
        op.execute("alter table hustings_panel force row level security")
        op.execute(f"create policy by_owner on hustings_panel using (current_user <> 'hustings_tenant' or {mine})")
