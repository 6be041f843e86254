"""RunSummary: state, cost and outcome of a run, as lists, pages and commands show it."""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from pydantic import BaseModel

from hustings.db import budget, run_rows
from hustings.db.caps import MICRO
from hustings.db.states import State
from hustings.transcript.outcome import Outcome


class RunSummary(BaseModel, frozen=True):
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
    """Why it waits, why it failed, or why a follow-up could not start."""
    ending: str = ""
    judged: str = ""
    """Id of the debate, if this run is an audit."""
    ended_at: str | None = None
    calls: int = 0
    tokens: int = 0
    spent: float = 0.0
    """In dollars, including what is held for calls in flight."""
    cap: float | None = None
    outcome: Outcome | None = None
    """Result of judging, if it was judged."""


def summary_of(row: sa.RowMapping, stands: budget.Account | None, found: str | None = None) -> RunSummary:
    money: dict[str, Any] = {}
    if stands is not None:
        cap = stands.caps.money
        money = {
            "calls": stands.calls,
            "tokens": stands.spent.tokens,
            "spent": (stands.spent.money + stands.held.money) / MICRO,
            "cap": None if cap is None else cap / MICRO,
        }
    known = {name: row[name] for name in RunSummary.model_fields if name in row and name != "ending"}
    ending: dict[str, Any] = json.loads(row["ending"]) if row["ending"] else {}
    known["reason"] = ending.get("reason") or known["reason"]
    known["outcome"] = json.loads(found)["outcome"] if found else None
    return RunSummary(**known, ending=ending.get("kind", ""), **money)


def summaries_of(db: sa.Connection, rows: list[sa.RowMapping]) -> list[RunSummary]:
    """Summaries with budget and outcome of each run."""
    accounts = budget.accounts(db, [f"run:{row['run_id']}" for row in rows])
    found = run_rows.outcomes(db, [row["run_id"] for row in rows])
    return [summary_of(row, accounts.get(f"run:{row['run_id']}"), found.get(row["run_id"])) for row in rows]
