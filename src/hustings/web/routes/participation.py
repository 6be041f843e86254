"""Routes for people in a debate: speeches, votes, and advice to a speaker."""

from __future__ import annotations

from secrets import token_urlsafe
from typing import Annotated

from fastapi import APIRouter, Path, Response

from hustings.engine.people import QuestionClosed, speak
from hustings.errors import NotFound, Unsuitable
from hustings.judging.advice import Advice, advice
from hustings.judging.audience import Tally, tally
from hustings.runs.dossiers import dossier
from hustings.web.problems import Refused
from hustings.web.request_context import VOTER, Context, RequestContext, RunId
from hustings.web.schemas import Id, NewSpeech, NewVote

router = APIRouter(tags=["people"])
YEAR = 60 * 60 * 24 * 365


@router.post("/debates/{run_id}/speeches", status_code=202)
def say(context: Context, run_id: RunId, body: NewSpeech) -> None:
    """Speak for a seat held by a person."""
    context.debate(run_id)
    try:
        speak(context.service.control, run_id, body.seat, body.text, by=context.owner, key=body.key)
    except NotFound:
        raise Refused(409, "Nothing is asked of that seat now.", fix="Wait for its turn.", fields=("seat",)) from None
    except QuestionClosed as error:
        raise Refused(409, error.what) from None
    except Unsuitable as error:
        raise Refused(422, error.what, why=error.why, fix=error.fix, fields=("text",)) from None


@router.get("/debates/{run_id}/votes")
async def votes(context: Context, run_id: RunId) -> Tally:
    """The votes beside the panel's result; only for those who have voted."""
    return await context.state.heavily(lambda: _tally(context, run_id))


@router.post("/debates/{run_id}/votes", status_code=201)
async def vote(context: Context, run_id: RunId, body: NewVote, response: Response) -> Tally:
    """Vote on a finished debate; the first vote stands."""
    if not context.cookie:
        context = RequestContext(context.state, context.owner, token_urlsafe(18))
        response.set_cookie(VOTER, context.cookie, max_age=YEAR, httponly=True, samesite="strict")
    return await context.state.heavily(lambda: _voted(context, run_id, body))


@router.get("/debates/{run_id}/advice/{seat}")
async def advise(context: Context, run_id: RunId, seat: Annotated[Id, Path()]) -> Advice:
    """Advice to the speaker of a seat: what was strong, what stayed unanswered, what was missed."""
    return await context.state.heavily(lambda: _advice(context, run_id, seat))


def _voted(context: RequestContext, run_id: str, body: NewVote) -> Tally:
    if context.debate(run_id).state != "ended":
        raise Refused(409, "It is not over.", fix="Vote when all has been said.")
    if not context.service.control.vote(run_id, context.voter, body.model_dump_json()):
        raise Refused(409, "You have voted on it, and the first vote stands.")
    return _tally(context, run_id)


def _tally(context: RequestContext, run_id: str) -> Tally:
    context.debate(run_id)
    votes = context.runs.votes(run_id)
    if context.voter not in votes:
        raise Refused(403, "The votes are shown to whoever has voted.", fix="Vote first.")
    return tally(dossier(context.runs, run_id), votes, context.voter)


def _advice(context: RequestContext, run_id: str, seat: str) -> Advice:
    if context.debate(run_id).state != "ended":
        raise Refused(409, "It is not over.", fix="Come back when it has been judged.")
    try:
        return advice(dossier(context.runs, run_id), seat)
    except NotFound:
        raise Refused(404, "There is no such seat.", fix="The view of the debate names its seats.") from None
