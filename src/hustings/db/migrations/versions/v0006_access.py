"""Roles, limits and rotation of tokens; and the activity log, to which rows are only ever added."""

from __future__ import annotations

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("hustings_token", sa.Column("role", sa.Text(), server_default="owner", nullable=False))
    op.add_column("hustings_token", sa.Column("run_id", sa.Text(), server_default="", nullable=False))
    op.add_column("hustings_token", sa.Column("seat", sa.Text(), server_default="", nullable=False))
    op.add_column("hustings_token", sa.Column("holder", sa.Text(), server_default="", nullable=False))
    op.add_column("hustings_token", sa.Column("expires", sa.Double(), nullable=True))
    op.execute("update hustings_token set holder = substr(digest, 1, 12)")
    op.create_table(
        "hustings_activity",
        sa.Column(
            "id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            sa.Identity(always=True),
            nullable=False,
        ),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), server_default="", nullable=False),
        sa.Column("detail", sa.Text(), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    for statement in APPEND_ONLY[op.get_bind().dialect.name]:
        op.execute(statement)


ME = "current_setting('hustings.owner', true)"
APPEND_ONLY = {
    "sqlite": tuple(
        f"create trigger hustings_activity_no_{verb} before {verb} on hustings_activity "
        "begin select raise(abort, 'the activity log is only added to'); end"
        for verb in ("update", "delete")
    ),
    "postgresql": (
        """create function hustings_activity_stays() returns trigger language plpgsql as $$
            begin raise exception 'the activity log is only added to'; end $$""",
        """create trigger hustings_activity_stays before update or delete or truncate on hustings_activity
            for each statement execute function hustings_activity_stays()""",
        "alter table hustings_activity enable row level security",
        "alter table hustings_activity force row level security",
        f"create policy by_owner on hustings_activity using (current_user <> 'hustings_tenant' or owner = {ME})",
    ),
}
