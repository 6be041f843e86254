"""Route of the event stream of a run, for live viewing and replay (server-sent events)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing, suppress
from typing import Annotated

from fastapi import APIRouter, Header, Query
from fastapi.responses import StreamingResponse
from starlette.concurrency import run_in_threadpool
from starlette.types import Message, Send

from hustings.transcript.events import Event
from hustings.web.server_state import RECHECK_SECONDS, Context, RequestContext, RunId

router = APIRouter(tags=["events"])
STUCK = 30.0
"""Seconds that a viewer may leave a message unread; then the stream is cut, and the viewer may reconnect."""


class EventStream(StreamingResponse):
    """A response of server-sent events that gives up on a viewer that stops reading."""

    media_type = "text/event-stream"

    async def stream_response(self, send: Send) -> None:
        async def patiently(message: Message) -> None:
            async with asyncio.timeout(STUCK):
                await send(message)

        with suppress(TimeoutError):
            await super().stream_response(patiently)


@router.get("/debates/{run_id}/events", response_class=EventStream, responses={200: {"model": Event}})
async def events(
    context: Context,
    run_id: RunId,
    last_event_id: Annotated[int, Header(ge=-1)] = -1,
    after: Annotated[int | None, Query(ge=-1)] = None,
) -> EventStream:
    """Server-sent events of a run, for live viewing and replay alike.

    Each message (unnamed: `onmessage`) holds one event as JSON. Events of the log have their sequence number as `id`;
    live text has none, and after a reconnection starts again at the beginning of the speech in progress. A message
    named `end` follows the last event of a run that is over: close the stream then.
    """
    await run_in_threadpool(context.run, run_id)
    place = after if last_event_id < 0 and after is not None else last_event_id
    callers = f"owner:{context.owner}", f"address:{context.address}"
    context.state.must_have_room(*callers)
    return EventStream(_counted(context, run_id, place, callers), headers=UNBUFFERED)


async def _counted(context: RequestContext, run_id: str, after: int, callers: tuple[str, ...]) -> AsyncIterator[bytes]:
    """Pass on what a stream says, for as long as its token is valid."""
    state, given = context.state, context.credential
    with state.counted_stream(given, *callers):
        async with aclosing(state.feed.follow(run_id, after, seat=context.access.seat)) as chunks:
            following = asyncio.ensure_future(anext(chunks, None))
            try:
                while await state.still_knows(given):
                    done, _ = await asyncio.wait({following}, timeout=RECHECK_SECONDS)
                    if not done:
                        continue
                    if (chunk := following.result()) is None:
                        return
                    yield chunk
                    following = asyncio.ensure_future(anext(chunks, None))
            finally:
                following.cancel()
                with suppress(asyncio.CancelledError, StopAsyncIteration):
                    await following


UNBUFFERED = {"X-Accel-Buffering": "no"}
