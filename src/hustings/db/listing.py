"""Pages of the list of debates: filters, order, and batches as one row each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import sqlalchemy as sa

from .caps import OPEN, OVER
from .run_rows import LIGHT, NEAR_THE_END, of_owner
from .tables import EVENT, RUN, TAG

ListOrder = Literal["newest", "oldest", "open_first"]
OutcomeKind = Literal["decided", "too_close", "deadlocked", "no_quorum", "not_judged"]


@dataclass(frozen=True)
class DebateFilter:
    """Which debates of the list are wanted, and in which order. What is empty is not asked."""

    state: str | None = None
    query: str = ""
    """Part of a question, or the beginning of an id."""
    matches: tuple[str, ...] = ()
    """Ids of debates in which the query was found by other means; they count like those whose question has it."""
    protocol: str = ""
    model: str = ""
    tag: str = ""
    outcome: OutcomeKind | None = None
    """Of the latest judging that was played to its end, or of the latest at all."""
    batch: str = ""
    grouped: bool = False
    """Whether only the newest debate of a batch is listed, in place of all of them."""
    order: ListOrder = "newest"


class ListPlace(NamedTuple):
    """The last row of the page before."""

    over: bool
    created_at: str
    run_id: str


def page(
    db: sa.Connection, wanted: DebateFilter, owner: str | None, after: ListPlace | None, most: int
) -> list[sa.RowMapping]:
    """Debates, without their heavy columns."""
    here = [RUN.c.judged == "", *of_owner(owner), *_conditions(wanted)]
    place, over = sa.tuple_(RUN.c.created_at, RUN.c.run_id), RUN.c.state.in_(sorted(OVER))
    if after is not None:
        last = sa.tuple_(sa.literal(after.created_at), sa.literal(after.run_id))
        here.append(
            {
                "newest": place < last,
                "oldest": place > last,
                "open_first": (place < last) & over if after.over else over | (place < last),
            }[wanted.order]
        )
    down = (RUN.c.created_at.desc(), RUN.c.run_id.desc())
    orders = {"newest": down, "oldest": (RUN.c.created_at, RUN.c.run_id), "open_first": (over, *down)}
    return [*db.execute(sa.select(*LIGHT).where(*here).order_by(*orders[wanted.order]).limit(most)).mappings()]


def asking_people(db: sa.Connection, owner: str, most: int) -> list[str]:
    """Ids of debates that may go on and have asked a person something, the newest first."""
    asked = sa.exists().where(EVENT.c.run_id == RUN.c.run_id, EVENT.c.kind == "human_awaited")
    here = (RUN.c.judged == "", RUN.c.state.in_(sorted(OPEN)), *of_owner(owner), asked)
    return list(db.scalars(sa.select(RUN.c.run_id).where(*here).order_by(RUN.c.created_at.desc()).limit(most)))


def _conditions(wanted: DebateFilter) -> list[sa.ColumnElement[bool]]:
    here: list[sa.ColumnElement[bool]] = []
    if wanted.state is not None:
        here.append(RUN.c.state == wanted.state)
    if wanted.query:
        begins = RUN.c.run_id.startswith(wanted.query, autoescape=True)
        named = RUN.c.topic.icontains(wanted.query, autoescape=True)
        here.append(named | begins | RUN.c.run_id.in_(wanted.matches))
    if wanted.protocol:
        here.append(RUN.c.protocol.startswith(f"{wanted.protocol}/", autoescape=True))
    if wanted.model:
        # In quoted text the quotation marks would be escaped.
        provider, _, model = wanted.model.rpartition("/")
        named = f'"provider":"{provider}","model":"{model}"' if provider else f'"provider":"{model}"'
        here.append(RUN.c.spec.contains(named, autoescape=True))
    if wanted.tag:
        here.append(sa.exists().where(TAG.c.run_id == RUN.c.run_id, TAG.c.tag == wanted.tag))
    if wanted.batch:
        here.append(RUN.c.batch == wanted.batch)
    if wanted.outcome:
        here.append(_came_to(wanted.outcome))
    if wanted.grouped:
        here.append((RUN.c.batch == "") | ~_newer_of_its_batch())
    return here


def _newer_of_its_batch() -> sa.ColumnElement[bool]:
    other = RUN.alias("other")
    newer = sa.tuple_(other.c.created_at, other.c.run_id) > sa.tuple_(RUN.c.created_at, RUN.c.run_id)
    return sa.exists().where(other.c.batch == RUN.c.batch, other.c.owner == RUN.c.owner, other.c.judged == "", newer)


def _came_to(kind: OutcomeKind) -> sa.ColumnElement[bool]:
    judging = RUN.alias("judging")
    reached = sa.and_(
        EVENT.c.run_id == judging.c.run_id,
        EVENT.c.seq >= judging.c.events - NEAR_THE_END,
        EVENT.c.kind == "outcome_reached",
    )
    played = judging.c.ending.contains('"played"', autoescape=True)
    latest = (
        sa.select(EVENT.c.body)
        .select_from(judging.join(EVENT, reached))
        .where(judging.c.judged == RUN.c.run_id)
        .order_by(played.desc(), judging.c.created_at.desc())
        .limit(1)
        .correlate(RUN)
        .scalar_subquery()
    )
    if kind == "not_judged":
        return (RUN.c.state == "ended") & latest.is_(None)
    return latest.contains(f'"outcome":{{"kind":"{kind}"', autoescape=True)


@dataclass(frozen=True)
class BatchCount:
    debates: int
    open: int
    """Of them, those that may still go on."""
    run_ids: tuple[str, ...]
    """The newest of them."""


def batch_count(db: sa.Connection, batch: str, owner: str | None, most: int) -> BatchCount:
    """How many debates a batch has, and which."""
    here = (RUN.c.batch == batch, RUN.c.judged == "", *of_owner(owner))
    over = sa.func.sum(sa.case((RUN.c.state.in_(sorted(OVER)), 1), else_=0))
    debates, done = db.execute(sa.select(sa.func.count(), over).where(*here)).one()
    newest = sa.select(RUN.c.run_id).where(*here).order_by(RUN.c.created_at.desc(), RUN.c.run_id.desc()).limit(most)
    return BatchCount(debates, debates - int(done or 0), tuple(db.scalars(newest)))


SPECS, SURE = '"model_specs":{', '"sure":"'
"""Where a stored text tells of models and how sure a verdict is; in a quoted text, quotation marks are escaped."""
MOST_SPECS, MOST_SURE = 20_000, 20


def model_texts(db: sa.Connection, run_ids: Sequence[str]) -> dict[str, str]:
    """The part of each spec that begins with its models."""
    part = _from(db, RUN.c.spec, SPECS, MOST_SPECS)
    return {row[0]: row[1] for row in db.execute(sa.select(RUN.c.run_id, part).where(RUN.c.run_id.in_(run_ids)))}


def sure_words(db: sa.Connection, run_ids: Sequence[str]) -> dict[str, str]:
    """How sure the verdict on each judged debate is, in the word of its latest briefing."""
    here = (RUN.c.judged.in_(run_ids), RUN.c.judgement.contains(SURE, autoescape=True))
    played = RUN.c.ending.contains('"played"', autoescape=True)
    query = sa.select(RUN.c.judged, _from(db, RUN.c.judgement, SURE, MOST_SURE)).where(*here)
    found = {row[0]: row[1] for row in db.execute(query.order_by(played, RUN.c.created_at))}
    return {run_id: text.partition('"')[0] for run_id, text in found.items()}


def _from(db: sa.Connection, column: sa.Column[str], mark: str, most: int) -> sa.ColumnElement[str]:
    """The text behind a mark: reading whole specs and judgements would take megabytes for each page."""
    place = (sa.func.instr if db.dialect.name == "sqlite" else sa.func.strpos)(column, mark)
    return sa.func.substr(column, place + len(mark), most)
