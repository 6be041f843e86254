"""Routes that clients of OpenAI call: the list of models, chat completions and responses."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Annotated, Any, Protocol

from fastapi import APIRouter, Header, Request
from fastapi.responses import JSONResponse, Response
from starlette.concurrency import run_in_threadpool

from hustings.runs.registry import protocols
from hustings.web.openai_errors import openai_error
from hustings.web.problems import Refused
from hustings.web.routes.live import UNBUFFERED, EventStream
from hustings.web.server_state import Context, RequestContext

from .asked import PREFIX, AskedDebate, asked_in_chat, asked_in_responses
from .chat import ChatShape
from .held import hold
from .responses import ResponseShape

router = APIRouter(include_in_schema=False)
LOOK_SECONDS = 1.0
"""Seconds between two looks whether the client is still there."""
Key = Annotated[str, Header(alias="Idempotency-Key", max_length=200, pattern=r"^[\x21-\x7e]*$")]


class AnswerShape(Protocol):
    async def whole(self) -> dict[str, Any]: ...
    def stream(self) -> AsyncIterator[str]: ...


@router.get("/models")
def list_debate_models() -> dict[str, Any]:
    """Each protocol is a model."""
    return {"object": "list", "data": [_card(name) for name in sorted(protocols())]}


@router.get("/models/hustings/{name}")
def debate_model(name: str) -> dict[str, Any]:
    if name not in protocols():
        raise Refused(404, "There is no such model.", fix="GET /v1/models lists them.", fields=("model",))
    return _card(name)


@router.post("/chat/completions")
async def complete_chat(context: Context, request: Request, key: Key = "") -> Response:
    """Hold a debate on the last message of the user."""
    asked = asked_in_chat(await _json(request))
    return await _answered(request, context, asked, key, lambda run_id: ChatShape(context, asked, run_id))


@router.post("/responses")
async def respond(context: Context, request: Request, key: Key = "") -> Response:
    """Hold a debate on the input."""
    asked = asked_in_responses(await _json(request))
    return await _answered(request, context, asked, key, lambda run_id: ResponseShape(context, asked, run_id))


async def _answered(
    request: Request, context: RequestContext, asked: AskedDebate, key: str, shape_of: Callable[[str], AnswerShape]
) -> Response:
    context.state.must_have_room(f"owner:{context.owner}", f"address:{context.address}")
    held = await run_in_threadpool(hold, context, asked, key)
    headers = {"X-Hustings-Run": held.run_id, **UNBUFFERED}
    if held.notes:
        headers["X-Hustings-Note"] = "; ".join(held.notes)
    shape = shape_of(held.run_id)
    if asked.stream:
        return EventStream(_framed(shape.stream()), headers=headers)
    body = await _unless_left(request, shape.whole())
    return JSONResponse(body, headers=headers) if body else Response(status_code=408, headers=headers)


async def _framed(frames: AsyncIterator[str]) -> AsyncIterator[str]:
    """A stream whose status is sent can refuse only in a frame."""
    try:
        async for frame in frames:
            yield frame
    except Refused as refusal:
        yield f"data: {json.dumps(openai_error(refusal.problem))}\n\n"


async def _unless_left(request: Request, work: Coroutine[Any, Any, dict[str, Any]]) -> dict[str, Any] | None:
    """Wait for an answer; None for a client that has left. Its debate goes on."""
    waiting = asyncio.ensure_future(work)
    try:
        while not (await asyncio.wait({waiting}, timeout=LOOK_SECONDS))[0]:
            if await request.is_disconnected():
                return None
        return waiting.result()
    finally:
        waiting.cancel()


async def _json(request: Request) -> object:
    try:
        return await request.json()
    except ValueError:
        raise Refused(400, "This can't be read as JSON.", fix="Send a JSON document.") from None


def _card(name: str) -> dict[str, Any]:
    return {"id": f"{PREFIX}{name}", "object": "model", "created": 0, "owned_by": "hustings"}
