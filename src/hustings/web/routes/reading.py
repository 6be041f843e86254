"""What remains of debates: one as a page or a file, two side by side, several of one motion."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from hustings.core.errors import NotFound
from hustings.evaluate import stability as repeats
from hustings.evaluate.alignment import aligned
from hustings.evaluate.comparison import side_by_side
from hustings.export.view import View, view
from hustings.export.view import blind as blinded
from hustings.run.registry import find_export
from hustings.run.verdicts import dossier, held
from hustings.web.guests import AGuest, Guest, RunId
from hustings.web.problems import Refused
from hustings.web.shapes import Compared, Id, Repeated

router = APIRouter(tags=["reading"])
MOST_RUNS = 20
"""That are laid beside each other."""
KINDS = {"html": "text/html", "share": "text/html", "json": "application/json", "csv": "text/csv"}
"""Of formats that are more than plain words."""
FILE = {"type": "string", "format": "binary"}


@router.get("/debates/{run_id}/view")
async def read(guest: AGuest, run_id: RunId, *, blind: bool = False) -> View:
    """A debate that is over, with every fact; `blind` without models and judgement, for whoever is to judge it."""
    return await guest.house.heavily(lambda: _view(guest, run_id, blind=blind))


@router.get(
    "/debates/{run_id}/export",
    response_class=Response,
    responses={200: {"content": {kind: {"schema": FILE} for kind in ("text/plain", *dict.fromkeys(KINDS.values()))}}},
)
async def export(guest: AGuest, run_id: RunId, format: Annotated[Id, Query()] = "md") -> Response:  # noqa: A002  it is called so
    """A debate that is over, as a file."""
    return await guest.house.heavily(lambda: _file(guest, run_id, format))


@router.get("/comparisons")
async def compare(guest: AGuest, first: Annotated[Id, Query()], second: Annotated[Id, Query()]) -> Compared:
    """Two debates side by side."""
    return await guest.house.heavily(lambda: _compared(guest, first, second))


@router.get("/stability")
async def stability(guest: AGuest, run: Annotated[list[Id], Query(min_length=2, max_length=MOST_RUNS)]) -> Repeated:
    """One motion, debated several times: how each argument fared."""
    return await guest.house.heavily(lambda: _repeated(guest, run))


def _over(guest: Guest, run_id: str) -> None:
    if guest.run(run_id).state != "ended":
        raise Refused(409, "It is not over.", fix="Wait for its end, or stop it.")


def _view(guest: Guest, run_id: str, *, blind: bool) -> View:
    _over(guest, run_id)
    found = view(dossier(guest.runs, run_id))
    return blinded(found) if blind else found


def _file(guest: Guest, run_id: str, name: str) -> Response:
    _over(guest, run_id)
    try:
        chosen = find_export(name)
    except NotFound as error:
        raise Refused(422, "There is no such format.", fix=error.fix, fields=("format",)) from None
    kind = KINDS.get(chosen.FORMAT, "text/plain")
    file = f"{run_id.replace(':', '-')}.{chosen.SUFFIX}"
    headers = {"Content-Disposition": f'attachment; filename="{file}"', "Content-Security-Policy": "sandbox"}
    return Response(chosen.render(dossier(guest.runs, run_id)), media_type=kind, headers=headers)


def _compared(guest: Guest, first: str, second: str) -> Compared:
    for run_id in (first, second):
        _over(guest, run_id)
    one, other = held(guest.runs, first), held(guest.runs, second)
    return Compared(comparison=side_by_side(one, other), turns=aligned(one.dossier, other.dossier))


def _repeated(guest: Guest, run_ids: list[str]) -> Repeated:
    names = list(dict.fromkeys(run_ids))
    for run_id in names:
        _over(guest, run_id)
    reports = tuple(guest.run(run_id) for run_id in names)
    return Repeated(runs=reports, claims=repeats.stability([held(guest.runs, run_id) for run_id in names]))
