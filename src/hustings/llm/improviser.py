"""Actors without a model: the improviser fills in any form with made-up text, a scripted one says given lines.

It keeps to the form, the choices offered and the allowance, so every script can go on.
At the same address it always says the same.
"""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from hustings.errors import SeatError
from hustings.script.attempts import weigh
from hustings.script.calls import Call, Reply
from hustings.script.forms import Form, schema_of
from hustings.text.quotes import is_quoted
from hustings.text.words import shortened


@dataclass(frozen=True)
class FakeValues:
    """Generates values. Choices and quotes come from the call; the rest is random."""

    rng: random.Random
    tag: str = ""
    """Appended to every made-up text, so that readers see where it came from."""
    choices: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    said: Sequence[tuple[str, str]] = ()
    """Speaker or exhibit name, and its words."""
    length: int = 14
    """Most words of a text inside a form."""
    draft: int = field(default=0, kw_only=True)
    """A later draft picks other options than the first."""
    answers: str = field(default="", kw_only=True)
    """Name of a speaker whom every made-up text answers."""
    document: str = field(default="", kw_only=True)
    """What a quote from the document is taken from."""

    def value(self, schema: Mapping[str, Any], place: int = 0, about: str = "") -> Any:
        """Generate a value. `place` is the position in a list; `about` the seat or item named beside the value."""
        if "anyOf" in schema:
            some = next(option for option in schema["anyOf"] if option["type"] != "null")
            nothing_to_choose = not self.choices.get(some.get("x-choice", ""), ["any"])
            return None if nothing_to_choose else self.value(some, place, about)
        if "enum" in schema:
            return self._in_turn(schema["enum"], place)
        if "const" in schema:
            return schema["const"]
        match schema.get("type"):
            case "object":
                return self._fields(schema["properties"], place, about)
            case "array":
                return self._list(schema, about)
            case "boolean":
                return self.rng.random() < 0.3
            case "integer":
                return self.rng.randint(*_bounds(schema, 10))
            case "number":
                low, high = _bounds(schema, 1)
                return min(max(round(self.rng.uniform(low, high), 2), low), high)
            case "string":
                return self._text(schema, place, about)
            case kind:
                raise NotImplementedError(f"cannot invent a {kind!r}: use texts, numbers, enums, lists and objects")

    def prose(self, words: int) -> str:
        """Meaningless sentences."""
        said: list[str] = []
        while len(said) < words:
            said += f"{self.rng.choice(WHO)} {self.rng.choice(DOES)} {self.rng.choice(WHY)}.".split()
        text = " ".join(said[: max(1, words - 1)]).rstrip(".")
        text = f"{self.answers}: {text}" if self.answers else text
        return f"{text} ({self.tag})" if self.tag and words > 1 else text

    def _fields(self, properties: Mapping[str, Mapping[str, Any]], place: int, about: str) -> dict[str, Any]:
        """Generate choices first, because a quote comes from the seat or item named beside it."""
        named = {name: self.value(field, place) for name, field in properties.items() if "x-choice" in field}
        about = next((named[n] for n, f in properties.items() if f.get("x-choice") in QUOTED), about)
        rest = {n: self.value(f, place, about) for n, f in properties.items() if n not in named}
        return {name: {**named, **rest}[name] for name in properties}

    def _list(self, schema: Mapping[str, Any], about: str) -> list[Any]:
        item, least, most = schema["items"], schema.get("minItems", 0), schema.get("maxItems")
        kinds = [f["x-choice"] for f in (item, *item.get("properties", {}).values()) if "x-choice" in f]
        each = [self.choices[kind] for kind in kinds if kind in ONE_BY_ONE and kind in self.choices]
        if each and "properties" in item:
            count = len(each[0][:most])
        elif all(self.choices.get(kind, ["any"]) for kind in kinds):
            count = self.rng.randint(least, least + 2 if most is None else min(most, least + 2))
            count = min(
                [count, *(len(self.choices[kind]) for kind in kinds if kind == "seat" and kind in self.choices)]
            )
        else:
            count = 0
        return [self.value(item, n, about) for n in range(count)]

    def _text(self, schema: Mapping[str, Any], place: int, about: str) -> str:
        if kind := schema.get("x-choice"):
            return self._choice(kind, place)
        if schema.get("x-quote") == "document":
            return self._quote([self.document], schema.get("maxLength", 200))
        if schema.get("x-quote"):
            said = [words for name, words in self.said if about in ("", name)] or [words for _, words in self.said]
            return self._quote(said, schema.get("maxLength", 200))
        text = self.prose(self._words())
        while len(text) < schema.get("minLength", 0):
            text += " " + self.prose(12)
        return text[: schema.get("maxLength")]

    def _words(self) -> int:
        """Length of a text inside a form."""
        return self.rng.randint(min(6, self.length), self.length)

    def _choice(self, kind: str, place: int) -> str:
        """Pick a choice. Successive places in a list get different choices."""
        offered = self.choices.get(kind) or ["nobody"]
        if kind == "own":
            return f"{offered[0]}-{place + 1}"
        return offered[place % len(offered)] if kind in ONE_BY_ONE else self._in_turn(offered, place)

    def _in_turn(self, options: Sequence[Any], place: int) -> Any:
        """Pick at random, but rotate through the options over the entries of a list."""
        if not self.tag:
            return self.rng.choice(options)
        start = random.Random(f"{self.tag} {options}{self.draft or ''}").randrange(len(options))
        return options[(start + place) % len(options)]

    def _quote(self, said: Sequence[str], most: int) -> str:
        """The beginning of the latest words."""
        if not said:
            return "nobody has spoken yet"
        short = shortened(said[-1], 12).rstrip("…").strip()
        # Cut off there, the words may say something else than the sentence: then the whole of it is quoted.
        pieces = (piece[:most].strip() for piece in (short, FIRST_SENTENCE.split(said[-1], 1)[0], said[-1]))
        return next((piece for piece in pieces if is_quoted(piece, said[-1:])), short[:most].strip())


