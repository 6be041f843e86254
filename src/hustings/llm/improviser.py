"""Actors without a model: the improviser fills in any form with made-up text, a scripted one says given lines.

It keeps to the form, the choices offered and the allowance, so every script can go on.
At the same address it always says the same.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from itertools import chain

from hustings.errors import SeatError
from hustings.script.attempts import weigh
from hustings.script.calls import Call, Reply
from hustings.script.fetching import ToolResult, request_in
from hustings.script.forms import Form, schema_of

from .fake_values import NUMBERED, FakeValues

DRAFTS = 40
"""Most drafts of one answer: what its form asks for in one field may depend on another."""


class Improviser:
    """Answers every call immediately, with the same answer for the same seed and address."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed

    def __call__(self, call: Call) -> Reply:
        return Reply(self.words(call), clock(call), model="improviser")

    def words(self, call: Call) -> str:
        """Prose, or JSON that fits the form of the call; of several drafts, the first that keeps the brief's rules."""
        first = self._draft(call, f"{self.seed} {call.address}")
        others = (self._draft(call, f"{self.seed} {call.address} {n}", n) for n in range(1, DRAFTS))
        sound = (
            words for words in chain([first], others) if not weigh(call.brief, Reply(words, clock(call))).complaints
        )
        return next(sound, first)

    def _draft(self, call: Call, seed: str, draft: int = 0) -> str:
        rng = random.Random(seed)
        tag, brief = call.address.split(" ", 1)[0], call.brief
        choices = {"seat": [seat.id for seat in call.context.seats], **brief.choices}
        # A form has up to a dozen texts, which share one allowance.
        length = 14 if brief.words is None else min(14, max(2, brief.words // 12))
        fake_values = FakeValues(
            rng, tag, choices, quotable(call), length, draft=draft, answers=answered(call), document=_document(call)
        )
        if not brief.form.prose:
            return json.dumps(fake_values.value(schema_of(brief.form)), ensure_ascii=False)
        most = 120 if brief.words is None else brief.words
        words = fake_values.prose(rng.randint(max(1, most // 4), most))
        texts = call.context.texts_for(call.seat.id)
        return f"{words} {_citation(rng, texts)}" if texts and call.on_record else words


def _citation(rng: random.Random, texts: Mapping[str, str]) -> str:
    """A quote from one of the documents that a seat may read."""
    name = rng.choice(list(texts))
    document = FakeValues(rng, said=[(name, " ".join(texts[name].split()))])
    return f'[{name}: "{document.value({"type": "string", "x-quote": True})}"]'


def _document(call: Call) -> str:
    """The first document, or else the question."""
    return " ".join(next(iter(call.context.texts_for(call.seat.id).values()), call.context.topic).split())


def answered(call: Call) -> str:
    """Name of the last speaker, for a turn that should answer someone."""
    others = {seat.id: seat.title for seat in call.context.seats if seat != call.seat}
    said = [turn.speaker_id for turn in call.knowledge.turns if turn.speaker_id in others]
    return others[said[-1]] if said and call.on_record and call.brief.preferences else ""


def quotable(call: Call) -> list[tuple[str, str]]:
    """What can be quoted in an answer: speaker, argument or exhibit, and its words."""
    turns = [(turn.speaker_id, turn.said) for turn in call.knowledge.turns]
    # An argument is first said by its author; later turns that begin with its id respond to it.
    said = [found for turn in reversed(call.knowledge.turns) for found in reversed(NUMBERED.findall(turn.said))]
    laid = [(exhibit.name, exhibit.words) for group in call.brief.exhibits for exhibit in group]
    return [*turns, *dict(said).items(), *laid]


def clock(call: Call) -> str:
    """A reproducible time stamp: one minute per wave, starting on the first of January."""
    minutes = int(call.address.split(".", 1)[0]) + 1
    return f"2026-01-{1 + minutes // 1440:02d}T{minutes // 60 % 24:02d}:{minutes % 60:02d}:00.000Z"


Line = str | Form | Reply | SeatError


SENTENCE = "This result was made up for a rehearsal, and says nothing about the question. "


def tool_answer(call: Call) -> Reply:
    """The longest answer that the tool of a seat may give: it calls nothing, and brings made-up words."""
    most = next(tool.characters for tool in call.context.tools if tool.seat_id == call.seat.id)
    use, _ = request_in(call.brief)
    text = f"Made up, in place of {use}. " + SENTENCE * (1 + most // len(SENTENCE))
    return Reply(ToolResult(text=text[:most]).model_dump_json(), clock(call), model="made up")


class Scripted:
    """Gives each seat its lines in order. A call without a line left is an error; so is a line that is never used."""

    def __init__(self, lines: Mapping[str, Iterable[Line]]) -> None:
        self._lines: defaultdict[str, deque[Line]] = defaultdict(deque)
        self._lines.update({seat: deque(some) for seat, some in lines.items()})

    def __call__(self, call: Call) -> Reply | SeatError:
        waiting = self._lines[call.seat.id]
        if not waiting:
            raise AssertionError(f"{call.address}: no line left for {call.seat.id!r}. Add one")
        match waiting.popleft():
            case Form() as form:
                return Reply(form.said() if form.prose else form.model_dump_json(), clock(call), model="scripted")
            case str() as words:
                return Reply(words, clock(call), model="scripted")
            case line:
                return line

    def must_be_used_up(self) -> None:
        left = {seat: len(lines) for seat, lines in self._lines.items() if lines}
        if left:
            raise AssertionError(f"lines that nobody asked for: {left}; remove them, or correct the script")
