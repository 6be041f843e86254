"""Queries on runs: enter, progress, control, end, delete, list, follow-ups, event log, votes, idempotency keys."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa

from hustings.errors import Unsuitable

from . import documents
from .caps import OPEN, OVER, State
from .connection import Prepared, each_of, insert_if_absent, insert_in_chunks, now
from .tables import (
    BUDGET,
    CALL,
    EVENT,
    INSTRUCTION,
    LABEL,
    LEASE,
    PASSAGE,
    RATING,
    REAL_OUTCOME,
    REQUEST,
    RUN,
    TAG,
    VOTE,
)

HEAVY = frozenset({"spec", "proceedings", "judgement", "follow_ups"})
LIGHT = tuple(column for column in RUN.c if column.name not in HEAVY)
NEAR_THE_END = 5
"""The outcome is among the last events of a log: only the closing of the budget follows it."""
Control = Literal["go", "pause", "cancel"]
HOSTED_BY = "host:"
"""Begins the executor id of a run whose seats the caller plays; no name of a worker can begin so."""
CHUNK = 5_000
"""Ids per query: databases limit the number of parameters."""


@dataclass(frozen=True)
class Progress:
    """How far a run is, for the worker that executes it."""

    waves: int
    """Waves whose start is on record."""
    control: Control
    control_by: str
    reason: str
    state: State
    executor_id: str
    age: float
    """Seconds since the first wave began."""
    stopped: str | None
    """Where and why the run was stopped, once that is decided."""
    put_offs: int = 0
    """Waits for a provider in a row."""
    rests: bool = False
    """It has left its worker until it is woken."""


def enter(db: sa.Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Enter runs; rows have the same columns."""
    insert_in_chunks(db, sa.insert(RUN), rows)


def progress(db: sa.Connection, run_id: str) -> Progress:
    return _read(db.execute(_PROGRESS, {"this_run": run_id}).one())


def _read(row: sa.Row[*tuple[Any, ...]]) -> Progress:
    return Progress(
        row.waves,
        row.control,
        row.control_by,
        row.reason,
        row.state,
        row.executor_id,
        row.age or 0.0,
        row.stopped,
        row.put_offs,
        row.rests_until is not None,
    )


def begin_wave(
    db: sa.Connection, run_id: str, wave: int, events: Sequence[tuple[str, str]], executor_id: str
) -> Progress | None:
    """Append the events that lead up to a wave, once. Return None if that wave began before, or the run is over."""
    row = _BEGIN.run(db, {"this_run": run_id, "wave": wave, "fresh": len(events), "by": executor_id}).one_or_none()
    if row is None:
        return None
    append(db, run_id, row.events - len(events), events)
    return _read(row)


def change_spec(db: sa.Connection, run_id: str, spec: str) -> None:
    """Store another spec of a run, for the worker that goes on with it. One that is over keeps its own."""
    db.execute(sa.update(RUN).where(RUN.c.run_id == run_id, RUN.c.state.not_in(OVER)).values(spec=spec))


def note_event(db: sa.Connection, run_id: str, event: tuple[str, str]) -> None:
    """Append an event between waves; it belongs to the run, not to the record."""
    count = db.execute(_ONE_MORE, {"this_run": run_id}).scalar_one()
    append(db, run_id, count - 1, [event])


def append(db: sa.Connection, run_id: str, seq: int, events: Sequence[tuple[str, str]]) -> None:
    if events and db.dialect.name == "postgresql":
        kinds, bodies = zip(*events, strict=True)
        _APPEND_AT_ONCE.run(db, {"this_run": run_id, "first": seq, "kinds": [*kinds], "bodies": [*bodies]})
    elif events:
        rows = [{"run_id": run_id, "seq": seq + n, "kind": kind, "body": body} for n, (kind, body) in enumerate(events)]
        db.execute(_APPEND, rows)


def stop(db: sa.Connection, run_id: str, stopped: str) -> None:
    """Decide where a run stops; the first decision stands."""
    db.execute(sa.update(RUN).where(RUN.c.run_id == run_id, RUN.c.stopped.is_(None)).values(stopped=stopped))


def mark(db: sa.Connection, run_id: str, state: State, *, reason: str = "") -> bool:
    """Set a new state. What is over stays as it is, and nothing is marked twice."""
    here = (RUN.c.run_id == run_id, RUN.c.state.not_in([*OVER, state]))
    return db.execute(sa.update(RUN).where(*here).values(state=state, reason=reason)).rowcount == 1


