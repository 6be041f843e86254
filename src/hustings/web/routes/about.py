"""Routes about the server itself, what it finds to speak with, and login and logout."""

from __future__ import annotations

from importlib.metadata import version
from ipaddress import ip_address

from fastapi import APIRouter, Request, Response

from hustings.config.discovery import Discovery, discovery, usual_ports
from hustings.config.plan_run import USUAL_BUDGET
from hustings.db import tokens
from hustings.db.caps import MICRO
from hustings.db.tokens import SESSION_SECONDS
from hustings.llm.endpoints import BUILT_IN
from hustings.runs.registry import exports
from hustings.web.allowed_models import cards
from hustings.web.problems import Refused
from hustings.web.schemas import About, NewSession
from hustings.web.security import COOKIE, by_tls
from hustings.web.server_state import LOCAL, Context, RequestContext, ServerState

router = APIRouter(tags=["about"])


@router.get("/about")
def about(context: Context, request: Request, response: Response) -> About:
    """Describe the server: version, models, protocols and export formats."""
    if _own_browser(context, request) and (session := context.state.early_session(context.credential)):
        _sign_in(request, response, session)
    return About(
        version=version("hustings"),
        owner=context.owner,
        role=context.access.role,
        run_id=context.access.run_id,
        seat=context.access.seat,
        models=context.state.allowed_models.shown(),
        protocols=cards(),
        formats=tuple(exports()),
        usual_budget=USUAL_BUDGET / MICRO,
        needs_token=context.state.guarded,
    )


def _own_browser(context: RequestContext, request: Request) -> bool:
    """Whether a page of ours, opened on this machine and not through a proxy, makes the request."""
    here = request.headers.get("sec-fetch-site") == "same-origin" and request.url.hostname in {"127.0.0.1", "localhost"}
    return here and not context.credential.token and ip_address(context.address).is_loopback


def _sign_in(request: Request, response: Response, session: str) -> None:
    secure = by_tls(request.scope, request.app.state.state.setting.proxies)
    response.set_cookie(COOKIE, session, max_age=SESSION_SECONDS, httponly=True, samesite="strict", secure=secure)


@router.get("/discovery")
def discover(context: Context) -> Discovery:
    """Look for models on the server's machine now. Only its operator is told where; others are told whether."""
    servers = context.state.look_again()
    ready = any(spec.provider not in BUILT_IN for spec in context.state.allowed_models.model_specs.values())
    if context.owner != LOCAL:
        return Discovery(servers=(), keys=(), ready=ready)
    return discovery(context.state.setting.look(), servers, usual_ports(), ready=ready)


@router.post("/session", status_code=204)
def enter(body: NewSession, request: Request, response: Response) -> None:
    """Log in: exchange a token for a session, whose id is in a cookie that no script can read."""
    state: ServerState = request.app.state.state
    session = tokens.open_session(state.database, body.token)
    if session is None:
        raise Refused(401, "Unknown access token.", fix="Ask the operator for one: hustings tokens add NAME")
    _sign_in(request, response, session)


@router.delete("/session", status_code=204)
def leave(request: Request, response: Response) -> None:
    """Log out: end the session and delete the cookie."""
    request.app.state.state.close_session(request.scope["credential"].session)
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
