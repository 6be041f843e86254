"""The server, and who is let in."""

from __future__ import annotations

from importlib.metadata import version

from fastapi import APIRouter, Request, Response

from hustings.home.caution import USUAL_BUDGET
from hustings.run.registry import exports
from hustings.store.caps import MICRO
from hustings.web.door import COOKIE
from hustings.web.guests import AGuest
from hustings.web.offers import cards
from hustings.web.problems import Refused
from hustings.web.shapes import About, NewSession

router = APIRouter(tags=["about"])
WEEKS = 60 * 60 * 24 * 28


@router.get("/about")
def about(guest: AGuest) -> About:
    """The server, and what may be done here."""
    return About(
        version=version("hustings"),
        owner=guest.owner,
        models=guest.house.offers.shown(),
        protocols=cards(),
        formats=tuple(exports()),
        usual_budget=USUAL_BUDGET / MICRO,
    )


@router.post("/session", status_code=204)
def enter(body: NewSession, request: Request, response: Response) -> None:
    """Exchange a token for a cookie, which is sent along by the browser and read by no script."""
    house = request.app.state.house
    if not house.is_token(body.token):
        raise Refused(401, "That token is not known here.", fix="Ask the operator for one: hustings tokens add NAME")
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, body.token, max_age=WEEKS, httponly=True, samesite="strict", secure=secure)


@router.delete("/session", status_code=204)
def leave(response: Response) -> None:
    """Forget the cookie."""
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
