"""A tool for rehearsals and estimates: it calls nothing, and brings as many made-up words as a real one may bring."""

from __future__ import annotations

from hustings.script.calls import Call, Reply
from hustings.script.fetching import ToolResult, request_in

from .improviser import clock

SENTENCE = "This result was made up for a rehearsal, and says nothing about the question. "


def answer(call: Call) -> Reply:
    """The longest answer that the tool of a seat may give."""
    most = next(tool.characters for tool in call.context.tools if tool.seat_id == call.seat.id)
    use, _ = request_in(call.brief)
    text = f"Made up, in place of {use}. " + SENTENCE * (1 + most // len(SENTENCE))
    return Reply(ToolResult(text=text[:most]).model_dump_json(), clock(call), model="made up")
