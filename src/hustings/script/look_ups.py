"""Look-ups: when a seat gets passages of the documents, and how many; `llm/librarian` finds them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import Field

from hustings.transcript.models import SILENT_ROLES
from hustings.transcript.notes import Note

from .documents import LONGEST_PASSAGE
from .fetching import ToolRequest, fetch, requests_in, with_tools
from .forms import Form
from .moves import Ask, Brief, Exhibit, or_none
from .seats import LIBRARIAN, Seat
from .stage import Stage
from .tools import ToolTerms

PER_TURN = 2
"""Look-ups before one turn."""
SEARCHES = 3
"""Wordings of one look-up: who searches by words alone misses what says it otherwise."""
PASSAGES = 8
"""Passages that one look-up brings."""
LONGEST_SEARCH = 200


class LookUpRequest(Form):
    """What a seat wants to have looked up."""

    searches: tuple[Annotated[str, Field(min_length=1, max_length=LONGEST_SEARCH)], ...] = Field(
        max_length=SEARCHES,
        description="up to three searches for the one thing you need, each in other words that the document may use; "
        "empty if you need nothing",
    )


class FetchRequest(Form):
    """What a seat wants to have fetched, where there is nothing to look up."""


class FoundPassage(Form):
    passage: str = Field(description="its id, and its page if it has one")
    words: str


class LookUpResult(Form):
    """What the librarian found."""

    passages: tuple[FoundPassage, ...] = Field(max_length=PASSAGES, description="the best first")


@dataclass(frozen=True)
class LookUpAllowance:
    """What a seat may ask for now. It is taken before it is offered: of two who ask side by side, one gets the last."""

    look_ups: int
    """Look-ups that its side had left; 0: the seat is offered none."""
    tools: tuple[tuple[ToolTerms, int], ...] = ()
    """Tools, each with the calls that its side had left."""

    def brief(self, n: int) -> Brief[Any]:
        if not self.tools:
            return ASK_FOR.about(n=n, left=self.look_ups)
        form, tools = (LookUpRequest if self.look_ups else FetchRequest), tuple(tool for tool, _ in self.tools)
        text = ASK_FOR_BOTH if self.look_ups else ASK_FOR_TOOLS
        calls = ", ".join(f"{tool.name} {left}" for tool, left in self.tools)
        brief = replace(ASK_FOR, form=with_tools(form, tools), text=text)
        return brief.about(n=n, left=self.look_ups, calls=calls)


async def look_up(stage: Stage[Any], seat: Seat) -> None:
    """Let a seat look things up before it speaks. What it finds, its team reads too, and nobody else."""
    count, mates = stage.looked_up, stage.team(seat.team) if seat.team else []
    for _ in range(PER_TURN):
        allowed = _take(stage, seat)
        if not allowed.look_ups and not allowed.tools:
            return
        n = count.of_seat[seat.id] + 1
        answer = await or_none(stage.consult(seat, allowed.brief(n), to=mates))
        searches = answer is not None and getattr(answer, "searches", ())
        asked = [] if answer is None else _within(allowed, requests_in(answer, [tool for tool, _ in allowed.tools]))
        _give_back(stage, seat, allowed, asked, searched=bool(searches))
        if not searches and not asked:
            return
        count.of_seat[seat.id] = n
        if searches:
            brief = FIND.about(seat=seat.id, n=n).showing(searches_for(seat, searches))
            await or_none(stage.consult(LIBRARIAN, brief, to=[seat, *mates]))
        for request in asked:
            await fetch(stage, seat, request, mates)


def _take(stage: Stage[Any], seat: Seat) -> LookUpAllowance:
    """What the side of a seat has left, of each as much as one answer can ask for, taken from it."""
    count, side, context = stage.looked_up.of_side, seat.side, stage.context
    look_ups = context.look_ups - count[side] if _has_documents(stage, seat) else 0
    count[side] += bool(look_ups)
    tools = tuple((tool, tool.calls - count[_account(tool, side)]) for tool in context.tools_for(seat.id))
    for tool, left in tools:
        count[_account(tool, side)] += min(left, len(tool.uses))
    return LookUpAllowance(look_ups, tuple((tool, left) for tool, left in tools if left))


def _give_back(
    stage: Stage[Any], seat: Seat, allowed: LookUpAllowance, asked: Sequence[ToolRequest], *, searched: bool
) -> None:
    count, side = stage.looked_up.of_side, seat.side
    count[side] -= bool(allowed.look_ups) and not searched
    for tool, left in allowed.tools:
        used = sum(request.tool == tool for request in asked)
        count[_account(tool, side)] -= min(left, len(tool.uses)) - used


def _within(allowed: LookUpAllowance, asked: Iterable[ToolRequest]) -> list[ToolRequest]:
    """Of what is asked for, as much as the side has left."""
    left, kept = dict(allowed.tools), list[ToolRequest]()
    for request in asked:
        if left[request.tool]:
            left[request.tool] -= 1
            kept.append(request)
    return kept


def _account(tool: ToolTerms, side: str) -> str:
    return f"{side} by {tool.seat_id}"


def _has_documents(stage: Stage[Any], seat: Seat) -> bool:
    documents = stage.context.documents
    return bool(stage.context.look_ups and documents and documents.readable_by(seat.id))


def may_look_up(stage: Stage[Any], ask: Ask[Any]) -> bool:
    """Whether a seat may look things up before it answers: speakers, on the record, who have something to ask."""
    speaks = ask.on_record and ask.seat.role not in SILENT_ROLES
    return bool(speaks and (_has_documents(stage, ask.seat) or stage.context.tools_for(ask.seat.id)))


def searches_for(seat: Seat, searches: Iterable[str]) -> Exhibit:
    return Exhibit(seat.id, "searches", "\n".join(" ".join(search.split()) for search in searches))


def searches_in(brief: Brief[Any]) -> tuple[str, list[str]]:
    """The seat for which the librarian is asked, and its searches."""
    exhibit = brief.exhibits[-1][0]
    return exhibit.name, [search for search in exhibit.words.splitlines() if search]


def looked_up_by(notes: Iterable[Note]) -> dict[str, int]:
    """How often each seat had something looked up, by the librarian's notes."""
    kinds = (re.fullmatch(r"found for (\S+) [0-9]+", note.kind) for note in notes if note.by == LIBRARIAN.id)
    return dict(sorted(Counter(found[1] for found in kinds if found).items()))


ASK_FOR = Brief(
    "look-up {n}",
    LookUpRequest,
    "Before you speak, the librarian can look up one thing for you in the documents. Look-ups left for your side in "
    "this debate: {left}. Write up to three searches for that one thing, each in other words. You will be shown "
    "passages that you can cite. If you have what you need, leave the list empty.",
    turn_type="meta",
)
ASK_FOR_TOOLS = (
    "Before you speak, tools can fetch something for you. Calls left for your side in this debate: {calls}. Fill in "
    "what you need, and write null for the rest. What comes back is a document that you can cite."
)
ASK_FOR_BOTH = (
    "Before you speak, the librarian can look up one thing for you in the documents, and tools can fetch something. "
    "Look-ups left for your side in this debate: {left}. Calls left: {calls}. Write up to three searches for the one "
    "thing, each in other words, or leave the list empty. Fill in what tools should fetch, and write null for the "
    "rest. What comes back is a document that you can cite."
)
FIND = Brief(
    "found for {seat} {n}",
    LookUpResult,
    "Find the passages that fit these searches best.",
    turn_type="meta",
    words=PASSAGES * LONGEST_PASSAGE // 3,
    afresh=True,
)