def steer(db: sa.Connection, run_id: str, control: Control, by: str, *, reason: str = "") -> bool:
    """Tell a run to go on, to pause or to stop. Return False if it is over or was cancelled."""
    here = (RUN.c.run_id == run_id, RUN.c.state.not_in(OVER), RUN.c.control != "cancel")
    change: dict[str, Any] = {"control": control, "control_by": by, "reason": reason}
    if control == "go":
        change["put_offs"] = 0
    return db.execute(sa.update(RUN).where(*here).values(change)).rowcount == 1


def end(db: sa.Connection, run_id: str, kept: Mapping[str, Any], events: Sequence[tuple[str, str]]) -> bool:
    """Store the result of a run and its last events. Return False if it is over already."""
    change = {"state": "ended", "reason": "", "events": RUN.c.events + len(events), **kept}
    open_ = (RUN.c.run_id == run_id, RUN.c.state.not_in(OVER))
    ended = sa.update(RUN).where(*open_).values(change)
    count = db.execute(ended.returning(RUN.c.events)).scalar_one_or_none()
    if count is not None:
        append(db, run_id, count - len(events), events)
    return count is not None


def is_open(db: sa.Connection, run_id: str) -> bool:
    """Whether the run may still continue."""
    return db.scalar(sa.select(RUN.c.state).where(RUN.c.run_id == run_id)) in OPEN


def read(db: sa.Connection, run_id: str, owner: str | None = None) -> sa.RowMapping | None:
    return db.execute(sa.select(RUN).where(RUN.c.run_id == run_id, *of_owner(owner))).mappings().one_or_none()


def read_light(db: sa.Connection, run_id: str, owner: str | None = None) -> sa.RowMapping | None:
    """A run without its heavy columns."""
    return db.execute(sa.select(*LIGHT).where(RUN.c.run_id == run_id, *of_owner(owner))).mappings().one_or_none()


def stored(db: sa.Connection, run_ids: Sequence[str], owner: str | None = None) -> dict[str, tuple[State, str]]:
    """State and spec of those runs that are on record."""
    chunks = (run_ids[first : first + CHUNK] for first in range(0, len(run_ids), CHUNK))
    columns = (RUN.c.run_id, RUN.c.state, RUN.c.spec)
    queries = (sa.select(*columns).where(RUN.c.run_id.in_(chunk), *of_owner(owner)) for chunk in chunks)
    return {row.run_id: (row.state, row.spec) for query in queries for row in db.execute(query)}


def of_owner(owner: str | None) -> tuple[sa.ColumnElement[bool], ...]:
    """Restrict a query to one owner; None means all owners."""
    return () if owner is None else (RUN.c.owner == owner,)


def beginning(db: sa.Connection, text: str, most: int, owner: str | None = None) -> list[str]:
    """Ids of debates that begin with a text, newest first; ids of audits only if no debate matches."""
    order = (RUN.c.judged != "", RUN.c.created_at.desc(), RUN.c.run_id)
    query = sa.select(RUN.c.run_id, RUN.c.judged).where(
        RUN.c.run_id.startswith(text, autoescape=True), *of_owner(owner)
    )
    found = db.execute(query.order_by(*order).limit(most)).all()
    return [run_id for run_id, judged in found if not judged] or [run_id for run_id, _ in found]


def latest(
    db: sa.Connection, *, owner: str | None = None, batch: str | None = None, state: str | None = None, most: int = 50
) -> list[sa.RowMapping]:
    """The newest runs, without their heavy columns."""
    query = sa.select(*LIGHT).order_by(RUN.c.created_at.desc(), RUN.c.run_id).limit(most)
    for column, wanted in ((RUN.c.owner, owner), (RUN.c.batch, batch), (RUN.c.state, state)):
        if wanted is not None:
            query = query.where(column == wanted)
    return [*db.execute(query).mappings()]


def following(db: sa.Connection, run_id: str) -> list[sa.RowMapping]:
    """Audits of a run in any state, oldest first."""
    query = sa.select(*LIGHT).where(RUN.c.judged == run_id).order_by(RUN.c.created_at, RUN.c.run_id)
    return [*db.execute(query).mappings()]


