"""The server, and who is let in."""

from __future__ import annotations

from importlib.metadata import version

from fastapi import APIRouter, Request, Response

from hustings.config.default_caps import USUAL_BUDGET
from hustings.db.caps import MICRO
from hustings.runs.registry import exports
from hustings.web.models import cards
from hustings.web.problems import Refused
from hustings.web.request_context import Context
from hustings.web.schemas import About, NewSession
from hustings.web.security import COOKIE

router = APIRouter(tags=["about"])
WEEKS = 60 * 60 * 24 * 28


@router.get("/about")
def about(context: Context) -> About:
    """The server, and what may be done here."""
    return About(
        version=version("hustings"),
        owner=context.owner,
        models=context.state.allowed_models.shown(),
        protocols=cards(),
        formats=tuple(exports()),
        usual_budget=USUAL_BUDGET / MICRO,
    )


@router.post("/session", status_code=204)
def enter(body: NewSession, request: Request, response: Response) -> None:
    """Exchange a token for a cookie, which is sent along by the browser and read by no script."""
    state = request.app.state.state
    if not state.is_token(body.token):
        raise Refused(401, "That token is not known here.", fix="Ask the operator for one: hustings tokens add NAME")
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, body.token, max_age=WEEKS, httponly=True, samesite="strict", secure=secure)


@router.delete("/session", status_code=204)
def leave(response: Response) -> None:
    """Forget the cookie."""
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