def _bounds(schema: Mapping[str, Any], span: int) -> tuple[Any, Any]:
    """Minimum and maximum; where the schema leaves them open, zero and `span` beyond."""
    low = schema.get("minimum", min(0, schema.get("maximum", 0)))
    return low, schema.get("maximum", max(low, 0) + span)


ONE_BY_ONE = ("claim", "question", "item")
"""Kinds of choices that are answered one by one, each in its own list entry."""
QUOTED = ("seat", "item", "claim", "argument")
"""Kinds of choices that can be quoted."""
NUMBERED = re.compile(r"(?m)^\[([A-Z]+-\d+)\] (.+)")
"""An argument as it is said: its id, and its claim."""
FIRST_SENTENCE = re.compile(r"(?<=[.!?])\s|\n")
DRAFTS = 40
"""Most drafts of one answer: what its form asks for in one field may depend on another."""
WHO = (
    "A small team", "The team that pays", "The first version", "An honest estimate", "A careful reader",
    "The slower way", "Every exception", "What was measured last year",
)  # fmt: skip
DOES = (
    "gains more than it costs", "hides a second question", "holds only in calm weather", "carries the whole case",
    "asks for evidence", "is cheaper to undo than to argue about", "moves the risk elsewhere", "looks simple at first",
)  # fmt: skip
WHY = (
    "once the numbers are counted", "because people have to maintain it", "as long as there is time",
    "when the rules are written down first", "if the others are right", "before anything else is decided",
    "unless the question is put differently", "while the old way still works",
)  # fmt: skip


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
    """The document that came with the question, or a further one, or else the question."""
    further = call.context.texts_for(call.seat.id).values()
    return " ".join((call.context.document or next(iter(further), call.context.topic)).split())


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