def outcomes(db: sa.Connection, run_ids: Sequence[str]) -> dict[str, str]:
    """Outcome of the latest judging of each run; a stopped judging counts only if there is no other."""
    near = EVENT.c.seq >= RUN.c.events - NEAR_THE_END
    last = sa.and_(EVENT.c.run_id == RUN.c.run_id, near, EVENT.c.kind == "outcome_reached")
    played = RUN.c.ending.contains('"played"', autoescape=True)
    query = sa.select(RUN.c.judged, EVENT.c.body).join(EVENT, last).order_by(played, RUN.c.created_at)
    return {row.judged: row.body for row in db.execute(query.where(_judges_one_of(db, run_ids)))}


def judgements(db: sa.Connection, run_ids: Sequence[str]) -> dict[str, str]:
    """Judgement of the latest judging of each run; a stopped judging counts only if there is no other."""
    played = RUN.c.ending.contains('"played"', autoescape=True)
    query = sa.select(RUN.c.judged, RUN.c.judgement).order_by(played, RUN.c.created_at)
    query = query.where(RUN.c.judgement.is_not(None))
    return {row.judged: row.judgement for row in db.execute(query.where(_judges_one_of(db, run_ids)))}


def _judges_one_of(db: sa.Connection, run_ids: Sequence[str]) -> sa.TextClause:
    """Audits of these runs. A parameter for each would take seconds to compile, and databases limit their number."""
    these = f"hustings_run.judged in (select value from {each_of(db)} these)"  # noqa: S608  our own words
    return sa.text(these).bindparams(run_ids=json.dumps([*run_ids]))


def about(db: sa.Connection, run_id: str, protocol: str) -> list[str]:
    """Ended audits of a run by one script, newest first."""
    here = (RUN.c.judged == run_id, RUN.c.protocol.like(f"{protocol}/%"), RUN.c.state == "ended")
    return list(db.scalars(sa.select(RUN.c.run_id).where(*here).order_by(RUN.c.created_at.desc(), RUN.c.run_id)))


# -- follow-ups ----------------------------------------------------------------------------


def due(db: sa.Connection, most: int) -> list[str]:
    """Runs that are over and may have a follow-up, but those that a command which still lives sees to."""
    held = sa.exists().where(LEASE.c.executor_id == RUN.c.follower)
    query = sa.select(RUN.c.run_id).where(RUN.c.follows == "due", RUN.c.state.in_(OVER), ~held)
    return list(db.scalars(query.order_by(RUN.c.ended_at, RUN.c.run_id).limit(most)))


def settle_following(db: sa.Connection, run_id: str, why_not: str = "") -> bool:
    """Mark the follow-up of a run as done or as impossible. Return False if another worker did so first."""
    change = {"follows": "done", **({"reason": why_not} if why_not else {})}
    here = (RUN.c.run_id == run_id, RUN.c.follows == "due")
    return db.execute(sa.update(RUN).where(*here).values(change)).rowcount == 1


def put_in_follow_ups(db: sa.Connection, run_id: str, follow_ups: str, follower: str) -> None:
    """Give follow-ups to a run that is on record and has none to come."""
    here = (RUN.c.run_id == run_id, RUN.c.follows == "")
    db.execute(sa.update(RUN).where(*here).values(follows="due", follow_ups=follow_ups, follower=follower))


def ask_for_follow_ups(db: sa.Connection, run_id: str, follow_ups: str, follows: str) -> None:
    """Replace what follows a run."""
    db.execute(sa.update(RUN).where(RUN.c.run_id == run_id).values(follows=follows, follow_ups=follow_ups))


def see_to_following(db: sa.Connection, run_id: str, follower: str) -> None:
    """Have the command of this worker see to what follows a run, unless one that lives does so."""
    alive = sa.exists().where(LEASE.c.executor_id == RUN.c.follower)
    here = (RUN.c.run_id == run_id, RUN.c.follows == "due", ~alive)
    db.execute(sa.update(RUN).where(*here).values(follower=follower))


