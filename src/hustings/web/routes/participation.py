"""Routes for people in a debate: open questions, speeches, links to seats, votes, and advice to a speaker."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, cast

from fastapi import APIRouter, Path

from hustings.db.caps import OVER
from hustings.engine.people import QuestionClosed, link_path, questions, seat_token, speak
from hustings.errors import NotFound, Unsuitable
from hustings.judging.advice import Advice, advice
from hustings.judging.audience import Tally, tally
from hustings.runs.dossiers import dossier
from hustings.runs.queries import RunQueries
from hustings.runs.run_summary import RunSummary
from hustings.script.calls import Call
from hustings.script.forms import schema_of
from hustings.transcript.events import TurnEntered
from hustings.web.permissions import forbidden
from hustings.web.problems import Refused
from hustings.web.schemas import (
    Id,
    Instructed,
    NewInstruction,
    NewLink,
    NewSpeech,
    NewVote,
    Question,
    SeatLink,
)
from hustings.web.server_state import Context, RequestContext, RunId


def questions_of(runs: RunQueries, report: RunSummary) -> tuple[Question, ...]:
    """Open questions of a debate; empty if it is over or no person has a seat in it."""
    if report.state in OVER or not _people(runs, report.run_id):
        return ()
    waiting = questions(runs, report.run_id)
    since = _latest(runs, report) if waiting else ""
    return tuple(_question(call, since) for call in waiting)


def _people(runs: RunQueries, run_id: str) -> bool:
    return any(player.model == "human" for player in runs.spec(run_id).debate.cast.values())


def _latest(runs: RunQueries, report: RunSummary) -> str:
    """When the question was asked: at the last turn, or at the start of the debate."""
    said = [e.turn.attempts[-1].timestamp for e in runs.events(report.run_id) if isinstance(e, TurnEntered)]
    return max([report.created_at, *said])


def offering(schema: Mapping[str, Any], choices: Mapping[str, tuple[str, ...]]) -> dict[str, Any]:
    """Add the allowed values to the fields of a form, where known; of a seat's own new ids, what they begin with."""
    offered = choices.get(schema.get("x-choice", ""))
    more: dict[str, Any] = {}
    if offered:
        more = {"x-own": offered[0]} if schema["x-choice"] == "own" else {"enum": [*offered]}
    return {name: _deeper(part, choices) for name, part in schema.items()} | more


def _deeper(part: Any, choices: Mapping[str, tuple[str, ...]]) -> Any:
    match part:
        case dict():
            return offering(cast("dict[str, Any]", part), choices)
        case list():
            return [_deeper(one, choices) for one in cast("list[Any]", part)]
        case _:
            return part


def _question(call: Call, since: str) -> Question:
    brief = call.brief
    return Question(
        seat=call.seat.id,
        key=call.key,
        brief=brief.name,
        task="\n\n".join([brief.text, *call.instructions]),
        words=brief.words,
        asked_words=brief.asked_words,
        seconds=brief.seconds,
        since=since,
        until=None,
        form=None if brief.form.prose else offering(schema_of(brief.form), brief.choices),
        readable=tuple(turn.turn_id for turn in call.knowledge.turns),
    )


router = APIRouter(tags=["people"])
HOUR = 3_600.0


@router.post("/debates/{run_id}/speeches", status_code=202)
def say(context: Context, run_id: RunId, body: NewSpeech) -> None:
    """Speak for a seat held by a person."""
    if context.access.seat not in ("", body.seat):
        raise forbidden(context.access)
    if context.debate(run_id).state in OVER:
        raise Refused(409, "The debate has ended.")
    try:
        speak(context.service.control, run_id, body.seat, body.text, by=context.actor, key=body.key)
    except NotFound:
        raise Refused(
            409, "There is no open question for this speaker.", fix="Wait for its turn.", fields=("seat",)
        ) from None
    except QuestionClosed as error:
        raise Refused(409, error.what) from None
    except Unsuitable as error:
        raise Refused(422, error.what, why=error.why, fix=error.fix, fields=("text",)) from None


@router.post("/debates/{run_id}/instructions", status_code=202)
def tell(context: Context, run_id: RunId, body: NewInstruction) -> Instructed:
    """Tell speakers something with their next question."""
    if context.debate(run_id).state in OVER:
        raise Refused(409, "The debate is over.")
    try:
        return Instructed(seats=tuple(context.service.control.tell(run_id, body.text, body.seat, by=context.actor)))
    except NotFound as error:
        raise Refused(422, "There is no such seat.", fix=error.fix, fields=("seat",)) from None
    except Unsuitable as error:
        raise Refused(409, error.what, why=error.why, fix=error.fix) from None


@router.get("/debates/{run_id}/votes")
async def votes(context: Context, run_id: RunId) -> Tally:
    """The votes beside the panel's result; only for those who have voted."""
    return await context.state.heavily(lambda: _tally(context, run_id))


@router.post("/debates/{run_id}/votes", status_code=201)
async def vote(context: Context, run_id: RunId, body: NewVote) -> Tally:
    """Vote on a finished debate; the first vote of a token stands, in every browser that was signed in with it."""
    return await context.state.heavily(lambda: _voted(context, run_id, body))


@router.post("/debates/{run_id}/links", status_code=201)
def invite(context: Context, run_id: RunId, body: NewLink) -> SeatLink:
    """Make a link that opens one seat of this debate, and nothing else, until it expires."""
    context.debate(run_id)
    if not context.state.guarded:
        raise Refused(
            409,
            "This server requires no access token yet.",
            why="The first link would make it require one and lock you out.",
            fix="Create an access token for yourself first: hustings tokens add OWNER",
        )
    try:
        token = seat_token(context.service.control, run_id, body.seat, body.hours * HOUR)
    except Unsuitable as error:
        raise Refused(422, error.what, fix=error.fix, fields=("seat",)) from None
    return SeatLink(path=link_path(run_id, body.seat, token), token=token, hours=body.hours)


@router.get("/debates/{run_id}/advice/{seat}")
async def advise(context: Context, run_id: RunId, seat: Annotated[Id, Path()]) -> Advice:
    """Advice to the speaker of a seat: what was strong, what stayed unanswered, what was missed."""
    return await context.state.heavily(lambda: _advice(context, run_id, seat))


def _voted(context: RequestContext, run_id: str, body: NewVote) -> Tally:
    if context.debate(run_id).state != "ended":
        raise Refused(409, "The debate has not ended.", fix="Vote when it has ended.")
    if not context.service.control.vote(run_id, context.voter, body.model_dump_json()):
        raise Refused(409, "You have already voted. The first vote counts.")
    return _tally(context, run_id)


def _tally(context: RequestContext, run_id: str) -> Tally:
    context.debate(run_id)
    votes = context.runs.votes(run_id)
    if context.voter not in votes:
        raise Refused(403, "You can see the votes after you vote.", fix="Vote first.")
    return tally(dossier(context.runs, run_id), votes, context.voter)


def _advice(context: RequestContext, run_id: str, seat: str) -> Advice:
    if context.debate(run_id).state != "ended":
        raise Refused(409, "The debate has not ended.", fix="Come back when it is judged.")
    try:
        return advice(dossier(context.runs, run_id), seat)
    except NotFound:
        raise Refused(404, "Seat not found.", fix="See the seats on the page of the debate.") from None
