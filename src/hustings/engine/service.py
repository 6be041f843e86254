"""RunService: read, control and budget the runs of a database, with the engine behind them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing, contextmanager

from hustings.db import migrate
from hustings.db.connection import Database
from hustings.runs.access import open_database
from hustings.runs.budgets import Budgets
from hustings.runs.queries import RunQueries

from .client import EngineClient, engine_tables
from .run_control import RunControl


class RunService:
    """Runs of one owner, or all runs."""

    def __init__(self, runs: RunQueries, engine: EngineClient) -> None:
        self.runs, self.engine = runs, engine
        self.control, self.budgets = RunControl(runs, engine), Budgets(runs)

    def acting_for(self, owner: str) -> RunService:
        """The service for one owner, over the same connections."""
        return RunService(self.runs.acting_for(owner), self.engine)

    def upgrade(self) -> None:
        """Create or upgrade the database."""
        upgrade(self.runs.database)


@contextmanager
def open_service(url: str) -> Generator[RunService]:
    """Open the service for all runs of a database. Creates a missing SQLite file."""
    with open_database(url, upgrade) as database, closing(EngineClient(url)) as engine:
        yield RunService(RunQueries(database), engine)


def upgrade(database: Database) -> None:
    """Create or upgrade the database, including the tables of the engine."""
    migrate.upgrade(database, engine_tables)