def tally(db: sa.Connection, batch: str, owner: str | None = None, *, audits: bool = False) -> dict[str, int]:
    """Count the runs of a batch by state; with `audits`, its judgings alone.

    A paused run that was told to go on counts as running, and so does one that is over while its follow-up is due.
    """
    goes_on = sa.and_(RUN.c.state == "paused", RUN.c.control != "pause")
    followed = sa.and_(RUN.c.state.in_(OVER), RUN.c.follows == "due")
    state = sa.case((sa.or_(goes_on, followed), "running"), else_=RUN.c.state)
    here = (RUN.c.batch == batch, *([RUN.c.judged != ""] if audits else []), *of_owner(owner))
    return {row[0]: row[1] for row in db.execute(sa.select(state, sa.func.count()).where(*here).group_by(state))}


def events(db: sa.Connection, run_id: str, *, after: int = -1, most: int = 1000) -> list[tuple[int, str]]:
    """Sequence numbers and bodies of the log after a position."""
    query = (
        sa.select(EVENT.c.seq, EVENT.c.body)
        .where(EVENT.c.run_id == run_id, EVENT.c.seq > after)
        .order_by(EVENT.c.seq)
        .limit(most)
    )
    return [(row.seq, row.body) for row in db.execute(query)]


def events_of_kind(db: sa.Connection, run_ids: Sequence[str], kind: str) -> list[str]:
    """Bodies of the events of one kind in some logs, in the order of each log."""
    found: list[str] = []
    for first in range(0, len(run_ids), CHUNK):
        here = (EVENT.c.run_id.in_(run_ids[first : first + CHUNK]), EVENT.c.kind == kind)
        found += db.scalars(sa.select(EVENT.c.body).where(*here).order_by(EVENT.c.run_id, EVENT.c.seq))
    return found


def running_of(db: sa.Connection, batch: str, owner: str | None = None) -> list[str]:
    """Ids of the runs of a batch that are at work."""
    return [
        *db.scalars(sa.select(RUN.c.run_id).where(RUN.c.batch == batch, RUN.c.state == "running", *of_owner(owner)))
    ]


def length(db: sa.Connection, run_id: str) -> int:
    """Length of the log; 0 for an unknown run."""
    return db.scalar(sa.select(RUN.c.events).where(RUN.c.run_id == run_id)) or 0


def news(db: sa.Connection, places: Mapping[str, int]) -> tuple[dict[str, State], list[tuple[str, int, str]]]:
    """State of each known run, and the new events (run, number, body) of their logs.

    The run rows hold the lengths of the logs, so logs without news are not read. The texts of the statements are always
    the same: with a parameter for each run, every connection would keep one for each number of runs.
    """
    watched = f"(select value from {each_of(db)} watched)"  # noqa: S608  our own words
    query = sa.text(f"select run_id, events, state from hustings_run where run_id in {watched}")  # noqa: S608
    rows = db.execute(query, {"run_ids": json.dumps([*places])}).all()
    newer = [(row, places[row.run_id]) for row in rows if row.events - 1 > places[row.run_id]]
    logs = [(row.run_id, events(db, row.run_id, after=place, most=row.events)) for row, place in newer]
    return {row.run_id: row.state for row in rows}, [(run_id, *event) for run_id, log in logs for event in log]


def ended_before(db: sa.Connection, instant: str) -> list[str]:
    return list(db.scalars(sa.select(RUN.c.run_id).where(RUN.c.state == "ended", RUN.c.ended_at < instant)))


def forget_answers(db: sa.Connection, before: str) -> int:
    """Delete the paid answers of runs that ended before an instant. Their transcripts stay."""
    ended = sa.select(RUN.c.run_id).where(RUN.c.state == "ended", RUN.c.ended_at < before)
    return db.execute(sa.delete(CALL).where(CALL.c.lineage.in_(ended))).rowcount


_HERE = RUN.c.run_id == sa.bindparam("this_run")
_READ = (
    RUN.c.waves,
    RUN.c.control,
    RUN.c.control_by,
    RUN.c.reason,
    RUN.c.state,
    RUN.c.executor_id,
    RUN.c.stopped,
    (now() - RUN.c.started).label("age"),
    RUN.c.put_offs,
    RUN.c.rests_until,
)
_PROGRESS = sa.select(*_READ).where(_HERE)
_BEGIN = Prepared(
    sa.update(RUN)
    .where(_HERE, RUN.c.waves == sa.bindparam("wave"), *(RUN.c.state != over for over in OVER))
    .values(
        waves=RUN.c.waves + 1,
        events=RUN.c.events + sa.bindparam("fresh"),
        executor_id=sa.bindparam("by"),
        started=sa.func.coalesce(RUN.c.started, now()),
        state=sa.case((RUN.c.state == "paused", "paused"), else_="running"),
        put_offs=0,
        restarts=0,
    )
    .returning(*_READ, RUN.c.events)
)
_ONE_MORE = sa.update(RUN).where(_HERE).values(events=RUN.c.events + 1).returning(RUN.c.events)
_APPEND = sa.insert(EVENT)
_APPEND_AT_ONCE = Prepared(
    sa.text(
        "insert into hustings_event (run_id, seq, kind, body) "
        "select :this_run, :first + place - 1, kind, body "
        "from unnest(cast(:kinds as text[]), cast(:bodies as text[])) with ordinality as fresh (kind, body, place)"
    )
)


