"""Alembic entry point. The caller passes the connection, because it holds the migration lock."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import context

from hustings.db.migrate import VERSION_TABLE
from hustings.db.tables import METADATA

connection: sa.Connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=METADATA, version_table=VERSION_TABLE)
context.run_migrations()
