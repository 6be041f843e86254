"""RunService: read, control and budget the runs of a database, with the engine behind them."""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass

from hustings.db import activity, budget, migrate
from hustings.db.caps import Caps, usd
from hustings.db.connection import Database
from hustings.db.instants import instant
from hustings.runs.queries import RunQueries
from hustings.runs.run_list import open_database
from hustings.runs.spec import RunSpec

from . import unqueued
from .client import EngineClient, engine_tables
from .run_control import RunControl
from .unqueued import GRACE


@dataclass(frozen=True)
class Budgets:
    runs: RunQueries
    actor: str
    """Who acts, for the activity log."""

    def set_caps(self, owner: str, *, total: int | None, day: int | None) -> None:
        """Set the caps of an owner in millionths of a dollar; None means no limit."""
        with self.runs.scoped.writing() as db:
            budget.set_caps(db, f"owner:{owner}", Caps(money=total))
            budget.set_caps(db, f"day:{owner}", Caps(money=day))
            if day is not None:
                budget.set_caps(db, _today(owner), Caps(money=day))
            told = ", ".join(f"{what} {_dollars(cap)}" for what, cap in (("total", total), ("a day", day)))
            activity.note(db, self.actor, owner, "budget capped", owner, told)

    def apply(self, spec: RunSpec) -> RunSpec:
        """Return the spec with the owner's budgets, in which its cap will be held."""
        return self.apply_all([spec])[0]

    def apply_all(self, specs: Sequence[RunSpec]) -> list[RunSpec]:
        """Return the specs with the budgets of their owners."""
        above = {owner: self.above(owner) for owner in {spec.owner for spec in specs}}
        return [spec.model_copy(update={"above": above[spec.owner]}) for spec in specs]

    def above(self, owner: str) -> tuple[str, ...]:
        """Budgets that hold the cap of this owner's debates while they run. Opens today's budget if there is a cap."""
        with self.runs.scoped.writing() as db:
            found = budget.accounts(db, [f"owner:{owner}", f"day:{owner}"])
            capped = [name for name, stands in found.items() if stands.caps.money is not None]
            if f"day:{owner}" not in capped:
                return tuple(capped)
            budget.open_budget(db, _today(owner), found[f"day:{owner}"].caps)
            return tuple(_today(owner) if name == f"day:{owner}" else name for name in capped)


def _dollars(cap: int | None) -> str:
    return "without a cap" if cap is None else usd(cap)


def _today(owner: str) -> str:
    return f"day:{owner}:{instant()[:10]}"


class RunService:
    """Runs of one owner, or all runs."""

    def __init__(self, runs: RunQueries, engine: EngineClient, actor: str = "") -> None:
        self.runs, self.engine = runs, engine
        actor = actor or activity.person()
        self.control, self.budgets = RunControl(runs, engine, actor), Budgets(runs, actor)

    def by(self, actor: str) -> RunService:
        """The same service; the activity log names this actor."""
        return RunService(self.runs, self.engine, actor)

    def acting_for(self, owner: str) -> RunService:
        """The service for one owner, over the same connections."""
        return RunService(self.runs.acting_for(owner), self.engine)

    def unqueued(self, grace: float = GRACE) -> int:
        """How many runs of all owners wait, unknown to the engine, for longer than `grace` seconds; 0 is well."""
        return unqueued.count(self.runs.database, instant(time.time() - grace))

    def queue_left_over(self, most: int, grace: float = GRACE) -> list[str]:
        """Queue runs that wait, unknown to the engine, for longer than `grace` seconds; return their ids."""
        return unqueued.queue_left_over(self.runs.database, self.engine, instant(time.time() - grace), most)

    def queue_rested(self, most: int) -> int:
        """Queue runs whose rest is over; return how many."""
        return unqueued.queue_rested(self.runs.database, self.engine, most)

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
