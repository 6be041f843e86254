"""Routes for hindsight: rate a debate, and record what really happened in its matter."""

from __future__ import annotations

from fastapi import APIRouter

from hustings.db.ratings import Rating
from hustings.db.real_outcomes import RealOutcome
from hustings.errors import Unsuitable
from hustings.runs.run_summary import RunSummary
from hustings.web.problems import Refused
from hustings.web.schemas import NewOutcome, NewRating, OutcomeKnown
from hustings.web.server_state import Context, RunId

router = APIRouter(tags=["hindsight"])


@router.post("/debates/{run_id}/ratings", status_code=201)
def rate(context: Context, run_id: RunId, body: NewRating) -> RunSummary:
    """Rate a finished debate from 1 to 5; a later rating of the same caller replaces the one before."""
    context.debate(run_id)
    try:
        context.service.control.rate(run_id, Rating(context.voter, body.stars, body.comment))
    except Unsuitable as error:
        raise Refused(409, error.what, fix=error.fix) from None
    return context.debate(run_id)


@router.get("/debates/{run_id}/outcome")
def outcome(context: Context, run_id: RunId) -> OutcomeKnown:
    """What really happened in the matter of a debate, as far as it was recorded."""
    context.debate(run_id)
    found = context.runs.real_outcome(run_id)
    return OutcomeKnown(option=found.option if found else None, source=found.source if found else "")


@router.post("/debates/{run_id}/outcome", status_code=201)
def record_outcome(context: Context, run_id: RunId, body: NewOutcome) -> OutcomeKnown:
    """Record what really happened in the matter of a debate; recorded again, the latest counts."""
    context.debate(run_id)
    try:
        context.service.control.record_outcome(run_id, RealOutcome(body.option, body.source, context.actor))
    except Unsuitable as error:
        raise Refused(409, error.what, fix=error.fix) from None
    return OutcomeKnown(option=body.option, source=body.source)
