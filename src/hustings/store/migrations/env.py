"""Where Alembic enters: the connection is handed in, since the caller holds the lock."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import context

from hustings.store.migrate import VERSION_TABLE
from hustings.store.tables import METADATA

connection: sa.Connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=METADATA, version_table=VERSION_TABLE)
context.run_migrations()
