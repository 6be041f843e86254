"""Owners with tokens, votes, requests that are made once, and what follows a run.

On PostgreSQL every row that belongs to somebody is under row security, forced, by its owner: a run's own, and through
the run whatever hangs on it. A transaction of an owner says who it is by `set_config('hustings.owner', …, true)` and
steps down to the role `hustings_tenant`, which the policies bind. `store/tenants` makes that role where it may, and
gives it no rights in the engine's schema, and none on tokens, leases and buckets. Every other role, that of workers
and commands, the owner of the tables included, passes.

This is a net under the filters of the desk, against one that was forgotten: whoever can have SQL of his own run can
also name another owner. A dump by a role that is not a superuser needs `pg_dump --enable-row-security`.
"""

from __future__ import annotations

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("hustings_run", sa.Column("programme", sa.Text(), nullable=True))
    op.add_column("hustings_run", sa.Column("follows", sa.Text(), server_default="", nullable=False))
    op.create_index("hustings_run_by_follows", "hustings_run", ["follows", "state"], unique=False)
    _token()
    _vote()
    _request()
    if op.get_bind().dialect.name == "postgresql":
        for table, mine in MINE.items():
            op.execute(f"alter table {table} enable row level security")
            op.execute(f"alter table {table} force row level security")
            op.execute(f"create policy by_owner on {table} using (current_user <> 'hustings_tenant' or {mine})")


def _token() -> None:
    op.create_table(
        "hustings_token",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), server_default="", nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("used_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("digest"),
    )


def _vote() -> None:
    op.create_table(
        "hustings_vote",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("voter", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "voter"),
    )


def _request() -> None:
    op.create_table(
        "hustings_request",
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("owner", "key"),
    )
    op.create_index("hustings_request_by_age", "hustings_request", ["at"], unique=False)
    op.create_index("hustings_request_by_run", "hustings_request", ["run_id"], unique=False)


ME = "current_setting('hustings.owner', true)"


def _by_run(run_id: str) -> str:
    return f"exists (select from hustings_run as run where run.run_id = {run_id} and run.owner = {ME})"


MINE = {
    "hustings_run": f"owner = {ME}",
    "hustings_request": f"owner = {ME}",
    "hustings_event": _by_run("hustings_event.run_id"),
    "hustings_vote": _by_run("hustings_vote.run_id"),
    "hustings_call": _by_run("hustings_call.lineage"),
    # Names of owners hold no colon.
    "hustings_budget": f"(id in ('owner:' || {ME}, 'day:' || {ME}) or starts_with(id, 'day:' || {ME} || ':')"
    f" or starts_with(id, 'run:') and {_by_run('substr(hustings_budget.id, 5)')})",
}
