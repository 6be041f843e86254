"""RunSummary: a run at a glance, with its budget, outcome and rating. `hustings list` prints it as a row."""

from __future__ import annotations

import json
from typing import Annotated, Any

import sqlalchemy as sa
from pydantic import BaseModel

from hustings.db import budget, ledger, run_rows
from hustings.db.caps import MICRO, State
from hustings.db.ratings import MeanRating, means
from hustings.db.real_outcomes import RealOutcome, recorded
from hustings.transcript.empty_fields import OMIT_IF_EMPTY
from hustings.transcript.notes import BudgetStopped, Outcome

from .limit_text import limit_reason, more_room


class RunSummary(BaseModel, frozen=True, defer_build=True):
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
    """Those that are known: reported, or counted by us where the report cannot be right."""
    tokens_held: int = 0
    """Held for calls in flight, and booked for calls that broke off or were not counted."""
    spent: float = 0.0
    """In dollars, including what is held for calls in flight."""
    held: Annotated[float, OMIT_IF_EMPTY] = 0.0
    """Of the dollars, those held for calls that brought no answer and may have been billed."""
    held_calls: Annotated[int, OMIT_IF_EMPTY] = 0
    cap: float | None = None
    more_room: Annotated[str, OMIT_IF_EMPTY] = ""
    """For a run that reached a limit: the option of `hustings fork` that gives it more."""
    misreported: int = 0
    """Answers whose provider reported tokens that cannot be right, or none."""
    reported_beyond: float = 0.0
    """Dollars that providers reported on top of what was booked: more than the calls could cost."""
    outcome: Outcome | None = None
    """Result of judging, if it was judged."""
    rating: float | None = None
    """Mean of its readers' ratings, from 1 to 5."""
    ratings: int = 0
    """How many readers rated it."""
    happened: str | None = None
    """What really happened in its matter, if that was recorded."""
    hosted: Annotated[bool, OMIT_IF_EMPTY] = False
    """Whether a host plays seats of it: no worker carries it out, and what the host uses is not known."""

    @property
    def is_debate(self) -> bool:
        """Whether the run is a debate, not a judging, a control or a trial of a judge."""
        return not self.judged and not self.is_trial

    @property
    def is_trial(self) -> bool:
        """Whether a model was tried as a judge or an evaluator."""
        return self.protocol.startswith(("probing/", "evaluator_trial/"))

    @property
    def imported(self) -> bool:
        """Whether another program held the debate."""
        return self.protocol.startswith("imported/")

    @property
    def of_a_file(self) -> bool:
        """Whether its protocol is a file of the user's."""
        return "+" in self.protocol


def summary_of(
    row: sa.RowMapping,
    stands: budget.Account | None,
    found: str | None = None,
    rated: MeanRating | None = None,
    happened: RealOutcome | None = None,
    held: ledger.HeldMoney | None = None,
) -> RunSummary:
    money: dict[str, Any] = {}
    if stands is not None:
        cap = stands.caps.money
        money = {
            "calls": stands.calls,
            "tokens": stands.spent.tokens - stands.unproven,
            "tokens_held": stands.held.tokens + stands.unproven,
            "spent": (stands.spent.money + stands.held.money) / MICRO,
            "cap": None if cap is None else cap / MICRO,
            "misreported": stands.misreported,
            "reported_beyond": stands.beyond / MICRO,
        }
    known = {name: row[name] for name in RunSummary.model_fields if name in row and name != "ending"}
    ending: dict[str, Any] = json.loads(row["ending"]) if row["ending"] else {}
    known["reason"] = ending.get("reason") or known["reason"]
    if ending.get("kind") == "budget_stopped":
        stopped = BudgetStopped.model_validate(ending)
        known |= {"reason": limit_reason(stopped), "more_room": more_room(stopped)}
    if held is not None:
        known |= {"held": held.money / MICRO, "held_calls": held.calls}
    known["outcome"] = json.loads(found)["outcome"] if found else None
    if rated is not None:
        known |= {"rating": rated.mean, "ratings": rated.count}
    known["happened"] = happened.option if happened else None
    known["hosted"] = row["executor_id"].startswith(run_rows.HOSTED_BY)
    return RunSummary(**known, ending=ending.get("kind", ""), **money)


def summaries_of(db: sa.Connection, rows: list[sa.RowMapping]) -> list[RunSummary]:
    """Summaries of runs, with all that is known of each."""
    ids = [row["run_id"] for row in rows]
    accounts = budget.accounts(db, [f"run:{run_id}" for run_id in ids])
    found, rated, happened, held = run_rows.outcomes(db, ids), means(db, ids), recorded(db, ids), ledger.held(db, ids)
    return [
        summary_of(
            row,
            accounts.get(f"run:{run_id}"),
            found.get(run_id),
            rated.get(run_id),
            happened.get(run_id),
            held.get(run_id),
        )
        for run_id, row in zip(ids, rows, strict=True)
    ]
