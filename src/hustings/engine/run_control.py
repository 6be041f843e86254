"""RunControl: enter, queue, pause, resume, cancel, revive, vote on and delete runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import sqlalchemy as sa

from hustings.db import activity, budget, leases, ledger, run_rows
from hustings.db import run_rows as runs
from hustings.db.activity import Action
from hustings.db.caps import MICRO, OVER
from hustings.db.run_rows import Control, RequestKey
from hustings.errors import Unsuitable
from hustings.runs.follow_ups import FollowUps
from hustings.runs.queries import RunQueries
from hustings.runs.spec import RunSpec

from .client import QUEUE, WITH_PEOPLE, EngineClient

STEERED: Mapping[Control, Action] = {"go": "run resumed", "pause": "run paused", "cancel": "run cancelled"}
CHUNK = 500
"""Runs deleted at a time."""


@dataclass(frozen=True)
class RunControl:
    runs: RunQueries
    engine: EngineClient
    actor: str
    """Who acts, for the activity log."""

    # -- starting ------------------------------------------------------------------------

    def enter(
        self, *specs: RunSpec, follow_ups: FollowUps | None = None, claim: RequestKey | None = None
    ) -> str | None:
        """Enter runs with their budgets: all of them, or none if there is no money for one.

        If the claim was made before, enter nothing and return the run it belongs to.
        """
        with self.runs.scoped.writing() as db:
            for spec in specs:
                if claim and (before := run_rows.claim_key(db, spec.owner, claim, spec.run_id)):
                    return before
                _enter(db, spec, follow_ups)
            self._note_entered(db, specs)
        return None

    def _note_entered(self, db: sa.Connection, specs: Sequence[RunSpec]) -> None:
        """Note what was started; a batch is one row, however many debates it has."""
        for batch, found in groupby(specs, key=lambda spec: spec.batch):
            entered = [*found]
            first, count = entered[0], f"{len(entered):,} debates" if len(entered) > 1 else ""
            subject = batch if count and batch else first.run_id
            activity.note(db, self.actor, first.owner, _action(first), subject, count)

    def enter_next(self, run_id: str, act: RunSpec | None, follow_ups: FollowUps | None) -> bool:
        """Settle the follow-up of a run: enter the next run, once. Return False if there is nothing to start.

        Both happen in one transaction, so a crash leaves neither without the other.
        """
        with self.runs.scoped.writing() as db:
            if not runs.settle_following(db, run_id) or act is None or follow_ups is None:
                return False
            if runs.read_light(db, act.run_id) is not None:
                runs.put_in_follow_ups(db, act.run_id, follow_ups.dump())
                return False
            _enter(db, act, follow_ups)
        return True

    def enter_nothing_next(self, run_id: str, why: str) -> None:
        """Record that a follow-up cannot start, and why."""
        with self.runs.scoped.writing() as db:
            runs.settle_following(db, run_id, f"nothing follows it: {why}")

    def enqueue(self, *specs: RunSpec) -> None:
        """Queue runs for any free worker; one that is already queued stays where it is."""
        for spec in specs:
            people = any(player.model == "human" for player in spec.debate.cast.values())
            self.engine.enqueue(spec.run_id, WITH_PEOPLE if people else QUEUE)

    # -- while it runs -------------------------------------------------------------------

    def steer(self, run_id: str, control: Control, by: str = "user") -> bool:
        """Tell a run to go on, or to pause or stop after the calls in flight. Return False if it is over."""
        row = self.runs.light_row(run_id)
        with self.runs.scoped.writing() as db:
            if told := runs.steer(db, run_id, control, by):
                activity.note(db, self.actor, row["owner"], STEERED[control], run_id)
        return told

    def abandoned(self, run_id: str) -> bool:
        """Whether no live worker executes a run or could take it from the queue."""
        holder, alive = self.runs.light_row(run_id)["executor_id"], self.runs.workers()
        return holder not in alive if holder else not alive or bool(self.engine.unknown([run_id]))

    def revive(self, run_id: str, *, ahead: bool = False) -> bool:
        """Let the engine continue a run whose worker is gone. Return False if the engine does not know it.

        With `ahead` it skips the queue, and any worker takes it, even one that executes only what it is given.
        """
        holder = self.runs.light_row(run_id)["executor_id"]
        leases.take_away(self.runs.database, {holder})
        if holder in leases.known(self.runs.database):
            raise Unsuitable(
                f"the worker of {run_id!r} is alive after all", fix=f"follow it with `hustings show {run_id}`"
            )
        known = not self.engine.unknown([run_id])
        if known:
            self.engine.resume(run_id, ahead=ahead)
        return known

    def answer(self, run_id: str, key: str, record: dict[str, Any], by: str) -> bool:
        """Record a person's answer to a call. Return False if there is one already, which stands."""
        lineage = self.runs.spec(run_id).lineage
        with self.runs.scoped.writing() as db:
            return ledger.enter(db, lineage, key, record, by)

    def vote(self, run_id: str, voter: str, body: str) -> bool:
        """Return False if this voter has already voted; the first vote stands."""
        self.runs.light_row(run_id)
        with self.runs.scoped.writing() as db:
            return run_rows.cast_vote(db, run_id, voter, body)

    # -- deleting ------------------------------------------------------------------------

    def forget(self, run_id: str) -> None:
        """Delete a finished run and its audits. What they cost stays spent."""
        kin = [self.runs.read(run_id), *self.runs.audits(run_id)]
        if going := [report.run_id for report in kin if report.state not in OVER]:
            raise Unsuitable(f"{going[0]!r} is not over", fix=f"hustings cancel {going[0]}, and forget it then")
        names = [report.run_id for report in kin]
        self.engine.delete(names)
        with self.runs.scoped.writing() as db:
            run_rows.delete_runs(db, names)
            activity.note(db, self.actor, kin[0].owner, "debate deleted", run_id)

    def prune(self, before: str, *, answers_before: str = "") -> dict[str, int]:
        """Delete the engine's data on runs that ended before an instant; optionally also old paid answers."""
        with self.runs.scoped.reading() as db:
            ended = runs.ended_before(db, before)
        for first in range(0, len(ended), CHUNK):
            self.engine.delete(ended[first : first + CHUNK])
        with self.runs.scoped.writing() as db:
            answers = runs.forget_answers(db, answers_before) if answers_before else 0
        return {"runs": len(ended), "answers": answers}


