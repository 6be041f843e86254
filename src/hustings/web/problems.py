"""Error responses (`application/problem+json`); they never repeat request data or reveal internals."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterator, Mapping
from math import ceil
from typing import Any, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DBAPIError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

from hustings.db.faults import unusable
from hustings.errors import HustingsError, NoJudges, NotFound, Unreachable
from hustings.judging.audience import Vote

from . import list_schemas, own_schemas, schemas
from .schemas import Problem, RequestBody

log = logging.getLogger(__name__)
SECRET_LENGTH = 6
"""Shorter texts cannot be a key."""


class Refused(Exception):
    """Raised to answer a request with a problem."""

    def __init__(
        self, status: int, title: str, *, why: str = "", fix: str = "", fields: tuple[str, ...] = (), wait: float = 0.0
    ) -> None:
        super().__init__(title)
        self.problem = Problem(title=title, status=status, why=why, fix=fix, fields=fields)
        self.wait = wait
        """Seconds after which it may be tried again, if that is known."""


def unknown() -> Refused:
    """The same answer for a debate that does not exist and for one of another owner."""
    return Refused(404, "Debate not found.", fix="See the list of debates.")


def answer(problem: Problem, wait: float = 0.0) -> JSONResponse:
    headers = {"Retry-After": str(ceil(wait))} if wait else None
    return JSONResponse(problem.model_dump(), problem.status, headers, media_type="application/problem+json")


def explain(app: FastAPI) -> None:
    """Install handlers that answer every error as a `Problem`."""
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(HustingsError, _ours)
    app.add_exception_handler(RequestValidationError, _unfit)
    app.add_exception_handler(HTTPException, _plain)
    app.add_exception_handler(DBAPIError, _away)
    app.add_exception_handler(Exception, _unexpected)


def discreet(problem: Problem, body: bytes, known: frozenset[str] = frozenset()) -> Problem:
    """Remove any text of the request, which may be a key in the wrong field; publicly known names stay."""
    sent = sorted({text for text in _texts(body) if len(text) >= SECRET_LENGTH and text not in known}, key=len)
    told = problem.model_dump()
    for name in ("title", "why", "fix"):
        for text in reversed(sent):
            told[name] = told[name].replace(text, "…")
    return Problem(**told)


def _texts(body: bytes) -> Iterator[str]:
    """Every string in a JSON document, field names included."""
    try:
        waiting: list[object] = [json.loads(body)]
    except (ValueError, RecursionError):
        return
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, list):
            waiting += cast("list[object]", item)
        elif isinstance(item, dict):
            for pair in cast("dict[str, object]", item).items():
                waiting += pair


async def _refused(request: Request, error: Exception) -> JSONResponse:
    refusal = cast("Refused", error)
    return await _told(request, refusal.problem, refusal.wait)


async def _ours(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HustingsError)  # noqa: S101  registered for this type
    if isinstance(error, NoJudges):  # its own advice names an option of the command line
        return await _told(request, Problem(title="Choose judges, or No judging.", status=422, fields=("judges",)))
    status = 404 if isinstance(error, NotFound) else 503 if isinstance(error, Unreachable) else 422
    return await _told(request, Problem(title=error.what, status=status, why=error.why, fix=error.fix))


async def _told(request: Request, problem: Problem, wait: float = 0.0) -> JSONResponse:
    known = await run_in_threadpool(lambda: request.app.state.state.words)
    # In a thread: the body may be a file of many megabytes.
    told = await run_in_threadpool(discreet, problem, await request.body(), known | FIELDS)
    return answer(told, wait)


async def _unfit(_: Request, error: Exception) -> JSONResponse:
    """Report fields by name if the API defines them, and never their values."""
    errors = cast("RequestValidationError", error).errors()
    if any(one["type"] == "json_invalid" for one in errors):
        return answer(Problem(title="This is not JSON.", status=422, fix="Send a JSON document."))
    fields = tuple(dict.fromkeys(_place(one) for one in errors))
    if long := next((one for one in errors if one["type"] == "string_too_long"), None):
        title = f"{_place(long)}: at most {long['ctx']['max_length']:,} characters."
        return answer(Problem(title=title, status=422, fix="Shorten it.", fields=fields))
    fix = "See /api/openapi.json for the allowed values."
    return answer(Problem(title="Some fields are invalid.", status=422, fix=fix, fields=fields))


def _place(error: Mapping[str, Any]) -> str:
    steps = [str(step) for step in error["loc"][1:]]
    if error["type"] == "extra_forbidden" or not steps or steps[0] not in FIELDS:
        return "another field"
    return steps[0]


async def _plain(request: Request, error: Exception) -> JSONResponse:
    status = cast("HTTPException", error).status_code
    told = answer(Problem(title=TITLES.get(status, "Request refused."), status=status))
    if status == 405:
        told.headers["Allow"] = ", ".join(_possible(request))
    return told


def _possible(request: Request) -> list[str]:
    """All methods allowed at a path: the framework has one route per method, and reports only one of them."""
    paths: dict[str, dict[str, Any]] = request.app.openapi()["paths"]
    here = [path for path in paths if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", path), request.url.path)]
    return sorted({method.upper() for path in here for method in paths[path]} or {"GET"})


async def _away(_: Request, error: Exception) -> JSONResponse:
    return away(error)


def away(error: Exception) -> JSONResponse:
    """The database is away, full or locked."""
    said = unusable(error)
    log.error("the database: %s", said.why)
    return answer(Problem(title=said.what, status=503, why=said.why, fix="Try again in a moment."))


async def _unexpected(request: Request, error: Exception) -> JSONResponse:
    log.error("%s %s: %s", request.method, request.url.path, type(error).__name__, exc_info=error)
    return answer(
        Problem(title="Something went wrong inside hustings.", status=500, fix="Try again. The server log has details.")
    )


TITLES = {400: "This can't be read as JSON.", 404: "Page not found.", 405: "This address does not support that."}
_KNOWN = (*vars(schemas).values(), *vars(list_schemas).values(), *vars(own_schemas).values())
_MODELS = [kind for kind in _KNOWN if isinstance(kind, type) and issubclass(kind, RequestBody | Vote)]
FIELDS = {name for kind in _MODELS for name in kind.model_fields} | {
    "after", "as", "blind", "cursor", "document", "first", "format", "idempotency-key", "item", "last-event-id",
    "limit", "name", "q", "run", "run_id", "seat", "second", "speakers", "state", "topic", "words",
}  # fmt: skip
"""Field names that error responses may repeat, since the API defines them."""
