"""A run at a glance, as lists, pages and commands show it."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from pydantic import BaseModel

from hustings.core.outcome import Outcome
from hustings.store import budget, runs
from hustings.store.caps import MICRO
from hustings.store.states import State


class Report(BaseModel, frozen=True):
    """A run at a glance."""

    run_id: str
    state: State
    protocol: str
    topic: str
    created_at: str
    owner: str = "local"
    batch: str = ""
    waves: int = 0
    reason: str = ""
    """Why it waits, if it does, or why it failed; or why nothing follows it that should."""
    ending: str = ""
    judged: str = ""
    """The run it is about, if it is an audit."""
    ended_at: str | None = None
    calls: int = 0
    tokens: int = 0
    spent: float = 0.0
    """In dollars, with what is held for calls in flight."""
    cap: float | None = None
    outcome: Outcome | None = None
    """What judging found, if it was judged."""


def report_of(row: sa.RowMapping, stands: budget.Account | None, found: str | None = None) -> Report:
    money: dict[str, Any] = {}
    if stands is not None:
        cap = stands.caps.money
        money = {
            "calls": stands.calls,
            "tokens": stands.spent.tokens,
            "spent": (stands.spent.money + stands.held.money) / MICRO,
            "cap": None if cap is None else cap / MICRO,
        }
    known = {name: row[name] for name in Report.model_fields if name in row and name != "ending"}
    ending: dict[str, Any] = json.loads(row["ending"]) if row["ending"] else {}
    known["reason"] = ending.get("reason") or known["reason"]
    known["outcome"] = json.loads(found)["outcome"] if found else None
    return Report(**known, ending=ending.get("kind", ""), **money)


def reports_of(db: sa.Connection, rows: list[sa.RowMapping]) -> list[Report]:
    """Each with how its budget stands, and what judging found in it."""
    accounts = budget.accounts(db, [f"run:{row['run_id']}" for row in rows])
    found = runs.outcomes(db, [row["run_id"] for row in rows])
    return [report_of(row, accounts.get(f"run:{row['run_id']}"), found.get(row["run_id"])) for row in rows]
