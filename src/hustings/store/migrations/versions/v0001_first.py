"""The first shape of our tables."""

from __future__ import annotations

from alembic import op

from hustings.store.tables import METADATA

revision = "0001"
down_revision = None


def upgrade() -> None:
    METADATA.create_all(op.get_bind())
