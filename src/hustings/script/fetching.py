"""What seats have fetched by a tool: the form in which they ask, the result, and the document that it becomes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from pydantic import ConfigDict, Field, create_model

from hustings.text.words import count_words
from hustings.transcript.notes import Remark

from .debate import tool_seat
from .documents import FETCHED, FetchedDocument, ListedDocument, digest_of
from .forms import Form
from .moves import Brief, Exhibit, or_none
from .seats import Seat
from .stage import Stage
from .tools import LONGEST_INPUT, MOST_CHARACTERS, ToolInput, ToolTerms, ToolUse

_TYPES: Mapping[str, Any] = {"number": float, "whole number": int, "yes or no": bool}


class ToolResult(Form):
    """What a tool brought, or why it brought nothing."""

    text: str = Field(default="", max_length=MOST_CHARACTERS)
    nothing_came_back: str = Field(default="", max_length=200, description="why, in our own words")


class _Inputs(Form):
    """Inputs of one use of a tool, by the names that its server gives them."""

    model_config = ConfigDict(serialize_by_alias=True, allow_inf_nan=False)


@dataclass(frozen=True)
class ToolRequest:
    """One call that a seat asks for."""

    tool: ToolTerms
    use: str
    inputs: Mapping[str, Any]


def field_of(tool: ToolTerms, use: ToolUse) -> str:
    """Name of a form's field that asks for this use."""
    return re.sub(r"\W", "_", f"{tool.name}_{use.name}")


@lru_cache(maxsize=256)
def with_tools(form: type[Form], tools: tuple[ToolTerms, ...]) -> type[Form]:
    """A form of requests that has a field for each use of these tools as well."""
    fields = {
        field_of(tool, use): (_inputs_of(use) | None, Field(description=f"{tool.about}; null if you need nothing"))
        for tool in tools
        for use in tool.uses
    }
    made: Any = create_model  # its overloads know no computed fields
    return made("RequestWithTools", __base__=form, **fields)


@lru_cache(maxsize=256)
def _inputs_of(use: ToolUse) -> type[Form]:
    made: Any = create_model
    return made("Inputs", __base__=_Inputs, **{f"input_{n}": _field(one) for n, one in enumerate(use.inputs)})


def _field(one: ToolInput) -> tuple[Any, Any]:
    """Type and field. The name stands in the alias: a server may choose one that a form uses itself."""
    kind: Any = Literal[one.choices] if one.kind == "choice" else _TYPES.get(one.kind, str)
    most = LONGEST_INPUT if one.kind == "text" else None
    return (kind if one.required else kind | None), Field(alias=one.name, max_length=most)


def requests_in(answer: Form, tools: Iterable[ToolTerms]) -> Iterator[ToolRequest]:
    """The calls that a filled form asks for, in the order of the tools. Inputs left empty are not sent."""
    for tool in tools:
        for use in tool.uses:
            given = getattr(answer, field_of(tool, use), None)
            if isinstance(given, Form):
                inputs = given.model_dump(mode="json", by_alias=True, exclude_none=True)
                yield ToolRequest(tool, use.name, inputs)


async def fetch(stage: Stage[Any], seat: Seat, request: ToolRequest, readers: Sequence[Seat]) -> None:
    """Have a tool called for a seat. What it brings becomes a document that the seat and its team can cite."""
    tool, count = request.tool, stage.looked_up
    count.of_seat[f"{seat.id} {tool.name}"] += 1
    brief = FETCH.about(seat=seat.id, n=count.of_seat[f"{seat.id} {tool.name}"]).showing(_shown(seat, request))
    ids = tuple(sorted({seat.id, *(one.id for one in readers)}))

    def observe(answer: ToolResult) -> Iterator[Remark]:
        if answer.text:
            yield Remark(FETCHED, _listed(stage, seat, tool, answer.text, ids).model_dump(mode="json"))

    asked = stage.consult(tool_seat(tool), brief.noting(observe), to=[seat, *readers])
    if (result := await or_none(asked)) and result.text:
        note = next(one for one in reversed(stage.recorder.notes) if (one.by, one.kind) == (tool.seat_id, brief.name))
        last = stage.recorder.entered[-1].turn if stage.recorder.entered else None
        found = FetchedDocument(
            **_listed(stage, seat, tool, result.text, ids).model_dump(),
            text=result.text,
            tool=tool.name,
            side=seat.side,
            note=note.note_id,
            after=(last.round_index, last.turn_index_in_round) if last else (0, 0),
        )
        stage.context = replace(stage.context, fetched=(*stage.context.fetched, found))


def _shown(seat: Seat, request: ToolRequest) -> Exhibit:
    asked = {"use": request.use, "inputs": request.inputs}
    return Exhibit(seat.id, "request", json.dumps(asked, ensure_ascii=False, sort_keys=True))


def request_in(brief: Brief[Any]) -> tuple[str, dict[str, Any]]:
    """Which use of a tool a brief asks for, and its inputs."""
    asked = json.loads(brief.exhibits[-1][0].words)
    return asked["use"], asked["inputs"]


def _listed(stage: Stage[Any], seat: Seat, tool: ToolTerms, text: str, seats: tuple[str, ...]) -> ListedDocument:
    """The next document. Its title is ours: a server may say anything about itself."""
    number = 1 + sum((one.tool, one.side) == (tool.name, seat.side) for one in stage.context.fetched)
    return ListedDocument(
        id=f"DOC-{stage.context.next_fetched(seat.side)}",
        title=f"fetched by {tool.name} for {seat.side}, {number}",
        digest=digest_of(text),
        words=count_words(text),
        seats=seats,
        origin="fetched",
    )


FETCH = Brief(
    "fetched for {seat} {n}",
    ToolResult,
    "Carry out this request.",
    turn_type="meta",
    afresh=True,
)
