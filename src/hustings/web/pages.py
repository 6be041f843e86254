"""Serves the built frontend: hashed assets are cached forever, unknown paths get `index.html`."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from .problems import explain

BUNDLE = Path(str(files("hustings.web") / "_dist"))
FOREVER = "public, max-age=31536000, immutable"
MISSING = """<!doctype html><html lang="en"><meta charset="utf-8"><title>hustings</title>
<h1>The pages have not been built</h1>
<p>The server runs and <code>/api</code> answers, but this copy of hustings has no pages.</p>
<p>Build them with <code>make frontend</code>, then start the server again.</p></html>"""


class Pages(StaticFiles):
    """Serve `index.html` for a path without a file, unless the path looks like a file."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        try:
            found = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404 or not _is_page(path):
                raise
            found = await super().get_response("index.html", scope)
            path = "index.html"
        found.headers["cache-control"] = FOREVER if path.startswith("assets/") else "no-cache"
        return found


def _is_page(path: str) -> bool:
    """Whether the frontend routes this path. Run ids may contain dots, so a dot does not always mean a file."""
    return path.startswith("debates/") or not (path.startswith("assets/") or "." in path.rpartition("/")[2])


def pages(folder: Path) -> FastAPI:
    """The application that serves the pages; without a bundle, a page that says how to build it."""
    app = FastAPI(openapi_url=None)
    if (folder / "index.html").is_file():
        app.mount("/", Pages(directory=folder, html=True), name="pages")
    else:
        app.add_api_route("/{path:path}", _missing)
    explain(app)
    return app


def _missing() -> HTMLResponse:
    return HTMLResponse(MISSING, 503)
