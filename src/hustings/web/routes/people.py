"""People in a debate: their speeches, their votes, and what they may learn."""

from __future__ import annotations

from secrets import token_urlsafe
from typing import Annotated

from fastapi import APIRouter, Path, Response

from hustings.core.errors import NotFound, Unsuitable
from hustings.evaluate.advice import Advice, advice
from hustings.evaluate.agreement import Tally, tally
from hustings.run.people import Settled, speak
from hustings.run.verdicts import dossier
from hustings.web.guests import VOTER, AGuest, Guest, RunId
from hustings.web.problems import Refused
from hustings.web.shapes import Id, NewSpeech, NewVote

router = APIRouter(tags=["people"])
YEAR = 60 * 60 * 24 * 365


@router.post("/debates/{run_id}/speeches", status_code=202)
def say(guest: AGuest, run_id: RunId, body: NewSpeech) -> None:
    """Speak for a seat that a person holds."""
    guest.debate(run_id)
    try:
        speak(guest.service.control, run_id, body.seat, body.text, by=guest.owner, key=body.key)
    except NotFound:
        raise Refused(409, "Nothing is asked of that seat now.", fix="Wait for its turn.", fields=("seat",)) from None
    except Settled as error:
        raise Refused(409, error.what) from None
    except Unsuitable as error:
        raise Refused(422, error.what, why=error.why, fix=error.fix, fields=("text",)) from None


@router.get("/debates/{run_id}/votes")
async def votes(guest: AGuest, run_id: RunId) -> Tally:
    """The votes beside the panel, for whoever has voted."""
    return await guest.house.heavily(lambda: _tally(guest, run_id))


@router.post("/debates/{run_id}/votes", status_code=201)
async def vote(guest: AGuest, run_id: RunId, body: NewVote, response: Response) -> Tally:
    """Vote on a debate that is over; the first vote stands."""
    if not guest.cookie:
        guest = Guest(guest.house, guest.owner, token_urlsafe(18))
        response.set_cookie(VOTER, guest.cookie, max_age=YEAR, httponly=True, samesite="strict")
    return await guest.house.heavily(lambda: _voted(guest, run_id, body))


@router.get("/debates/{run_id}/advice/{seat}")
async def advise(guest: AGuest, run_id: RunId, seat: Annotated[Id, Path()]) -> Advice:
    """For whoever held a seat: what was strong, what stayed unanswered, what was missed."""
    return await guest.house.heavily(lambda: _advice(guest, run_id, seat))


def _voted(guest: Guest, run_id: str, body: NewVote) -> Tally:
    if guest.debate(run_id).state != "ended":
        raise Refused(409, "It is not over.", fix="Vote when all has been said.")
    if not guest.service.control.vote(run_id, guest.voter, body.model_dump_json()):
        raise Refused(409, "You have voted on it, and the first vote stands.")
    return _tally(guest, run_id)


def _tally(guest: Guest, run_id: str) -> Tally:
    guest.debate(run_id)
    votes = guest.runs.votes(run_id)
    if guest.voter not in votes:
        raise Refused(403, "The votes are shown to whoever has voted.", fix="Vote first.")
    return tally(dossier(guest.runs, run_id), votes, guest.voter)


def _advice(guest: Guest, run_id: str, seat: str) -> Advice:
    if guest.debate(run_id).state != "ended":
        raise Refused(409, "It is not over.", fix="Come back when it has been judged.")
    try:
        return advice(dossier(guest.runs, run_id), seat)
    except NotFound:
        raise Refused(404, "There is no such seat.", fix="The view of the debate names its seats.") from None
