"""RunControl: enter, queue, take up, pause, resume, cancel, vote on, rate, label and delete runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import sqlalchemy as sa

from hustings.db import (
    activity,
    budget,
    documents,
    instructions,
    labels,
    leases,
    ledger,
    ratings,
    real_outcomes,
    run_holders,
    run_rests,
    run_rows,
    tags,
)
from hustings.db import run_rows as runs
from hustings.db.activity import Action
from hustings.db.caps import OVER, usd
from hustings.db.connection import as_operator
from hustings.db.labels import TurnLabel
from hustings.db.ratings import Rating
from hustings.db.real_outcomes import RealOutcome
from hustings.db.run_rows import Control, RequestKey
from hustings.errors import NotFound, Unsuitable
from hustings.llm.model_spec import ModelSpec
from hustings.runs.follow_ups import FollowUps
from hustings.runs.keep_patience import with_patience_of
from hustings.runs.queries import RunQueries
from hustings.runs.registry import must_be_startable
from hustings.runs.run_summary import RunSummary
from hustings.runs.spec import RunSpec
from hustings.script.seats import HOST
from hustings.transcript.events import Paused, Resumed, logged
from hustings.transcript.models import SILENT_ROLES

from . import unqueued
from .client import EngineClient, is_queued, workflow_id

STEERED: Mapping[Control, Action] = {"go": "run resumed", "pause": "run paused", "cancel": "run cancelled"}
LONGEST_INSTRUCTION = 2_000
LEAST_STARS, MOST_STARS, LONGEST_COMMENT = 1, 5, 2_000
LONGEST_OPTION, LONGEST_SOURCE = 200, 2_000
MOST_TAGS, LONGEST_TAG = 20, 40
CHUNK = 500
"""Runs deleted at a time."""


class OverLimit(Unsuitable):
    """The spending limit of the owner leaves no room."""


@dataclass(frozen=True)
class RunControl:
    runs: RunQueries
    engine: EngineClient
    actor: str
    """Who acts, for the activity log."""

    # -- starting ------------------------------------------------------------------------

    def enter(
        self,
        *specs: RunSpec,
        follow_ups: FollowUps | Mapping[str, FollowUps] | None = None,
        claim: RequestKey | None = None,
    ) -> str | None:
        """Enter runs with their budgets and queue them: all of them, or none if there is no money for one.

        Follow-ups are the same for all runs, or given by run id. All of it is one transaction: what is on record is
        in the queue. If the claim was made before, enter nothing and return the run it belongs to.
        """
        self.engine.connect()
        each = follow_ups if isinstance(follow_ups, Mapping) else {spec.run_id: follow_ups for spec in specs}
        # Before the transaction, which keeps others from writing.
        rows = [_row(spec, each.get(spec.run_id)) for spec in specs]
        with self.runs.scoped.writing() as db:
            if claim:
                for spec in specs:
                    if before := run_rows.claim_key(db, spec.owner, claim, spec.run_id):
                        return before
            _enter(db, specs, rows)
            self._note_entered(db, specs)
            self._enqueue(db, specs)
        return None

    def enter_here(
        self, spec: RunSpec, executor_id: str = "", *, paused: bool = False, follow_ups: FollowUps | None = None
    ) -> None:
        """Enter a run that this process executes itself: it and what follows are left to it as long as it lives.

        A run that is entered `paused` waits until it is resumed.
        """
        with self.runs.scoped.writing() as db:
            self._enter_here(db, spec, executor_id, follow_ups, paused=paused)

    def _enter_here(
        self, db: sa.Connection, spec: RunSpec, executor_id: str, follow_ups: FollowUps | None, *, paused: bool
    ) -> None:
        held = {"executor_id": executor_id, "follower": executor_id, "control": "pause" if paused else "go"}
        _enter(db, [spec], [{**_row(spec, follow_ups), **held}])
        self._note_entered(db, [spec])

    def enter_hosted(self, spec: RunSpec) -> bool:
        """Enter a run whose seats the caller plays. It is in no queue. Return False if it is on record already."""
        row = {**_row(spec, None, hosted=True), "executor_id": run_rows.HOSTED_BY, "state": "running"}
        with self.runs.scoped.writing() as db:
            if runs.read_light(db, spec.run_id) is not None:
                return False
            _enter(db, [spec], [row])
            self._note_entered(db, [spec])
        return True

    def _note_entered(self, db: sa.Connection, specs: Sequence[RunSpec]) -> None:
        """Note what was started; a batch is one row, however many debates it has."""
        for batch, found in groupby(specs, key=lambda spec: spec.batch):
            entered = [*found]
            first, count = entered[0], f"{len(entered):,} debates" if len(entered) > 1 else ""
            subject = batch if count and batch else first.run_id
            activity.note(db, self.actor, first.owner, _action(first), subject, count)

    def enter_next(
        self, run_id: str, act: RunSpec | None, follow_ups: FollowUps, executor_id: str = "", *, paused: bool = False
    ) -> bool:
        """Settle the follow-up of a run: enter the next run, once. Return False if there is nothing to start.

        Both happen in one transaction, so a crash leaves neither without the other. It is queued, or entered for a
        worker of this process.
        """
        if not executor_id:
            self.engine.connect()
        with self.runs.scoped.writing() as db:
            if not runs.settle_following(db, run_id) or act is None:
                return False
            if runs.read_light(db, act.run_id) is not None:
                if follow_ups.after(act):
                    runs.put_in_follow_ups(db, act.run_id, follow_ups.dump(), executor_id)
                return False
            if executor_id:
                self._enter_here(db, act, executor_id, follow_ups, paused=paused)
            else:
                _enter(db, [act], [_row(act, follow_ups)])
                self._enqueue(db, [act])
        return True

    def see_to_following(self, run_id: str, executor_id: str) -> None:
        """Leave what follows a run to this process as long as it lives, unless another one that lives has it."""
        self.runs.light_row(run_id)
        with self.runs.scoped.writing() as db:
            runs.see_to_following(db, run_id, executor_id)

    def ask_for(self, run_id: str, follow_ups: FollowUps) -> None:
        """Store other follow-ups with a run that is on record."""
        follows = "due" if follow_ups.after(self.runs.spec(run_id)) else ""
        with self.runs.scoped.writing() as db:
            runs.ask_for_follow_ups(db, run_id, follow_ups.dump(), follows)

    def enter_nothing_next(self, run_id: str, why: str = "") -> bool:
        """Record that nothing follows a run, and why a follow-up cannot start. Return False if none was to come."""
        with self.runs.scoped.writing() as db:
            return runs.settle_following(db, run_id, why and f"nothing will follow it: {why}")

    def enqueue(self, *run_ids: str) -> list[str]:
        """Queue those of the runs that wait, and that neither the engine knows nor a live worker holds."""
        return unqueued.queue_these(self.runs.database, self.engine, run_ids, self.runs.owner)

    def _enqueue(self, db: sa.Connection, specs: Sequence[RunSpec]) -> None:
        as_operator(db)
        self.engine.enqueue(db, [spec.run_id for spec in specs])

    # -- while it runs -------------------------------------------------------------------

    def steer(self, run_id: str, control: Control, by: str = "user") -> bool:
        """Tell a run to go on, or to pause or stop after the calls in flight. Return False if it is over."""
        row = self.runs.light_row(run_id)
        with self.runs.scoped.writing() as db:
            run_rests.lock(db, run_id)
            if told := runs.steer(db, run_id, control, by):
                activity.note(db, self.actor, row["owner"], STEERED[control], run_id)
                rests = runs.progress(db, run_id).rests
                if control == "pause" and rests:
                    run_rests.pause_at_rest(db, run_id)
                    if runs.mark(db, run_id, "paused"):
                        runs.note_event(db, run_id, logged(Paused(by=by)))
                elif rests:
                    run_rests.wake(db, run_id)
        if told and control != "pause":
            self._queue_rested(run_id)
        return told

    def _queue_rested(self, run_id: str) -> None:
        """Queue a run that has been woken, unless a worker of its own goes on with it."""
        unqueued.queue_rested(self.runs.database, self.engine, 1, [run_id])

    def resume(self, run_id: str, by: str = "user") -> bool:
        """Tell a run to go on, and queue it if the engine does not know it. Return False if it is over."""
        told = self.steer(run_id, "go", by)
        self.enqueue(run_id)
        return told

    def reseat(self, run_id: str, seats: Mapping[str, ModelSpec], by: str = "user") -> None:
        """Give seats of a paused run other models; what was said stays as it is."""
        spec = self.runs.spec(run_id)
        if strangers := sorted(seats.keys() - spec.model_specs.keys()):
            raise NotFound.among(sorted(spec.model_specs), "seat with a model", strangers[0])
        if people := [seat for seat, model_spec in seats.items() if model_spec.provider in {"human", HOST}]:
            raise Unsuitable(f"{people[0]!r} can only go on with a model", fix="name a model, or fork the debate")
        paid = any(not model_spec.free for model_spec in seats.values())
        if spec.above and paid and spec.caps.money is None:
            raise Unsuitable(
                f"{run_id!r} has no budget, and another model would cost money",
                fix=f"fork it with one: hustings fork {run_id} --budget 1",
            )
        changed = spec.model_copy(update={"model_specs": {**spec.model_specs, **seats}})
        event = Resumed(by=by, seats={seat: model_spec.label for seat, model_spec in seats.items()})
        with self.runs.scoped.writing() as db:
            run_rests.lock(db, run_id)
            if not runs.progress(db, run_id).rests:
                raise Unsuitable(f"{run_id!r} is running", fix=f"pause it first: hustings pause {run_id}")
            runs.change_spec(db, run_id, changed.model_dump_json())
            runs.note_event(db, run_id, logged(event))
            runs.mark(db, run_id, "running")
            activity.note(db, self.actor, spec.owner, "seats changed", run_id, ", ".join(seats))

    def allow_time(self, run_id: str, environment: Mapping[str, str]) -> RunSpec:
        """Give a run the time limits that the settings name today. They hold once a worker takes it up again."""
        spec = self.runs.spec(run_id)
        self.allow_times((spec, with_patience_of(spec, environment)))
        return self.runs.spec(run_id)

    def allow_times(self, *pairs: tuple[RunSpec, RunSpec]) -> None:
        """The same for runs as they are on record, each beside itself with other time limits."""
        changed = [(new.run_id, new.model_dump_json()) for old, new in pairs if new != old]
        if changed:
            with self.runs.scoped.writing() as db:
                for run_id, spec in changed:
                    runs.change_spec(db, run_id, spec)

    def take_here(self, run_id: str, executor_id: str) -> int | None:
        """Take up a run for a worker of this process, and tell it to go on. None if it is over or another has it."""
        row = self.runs.light_row(run_id)
        fresh = row["executor_id"] == executor_id and row["control"] == "go" and not row["waves"]
        with self.runs.scoped.writing() as db:
            if (taken := run_holders.take(db, run_id, executor_id)) is None:
                return None
            unqueued.note_taken(db, run_id, taken, executor_id)
            if runs.steer(db, run_id, "go", "user") and not fresh:
                activity.note(db, self.actor, row["owner"], "run resumed", run_id)
            return taken.resumptions

    def take_rested(self, run_id: str, executor_id: str) -> int | None:
        """Take a run whose rest is over, if it stayed with this worker. Return its number."""
        self.runs.light_row(run_id)
        with self.runs.scoped.writing() as db:
            run_rests.lock(db, run_id)
            due = run_rests.rested(db, 1, [run_id])
            mine = due and due[0].executor_id == executor_id
            return run_holders.take_rested(db, run_id, executor_id) if mine else None

    def abandoned(self, run_id: str) -> bool:
        """Whether no live worker executes a run or could take it from the queue."""
        row = self.runs.light_row(run_id)
        if row["executor_id"]:
            return row["executor_id"] not in leases.alive(self.runs.database)
        if not self.runs.workers() or row["rests_until"] is not None:
            return not self.runs.workers()
        with self.runs.database.reading() as db:
            return not is_queued(db, workflow_id(run_id, row["resumptions"]))

    def tell(self, run_id: str, words: str, seat: str = "", by: str = "user") -> list[str]:
        """Tell a seat, team or role something with its next question; without one, every speaker. Return the seats."""
        spec, words = self.runs.spec(run_id), words.strip()
        if spec.judged or not spec.debate.retries:
            why = (
                "it is a judging or a control" if spec.judged else "without retries, every answer stands as it is given"
            )
            raise Unsuitable(
                f"nobody can be told anything in {run_id!r}", why=why, fix="start a debate with --retries 1"
            )
        if not words or len(words) > LONGEST_INSTRUCTION or "\0" in words:
            raise Unsuitable(
                "that cannot be told", fix=f"write from 1 to {LONGEST_INSTRUCTION} characters of plain text"
            )
        seats = [
            one.id
            for one in spec.debate.seats
            if (seat in (one.id, one.team, one.role) if seat else one.role not in SILENT_ROLES)
        ]
        if not seats:
            raise NotFound.among([one.id for one in spec.debate.seats], "seat", seat)
        with self.runs.scoped.writing() as db:
            if not runs.is_open(db, run_id):
                raise Unsuitable(f"{run_id!r} is over", fix=f"take it up again from a turn: hustings fork {run_id}")
            instructions.add(db, run_id, seats, words, by)
            activity.note(db, self.actor, spec.owner, "seats told", run_id, ", ".join(seats))
        return seats

    def answer(self, run_id: str, key: str, record: dict[str, Any], by: str) -> bool:
        """Record a person's answer to a call. Return False if there is one already, which stands."""
        lineage = self.runs.spec(run_id).lineage
        with self.runs.scoped.writing() as db:
            run_rests.lock(db, run_id)
            if not ledger.enter(db, lineage, key, record, by):
                return False
            woken = runs.progress(db, run_id).control != "pause" and run_rests.wake(db, run_id)
        if woken:
            self._queue_rested(run_id)
        return True

    def vote(self, run_id: str, voter: str, body: str) -> bool:
        """Return False if this voter has already voted; the first vote stands."""
        self.runs.light_row(run_id)
        with self.runs.scoped.writing() as db:
            return run_rows.cast_vote(db, run_id, voter, body)

    def rate(self, run_id: str, rating: Rating) -> None:
        """Rate a debate that is over; a later rating of the same reader replaces the one before."""
        self._finished_debate(run_id, "rate")
        if not LEAST_STARS <= rating.stars <= MOST_STARS:
            raise Unsuitable(f"a rating is from {LEAST_STARS} to {MOST_STARS}, not {rating.stars}")
        if len(rating.comment) > LONGEST_COMMENT or "\0" in rating.comment:
            raise Unsuitable("that comment cannot be kept", fix=f"write up to {LONGEST_COMMENT} characters of text")
        with self.runs.scoped.writing() as db:
            ratings.rate(db, run_id, rating)

    def record_outcome(self, run_id: str, found: RealOutcome) -> None:
        """Record what really happened in the matter of a debate; a later record replaces the one before."""
        report = self._finished_debate(run_id, "record the outcome of")
        if not found.option.strip() or len(found.option) > LONGEST_OPTION or not found.option.isprintable():
            raise Unsuitable(
                "that option cannot be kept", fix=f"write one line of up to {LONGEST_OPTION} characters: yes, no, …"
            )
        if len(found.source) > LONGEST_SOURCE or "\0" in found.source:
            raise Unsuitable("that source cannot be kept", fix=f"write up to {LONGEST_SOURCE} characters of text")
        with self.runs.scoped.writing() as db:
            real_outcomes.keep(db, run_id, found)
            activity.note(db, self.actor, report.owner, "outcome recorded", run_id, found.option)

    def tag(self, run_id: str, given: Sequence[str]) -> tuple[str, ...]:
        """Give a debate exactly these tags. Return them as they are kept."""
        self.runs.light_row(run_id)
        kept = tuple(dict.fromkeys(" ".join(one.split()) for one in given))
        if len(kept) > MOST_TAGS or not all(one and len(one) <= LONGEST_TAG and one.isprintable() for one in kept):
            raise Unsuitable(
                "those tags cannot be kept", fix=f"write up to {MOST_TAGS} tags of up to {LONGEST_TAG} characters"
            )
        with self.runs.scoped.writing() as db:
            tags.replace_tags(db, run_id, kept)
        return kept

    def label(self, run_id: str, *given: TurnLabel) -> None:
        """Store a person's labels of turns; a later label of the same person and turn replaces the one before."""
        report = self._finished_debate(run_id, "label")
        turns = {turn.turn_id for turn in self.runs.finished(run_id).transcript.turns}
        for one in given:
            if one.turn_id not in turns:
                raise NotFound.among(sorted(turns), "turn", one.turn_id)
        with self.runs.scoped.writing() as db:
            for one in given:
                labels.keep(db, run_id, one)
            activity.note(db, self.actor, report.owner, "turns labelled", run_id, f"{len(given)} turns")

    def _finished_debate(self, run_id: str, what: str) -> RunSummary:
        report = self.runs.read(run_id)
        if not report.is_debate:
            raise Unsuitable(f"{run_id!r} is no debate", fix=f"{what} the debate: {report.judged or 'hustings list'}")
        if report.state not in OVER:
            raise Unsuitable(f"{run_id!r} has not ended", fix=f"{what} it when it is over")
        return report

    # -- deleting ------------------------------------------------------------------------

    def forget(self, run_id: str) -> None:
        """Delete a finished run and its audits. What they cost stays spent."""
        kin = [self.runs.read(run_id), *self.runs.audits(run_id)]
        if going := [report.run_id for report in kin if report.state not in OVER]:
            raise Unsuitable(f"{going[0]!r} has not ended", fix=f"stop it first: hustings cancel {going[0]}")
        names = [report.run_id for report in kin]
        with self.runs.scoped.reading() as db:
            self.engine.delete(run_rests.resumptions_of(db, names))
        with self.runs.scoped.writing() as db:
            run_rows.delete_runs(db, names)
            activity.note(db, self.actor, kin[0].owner, "debate deleted", run_id)

    def prune(self, before: str, *, answers_before: str = "") -> dict[str, int]:
        """Delete the engine's data on runs that ended before an instant; optionally also old paid answers."""
        with self.runs.scoped.reading() as db:
            ended = runs.ended_before(db, before)
        for first in range(0, len(ended), CHUNK):
            with self.runs.scoped.reading() as db:
                resumptions = run_rests.resumptions_of(db, ended[first : first + CHUNK])
            self.engine.delete(resumptions)
        with self.runs.scoped.writing() as db:
            answers = runs.forget_answers(db, answers_before) if answers_before else 0
        return {"runs": len(ended), "answers": answers}


