"""Routes about the server itself, and login and logout (`/api/about`, `/api/session`)."""

from __future__ import annotations

from importlib.metadata import version

from fastapi import APIRouter, Request, Response

from hustings.config.prepare import USUAL_BUDGET
from hustings.db.caps import MICRO
from hustings.runs.registry import exports
from hustings.web.allowed_models import cards
from hustings.web.problems import Refused
from hustings.web.schemas import About, NewSession
from hustings.web.security import COOKIE
from hustings.web.server_state import Context

router = APIRouter(tags=["about"])
WEEKS = 60 * 60 * 24 * 28


@router.get("/about")
def about(context: Context) -> About:
    """Describe the server: version, models, protocols and export formats."""
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
    """Log in: exchange a token for a cookie that no script can read."""
    state = request.app.state.state
    if not state.is_token(body.token):
        raise Refused(401, "That token is not known here.", fix="Ask the operator for one: hustings tokens add NAME")
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, body.token, max_age=WEEKS, httponly=True, samesite="strict", secure=secure)


@router.delete("/session", status_code=204)
def leave(response: Response) -> None:
    """Log out: delete the cookie."""
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
