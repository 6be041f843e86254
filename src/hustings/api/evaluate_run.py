"""Evaluates a finished debate from Python, and reads the evaluation that it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hustings.config.plan_run import prepare_audit
from hustings.errors import Unsuitable
from hustings.runs.follow_ups import FollowUps
from hustings.runs.queries import open_runs

from .handle import Wanted, begin
from .shared_worker import SHARED_WORKERS

if TYPE_CHECKING:
    from hustings.evaluation.artefact import Evaluation
    from hustings.llm.environment import Environment
    from hustings.runs.evaluation_spec import EvaluationRequest


def evaluated(run_id: str, url: str, known: Environment, request: EvaluationRequest) -> Evaluation:
    """Hold an evaluation of a finished debate, and wait for its figures."""
    from hustings.runs.evaluation_results import evaluation  # noqa: PLC0415  heavy

    with SHARED_WORKERS.used(url) as (_, service):
        spec = prepare_audit(service.runs, run_id, FollowUps(None, evaluation=request), known)
        begin(Wanted(spec, FollowUps(None), url, known), lambda _: None).result.result()
        found = evaluation(service.runs, spec.run_id)
    if found is None:
        raise Unsuitable(f"{spec.run_id!r} came to no evaluation", fix=f"hustings show {spec.run_id}")
    return found


def evaluation_at(run_id: str, url: str) -> Evaluation | None:
    """The latest evaluation of a debate, computed from its stored answers; None if it has none."""
    from hustings.runs.evaluation_results import evaluation  # noqa: PLC0415  heavy

    with open_runs(url) as runs:
        return evaluation(runs, run_id)
