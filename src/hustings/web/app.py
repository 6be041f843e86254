"""Builds the ASGI application: the API and the pages, both behind the security middleware."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.routing import APIRoute
from starlette.types import Receive, Scope, Send

from .pages import BUNDLE, pages
from .problems import explain
from .routes import about, debates, finished, live, participation
from .schemas import Problem
from .security import API, SecurityMiddleware
from .server_state import ServerState

TOLD = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
REFUSALS: dict[int | str, dict[str, Any]] = {
    "4XX": {"description": "What is wrong, why, and the cure", "content": TOLD},
    503: {"description": "A model or the database is away: which, and the cure", "content": TOLD},
}
ROUTERS = (about.router, debates.router, live.router, participation.router, finished.router)


def create_app(state: ServerState, bundle: Path = BUNDLE) -> SecurityMiddleware:
    """The whole application. Every request passes the security middleware first."""
    calls, shown = api(state), pages(bundle)

    async def either(scope: Scope, receive: Receive, send: Send) -> None:
        await (calls if scope["path"].startswith(API) else shown)(scope, receive, send)

    return SecurityMiddleware(either, state)


def api(state: ServerState | None = None) -> FastAPI:
    """The API alone; without server state it serves only to generate the OpenAPI document."""
    app = FastAPI(
        title="hustings",
        summary="Debates of language models and people.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=_name,
    )
    app.state.state = state
    for router in ROUTERS:
        app.include_router(router, prefix="/api", responses=REFUSALS)
    explain(app)
    described = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _completed(described())
        return app.openapi_schema

    app.openapi = openapi
    return app


def _name(route: APIRoute) -> str:
    return route.name


def _completed(document: dict[str, Any]) -> dict[str, Any]:
    """Name the union of events, add the schema of problems, and remove responses that never occur."""
    schemas = document["components"]["schemas"]
    stream = document["paths"]["/api/debates/{run_id}/events"]["get"]["responses"]["200"]["content"]
    kinds = stream["text/event-stream"]["schema"]
    schemas["Event"] = {key: value for key, value in kinds.items() if key != "title"}
    stream["text/event-stream"]["schema"] = {"$ref": "#/components/schemas/Event"}
    schemas["Problem"] = Problem.model_json_schema(mode="serialization")
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    for path in document["paths"].values():
        for operation in path.values():
            operation["responses"].pop("422", None)
    return document
