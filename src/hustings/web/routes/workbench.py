"""Routes of the list as a workbench: search by words, tags, and deleting several debates at once."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from hustings.errors import Unsuitable
from hustings.runs.find_words import SearchResult, find_words
from hustings.web.list_schemas import Deleted, NewDeletion, NewTags, Tagged
from hustings.web.problems import Refused, unknown
from hustings.web.server_state import Context, RunId

router = APIRouter(tags=["debates"])


@router.get("/search")
async def find(
    context: Context,
    words: Annotated[str, Query(max_length=200, pattern=r"^[^\x00]*$")],
    limit: Annotated[int, Query(ge=1, le=50)] = 8,
) -> SearchResult:
    """Find questions and speeches that have all these words; the last may be the beginning of one."""
    return await context.state.heavily(lambda: find_words(context.runs, words, limit))


@router.patch("/debates/{run_id}")
def tag(context: Context, run_id: RunId, body: NewTags) -> Tagged:
    """Give a debate exactly these tags."""
    context.debate(run_id)
    try:
        return Tagged(tags=context.service.control.tag(run_id, body.tags))
    except Unsuitable as error:
        raise Refused(422, error.what, fix=error.fix, fields=("tags",)) from None


@router.post("/debates/deletions")
def forget_several(context: Context, body: NewDeletion) -> Deleted:
    """Delete finished debates with their audits. Those that have not ended stay, and are named."""
    names = tuple(dict.fromkeys(body.runs))
    if not all(map(context.runs.exists, names)):
        raise unknown()
    for run_id in names:
        context.debate(run_id)
    kept: list[str] = []
    for run_id in names:
        try:
            context.service.control.forget(run_id)
        except Unsuitable:
            kept.append(run_id)
    return Deleted(deleted=tuple(run_id for run_id in names if run_id not in kept), kept=tuple(kept))