DAY = 86_400.0
"""Seconds for which a key is remembered."""


class Conflict(Unsuitable):
    """The key was used for a different request."""


@dataclass(frozen=True)
class RequestKey:
    """A key that the client chose for a request, and the digest of the request."""

    key: str
    digest: str


def claim_key(db: sa.Connection, owner: str, made: RequestKey, run_id: str) -> str | None:
    """Return None if the key is new, and bind it to this run; otherwise return the run it is bound to.

    Runs in the same transaction that enters the run, so that two simultaneous requests are serialised.
    """
    db.execute(sa.delete(REQUEST).where(REQUEST.c.at < now() - DAY))
    row = {"owner": owner, "key": made.key, "digest": made.digest, "run_id": run_id, "at": now()}
    if db.execute(insert_if_absent(db, REQUEST).values(row).returning(REQUEST.c.key)).first():
        return None
    here = (REQUEST.c.owner == owner, REQUEST.c.key == made.key)
    before = db.execute(sa.select(REQUEST).where(*here)).one()
    if before.digest != made.digest:
        raise Conflict("this key was used for another request", fix="use a new key for a new request")
    return before.run_id


def cast_vote(db: sa.Connection, run_id: str, voter: str, body: str) -> bool:
    """Return False if this voter has already voted."""
    row = {"run_id": run_id, "voter": voter, "at": now(), "body": body}
    return db.execute(insert_if_absent(db, VOTE).values(row).returning(VOTE.c.voter)).first() is not None


def votes_on(db: sa.Connection, run_id: str) -> dict[str, str]:
    """Voter and vote, in the order of arrival."""
    query = sa.select(VOTE.c.voter, VOTE.c.body).where(VOTE.c.run_id == run_id).order_by(VOTE.c.at, VOTE.c.voter)
    return {row.voter: row.body for row in db.execute(query)}


def delete_runs(db: sa.Connection, run_ids: Sequence[str]) -> None:
    """Delete runs with all that is kept of them. What was spent stays spent.

    Answers that a fork inherited stay as long as the fork does. Dependent rows go before the run, because row security
    finds their owner through the run. Texts of documents that no run uses any more go last, as the operator.
    """
    digests = documents.let_go(db, run_ids)
    for table in (EVENT, PASSAGE, TAG, VOTE, RATING, REAL_OUTCOME, LABEL, REQUEST, INSTRUCTION):
        db.execute(sa.delete(table).where(table.c.run_id.in_(run_ids)))
    alone = [run_id for run_id in run_ids if not _inherited(db, run_id, run_ids)]
    db.execute(sa.delete(CALL).where(CALL.c.lineage.in_(alone)))
    db.execute(sa.delete(BUDGET).where(BUDGET.c.id.in_([f"run:{run_id}" for run_id in run_ids])))
    db.execute(sa.delete(RUN).where(RUN.c.run_id.in_(run_ids)))
    documents.drop_unused(db, digests)


def _inherited(db: sa.Connection, lineage: str, gone: Sequence[str]) -> bool:
    """Whether a remaining run inherits these answers. In quoted text the quotation mark would be escaped."""
    said = RUN.c.spec.contains(f'{{"lineage":"{lineage}","before_wave":', autoescape=True)
    return bool(db.scalar(sa.select(sa.exists().where(said, RUN.c.run_id.not_in(gone)))))


def run_bound_to(db: sa.Connection, owner: str, key: str) -> str | None:
    """The run to which a repeated request is led."""
    here = (REQUEST.c.owner == owner, REQUEST.c.key == key)
    return db.scalar(sa.select(REQUEST.c.run_id).where(*here))
