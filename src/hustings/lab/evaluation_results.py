"""Finds the evaluation of a debate, and computes its figures again from the stored notes: no model is called."""

from __future__ import annotations

from hustings.errors import NotFound
from hustings.runs.dossiers import latest_audit
from hustings.runs.evaluation_spec import SCRIPT
from hustings.runs.queries import RunQueries

from .artefact import Evaluation
from .bundle import Bundles
from .from_notes import DebateCost, EvaluatedRun, bundles_from, evaluation_from


def evaluated_run(runs: RunQueries, run_id: str) -> EvaluatedRun | None:
    """What an evaluation left; None if the debate has none that is over."""
    found = latest_audit(runs, run_id, SCRIPT)
    proceedings = runs.proceedings(found) if found else None
    if found is None or proceedings is None:
        return None
    spec = runs.spec(found)
    debate = runs.read(spec.judged)
    cost = DebateCost(debate.tokens or None, debate.spent)
    return EvaluatedRun(spec.debate, proceedings, found, spec.created_at, cost)


def evaluation(runs: RunQueries, run_id: str) -> Evaluation | None:
    """Evaluation of a debate; None if it has none that is over."""
    run = evaluated_run(runs, run_id)
    return None if run is None else evaluation_from(run)


def must_be_evaluated(runs: RunQueries, run_id: str) -> Evaluation:
    found = evaluation(runs, run_id)
    if found is None:
        raise NotFound(f"{run_id!r} is not evaluated yet", fix=f"evaluate it: hustings evaluate {run_id}")
    return found


def bundles(runs: RunQueries, run_id: str) -> Bundles | None:
    run = evaluated_run(runs, run_id)
    return None if run is None else bundles_from(run)