def _action(spec: RunSpec) -> Action:
    if spec.judged:
        return "judging started"
    return "debate forked" if spec.inherits else "debate started"


def _enter(db: sa.Connection, spec: RunSpec, follow_ups: FollowUps | None) -> None:
    """Enter one run. With follow-ups, the follow-up worker makes sure that it starts, and what follows it."""
    caps, debate = spec.caps, spec.debate
    paid = any(not model_spec.free for model_spec in spec.model_specs.values())
    if spec.above and paid and caps.money is None:
        raise Unsuitable("a debate held in a budget must say how much it may take", fix="give it a cap in money")
    if not budget.admit(db, spec.above, caps.money or 0):
        raise Unsuitable(
            f"{spec.owner!r} has no room for a debate of {(caps.money or 0) / MICRO:.2f} USD",
            fix="lower its cap, or wait until others have ended",
        )
    runs.enter(
        db,
        {
            "run_id": spec.run_id,
            "owner": spec.owner,
            "batch": spec.batch,
            "protocol": f"{debate.protocol}/{debate.version}",
            "topic": debate.topic,
            "created_at": spec.created_at,
            "spec": spec.model_dump_json(),
            "judged": spec.judged,
            "follow_ups": follow_ups and follow_ups.dump(),
            "follows": "due" if follow_ups else "",
        },
    )
    # After the run, because row security finds the owner of the budget through the run.
    budget.open_budget(db, spec.budget_id, caps)