def _action(spec: RunSpec) -> Action:
    if spec.judged:
        return "judging started"
    return "debate forked" if spec.inherits else "debate started"


def must_have_worker(spec: RunSpec) -> None:
    """Refuse a run whose seats the caller plays: a worker has nobody to ask."""
    if spec.hosted:
        raise Unsuitable(
            f"the host plays seats of {spec.run_id!r}, and workers cannot ask it",
            fix=f"play it with hustings start, or go on with hustings next {spec.run_id}; else name models",
        )


def _row(spec: RunSpec, follow_ups: FollowUps | None, *, hosted: bool = False) -> dict[str, Any]:
    if not hosted:
        must_have_worker(spec)
    must_be_startable(spec.debate)
    return {
        "run_id": spec.run_id,
        "owner": spec.owner,
        "batch": spec.batch,
        "protocol": spec.debate.script_version,
        "topic": spec.debate.label,
        "created_at": spec.created_at,
        "spec": spec.model_dump_json(),
        "judged": spec.judged,
        "follow_ups": follow_ups and follow_ups.dump(),
        "follows": "due" if follow_ups and follow_ups.after(spec) else "",
    }


def _enter(db: sa.Connection, specs: Sequence[RunSpec], rows: Sequence[dict[str, Any]]) -> None:
    """Enter runs, and hold their caps in the budgets above them."""
    held: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for spec in specs:
        paid = any(not model_spec.free for model_spec in spec.model_specs.values())
        if spec.above and paid and spec.caps.money is None:
            raise Unsuitable("a debate under a spending limit needs a budget", fix="add --budget")
        if spec.above:
            held[spec.owner, spec.above] += spec.caps.money or 0
    for (owner, above), money in held.items():
        if not budget.admit(db, above, money):
            what = "a debate" if len(specs) == 1 else f"{len(specs)} debates"
            raise OverLimit(
                f"the spending limit of {owner!r} leaves no room for {what} of {usd(money)}",
                fix="lower --budget, or wait until other debates end",
            )
    runs.enter(db, rows)
    for spec in specs:
        if brought := spec.debate.documents:
            digests = {one.id: one.digest for one in brought.each}
            documents.keep(db, spec.run_id, digests, spec.texts, of=spec.judged or spec.forked_from)
        if spec.forked_from and spec.inherits:
            instructions.inherit(db, spec.run_id, spec.forked_from, spec.inherits[0].before_wave)
    # After the runs, because row security finds the owner of a budget through its run.
    budget.open_budgets(db, [(spec.budget_id, spec.caps) for spec in specs])
