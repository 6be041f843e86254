"""A debate in the shape of a chat completion: turns are reasoning, the recommendation is the answer."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator
from typing import Any

from hustings.web.server_state import RequestContext

from .asked import AskedDebate
from .held import ALIVE, TokenUse, final_answer, turns_of

COMMENT = ": still debating\n\n"


class ChatShape:
    def __init__(self, context: RequestContext, asked: AskedDebate, run_id: str) -> None:
        self._context, self._asked, self._run_id = context, asked, run_id
        self._created = int(time.time())

    async def whole(self) -> dict[str, Any]:
        thoughts = "".join([piece async for piece in turns_of(self._context, self._run_id)])
        answer = await final_answer(self._context, self._run_id)
        message = {"role": "assistant", "content": answer.text, "refusal": None, "reasoning_content": thoughts}
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        return self._frame("chat.completion", choices=[choice], usage=_usage(answer.used))

    async def stream(self) -> AsyncIterator[str]:
        yield self._chunk({"role": "assistant", "content": ""})
        async for piece in turns_of(self._context, self._run_id):
            yield COMMENT if piece == ALIVE else self._chunk({"reasoning_content": piece})
        answer = await final_answer(self._context, self._run_id)
        yield self._chunk({"content": answer.text})
        yield self._chunk({}, "stop")
        if self._asked.with_usage:
            yield _sent(self._frame("chat.completion.chunk", choices=[], usage=_usage(answer.used)))
        yield "data: [DONE]\n\n"

    def _chunk(self, delta: dict[str, Any], end: str | None = None) -> str:
        choice = {"index": 0, "delta": delta, "finish_reason": end, "logprobs": None}
        return _sent(self._frame("chat.completion.chunk", choices=[choice]))

    def _frame(self, kind: str, **more: Any) -> dict[str, Any]:
        return {"id": self._run_id, "object": kind, "created": self._created, "model": self._asked.model, **more}


def _sent(frame: dict[str, Any]) -> str:
    return f"data: {json.dumps(frame)}\n\n"


def _usage(used: TokenUse) -> dict[str, Any]:
    return {
        "prompt_tokens": used.read,
        "completion_tokens": used.written,
        "total_tokens": used.read + used.written,
        "prompt_tokens_details": {"cached_tokens": used.cached},
    }
