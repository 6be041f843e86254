"""DT-M: a posthoc debate runs untouched; in an in_loop one every further attempt has its reason."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from .index import Index, IndexedAttempt, inside, rule
from .rulebook import Found


@rule("DT-M001", "error", "posthoc, but the turn has more than one attempt")
def several_attempts(index: Index) -> Iterator[Found]:
    for turn in index.turns:
        if not index.in_loop and len(turn.attempts) > 1:
            yield Found(turn.at("attempts"), f"{len(turn.attempts)}")


@rule("DT-M002", "error", "posthoc, but the attempt is not ok")
def not_ok(index: Index) -> Iterator[Found]:
    for attempt in _posthoc(index):
        if attempt.status != "ok":
            yield Found(attempt.at("status"), attempt.status)


@rule("DT-M003", "error", "posthoc, but the attempt carries control_state")
def controlled(index: Index) -> Iterator[Found]:
    for attempt in _posthoc(index):
        if attempt.body.get("control_state") is not None:
            yield Found(attempt.at("control_state"))


@rule("DT-M004", "error", "posthoc, but the attempt follows interventions")
def intervened(index: Index) -> Iterator[Found]:
    for attempt in _posthoc(index):
        if attempt.applied:
            yield Found(attempt.at("interventions_applied"))


@rule("DT-M005", "error", "posthoc, but interventions are logged")
def logged(index: Index) -> Iterator[Found]:
    if not index.in_loop and index.interventions:
        yield Found("/intervention_log", f"{len(index.interventions)}")


@rule("DT-M006", "warning", "neither an intervention nor the error_type before it says why there was a further attempt")
def groundless(index: Index) -> Iterator[Found]:
    for turn in index.turns:
        for before, attempt in pairwise(turn.attempts):
            error = inside(before.body, "diagnostics").get("error_type")
            if index.in_loop and not error and not attempt.applied:
                yield Found(attempt.at())


def _posthoc(index: Index) -> tuple[IndexedAttempt, ...]:
    return () if index.in_loop else index.attempts
