"""Web routes of evaluations and of figures over many debates; `hustings serve` hands them to the web application."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query, Response

from hustings.config.plan_run import RunPlan, estimate_follow_ups, prepare_audit
from hustings.db.instants import instant_of
from hustings.errors import Unsuitable
from hustings.runs.evaluation_spec import EvaluationRequest
from hustings.runs.follow_ups import NO_FOLLOW_UPS, FollowUps
from hustings.web.permissions import READERS, ExtensionRoutes
from hustings.web.problems import Refused
from hustings.web.routes.debates import Key, begun, must_be_over
from hustings.web.routes.finished import must_have_ended
from hustings.web.schemas import Begun, Forecast, Id
from hustings.web.server_state import Context, RequestContext, RunId
from hustings.web.start_debate import claim_of, enter, forecast_of

from .artefact import Evaluation
from .evaluation_gains import EvaluatedPair, evaluated_pair
from .evaluation_results import evaluation as read_evaluation
from .many_runs import Grouping, Statistics
from .run_statistics import read_statistics

router = APIRouter(tags=["lab"])


@router.get("/debates/{run_id}/evaluation")
async def evaluation(context: Context, run_id: RunId) -> Evaluation:
    """The latest evaluation of a debate, computed from the stored answers of its judges."""

    def read() -> Evaluation:
        must_have_ended(context, run_id)
        figures = read_evaluation(context.runs, run_id)
        if figures is None:
            raise Refused(404, "The debate is not evaluated yet.", fix="Evaluate it, and wait until that has ended.")
        return figures

    return await context.state.heavily(read)


@router.post("/debates/{run_id}/evaluations", status_code=202)
def evaluate(context: Context, run_id: RunId, body: EvaluationRequest, response: Response, key: Key = "") -> Begun:
    """Evaluate a finished debate turn by turn. It takes several times the tokens of the debate."""
    must_be_over(context, run_id)
    context.must_be_within_limits()
    context.state.allowed_models.must_hold(body.judges, "judges")
    spec = prepare_audit(context.runs, run_id, FollowUps(None, evaluation=body), context.state.known)
    plan = RunPlan(spec, NO_FOLLOW_UPS, context.state.known)
    return begun(enter(context, plan, claim_of(key, body, run_id)), response)


@router.post("/debates/{run_id}/evaluations/estimates")
async def estimate_evaluation(context: Context, run_id: RunId, body: EvaluationRequest) -> Forecast:
    """Estimate an evaluation of a debate; no model is called."""

    def estimate() -> Forecast:
        must_be_over(context, run_id)
        context.state.allowed_models.must_hold(body.judges, "judges")
        follow_ups = FollowUps(None, evaluation=body)
        return forecast_of(estimate_follow_ups(context.runs, run_id, follow_ups, context.state.known))

    return await context.state.heavily(estimate)


@router.get("/comparisons/evaluations")
async def compare_evaluations(
    context: Context, first: Annotated[Id, Query()], second: Annotated[Id, Query()]
) -> EvaluatedPair | None:
    """Compare the evaluations of two debates; null unless both were evaluated."""

    def compare() -> EvaluatedPair | None:
        for run_id in (first, second):
            must_have_ended(context, run_id)
        one, other = read_evaluation(context.runs, first), read_evaluation(context.runs, second)
        return evaluated_pair(one, other) if one and other else None

    return await context.state.heavily(compare)


@router.get("/stats")
async def stats(
    context: Context, by: Grouping | None = None, since: Annotated[str, Query(max_length=20)] = ""
) -> Statistics:
    """Figures over the caller's debates, the newest thousand at most. `since` is 12h, 30d, 2w or a day."""
    return await context.state.heavily(lambda: _statistics(context, by, since))


def _statistics(context: RequestContext, by: Grouping | None, since: str) -> Statistics:
    try:
        begin = instant_of(since, datetime.now(UTC)) if since else None
    except Unsuitable as error:
        raise Refused(422, "Unknown time.", fix=error.fix, fields=("since",)) from None
    return read_statistics(context.runs, by, since=begin)


ROUTES = ExtensionRoutes(router, {"evaluation": READERS, "compare_evaluations": READERS, "stats": READERS})
