"""Routes to read results: view and export of a debate, comparison of two, stability over several."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from hustings.db import activity
from hustings.errors import NotFound
from hustings.judging import stability as repeats
from hustings.judging.comparison import aligned, side_by_side
from hustings.report.view import View, for_reader, view
from hustings.report.view import blind as blinded
from hustings.report.view_parts import opening_part, verdict_part
from hustings.runs.dossiers import dossier, held, rendered
from hustings.runs.registry import find_export
from hustings.web.etags import SAME, current, tag_of
from hustings.web.permissions import may_read_document
from hustings.web.problems import Refused
from hustings.web.schemas import Compared, Id, Repeated
from hustings.web.server_state import Context, RequestContext, RunId

router = APIRouter(tags=["reading"])
MOST_RUNS = 20
"""Runs in one stability report."""
KINDS = {
    "html": "text/html",
    "share": "text/html",
    "json": "application/json",
    "csv": "text/csv",
}
"""Media types of formats that are not plain text."""
Part = Literal["verdict", "opening"]
PARTS = {"verdict": verdict_part, "opening": opening_part}
FILE = {"type": "string", "format": "binary"}


@router.get("/debates/{run_id}/view", response_model=View, responses=SAME)
async def read(
    context: Context, run_id: RunId, request: Request, *, blind: bool = False, part: Part | None = None
) -> Response:
    """The view of a finished debate; `blind` hides models and judgement, for a person who is to judge it.

    A part comes at once, however long the debate is: `part=verdict` has what the first screen shows and no turns,
    `part=opening` the first turns without their word limits.
    """
    tag = await run_in_threadpool(_tag, context, run_id, (blind, part))
    return await context.state.heavily(lambda: current(request, tag, lambda: _view(context, run_id, part, blind=blind)))


@router.get(
    "/debates/{run_id}/export",
    response_class=Response,
    responses={
        200: {"content": {kind: {"schema": FILE} for kind in ("text/plain", *dict.fromkeys(KINDS.values()))}},
        **SAME,
    },
)
async def export(
    context: Context,
    run_id: RunId,
    request: Request,
    format: Annotated[Id, Query()] = "md",  # noqa: A002  the parameter's name
) -> Response:
    """Export a finished debate as a file."""
    tag = await run_in_threadpool(_tag, context, run_id, format)
    return await context.state.heavily(lambda: current(request, tag, lambda: _file(context, run_id, format)))


@router.get("/comparisons")
async def compare(context: Context, first: Annotated[Id, Query()], second: Annotated[Id, Query()]) -> Compared:
    """Compare two debates side by side."""
    return await context.state.heavily(lambda: _compared(context, first, second))


@router.get("/stability")
async def stability(context: Context, run: Annotated[list[Id], Query(min_length=2, max_length=MOST_RUNS)]) -> Repeated:
    """One motion, debated several times: how stable the result of each argument is."""
    return await context.state.heavily(lambda: _repeated(context, run))


def must_have_ended(context: RequestContext, run_id: str) -> None:
    if context.run(run_id).state != "ended":
        raise Refused(409, "The debate has not ended.", fix="Wait until it ends, or stop it.")


def _tag(context: RequestContext, run_id: str, asked: object) -> str:
    """Tag of what the caller may see of a finished debate: it changes with the debate, its audits and the caller."""
    must_have_ended(context, run_id)
    access = context.access
    return tag_of((context.runs.version(run_id), access.role, access.seat, context.blind(run_id), asked))


def _view(context: RequestContext, run_id: str, part: Part | None, *, blind: bool) -> Response:
    about = dossier(context.runs, run_id, brief=part is not None)
    made = PARTS[part](about) if part else view(about)
    found = for_reader(made, lambda document: may_read_document(context.access, document.seats))
    shown = blinded(found) if blind or context.blind(run_id) else found
    # Written here, in the thread: the framework would check the whole view once more.
    return Response(shown.model_dump_json(by_alias=True), media_type="application/json")


def _file(context: RequestContext, run_id: str, name: str) -> Response:
    try:
        chosen = find_export(name)
    except NotFound as error:
        raise Refused(422, "Unknown format.", fix=error.fix, fields=("format",)) from None
    with context.runs.scoped.writing() as db:
        activity.note(db, context.actor, context.owner, "debate downloaded", run_id, chosen.FORMAT)
    kind = KINDS.get(chosen.FORMAT, "text/plain")
    file = f"{run_id.replace(':', '-')}.{chosen.SUFFIX}"
    headers = {"Content-Disposition": f'attachment; filename="{file}"', "Content-Security-Policy": "sandbox"}
    return Response(rendered(context.runs, run_id, chosen), media_type=kind, headers=headers)


def _compared(context: RequestContext, first: str, second: str) -> Compared:
    for run_id in (first, second):
        must_have_ended(context, run_id)
    one, other = held(context.runs, first), held(context.runs, second)
    return Compared(comparison=side_by_side(one, other), turns=aligned(one.dossier, other.dossier))


def _repeated(context: RequestContext, run_ids: list[str]) -> Repeated:
    names = list(dict.fromkeys(run_ids))
    for run_id in names:
        must_have_ended(context, run_id)
    reports = tuple(context.run(run_id) for run_id in names)
    return Repeated(runs=reports, claims=repeats.stability([held(context.runs, run_id) for run_id in names]))
