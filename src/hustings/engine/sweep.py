"""Sweep: fence out workers whose lease expired, and queue their runs for others."""

from __future__ import annotations

from hustings.db import leases, run_holders
from hustings.db.connection import Database

from . import unqueued
from .client import EngineClient, dropped
from .durable_run import give_up

RESTARTS = 50
"""Workers that may die with a run before it begins another wave; then it is given up."""


def sweep(database: Database, engine: EngineClient, by: str) -> list[str]:
    """Return the runs that were handed on. Safe to repeat and to run concurrently."""
    if gone := set(leases.expired(database)) - {by}:
        leases.take_away(database, gone)
    return hand_over(database, engine, by)


def hand_over(database: Database, engine: EngineClient, by: str) -> list[str]:
    """Queue the runs of workers without a lease: they gave it back, or were fenced out before.

    Also those that such a worker had taken from the queue, and not yet taken up.
    """
    with database.reading() as db:
        left = [*run_holders.orphans(db), *dropped(db)]
    if left:
        engine.connect()
    return [run_id for run_id, dead, number in left if _hand_on(database, engine, run_id, dead, number, by)]


def _hand_on(database: Database, engine: EngineClient, run_id: str, dead: str, number: int, by: str) -> bool:
    with database.writing() as db:
        taken = unqueued.hand_on(db, engine, run_id, dead, number, by)
        if taken and taken.restarts > RESTARTS:
            give_up(db, run_id, "it was restarted too often without progress")
        return taken is not None
