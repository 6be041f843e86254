"""Routes for operators (`/healthz`, `/readyz`, `/metrics`); they stand beside the API, not below it."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response

from hustings.engine.status import Status
from hustings.web.outside import HEALTHZ, METRICS, READYZ, PlainAnswer, healthz, metrics, readyz
from hustings.web.permissions import must_be_permitted

router = APIRouter(include_in_schema=False)
BOTH = ["GET", "HEAD"]


@router.api_route(HEALTHZ, methods=BOTH)
async def process_answers() -> Response:
    return _answer(healthz())


@router.api_route(READYZ, methods=BOTH)
def process_is_ready(request: Request) -> Response:
    return _answer(readyz(_status(request)))


@router.api_route(METRICS, methods=BOTH, dependencies=[Depends(must_be_permitted)])
def read_metrics(request: Request) -> Response:
    return _answer(metrics(_status(request)))


def _status(request: Request) -> Status:
    return request.app.state.state.status


def _answer(said: PlainAnswer) -> Response:
    return Response(said.text, said.status, {"Cache-Control": "no-store"}, said.kind)
