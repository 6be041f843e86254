"""Calls of tools: what is sent for a call, what a result becomes on record, and what is booked for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from hustings.db.budget import Sum
from hustings.llm.model import LlmRequest, LlmResponse, Model
from hustings.llm.model_spec import ModelSpec
from hustings.llm.prices import of_one_call
from hustings.readers.visible import seen
from hustings.script.calls import Call
from hustings.script.fetching import ToolResult, request_in
from hustings.script.tools import ToolTerms

from .booking import ChargedResponse, book

CUT = "[…]"
"""In place of what is too long."""


def is_tool(model_spec: ModelSpec) -> bool:
    return model_spec.provider == "tool"


def asked_of(call: Call) -> dict[str, Any]:
    """Which use of a tool is called, as the debate agreed on it, and with which inputs."""
    name, inputs = request_in(call.brief)
    return {"use": terms_of(call).use(name), "inputs": inputs}


def terms_of(call: Call) -> ToolTerms:
    return next(tool for tool in call.context.tools if tool.seat_id == call.seat.id)


class FetchingModel:
    """A tool behind the `Model` interface, whose text becomes the answer that is recorded."""

    def __init__(self, tool: Model, call: Call) -> None:
        self._tool, self._most = tool, terms_of(call).characters

    async def answer(self, request: LlmRequest, on_text: Callable[[str], None]) -> LlmResponse:
        response = await self._tool.answer(request, on_text)
        if response.kind != "ok":
            return response
        text = readable(response.text, self._most)
        if not text:
            return replace(response, kind="rejected", text="", detail="its result has no text")
        return replace(response, text=ToolResult(text=text).model_dump_json())


def readable(text: str, most: int) -> str:
    """A result as people see it, cut to its limit. It has no pages and nothing that shows nothing."""
    plain = seen(text.replace("\0", "").encode("utf-8", "replace").decode()).strip()
    return plain if len(plain) <= most else plain[: max(most - len(CUT), 0)].rstrip() + CUT[:most]


def held_for(model_spec: ModelSpec) -> Sum:
    """What a call of a tool may cost at most. It reads and writes no tokens."""
    return Sum(of_one_call(model_spec), 0)


def charge_tool(model_spec: ModelSpec, response: LlmResponse, sent_at: float) -> ChargedResponse:
    """A call that was sent is paid for, whatever came of it."""
    cost = 0 if response.billed == "no" else of_one_call(model_spec)
    return book(response, sent_at, Sum(cost, 0), cost=cost)


def without_result(response: LlmResponse) -> LlmResponse:
    """The answer on record where nothing came back, so that the debate goes on and its seat is told."""
    why = response.detail or "no answer came"
    return replace(response, kind="ok", text=ToolResult(nothing_came_back=why).model_dump_json(), detail=why)
