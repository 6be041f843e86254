"""Evaluates a finished debate from Python, and reads the evaluation that it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hustings.api.database_place import database_url
from hustings.api.handle import Wanted, begin
from hustings.api.inputs import checked
from hustings.api.shared_worker import SHARED_WORKERS
from hustings.config.plan_run import prepare_audit
from hustings.config.variables import variables, with_keys, with_timeout
from hustings.errors import Unsuitable
from hustings.runs.evaluation_spec import EvaluationRequest
from hustings.runs.follow_ups import NO_FOLLOW_UPS, FollowUps
from hustings.runs.queries import open_runs
from hustings.runs.request import requested

from .artefact import Evaluation
from .evaluation_results import evaluation


@checked
def evaluate(
    run_id: str,
    judges: Sequence[str] = (),
    *,
    keys: Mapping[str, str] | None = None,
    timeout: float | None = None,
    database: str | Path | None = None,
    **options: Any,
) -> Evaluation:
    """Evaluate a finished debate turn by turn; takes several times the tokens of the debate.

    `options`: tier, parts, options, rung, repeat, settings, caps; see `hustings evaluate`.
    """
    with requested("evaluation"):
        request = EvaluationRequest(judges=tuple(judges), **options)
    url, known = database_url(database), with_timeout(with_keys(variables(), keys or {}), timeout)
    with SHARED_WORKERS.used(url) as (_, service):
        spec = prepare_audit(service.runs, run_id, FollowUps(None, evaluation=request), known)
        begin(Wanted(spec, NO_FOLLOW_UPS, url, known), lambda _: None).result.result()
        figures = evaluation(service.runs, spec.run_id)
    if figures is None:
        raise Unsuitable(f"{spec.run_id!r} came to no evaluation", fix=f"hustings show {spec.run_id}")
    return figures


@checked
def evaluation_of(run_id: str, *, database: str | Path | None = None) -> Evaluation | None:
    """The latest evaluation of a debate, computed from its stored answers; None if it has none."""
    with open_runs(database_url(database)) as runs:
        return evaluation(runs, run_id)
