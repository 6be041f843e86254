"""Reads what people said of turns of debates, beside what evaluations say of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hustings.db.labels import labels_of

from .evaluation_results import evaluation
from .human_labels import PeopleAccord, PersonsLabel, accord

if TYPE_CHECKING:
    from hustings.runs.queries import RunQueries


def accord_of(runs: RunQueries, run_ids: Sequence[str]) -> PeopleAccord:
    """How far evaluations of these debates agree with people. The debates must be the owner's."""
    with runs.scoped.reading() as db:
        given = labels_of(db, run_ids)
    return accord(
        (evaluation(runs, run_id), [PersonsLabel(one.turn_id, one.verdict, one.rung) for one in labels])
        for run_id, labels in given.items()
    )
