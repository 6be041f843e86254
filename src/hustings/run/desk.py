"""The front desk: whoever commissions, follows, steers or forks a run does so here.

It holds a client of the engine, never a runtime, so that a web server or a command can have one
while workers do the work.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from copy import copy
from functools import cached_property
from types import TracebackType
from typing import Self

import sqlalchemy as sa
from dbos import DBOSClient, DBOSPortableJSONSerializer

from hustings.core.debate import Proceedings
from hustings.core.errors import NotFound, Unsuitable
from hustings.core.events import EVENT, Event
from hustings.store import budget, forgetting, leases, ledger, migrate, requests, runs, tenants, votes
from hustings.store.caps import Caps
from hustings.store.database import connect
from hustings.store.requests import Claim
from hustings.store.runs import Control, State

from .clock import instant
from .commission import Commission
from .entering import enter
from .heartbeat import ENGINE, QUEUE
from .programme import Programme
from .report import Report, reports_of
from .worker import NAME, WITH_PEOPLE, engine_tables

CHUNK = 500
"""Runs that are forgotten at a time."""
LAST = "last"
"""Names the newest debate."""
OVER = frozenset({"ended", "broken"})
AT = "~"
"""Between the instant and the id in a cursor."""
GLANCE = 0.2
"""Seconds between two looks at a log that is being followed."""


class _Client:
    """Of the engine, once somebody needs it."""

    def __init__(self, url: str) -> None:
        self._url = url

    @cached_property
    def engine(self) -> DBOSClient:
        return DBOSClient(system_database_url=self._url, application_name=NAME, serializer=DBOSPortableJSONSerializer())

    def close(self) -> None:
        if "engine" in self.__dict__:
            self.engine.destroy()


class Desk:
    """Use it as a context. That of an owner sees this owner's runs alone; the others do not exist."""

    def __init__(self, url: str, owner: str | None = None) -> None:
        self._everybody, self._client = connect(url), _Client(url)
        self.database, self.owner = self._everybody, owner
        if owner is not None and tenants.netted(self._everybody):
            self.database = self._everybody.acting_for(owner)

    def acting_for(self, owner: str) -> Desk:
        """The desk of one owner, by the same connections: it needs no closing, and must not outlive this one."""
        desk = copy(self)
        desk.owner = owner
        desk.database = self._everybody.acting_for(owner) if self._netted else self._everybody
        return desk

    @cached_property
    def _netted(self) -> bool:
        return tenants.netted(self._everybody)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._client.close()
        self._everybody.close()

    @property
    def engine(self) -> DBOSClient:
        return self._client.engine

    def upgrade(self) -> None:
        """Make the database ready, or bring it up to date."""
        migrate.upgrade(self._everybody, engine_tables)

    # -- commissioning -----------------------------------------------------------------

    def enter(
        self, *commissions: Commission, programme: Programme | None = None, claim: Claim | None = None
    ) -> str | None:
        """Put runs on record, with their budgets; all of them, or none if there is no money for one.

        Under a claim that was made before nothing is entered, and the run that came of it is returned.
        """
        with self.database.writing() as db:
            for commission in commissions:
                if claim and (before := requests.claim(db, commission.owner, claim, commission.run_id)):
                    return before
                enter(db, commission, programme)
        return None

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

    def named(self, text: str) -> str:
        """The id of a run that somebody means: by all of its id, by its beginning, or by `last`."""
        with self.database.reading() as db:
            if runs.glance(db, text, self.owner) is not None:
                return text
            found = runs.beginning(db, "" if text == LAST else text, 2 if text != LAST else 1, self.owner)
        if len(found) > 1:
            raise Unsuitable(f"several runs begin with {text!r}", fix=f"say more of it: {', '.join(found)}, …")
        return found[0] if found else text

    def commission(self, run_id: str) -> Commission:
        return Commission.model_validate_json(self._whole(run_id)["commission"])

    def programme(self, run_id: str) -> Programme | None:
        """What is to follow a run, where a steward sees to it."""
        kept = self._whole(run_id)["programme"]
        return None if kept is None else Programme.load(kept)

    def report(self, run_id: str) -> Report:
        row = self._row(run_id)
        with self.database.reading() as db:
            return reports_of(db, [row])[0]

    def reports(self, *, batch: str | None = None, state: State | None = None, most: int = 50) -> list[Report]:
        """Runs, newest first."""
        with self.database.reading() as db:
            return reports_of(db, runs.latest(db, owner=self.owner, batch=batch, state=state, most=most))

    def page(
        self, cursor: str | None = None, limit: int = 50, state: State | None = None, query: str = ""
    ) -> tuple[list[Report], str | None]:
        """Debates, newest first, and the cursor of the next page; `query` is in the topic, or begins the id."""
        before = _place(cursor) if cursor else None
        with self.database.reading() as db:
            rows = runs.page(db, owner=self.owner, state=state, query=query, before=before, most=limit + 1)
            found = reports_of(db, rows[:limit])
        return found, f"{found[-1].created_at}{AT}{found[-1].run_id}" if len(rows) > limit else None

    def follows(self, run_id: str) -> list[Report]:
        """Audits of a run, however they stand, oldest first."""
        self._row(run_id)
        with self.database.reading() as db:
            return reports_of(db, runs.following(db, run_id))

    def tally(self, batch: str) -> dict[str, int]:
        with self.database.reading() as db:
            return runs.tally(db, batch, self.owner)

    def proceedings(self, run_id: str) -> Proceedings | None:
        """What remains of a run; None while it is not over."""
        kept = self._whole(run_id)["proceedings"]
        return None if kept is None else Proceedings.model_validate_json(kept)

    def finished(self, run_id: str) -> Proceedings:
        """What remains of a run that must be over."""
        if (proceedings := self.proceedings(run_id)) is None:
            raise Unsuitable(
                f"{run_id!r} is not over", fix=f"hustings resume {run_id}, or look at hustings show {run_id}"
            )
        return proceedings

    def audits(self, run_id: str, script: str) -> list[str]:
        """Ids of the finished audits of a run by one script, newest first."""
        self._must_be_mine(run_id)
        with self.database.reading() as db:
            return runs.about(db, run_id, script)

    def events(self, run_id: str, *, after: int = -1) -> list[Event]:
        """The log from a place on."""
        self._must_be_mine(run_id)
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
            if enough or rests or row["state"] in OVER:
                return
            time.sleep(GLANCE)

    def _row(self, run_id: str) -> sa.RowMapping:
        """Without what it holds."""
        with self.database.reading() as db:
            return _there(run_id, runs.glance(db, run_id, self.owner))

    def _whole(self, run_id: str) -> sa.RowMapping:
        with self.database.reading() as db:
            return _there(run_id, runs.read(db, run_id, self.owner))

    def _must_be_mine(self, run_id: str) -> None:
        """What hangs on a run is found by its id alone."""
        if self.owner is not None:
            self._row(run_id)

    # -- people ------------------------------------------------------------------------

    def vote(self, run_id: str, voter: str, body: str) -> bool:
        """What somebody makes of a run; False if they have voted, and that stands."""
        self._row(run_id)
        with self.database.writing() as db:
            return votes.cast(db, run_id, voter, body)

    def votes(self, run_id: str) -> dict[str, str]:
        """Voter to vote, in the order in which they came."""
        self._row(run_id)
        with self.database.reading() as db:
            return votes.of_run(db, run_id)

    # -- steering ----------------------------------------------------------------------

    def steer(self, run_id: str, control: Control, by: str = "user") -> bool:
        """Tell a run to go on, to pause after the calls in flight, or to stop there; False if it is over."""
        self._row(run_id)
        with self.database.writing() as db:
            return runs.steer(db, run_id, control, by)

    def workers(self) -> set[str]:
        """Those who are alive."""
        return leases.known(self._everybody) - set(leases.expired(self._everybody))

    def abandoned(self, run_id: str) -> bool:
        """Whether nobody who is alive carries a run out, or could take it from the queue."""
        holder, alive = self._row(run_id)["executor_id"], self.workers()
        return holder not in alive if holder else not alive or bool(self.unqueued([run_id]))

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
        leases.take_away(self._everybody, {holder})
        if holder in leases.known(self._everybody):
            raise Unsuitable(
                f"the worker of {run_id!r} is alive after all", fix=f"follow it with `hustings show {run_id}`"
            )
        known = not self.unqueued([run_id])
        if known:
            self.engine.resume_workflow(run_id, queue_name=None if ahead else QUEUE)
        return known

    def unqueued(self, run_ids: list[str]) -> list[str]:
        """Runs that the engine does not know: whoever enters one may be gone before it is enqueued."""
        if not run_ids:
            return []
        known = self.engine.list_workflows(workflow_ids=run_ids, load_input=False, load_output=False)
        return sorted(set(run_ids) - {workflow.workflow_id for workflow in known})

    # -- forgetting --------------------------------------------------------------------

    def forget(self, run_id: str) -> None:
        """A run that is over, and its audits, as if they had never been; what they cost stays spent."""
        kin = [self.report(run_id), *self.follows(run_id)]
        if going := [report.run_id for report in kin if report.state not in OVER]:
            raise Unsuitable(f"{going[0]!r} is not over", fix=f"hustings cancel {going[0]}, and forget it then")
        names = [report.run_id for report in kin]
        self.engine.delete_workflows(names)
        with self.database.writing() as db:
            forgetting.forget(db, names)

    def prune(self, before: str, *, answers_before: str = "") -> dict[str, int]:
        """Delete what the engine still keeps of runs that ended before an instant; later, their paid answers."""
        with self.database.reading() as db:
            ended = runs.ended_before(db, before)
        for first in range(0, len(ended), CHUNK):
            self.engine.delete_workflows(ended[first : first + CHUNK])
        with self.database.writing() as db:
            answers = runs.forget_answers(db, answers_before) if answers_before else 0
        return {"runs": len(ended), "answers": answers}


def _there(run_id: str, row: sa.RowMapping | None) -> sa.RowMapping:
    if row is None:
        raise NotFound(f"no run {run_id!r} in this database", fix="`hustings list` shows those there are")
    return row


def _place(cursor: str) -> tuple[str, str]:
    created_at, at, run_id = cursor.partition(AT)
    if not at:
        raise Unsuitable("that cursor leads nowhere", fix="begin with the first page")
    return created_at, run_id


def _today(owner: str) -> str:
    return f"day:{owner}:{instant()[:10]}"
