"""The front desk: whoever commissions, follows, steers or forks a run does so here.

It holds a client of the engine, never a runtime, so that a web server or a command can have one
while workers do the work.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from functools import cached_property
from types import TracebackType
from typing import Any, Self

import sqlalchemy as sa
from dbos import DBOSClient, DBOSPortableJSONSerializer
from pydantic import BaseModel

from hustings.core.debate import Proceedings
from hustings.core.errors import NotFound, Unsuitable
from hustings.core.events import EVENT, Event
from hustings.store import budget, leases, ledger, migrate, runs
from hustings.store.budget import MICRO, Caps
from hustings.store.database import connect
from hustings.store.runs import Control, State

from .clock import instant
from .commission import Commission
from .heartbeat import ENGINE, QUEUE
from .worker import NAME, WITH_PEOPLE, engine_tables

CHUNK = 500
"""Runs that are forgotten at a time."""
GLANCE = 0.2
"""Seconds between two looks at a log that is being followed."""


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
    """Why it waits, if it does."""
    ending: str = ""
    judged: str = ""
    """The run it is about, if it is an audit."""
    ended_at: str | None = None
    calls: int = 0
    tokens: int = 0
    spent: float = 0.0
    """In dollars, with what is held for calls in flight."""
    cap: float | None = None


class Desk:
    """Use it as a context."""

    def __init__(self, url: str) -> None:
        self.database = connect(url)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if "engine" in self.__dict__:
            self.engine.destroy()
        self.database.close()

    @cached_property
    def engine(self) -> DBOSClient:
        return DBOSClient(
            system_database_url=self.database.url,
            application_name=NAME,
            serializer=DBOSPortableJSONSerializer(),
        )

    def upgrade(self) -> None:
        """Make the database ready, or bring it up to date."""
        migrate.upgrade(self.database, engine_tables)

    # -- commissioning -----------------------------------------------------------------

    def enter(self, *commissions: Commission) -> None:
        """Put runs on record, with their budgets; all of them, or none if there is no money for one."""
        with self.database.writing() as db:
            for commission in commissions:
                self._enter(db, commission)

    def _enter(self, db: sa.Connection, commission: Commission) -> None:
        purse, debate = commission.purse, commission.debate
        paid = any(not voice.free for voice in commission.voices.values())
        if commission.above and paid and purse.money is None:
            raise Unsuitable("whoever has a budget must say how much of it a debate may take: give it a cap in money")
        if not budget.admit(db, commission.above, purse.money or 0):
            raise Unsuitable(
                f"{commission.owner!r} has no room for a debate of {(purse.money or 0) / MICRO:.2f} USD: "
                "lower its cap, or wait until others have ended"
            )
        budget.open_budget(db, commission.budget_id, Caps(purse.money, purse.tokens, purse.calls))
        runs.enter(
            db,
            {
                "run_id": commission.run_id,
                "owner": commission.owner,
                "batch": commission.batch,
                "protocol": f"{debate.protocol}/{debate.version}",
                "topic": debate.topic,
                "created_at": commission.created_at,
                "commission": commission.model_dump_json(),
                "judged": commission.judged,
            },
        )

    def enqueue(self, *commissions: Commission) -> None:
        """Hand runs to whichever worker is free; one that is queued already stays where it is."""
        for commission in commissions:
            people = any(player.model == "human" for player in commission.debate.cast.values())
            self.engine.enqueue(
                {
                    "queue_name": WITH_PEOPLE if people else QUEUE,
                    "workflow_name": "perform",
                    "workflow_id": commission.run_id,
                    "app_version": ENGINE,
                },
                commission.run_id,
            )

    def set_caps(self, owner: str, *, total: int | None, day: int | None) -> None:
        """What an owner's debates may cost, ever and on one day, in millionths of a dollar; None is no limit."""
        with self.database.writing() as db:
            budget.set_caps(db, f"owner:{owner}", Caps(money=total))
            budget.set_caps(db, f"day:{owner}", Caps(money=day))
            if day is not None:
                budget.set_caps(db, _today(owner), Caps(money=day))

    def under_budgets(self, commission: Commission) -> Commission:
        """The same commission, to be held in whatever budgets its owner has."""
        return commission.model_copy(update={"above": self.above(commission.owner)})

    def above(self, owner: str) -> tuple[str, ...]:
        """The budgets in which a debate of this owner is held while it runs; that of the day is opened with it."""
        with self.database.writing() as db:
            found = budget.accounts(db, [f"owner:{owner}", f"day:{owner}"])
            capped = [name for name, stands in found.items() if stands.caps.money is not None]
            if f"day:{owner}" not in capped:
                return tuple(capped)
            budget.open_budget(db, _today(owner), found[f"day:{owner}"].caps)
            return tuple(_today(owner) if name == f"day:{owner}" else name for name in capped)

    # -- looking -----------------------------------------------------------------------

    def commission(self, run_id: str) -> Commission:
        return Commission.model_validate_json(self._row(run_id)["commission"])

    def report(self, run_id: str) -> Report:
        row = self._row(run_id)
        with self.database.reading() as db:
            return _report(row, budget.account(db, f"run:{run_id}"))

    def reports(self, *, batch: str | None = None, state: State | None = None, most: int = 50) -> list[Report]:
        """Runs, newest first."""
        with self.database.reading() as db:
            rows = runs.latest(db, batch=batch, state=state, most=most)
            accounts = budget.accounts(db, [f"run:{row['run_id']}" for row in rows])
            return [_report(row, accounts.get(f"run:{row['run_id']}")) for row in rows]

    def tally(self, batch: str) -> dict[str, int]:
        with self.database.reading() as db:
            return runs.tally(db, batch)

    def proceedings(self, run_id: str) -> Proceedings | None:
        """What remains of a run; None while it is not over."""
        kept = self._row(run_id)["proceedings"]
        return None if kept is None else Proceedings.model_validate_json(kept)

    def finished(self, run_id: str) -> Proceedings:
        """What remains of a run that must be over."""
        if (proceedings := self.proceedings(run_id)) is None:
            raise Unsuitable(f"{run_id!r} is not over: hustings resume {run_id}, or look at hustings show {run_id}")
        return proceedings

    def audits(self, run_id: str, script: str) -> list[str]:
        """Ids of the finished audits of a run by one script, newest first."""
        with self.database.reading() as db:
            return runs.about(db, run_id, script)

    def events(self, run_id: str, *, after: int = -1) -> list[Event]:
        """The log from a place on."""
        found: list[Event] = []
        while True:
            with self.database.reading() as db:
                rows = runs.events(db, run_id, after=after)
            if not rows:
                return found
            found += [EVENT.validate_python({**json.loads(body), "seq": seq}) for seq, body in rows]
            after = rows[-1][0]

    def follow(self, run_id: str, *, after: int = -1, until: Callable[[], bool] = lambda: False) -> Iterator[Event]:
        """Every event as it comes, until the run is over, stays paused or breaks, or there is reason to leave."""
        while True:
            row, enough = self._row(run_id), until()
            for event in self.events(run_id, after=after):
                after = event.seq if event.kind != "text_streamed" else after
                yield event
            rests = row["state"] == "paused" and row["control"] == "pause"
            if enough or rests or row["state"] in {"ended", "broken"}:
                return
            time.sleep(GLANCE)

    def _row(self, run_id: str) -> sa.RowMapping:
        with self.database.reading() as db:
            row = runs.read(db, run_id)
        if row is None:
            raise NotFound(f"no run {run_id!r} in this database: `hustings list` shows those there are")
        return row

    # -- steering ----------------------------------------------------------------------

    def steer(self, run_id: str, control: Control, by: str = "user") -> bool:
        """Tell a run to go on, to pause after the calls in flight, or to stop there; False if it is over."""
        self._row(run_id)
        with self.database.writing() as db:
            return runs.steer(db, run_id, control, by)

    def workers(self) -> set[str]:
        """Those who are alive."""
        return leases.known(self.database) - set(leases.expired(self.database))

    def abandoned(self, run_id: str) -> bool:
        """Whether nobody who is alive carries a run out, or could take it from the queue."""
        holder, alive = self._row(run_id)["executor_id"], self.workers()
        return holder not in alive if holder else not (alive and self._queued(run_id))

    def in_flight(self, run_id: str) -> bool:
        """Whether calls of a run wait for their answers."""
        lineage = self.commission(run_id).lineage
        with self.database.reading() as db:
            return any(mine == lineage for mine, _ in ledger.in_flight(db))

    def revive(self, run_id: str, *, ahead: bool = False) -> bool:
        """Have the engine go on with a run whose worker is gone; False if the engine does not know it.

        `ahead` of the queue, any worker takes it, one that only performs what it is given included.
        """
        holder = self._row(run_id)["executor_id"]
        leases.take_away(self.database, {holder})
        if holder in leases.known(self.database):
            raise Unsuitable(f"the worker of {run_id!r} is alive after all: follow it with `hustings show {run_id}`")
        known = self._queued(run_id)
        if known:
            self.engine.resume_workflow(run_id, queue_name=None if ahead else QUEUE)
        return known

    def _queued(self, run_id: str) -> bool:
        """Whether the engine knows a run: whoever enters one may be gone before it is enqueued."""
        return bool(self.engine.list_workflows(workflow_ids=[run_id], load_input=False, load_output=False))

    # -- forgetting --------------------------------------------------------------------

    def prune(self, before: str, *, answers_before: str = "") -> dict[str, int]:
        """Delete what the engine still keeps of runs that ended before an instant; later, their paid answers."""
        with self.database.reading() as db:
            ended = runs.ended_before(db, before)
        for first in range(0, len(ended), CHUNK):
            self.engine.delete_workflows(ended[first : first + CHUNK])
        with self.database.writing() as db:
            answers = runs.forget_answers(db, answers_before) if answers_before else 0
        return {"runs": len(ended), "answers": answers}


def _report(row: sa.RowMapping, stands: budget.Account | None) -> Report:
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
    ending = json.loads(row["ending"])["kind"] if row["ending"] else ""
    return Report(**known, ending=ending, **money)


def _today(owner: str) -> str:
    return f"day:{owner}:{instant()[:10]}"
