"""Answers as long as models give them, without their sense: what an estimate is counted from.

A leaning pulls a script to one of its ends: everybody takes the first choice or the last, lists are short or long.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from hustings.core.calls import Call, Reply
from hustings.core.forms import schema_of
from hustings.llm.improviser import clock
from hustings.llm.invention import ONE_BY_ONE, Invention


@dataclass(frozen=True)
class Habits:
    """How much a model writes. These are what we assume of an able one; a small one is told apart by its own."""

    share: float = 0.85
    """Of an allowance."""
    speech: int = 200
    """Words of a speech for which no length is named."""
    text: int = 25
    """Words of a text on a form, unless its allowance says otherwise."""
    entries: int = 2
    """Of a list, unless it must have more or may not have as many."""
    heeds: bool = True
    """Whether it keeps to a length that is named; very small models do not."""


@dataclass(frozen=True)
class Leaning:
    """Which way every answer pulls; by chance, and of the usual length, where nothing is said."""

    lists: Literal["usual", "most", "least", "late"] = "usual"
    """`late`: none where there need be none the first time a brief is put, and the most from then on."""
    choice: int | None = None
    """Which of those offered: 0 is the first, -1 the last."""
    numbers: Literal["any", "lowest", "highest"] = "any"
    words: int | None = None
    """Of every speech; 0 is all it may have."""
    bare: bool = False
    """Nothing where nothing will do."""


class Imagined:
    """An actor who answers as a model of such habits would, leaning one way."""

    def __init__(self, habits: Habits, leaning: Leaning, seed: int = 0) -> None:
        self.habits, self.leaning, self.seed = habits, leaning, seed
        self._asked = Counter[str]()

    def __call__(self, call: Call) -> Reply:
        return Reply(self.words(call), clock(call), model="imagined")

    def words(self, call: Call) -> str:
        brief, chance = call.brief, random.Random(f"{self.seed} {call.address}")  # noqa: S311  no secret
        choices = {"seat": [seat.id for seat in call.scene.seats], **brief.choices}
        turns = [(turn.speaker_id, turn.said) for turn in call.knowledge.turns]
        laid = [(exhibit.name, exhibit.words) for group in brief.exhibits for exhibit in group]
        again = bool(self._asked[brief.name]) or self.leaning.lists != "late"
        self._asked[brief.name] += not call.complaints
        tag = call.address.split(" ", 1)[0]
        invention = _Leant(
            chance, tag, choices, turns + laid, 2, self.leaning, self.habits, again=again, attempt=bool(call.complaints)
        )
        if brief.form.prose:
            return invention.prose(self._length(call))
        schema = schema_of(brief.form)
        return json.dumps(self._written_out(call, invention, schema, invention.value(schema)), ensure_ascii=False)

    def _length(self, call: Call) -> int:
        """Of a speech in words."""
        named = call.brief.words or length_named(call.brief.text)
        if self.leaning.words is not None:
            return self.leaning.words or named or self.habits.speech
        if named is None or not self.habits.heeds:
            return self.habits.speech
        return max(1, round(self.habits.share * named))

    def _written_out(self, call: Call, invention: Invention, schema: Mapping[str, Any], short: Any) -> Any:
        """The same answer with texts of the usual length; an allowance is shared by all of them."""
        texts: list[str] = []
        _changed(schema, short, lambda _, text: texts.append(text) or text)
        words, allowed = self.habits.text, call.brief.words
        if allowed is not None and self.habits.heeds:
            words = round(self.habits.share * allowed / max(1, len(texts)))

        def text(of: Mapping[str, Any], short: str) -> str:
            longer = invention.prose(max(2, words))[: of.get("maxLength")]
            return longer if len(longer) >= of.get("minLength", 0) else short

        return _changed(schema, short, text)


@dataclass(frozen=True)
class _Leant(Invention):
    """Fills in a form, and where it has a choice, leans."""

    leaning: Leaning = Leaning()
    habits: Habits = Habits()
    again: bool = field(default=True, kw_only=True)
    attempt: bool = field(default=False, kw_only=True)
    """Whether this was sent back once: the same again would be, too."""

    def value(self, schema: Mapping[str, Any], place: int = 0, about: str = "") -> Any:
        bound = {"any": "", "lowest": "minimum", "highest": "maximum"}[self.leaning.numbers]
        if self.leaning.bare and any(option["type"] == "null" for option in schema.get("anyOf", ())):
            return None
        if bound in schema and schema.get("type") in {"integer", "number"}:
            return schema[bound]
        return super().value(schema, place, about)

    def _list(self, schema: Mapping[str, Any], about: str) -> list[Any]:
        item = schema["items"]
        kinds = {of.get("x-choice") for of in (item, *item.get("properties", {}).values())}
        if kinds.isdisjoint(ONE_BY_ONE):
            least = schema.get("minItems", 0)
            count = min(max(least, self._entries()), schema.get("maxItems", max(least, MOST_ENTRIES)))
            schema = {**schema, "minItems": count, "maxItems": count}
        return super()._list(schema, about)

    def _entries(self) -> int:
        match self.leaning.lists:
            case "usual":
                return self.habits.entries
            case "least":
                return 0
            case "most" | "late":
                return MOST_ENTRIES if self.again else 0

    def _in_turn(self, options: Sequence[Any], place: int) -> Any:
        if self.leaning.choice is None:
            return super()._in_turn(options, place)
        return options[(self.leaning.choice + place + self.attempt) % len(options)]


def _changed(schema: Mapping[str, Any], value: Any, change: Callable[[Mapping[str, Any], str], str]) -> Any:
    """The same answer with every free text in it changed."""
    if "anyOf" in schema and value is not None:
        schema = next(option for option in schema["anyOf"] if option["type"] != "null")
    match value:
        case dict():
            fields = cast("dict[str, Any]", value)
            return {name: _changed(schema["properties"][name], item, change) for name, item in fields.items()}
        case list():
            return [_changed(schema["items"], item, change) for item in cast("list[Any]", value)]
        case str() if BOUND.isdisjoint(schema):
            return change(schema, value)
        case _:
            return value


def length_named(text: str) -> int | None:
    """Words that a brief without an allowance asks for in passing."""
    found = LENGTH.search(text)
    return int(found[1]) if found else None


MOST_ENTRIES = 12
"""Where a list may have any number."""
BOUND = frozenset({"x-choice", "x-quote", "enum", "const"})
"""What is marked so is not written freely."""
LENGTH = re.compile(r"\babout (\d{1,5}) words\b", re.IGNORECASE)
