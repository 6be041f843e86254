"""What really happened in the matter of a debate, and what people made of its turns."""

from __future__ import annotations

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "hustings_real_outcome",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("option", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False, server_default=""),
        sa.Column("by", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("run_id"),
    )
    op.create_table(
        "hustings_label",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("turn_id", sa.Text(), nullable=False),
        sa.Column("labeller", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=True),
        sa.Column("rung", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("run_id", "turn_id", "labeller"),
    )
    if op.get_bind().dialect.name == "postgresql":
        for table in ("hustings_real_outcome", "hustings_label"):
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
