"""DebateRow: a debate in the browser's list and in searches: its models, how sure its verdict is, tags and batch."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from pydantic import BaseModel, TypeAdapter, ValidationError

from hustings.db import listing, run_rows, search
from hustings.db.caps import OVER
from hustings.db.listing import DebateFilter, ListPlace
from hustings.db.tags import all_tags, tags_of
from hustings.errors import Unsuitable
from hustings.llm.endpoints import STAFF
from hustings.llm.model_spec import ModelSpec
from hustings.transcript.notes import Outcome

from .outcome_text import outcome_text
from .run_summary import RunSummary, summaries_of

if TYPE_CHECKING:
    from .run_list import RunList

SEPARATOR = "~"
"""Between the parts of a cursor."""
COUNTED = 500
"""Debates of a batch whose outcomes are counted."""
FOUND = 1_000
"""Debates that a search by words adds to a list."""


class BatchRow(BaseModel, frozen=True, defer_build=True):
    """The batch that stands behind one row of the list."""

    name: str
    debates: int
    open: int
    """Of them, those that may still go on."""
    outcomes: dict[str, int]
    """How often each outcome was reached, in words; of the newest 500 debates."""


class DebateRow(RunSummary, frozen=True):
    models: tuple[str, ...] = ()
    """Each once, in the order of the seats."""
    sure: str | None = None
    """How sure its verdict is, in the word of its briefing; null without a verdict."""
    tags: tuple[str, ...] = ()
    group: BatchRow | None = None
    """Set where the row stands for all debates of its batch."""


def debate_rows(
    runs: RunList, cursor: str | None = None, limit: int = 50, wanted: DebateFilter | None = None
) -> tuple[list[DebateRow], str | None]:
    """A page of the list, and the cursor of the next."""
    wanted = wanted or DebateFilter()
    after = _place(cursor) if cursor else None
    if wanted.query:
        wanted = replace(wanted, matches=_matches(runs, wanted.query))
    with runs.scoped.reading() as db:
        rows = listing.page(db, wanted, runs.owner, after, limit + 1)
        found = _complete(db, summaries_of(db, rows[:limit]), runs.owner, grouped=wanted.grouped)
    more = len(rows) > limit
    return found, _cursor(found[-1]) if more else None


def debate_rows_of(runs: RunList, run_ids: Sequence[str]) -> list[DebateRow]:
    """Rows of these debates, as far as they are the owner's."""
    with runs.scoped.reading() as db:
        rows = [row for run_id in run_ids if (row := run_rows.read_light(db, run_id, runs.owner)) is not None]
        return _complete(db, summaries_of(db, rows), runs.owner, grouped=False)


def own_tags(runs: RunList) -> list[str]:
    """Every tag in use, to choose from."""
    with runs.scoped.reading() as db:
        return all_tags(db, runs.owner)


def _matches(runs: RunList, query: str) -> tuple[str, ...]:
    """Debates in which these words were said."""
    if not (words := search.words_of(query)):
        return ()
    with runs.database.reading() as db:
        ids = search.matching(db, words, runs.owner, FOUND)
    with runs.scoped.reading() as db:
        return tuple(dict.fromkeys(one.run_id for one in search.passages(db, ids, runs.owner)))


def _complete(db: sa.Connection, reports: list[RunSummary], owner: str | None, *, grouped: bool) -> list[DebateRow]:
    ids = [report.run_id for report in reports]
    models, sure, tags = listing.model_texts(db, ids), listing.sure_words(db, ids), tags_of(db, ids)
    return [
        DebateRow(
            **report.model_dump(exclude={"outcome"}),
            outcome=report.outcome,
            models=models_in(models.get(report.run_id, "")),
            sure=sure.get(report.run_id) or None,
            tags=tags.get(report.run_id, ()),
            group=_group(db, report.batch, owner) if grouped and report.batch else None,
        )
        for report in reports
    ]


def _group(db: sa.Connection, batch: str, owner: str | None) -> BatchRow | None:
    count = listing.batch_count(db, batch, owner, COUNTED)
    if count.debates < 2:
        return None
    found = run_rows.outcomes(db, count.run_ids)
    reached = (json.loads(found[run])["outcome"] for run in count.run_ids if run in found)
    outcomes = Counter(outcome_text(_OUTCOME.validate_python(one)) for one in reached)
    return BatchRow(name=batch, debates=count.debates, open=count.open, outcomes=dict(outcomes.most_common()))


_OUTCOME: TypeAdapter[Outcome] = TypeAdapter(Outcome)


def models_in(text: str) -> tuple[str, ...]:
    """Labels of the models in a part of a stored spec that begins inside its models."""
    try:
        found: dict[str, Any] = json.JSONDecoder().raw_decode("{" + text)[0]
        specs = [ModelSpec.model_validate(one) for one in found.values()]
    except (ValueError, ValidationError):
        return ()  # longer than what was read
    return tuple(dict.fromkeys(one.label for one in specs if one.provider not in STAFF))


def _cursor(last: RunSummary) -> str:
    return SEPARATOR.join((last.created_at, last.run_id, "over" if last.state in OVER else "open"))


def _place(cursor: str) -> ListPlace:
    parts = cursor.split(SEPARATOR)
    if len(parts) != len(ListPlace._fields):
        raise Unsuitable("unknown page", fix="start from the first page")
    return ListPlace(parts[2] == "over", parts[0], parts[1])
