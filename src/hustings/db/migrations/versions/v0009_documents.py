"""Further documents of a run, and their texts, each kept once."""

from __future__ import annotations

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "hustings_document",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_table(
        "hustings_run_document",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "id"),
    )
    op.create_index("hustings_run_document_by_digest", "hustings_run_document", ["digest"])
    if op.get_bind().dialect.name == "postgresql":
        for table, mine in MINE.items():
            op.execute(f"alter table {table} enable row level security")
            op.execute(f"alter table {table} force row level security")
            op.execute(f"create policy by_owner on {table} using (current_user <> 'hustings_tenant' or {mine})")


MINE = {
    "hustings_run_document": (
        "exists (select from hustings_run as run where run.run_id = hustings_run_document.run_id "
        "and run.owner = current_setting('hustings.owner', true))"
    ),
    "hustings_document": (
        "exists (select from hustings_run_document as used join hustings_run as run on run.run_id = used.run_id "
        "where used.digest = hustings_document.digest and run.owner = current_setting('hustings.owner', true))"
    ),
}
