"""What people tell the seats of a run while it goes on, and how readers rate it."""

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
    op.create_table(
        "hustings_rating",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("rater", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("stars", sa.Integer(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("run_id", "rater"),
    )
    if op.get_bind().dialect.name == "postgresql":
        for table in ("hustings_instruction", "hustings_rating"):
            for statement in by_owner(table):
                op.execute(statement)


def by_owner(table: str) -> tuple[str, ...]:
    mine = (
        f"exists (select from hustings_run as run where run.run_id = {table}.run_id "
        "and run.owner = current_setting('hustings.owner', true))"
    )
    return (
        f"alter table {table} enable row level security",
        f"alter table {table} force row level security",
        f"create policy by_owner on {table} using (current_user <> 'hustings_tenant' or {mine})",
    )
