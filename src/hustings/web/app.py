"""Builds the ASGI application (API and built pages behind the security middleware), and runs it under uvicorn."""

from __future__ import annotations

import json
import socket
import sys
import webbrowser
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any
from uuid import uuid4

import uvicorn
from fastapi import Depends, FastAPI
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from fastapi.routing import APIRoute
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from hustings.engine.live_text import Bus, PostgresRelay
from hustings.installation import PAGES_CURE
from hustings.runs.registry import sections

from .event_stream import EventStreams
from .limits import ImpatientProtocol
from .outside import HEALTHZ, METRICS, READYZ
from .permissions import ROLES, ExtensionRoutes, must_be_permitted
from .problems import explain
from .routes import (
    about,
    debates,
    documents,
    finished,
    go_on,
    health,
    hindsight,
    import_debates,
    live,
    own_account,
    own_machine,
    participation,
    recordings,
    workbench,
)
from .routes.openai import router as openai
from .schemas import Problem
from .security import API, MCP, OPENAI, SecurityMiddleware
from .server_state import ServerState

BUNDLE = Path(str(files("hustings.web") / "_dist"))
FOREVER = "public, max-age=31536000, immutable"
CODINGS = {"br": ".br", "gzip": ".gz"}
"""Codings of the compressed files, with the ends of their names, the smallest first."""
WORTH_IT = 1_024
"""Bytes from which an answer is compressed."""
GZIP_LEVEL = 5
NO_PAGES = f"hustings was installed without its pages; /api works. To get them, {PAGES_CURE}."
MISSING = f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>hustings</title>
<h1>There are no pages here</h1>
<p>{NO_PAGES}</p></html>"""


class Pages(StaticFiles):
    """Serve `index.html` for a path without a file, unless the path looks like a file.

    Beside a large file stand the same bytes compressed, made once when the pages were built.
    """

    async def get_response(self, path: str, scope: Scope) -> Response:
        try:
            found = await self._smallest(path, scope) or await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or not _is_page(path):
                raise
            found = await super().get_response("index.html", scope)
            path = "index.html"
        found.headers["cache-control"] = FOREVER if path.startswith("assets/") else "no-cache"
        return found

    async def _smallest(self, path: str, scope: Scope) -> Response | None:
        """The file as its smallest compressed version that the client reads, if there is one."""
        for coding in accepted(Headers(scope=scope).get("accept-encoding", "")):
            full, stat = await run_in_threadpool(self.lookup_path, path + CODINGS[coding])
            if stat is None or not path.startswith("assets/"):
                continue
            found = self.file_response(full, stat, scope)
            found.headers.update({"content-encoding": coding, "vary": "Accept-Encoding"})
            return found
        return None


def accepted(header: str) -> list[str]:
    """Codings of ours that a client reads, the smallest first."""
    read = {
        name.strip() for name, _, weight in (one.partition(";") for one in header.lower().split(",")) if _any(weight)
    }
    return [coding for coding in CODINGS if coding in read]


def _any(weight: str) -> bool:
    return weight.replace(" ", "").rstrip("0.") != "q="


def _is_page(path: str) -> bool:
    """Whether the frontend routes this path. Run ids may contain dots, so a dot does not always mean a file."""
    return path.startswith("debates/") or not (path.startswith("assets/") or "." in path.rpartition("/")[2])


def has_pages(folder: Path = BUNDLE) -> bool:
    return (folder / "index.html").is_file()


def pages(folder: Path) -> FastAPI:
    """The application that serves the pages; without a bundle, a page that says how to get it."""
    app = FastAPI(openapi_url=None)
    if has_pages(folder):
        app.mount("/", Pages(directory=folder, html=True), name="pages")
    else:
        app.add_api_route("/{path:path}", _missing)
    explain(app)
    return app


def _missing() -> HTMLResponse:
    return HTMLResponse(MISSING, 503)


TOLD = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
REFUSALS: dict[int | str, dict[str, Any]] = {
    "4XX": {"description": "What happened, why, and what to do", "content": TOLD},
    503: {"description": "A model or the database is unavailable: which, and what to do", "content": TOLD},
}
DESCRIPTION = "/api/openapi.json"
GUESSED = frozenset({"/docs", "/redoc", "/openapi.json"})
"""Where other servers describe their API."""
FOR_OPERATORS = frozenset({HEALTHZ, READYZ, METRICS})
ROUTERS = (
    about.router,
    debates.router,
    workbench.router,
    go_on.router,
    import_debates.router,
    documents.router,
    live.router,
    participation.router,
    finished.router,
    hindsight.router,
    recordings.router,
    own_account.router,
    own_machine.router,
)


def create_app(
    state: ServerState, added: Sequence[ExtensionRoutes] = (), bundle: Path = BUNDLE, mcp: ASGIApp | None = None
) -> SecurityMiddleware:
    """The whole application. Every request passes the security middleware first. `mcp` answers assistants."""
    calls, shown = compressed(api(state, added)), pages(bundle)

    async def one_of(scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        if path in GUESSED:
            await RedirectResponse(DESCRIPTION)(scope, receive, send)
            return
        called = path.startswith((API, OPENAI)) or path in FOR_OPERATORS or path == MCP
        await (mcp if mcp and path == MCP else calls if called else shown)(scope, receive, send)

    return SecurityMiddleware(one_of, state)


def compressed(app: ASGIApp) -> ASGIApp:
    """Compress large answers to GET; event streams pass as they are.

    Secrets (seat links, sessions) are in answers to POST alone, so none is ever compressed beside words of a caller.
    """
    packed = GZipMiddleware(app, minimum_size=WORTH_IT, compresslevel=GZIP_LEVEL)

    async def either(scope: Scope, receive: Receive, send: Send) -> None:
        gzip = "gzip" in accepted(Headers(scope=scope).get("accept-encoding", ""))
        await (packed if gzip and scope["method"] == "GET" else app)(scope, receive, send)

    return either


def api(state: ServerState | None = None, added: Sequence[ExtensionRoutes] = ()) -> FastAPI:
    """The API alone; without server state it serves only to generate the OpenAPI document."""
    app = FastAPI(
        title="hustings",
        summary="Debates between AI models and people.",
        openapi_url=DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        generate_unique_id_function=_name,
    )
    app.state.state = state
    app.state.roles = dict(ROLES)
    for routes in added:
        app.state.roles |= routes.roles
    for router in (*ROUTERS, *(routes.router for routes in added)):
        app.include_router(router, prefix="/api", responses=REFUSALS, dependencies=[Depends(must_be_permitted)])
    if state and state.setting.openai:
        app.include_router(openai.router, prefix=OPENAI.rstrip("/"), dependencies=[Depends(must_be_permitted)])
    app.include_router(health.router)
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
    _describe_sections(schemas)
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    for path in document["paths"].values():
        for operation in path.values():
            operation["responses"].pop("422", None)
    return document


def openapi_document(added: Sequence[ExtensionRoutes] = ()) -> str:
    return json.dumps(api(added=added).openapi(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _describe_sections(schemas: dict[str, Any]) -> None:
    """Say what each section of a view contains, which its plug-in alone knows."""
    described = schemas["View"]["properties"]["sections"]
    described |= {"properties": {}, "additionalProperties": False}
    for name, plugin in sections().items():
        schema = plugin.view.model_json_schema(mode="serialization", ref_template="#/components/schemas/{model}")
        schemas.update(schema.pop("$defs", {}))
        schemas[plugin.view.__name__] = schema
        described["properties"][name] = {"$ref": f"#/components/schemas/{plugin.view.__name__}"}


LAST_SECONDS = 5
"""Seconds for responses in progress when the server stops."""


class Server(uvicorn.Server):
    """Serves until it is told to stop. Signals are left to the command that starts it."""

    def __init__(self, app: ASGIApp, feed: EventStreams, line: socket.socket, *, open_browser: bool = False) -> None:
        super().__init__(config_of(app))
        self._feed, self._line, self._open = feed, line, open_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        url = address_of(self._line)
        sys.stdout.write(f"{url}\n")
        sys.stdout.flush()
        if self._open:
            webbrowser.open(url)

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        """Capture none: they stop a worker as well."""
        yield

    def stop(self) -> None:
        """Stop soon, and close the streams, which never end by themselves. Safe in a signal handler."""
        self.should_exit = True
        self._feed.close()

    def serve_pages(self) -> None:
        """Serve until `stop`."""
        self.run([self._line])


def port_at(host: str, port: int) -> socket.socket:
    """A socket that listens there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    line = socket.create_server((host, port), family=family, backlog=1024)
    # Its connections inherit it. Without it, the body of an answer waits 40 ms for the receipt of its head.
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return line


def config_of(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=ImpatientProtocol,
        log_config=None,  # its lines go where all others go
        log_level="warning",
        access_log=False,
        lifespan="off",
        ws="none",
        proxy_headers=False,  # else a client could forge its scheme and address
        server_header=False,
        timeout_graceful_shutdown=LAST_SECONDS,
    )


def address_of(line: socket.socket) -> str:
    host, port = line.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


@contextmanager
def heard_from_others(url: str) -> Generator[Bus]:
    """A bus that receives the live text of other workers, if the database is PostgreSQL, which relays it."""
    bus = Bus()
    if not url.startswith("postgres"):
        yield bus
        return
    relay = PostgresRelay(bus, url, f"server-{uuid4().hex[:12]}")
    relay.start()
    try:
        yield bus
    finally:
        relay.close()
