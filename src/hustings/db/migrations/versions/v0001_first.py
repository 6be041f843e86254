"""The first shape of our tables."""

from __future__ import annotations

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    _bucket()
    _budget()
    _call()
    _event()
    _lease()
    _run()


def _bucket() -> None:
    op.create_table(
        "hustings_bucket",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("requests", sa.Double(), nullable=False),
        sa.Column("tokens", sa.Double(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("rate", sa.Double(), server_default="1", nullable=False),
        sa.Column("limited_at", sa.Double(), server_default="0", nullable=False),
        sa.Column("hold", sa.Double(), server_default="0", nullable=False),
        sa.Column("faults", sa.Integer(), server_default="0", nullable=False),
        sa.Column("opened_at", sa.Double(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("key"),
    )


def _budget() -> None:
    op.create_table(
        "hustings_budget",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("cap", sa.BigInteger(), nullable=True),
        sa.Column("spent", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("held", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("cap_tokens", sa.BigInteger(), nullable=True),
        sa.Column("tokens", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("held_tokens", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("cap_calls", sa.BigInteger(), nullable=True),
        sa.Column("calls", sa.BigInteger(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )


def _call() -> None:
    op.create_table(
        "hustings_call",
        sa.Column("lineage", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("tries", sa.Integer(), server_default="1", nullable=False),
        sa.Column("deaths", sa.Integer(), server_default="0", nullable=False),
        sa.Column("executor_id", sa.Text(), nullable=False),
        sa.Column("budget_id", sa.Text(), nullable=False),
        sa.Column("held", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("held_tokens", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("sent_at", sa.Double(), nullable=False),
        sa.Column("answered_at", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=True),
        sa.Column("model", sa.Text(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("price", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("lineage", "key"),
    )


def _event() -> None:
    op.create_table(
        "hustings_event",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("seq", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "seq"),
    )


def _lease() -> None:
    op.create_table(
        "hustings_lease",
        sa.Column("executor_id", sa.Text(), nullable=False),
        sa.Column("expires", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("executor_id"),
    )


def _run() -> None:
    op.create_table(
        "hustings_run",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("batch", sa.Text(), server_default="", nullable=False),
        sa.Column("protocol", sa.Text(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("commission", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), server_default="waiting", nullable=False),
        sa.Column("control", sa.Text(), server_default="go", nullable=False),
        sa.Column("control_by", sa.Text(), server_default="", nullable=False),
        sa.Column("reason", sa.Text(), server_default="", nullable=False),
        sa.Column("waves", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("events", sa.BigInteger(), server_default="0", nullable=False),
        sa.Column("executor_id", sa.Text(), server_default="", nullable=False),
        sa.Column("started", sa.Double(), nullable=True),
        sa.Column("stopped", sa.Text(), nullable=True),
        sa.Column("ended_at", sa.Text(), nullable=True),
        sa.Column("ending", sa.Text(), nullable=True),
        sa.Column("proceedings", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("run_id"),
    )
    op.create_index("hustings_run_by_batch", "hustings_run", ["batch", "state"], unique=False)
    op.create_index("hustings_run_by_owner", "hustings_run", ["owner", "created_at"], unique=False)
