"""Routes to go on from a debate: try again after a failure, hold it once more, ask a further question."""

from __future__ import annotations

from dataclasses import replace

from fastapi import APIRouter, Response

from hustings.db.caps import OVER, micro
from hustings.errors import Unsuitable
from hustings.runs.again import followed_up, held_again
from hustings.runs.fork import fork
from hustings.runs.spec import RunSpec
from hustings.web.list_schemas import NewFollowUp, NewRepeat, NewRetry
from hustings.web.problems import Refused
from hustings.web.schemas import Begun
from hustings.web.server_state import Context, RequestContext, RunId
from hustings.web.start_debate import claim_of, enter, other_models, plan_like

from .debates import Key, begun, must_be_over

router = APIRouter(tags=["debates"])


@router.post("/debates/{run_id}/retry", status_code=202)
def retry(context: Context, run_id: RunId, body: NewRetry, response: Response, key: Key = "") -> Begun:
    """Go on with a debate that failed or stopped, as a new run: answers that were given are kept and cost nothing.

    With `instead`, also with one that is under way, such as one whose model hangs: it is stopped, and the new one
    asks again what has no answer yet.
    """
    report = context.debate(run_id)
    under_way = report.state not in OVER
    if (under_way and not body.instead) or report.ending == "played":
        raise Refused(409, "The debate did not fail.", fix="Fork it at a turn, or hold it again.")
    context.must_be_within_limits()
    old = context.runs.spec(run_id)
    players = other_models(context, old.debate, body.seats)
    caps = old.caps if body.budget is None else old.caps.model_copy(update={"money": micro(body.budget)})
    spec = fork(context.runs, run_id, model_specs=players, caps=caps)
    entered = _entered(context, spec, response, body, key, run_id)
    if under_way:
        context.service.control.steer(run_id, "cancel", by=context.owner)
    return entered


@router.post("/debates/{run_id}/repeats", status_code=202)
def hold_again(context: Context, run_id: RunId, body: NewRepeat, response: Response, key: Key = "") -> Begun:
    """Hold the same debate once more; swapped: each side has the models of the other."""
    context.debate(run_id)
    context.must_be_within_limits()
    try:
        spec = held_again(context.runs, run_id, swapped=body.swapped)
    except Unsuitable as error:
        raise Refused(409, "It can't be held again like that.", why=error.what, fix=error.fix) from None
    return _entered(context, spec, response, body, key, run_id)


@router.post("/debates/{run_id}/questions", status_code=202)
def follow_up(context: Context, run_id: RunId, body: NewFollowUp, response: Response, key: Key = "") -> Begun:
    """Debate a further question by the same speakers, with the record of this debate as its background."""
    must_be_over(context, run_id)
    context.must_be_within_limits()
    try:
        spec = followed_up(context.runs, run_id, body.question)
    except Unsuitable as error:
        raise Refused(409, "No question can follow this debate.", why=error.what, fix=error.fix) from None
    return _entered(context, spec, response, body, key, run_id)


def _patient(spec: RunSpec, seconds: float | None) -> RunSpec:
    """The same run, whose answers may take longer, also until their first word."""
    if seconds is None:
        return spec
    limits = {"timeout": seconds, "first_token_timeout": seconds}
    slow = {seat: one.model_copy(update=limits) for seat, one in spec.model_specs.items()}
    return spec.model_copy(update={"seconds_per_call": seconds, "model_specs": slow})


def _entered(
    context: RequestContext,
    spec: RunSpec,
    response: Response,
    body: NewRetry | NewRepeat | NewFollowUp,
    key: str,
    run_id: str,
) -> Begun:
    plan = plan_like(context, context.runs.spec(run_id), spec)
    plan = replace(plan, spec=_patient(plan.spec, body.seconds if isinstance(body, NewRetry) else None))
    return begun(enter(context, plan, claim_of(key, body, run_id)), response)
