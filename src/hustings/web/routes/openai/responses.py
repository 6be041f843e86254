"""A debate in the shape of a response: a reasoning item with the turns, and a message with the recommendation."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from itertools import count
from typing import Any

from hustings.web.server_state import RequestContext

from .asked import AskedDebate
from .chat import COMMENT
from .held import ALIVE, TokenUse, final_answer, turns_of


class ResponseShape:
    def __init__(self, context: RequestContext, asked: AskedDebate, run_id: str) -> None:
        self._context, self._asked, self._run_id = context, asked, run_id
        self._created, self._numbers = int(time.time()), count()

    async def whole(self) -> dict[str, Any]:
        thoughts = "".join([piece async for piece in turns_of(self._context, self._run_id)])
        answer = await final_answer(self._context, self._run_id)
        return self._response("completed", [self._reasoning(thoughts), self._message(answer.text)], answer.used)

    async def stream(self) -> AsyncIterator[str]:
        yield self._event("response.created", response=self._response("in_progress", []))
        yield self._event("response.in_progress", response=self._response("in_progress", []))
        thoughts, part = "", {"item_id": f"rs_{self._run_id}", "output_index": 0, "summary_index": 0}
        yield self._event("response.output_item.added", output_index=0, item=self._reasoning(None))
        yield self._event("response.reasoning_summary_part.added", **part, part=_summary(""))
        async for piece in turns_of(self._context, self._run_id):
            thoughts += piece
            text = "response.reasoning_summary_text.delta"
            yield COMMENT if piece == ALIVE else self._event(text, **part, delta=piece)
        yield self._event("response.reasoning_summary_text.done", **part, text=thoughts)
        yield self._event("response.reasoning_summary_part.done", **part, part=_summary(thoughts))
        yield self._event("response.output_item.done", output_index=0, item=self._reasoning(thoughts))
        answer = await final_answer(self._context, self._run_id)
        for event in self._told(answer.text):
            yield event
        output = [self._reasoning(thoughts), self._message(answer.text)]
        yield self._event("response.completed", response=self._response("completed", output, answer.used))

    def _told(self, text: str) -> list[str]:
        """The events of the message, which is there at once."""
        message, part = self._message(text), {"item_id": f"msg_{self._run_id}", "output_index": 1, "content_index": 0}
        begun: dict[str, Any] = {**message, "status": "in_progress", "content": []}
        return [
            self._event("response.output_item.added", output_index=1, item=begun),
            self._event("response.content_part.added", **part, part=_output("")),
            self._event("response.output_text.delta", **part, delta=text, logprobs=[]),
            self._event("response.output_text.done", **part, text=text, logprobs=[]),
            self._event("response.content_part.done", **part, part=_output(text)),
            self._event("response.output_item.done", output_index=1, item=message),
        ]

    def _event(self, kind: str, **more: Any) -> str:
        frame = {"type": kind, "sequence_number": next(self._numbers), **more}
        return f"event: {kind}\ndata: {json.dumps(frame)}\n\n"

    def _reasoning(self, thoughts: str | None) -> dict[str, Any]:
        summary = [] if thoughts is None else [_summary(thoughts)]
        return {"type": "reasoning", "id": f"rs_{self._run_id}", "summary": summary}

    def _message(self, text: str) -> dict[str, Any]:
        return {
            "type": "message",
            "id": f"msg_{self._run_id}",
            "role": "assistant",
            "status": "completed",
            "content": [_output(text)],
        }

    def _response(self, status: str, output: list[dict[str, Any]], used: TokenUse | None = None) -> dict[str, Any]:
        return {
            "id": f"resp_{self._run_id}",
            "object": "response",
            "created_at": self._created,
            "status": status,
            "model": self._asked.model,
            "output": output,
            "usage": _usage(used) if used else None,
            "parallel_tool_calls": False,
            "tool_choice": "none",
            "tools": [],
            "error": None,
            "incomplete_details": None,
            "instructions": None,
            "metadata": {"hustings_run": self._run_id},
        }


def _summary(text: str) -> dict[str, str]:
    return {"type": "summary_text", "text": text}


def _output(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _usage(used: TokenUse) -> dict[str, Any]:
    return {
        "input_tokens": used.read,
        "input_tokens_details": {"cached_tokens": used.cached, "cache_write_tokens": 0},
        "output_tokens": used.written,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": used.read + used.written,
    }
