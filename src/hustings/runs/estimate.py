"""Estimate calls, tokens and cost of a debate before any call, from rehearsals; `estimate_tokens` counts each call.

The worst case: every answer fills its room and is sent back as often as allowed, on the longest path through the script
that a few extreme rehearsals find. Faults of a provider come on top; caps limit those.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import BaseModel, computed_field

from hustings.llm.endpoints import BUILT_IN
from hustings.llm.model import Usage
from hustings.llm.model_spec import ModelSpec
from hustings.llm.prices import most_tokens, of_one_call, price, room_for
from hustings.script.calls import Call, Reply
from hustings.script.debate import Proceedings
from hustings.script.documents import LONGEST_PASSAGE
from hustings.script.look_ups import PASSAGES
from hustings.script.prompt import prompt_of
from hustings.script.seats import LIBRARIAN
from hustings.script.tools import PREFIX, ROLE
from hustings.transcript.models import Turn
from hustings.transcript.notes import Note

from .estimate_tokens import AskedCall, EstimateActor, Figures, Style, all_attempts, expected_of, most_of_each, total
from .evaluation_spec import AuditName, EvaluationRequest, evaluation_spec
from .judging_spec import JudgingRequest, control_spec, judging_spec, summary_spec
from .request import with_every_key
from .spec import RunSpec
from .staging import rehearse

Paid = Literal["free", "priced", "unknown", "person"]
"""Whether a seat costs nothing, has a known price or an unknown one, or belongs to a person."""
EXPECTED = "Typical: answers of the requested length, without caching or hidden reasoning."
AT_WORST = "Worst case: every answer has maximum length and every retry is used."
USUAL = Style()
TERSE = Style(speech=12, text=2, heeds=False)
"""With fewer words there would be too little to quote. The room of an answer is added to its length."""
MOST = replace(TERSE, entries=12, choice=0, numbers="minimum")
LEAST = Style(share=1, text=2, entries=0, choice=0, numbers="minimum")
LATE = replace(MOST, first_entries=0)
EXTREMES = (MOST, LEAST, LATE, replace(LATE, choice=-1, numbers="maximum"))
"""Every packaged script reaches its greatest length in one of these and its least in another, with any settings."""
LABELS = 64
"""Tokens by which the readable version of a form may exceed the written answer."""
JUDGED_AS_USUAL = JudgingRequest()
EVALUATED_AS_USUAL = EvaluationRequest()
MOST_TOKENS = 1_000_000_000
"""Upper limit for the tokens of a control."""


class SeatEstimate(BaseModel, frozen=True, defer_build=True):
    seat: str
    model: str
    paid: Paid
    expected: Figures
    worst: Figures | None = None


class EstimateStep(BaseModel, frozen=True, defer_build=True):
    """A kind of question, and how often it is asked."""

    name: str
    calls: int


class Part(BaseModel, frozen=True, defer_build=True):
    """Estimate of a debate, its control, or its judging."""

    script: str
    steps: tuple[EstimateStep, ...]
    rounds: int
    waves: int
    """Calls of one wave run at the same time."""
    seats: tuple[SeatEstimate, ...]
    least_calls: int | None = None
    """Calls of a debate played to its end with no answer sent back; None if not computed."""
    worst: Figures | None = None
    """Of all seats together. Where the answers choose a seat, not every seat can have its worst case."""

    @computed_field
    @property
    def expected(self) -> Figures:
        return total(row.expected for row in self.seats if row.paid != "person")


class Estimate(BaseModel, frozen=True, defer_build=True):
    parts: tuple[Part, ...]
    cap: int | None = None
    """The most it may cost in millionths of a dollar, all parts together."""

    @computed_field
    @property
    def expected(self) -> Figures:
        return total(part.expected for part in self.parts)

    @computed_field
    @property
    def worst(self) -> Figures | None:
        found = [part.worst for part in self.parts if part.worst]
        return total(found) if len(found) == len(self.parts) else None

    @computed_field
    @property
    def least_calls(self) -> int | None:
        found = [part.least_calls for part in self.parts if part.least_calls is not None]
        return sum(found) if len(found) == len(self.parts) else None

    @property
    def free(self) -> bool:
        return all(row.paid in {"free", "person"} for part in self.parts for row in part.seats)


# -- estimates -----------------------------------------------------------------------------


def estimate(
    spec: RunSpec,
    *,
    audits: Sequence[AuditName] = (),
    request: JudgingRequest | AuditRequests = JUDGED_AS_USUAL,
    environment: Mapping[str, str] | None = None,
    bounds: bool = True,
    style: Style = USUAL,
) -> Estimate:
    """Estimate a debate and the audits that follow it. Without bounds it is several times faster."""
    usual, plays = _play(spec, style), _extremes(spec) if bounds else []
    debate = _part(spec, usual, plays)
    parts, known = [debate], with_every_key(environment or {})
    for script in audits:
        audit = _audit(script, spec, request, known, usual.proceedings, debate.expected.tokens)
        ends, unsaid = list[Play](), (0, 0)
        if plays and debate.worst:
            longest, shortest = _longest(plays, usual), _shortest([*plays, usual])
            ended = (longest.proceedings, debate.worst.tokens), (shortest.proceedings, 0)
            most, least = (_audit(script, spec, request, known, *end) for end in ended)
            ends, unsaid = [_play(most, MOST), _play(least, LEAST)], _unsaid(longest)
        parts.append(_part(audit, _play(audit, style), ends, unsaid))
    return Estimate(parts=tuple(parts), cap=spec.caps.money)


def estimate_audits(
    old: RunSpec,
    judged: Proceedings,
    environment: Mapping[str, str],
    request: JudgingRequest | AuditRequests,
    *,
    audits: Sequence[AuditName] = ("judging",),
    tokens: int,
) -> Estimate:
    """Estimate the audits of a finished debate that used this many tokens."""
    known = with_every_key(environment)
    made = [_audit(script, old, request, known, judged, tokens) for script in audits]
    parts = [_part(audit, _play(audit, USUAL), _extremes(audit)) for audit in made]
    return Estimate(parts=tuple(parts), cap=requests_of(request).judging.caps.money)


@dataclass(frozen=True)
class AuditRequests:
    """How a debate is to be judged, and how evaluated."""

    judging: JudgingRequest = JUDGED_AS_USUAL
    evaluation: EvaluationRequest = EVALUATED_AS_USUAL


def requests_of(request: JudgingRequest | AuditRequests) -> AuditRequests:
    return request if isinstance(request, AuditRequests) else AuditRequests(request)


def _audit(
    script: AuditName,
    old: RunSpec,
    requests: JudgingRequest | AuditRequests,
    known: Mapping[str, str],
    judged: Proceedings,
    tokens: int,
) -> RunSpec:
    request = requests_of(requests).judging
    if script == "evaluation":
        return evaluation_spec(old, judged, requests_of(requests).evaluation, known)
    if script == "control":
        return control_spec(old, judged, request, known, min(tokens, MOST_TOKENS))
    judging = judging_spec(old, judged, request, known)
    return summary_spec(old, judged, judging, None, request) if script == "summary" else judging


def _part(spec: RunSpec, usual: Play, plays: Sequence[Play], unsaid: tuple[int, int] = (0, 0)) -> Part:
    debate, expected = spec.debate, defaultdict[str, Figures](Figures)
    for one in usual.asked:
        expected[one.seat] += expected_of(one)
    worst, whole = _worst(spec, usual, plays, unsaid) if plays else ({}, None)
    rows = [
        SeatEstimate(
            seat=seat,
            model=debate.cast[seat].model,
            paid=_paid(spec.model_specs.get(seat)),
            expected=expected.get(seat, Figures()),
            worst=worst.get(seat, Figures()) if plays else None,
        )
        for seat in (seat.id for seat in (*debate.seats, *debate.staff))
        if seat in expected or seat in worst
    ]
    steps = Counter(re.sub(r"(?<!\s)\s*+(?<!\d)\d++$", "", one.kind) for one in usual.asked)
    return Part(
        script=debate.protocol,
        steps=tuple(EstimateStep(name=name, calls=calls) for name, calls in steps.items()),
        rounds=len(usual.proceedings.transcript.rounds),
        waves=usual.waves,
        seats=tuple(rows),
        least_calls=_shortest([*plays, usual]).calls if plays else None,
        worst=whole,
    )


def _paid(model_spec: ModelSpec | None) -> Paid:
    if model_spec is None:
        return "person"
    if price(model_spec, Usage(input=1, output=1)) is None:
        return "unknown"
    built_in = model_spec.provider in BUILT_IN and model_spec.provider != "tool"
    return "free" if model_spec.free or built_in else "priced"


# -- rehearsals ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Play:
    """A rehearsal, without the calls that a fork inherits."""

    asked: tuple[AskedCall, ...]
    waves: int
    proceedings: Proceedings

    @property
    def calls(self) -> int:
        """Calls to models and tools; people are waited for instead."""
        return sum(one.model_spec is not None for one in self.asked)


def _play(spec: RunSpec, style: Style) -> Play:
    debate, model_specs = spec.debate, spec.model_specs
    actor, texts = EstimateActor(style), dict[str, str]()

    def answer(call: Call) -> Reply:
        reply, model_spec = actor(call), model_specs.get(call.seat.id)
        if call.brief.form.prose and model_spec and model_spec.max_tokens:
            reply = replace(reply, text=reply.text[: 4 * model_spec.max_tokens])
        texts[call.address] = reply.text
        return reply

    played = rehearse(debate, answer, texts=spec.texts)
    waves = [[call for call in wave if not spec.ancestors(call)] for wave in played.waves]
    asked = [
        AskedCall(call, debate.cast[call.seat.id], model_specs.get(call.seat.id), texts.get(call.address, ""))
        for wave in waves
        for call in wave
        if call.seat != LIBRARIAN
    ]
    return Play(tuple(asked), sum(map(bool, waves)), played.proceedings)


def _extremes(spec: RunSpec) -> list[Play]:
    return [_play(spec, style) for style in EXTREMES]


def _longest(plays: Sequence[Play], usual: Play) -> Play:
    """By number of calls, then by the length of the answers."""
    found = max(plays, key=lambda one: (one.calls, sum(len(asked.text) for asked in one.asked)))
    return usual if usual.calls > found.calls else found


def _shortest(plays: Sequence[Play]) -> Play:
    """Of the plays that came to their end."""
    ended = [one for one in plays if one.proceedings.ending.kind == "played"]
    return min(ended or plays, key=lambda one: one.calls)


# -- tokens and money ----------------------------------------------------------------------


def _worst(
    spec: RunSpec, usual: Play, plays: Sequence[Play], unsaid: tuple[int, int]
) -> tuple[dict[str, Figures], Figures]:
    """Worst case by seat, and of all together: if the answers choose one seat, they do not choose another."""
    # A made-up answer may be sent back as well: further attempts are counted with the first.
    asked = [one for one in _longest(plays, usual).asked if not one.call.complaints and one.call.seat.role != ROLE]
    chosen, model_specs, each = _chosen([*plays, usual]), spec.model_specs, defaultdict[str, Figures](Figures)
    rooms, whole = Counter[str](), Figures()
    for one in asked:
        for seat in chosen.get(one.kind, [one.seat]):
            rooms[one.kind] = max(rooms[one.kind], room_for(one.call, model_specs.get(seat)))
    for one in asked:
        read = most_tokens(prompt_of(one.call, one.player)) + _said_before(one.call, rooms)
        read += min(unsaid[1], unsaid[0] * sum(map(len, one.call.brief.exhibits)))
        most: list[Figures] = []
        for seat in chosen.get(one.kind, [one.seat]):
            taken = all_attempts(one.call, model_specs.get(seat), read, spec.debate.retries)
            each[seat] += taken
            most += [taken] if seat in model_specs else []
        whole += most_of_each(most)
    for tool in spec.debate.tools:
        sides = {seat.side for seat in spec.debate.seats if seat.id in tool.seats}
        calls = tool.calls * len(sides)
        each[tool.seat_id] = Figures(calls=calls, money=calls * of_one_call(spec.model_specs[tool.seat_id]))
        whole += each[tool.seat_id]
    return each, whole


def _chosen(plays: Sequence[Play]) -> dict[str, list[str]]:
    """Kinds of questions whose seat the answers choose: some seat has more of them in a play that has fewer."""
    kinds: dict[str, list[Counter[str]]] = {}
    for play in plays:
        for kind in {one.kind for one in play.asked}:
            kinds.setdefault(kind, []).append(Counter(one.seat for one in play.asked if one.kind == kind))
    return {
        kind: sorted(set[str]().union(*counts))
        for kind, counts in kinds.items()
        if any(few.total() <= many.total() and few - many for few in counts for many in counts)
    }


def _said_before(call: Call, rooms: Mapping[str, int]) -> int:
    """Tokens by which the earlier words in a prompt may exceed the made-up ones."""
    public = (turn for wave in call.knowledge.public for turn in wave)
    fetched = sum(len(one.text) for one in call.context.fetched if call.seat.id in one.seats)  # a token each at most
    return fetched + sum(_full(item, rooms) for item in (*public, *call.knowledge.private))


def _full(item: Turn | Note, rooms: Mapping[str, int]) -> int:
    """Tokens of a turn or note that fills its room. Words that a script lets a seat say may come from any form."""
    if isinstance(item, Note) and item.by == LIBRARIAN.id:
        return PASSAGES * LONGEST_PASSAGE + LABELS  # a character is at most a token
    if isinstance(item, Note) and item.by.startswith(PREFIX):
        return LABELS  # what a tool brought is counted as a document
    kind = item.kind if isinstance(item, Note) else (item.metadata and item.metadata.kind)
    return rooms.get(kind or "", max(rooms.values())) + LABELS


def _unsaid(longest: Play) -> tuple[int, int]:
    """Tokens by which a debate yet to be held may exceed the rehearsed one: in one turn, and in all."""
    rooms = {one.kind: room_for(one.call, one.model_spec) for one in longest.asked}
    turns = [2 * _full(turn, rooms) for turn in longest.proceedings.transcript.turns]
    return max(turns, default=0), sum(turns)
