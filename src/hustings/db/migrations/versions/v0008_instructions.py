"""What people tell the seats of a run while it goes on."""

from __future__ import annotations

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "hustings_instruction",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("wave", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("run_id", "id"),
    )
    if op.get_bind().dialect.name == "postgresql":
        for statement in BY_OWNER:
            op.execute(statement)


MINE = (
    "exists (select from hustings_run as run where run.run_id = hustings_instruction.run_id "
    "and run.owner = current_setting('hustings.owner', true))"
)
BY_OWNER = (
    "alter table hustings_instruction enable row level security",
    "alter table hustings_instruction force row level security",
    f"create policy by_owner on hustings_instruction using (current_user <> 'hustings_tenant' or {MINE})",
)
