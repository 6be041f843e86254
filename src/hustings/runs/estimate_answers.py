"""Made-up answers of realistic length, from which an estimate counts its tokens."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from hustings.llm.fake_values import ONE_BY_ONE, FakeValues
from hustings.llm.improviser import clock
from hustings.script.calls import Call, Reply
from hustings.script.forms import schema_of

LENGTH = re.compile(r"\babout (\d{1,5}) words\b", re.IGNORECASE)
MOST_ENTRIES = 12
"""For a list without an upper limit."""


@dataclass(frozen=True)
class Style:
    """How long answers are, and how choices are made. The defaults are those of a capable model."""

    share: float = 0.85
    """Part of an allowance that is used."""
    speech: int = 200
    """Words of a speech without a stated length."""
    text: int = 25
    """Words of a text in a form without an allowance."""
    entries: int = 2
    """Entries of a list, within its limits."""
    first_entries: int | None = None
    """Entries of a list the first time that a brief is put, if different."""
    heeds: bool = True
    """Whether answers keep to allowances; very small models ignore them."""
    choice: int | None = None
    """Option that is always chosen: 0 the first, -1 the last; None: random."""
    numbers: Literal["minimum", "maximum"] | None = None
    """Bound that every number takes; None: random."""


class EstimateActor:
    """An actor that answers in a given style."""

    def __init__(self, style: Style) -> None:
        self.style = style
        self._put = Counter[str]()

    def __call__(self, call: Call) -> Reply:
        return Reply(self.words(call), clock(call), model="imagined")

    def words(self, call: Call) -> str:
        brief, style = call.brief, self.style
        first = not self._put[brief.name]
        self._put[brief.name] += not call.complaints
        if brief.form.prose:
            return self._fake_values(call).prose(_speech(call, style))
        entries = style.first_entries if first and style.first_entries is not None else style.entries
        schema, short = schema_of(brief.form), self._fake_values(call, 2, entries)
        value = short.value(schema)
        words = style.text
        if brief.words is not None and style.heeds:  # all texts of a form share its allowance
            words = round(style.share * brief.words / max(1, len(short.texts)))
        if words > 2:
            value = self._fake_values(call, words, entries).value(schema)
        return json.dumps(value, ensure_ascii=False)

    def _fake_values(self, call: Call, words: int = 2, entries: int = 0) -> _TypicalValues:
        brief, rng = call.brief, random.Random(call.address)  # noqa: S311  no secret
        choices = {"seat": [seat.id for seat in call.context.seats], **brief.choices}
        turns = [(turn.speaker_id, turn.said) for turn in call.knowledge.turns]
        laid = [(exhibit.name, exhibit.words) for group in brief.exhibits for exhibit in group]
        tag, again = call.address.split(" ", 1)[0], bool(call.complaints)
        return _TypicalValues(rng, tag, choices, turns + laid, words, self.style, entries, again=again)


@dataclass(frozen=True)
class _TypicalValues(FakeValues):
    style: Style = Style()
    entries: int = 0
    again: bool = field(default=False, kw_only=True)
    """Whether the previous answer was sent back: the same answer would be sent back, too."""
    texts: list[int] = field(default_factory=list[int], kw_only=True)
    """Words of each free text so far."""

    def value(self, schema: Mapping[str, Any], place: int = 0, about: str = "") -> Any:
        bound = self.style.numbers
        if bound and bound in schema and schema.get("type") in {"integer", "number"}:
            return schema[bound]
        return super().value(schema, place, about)

    def _list(self, schema: Mapping[str, Any], about: str) -> list[Any]:
        item = schema["items"]
        kinds = {of.get("x-choice") for of in (item, *item.get("properties", {}).values())}
        if kinds.isdisjoint(ONE_BY_ONE):
            least = schema.get("minItems", 0)
            count = min(max(least, self.entries), schema.get("maxItems", max(least, MOST_ENTRIES)))
            schema = {**schema, "minItems": count, "maxItems": count}
        return super()._list(schema, about)

    def _in_turn(self, options: Sequence[Any], place: int) -> Any:
        if self.style.choice is None:
            return super()._in_turn(options, place)
        return options[(self.style.choice + place + self.again) % len(options)]

    def _words(self) -> int:
        self.texts.append(self.length)
        return self.length


def _speech(call: Call, style: Style) -> int:
    """Words of a speech. A brief without an allowance may mention a length in its text."""
    found = LENGTH.search(call.brief.text)
    named = call.brief.words or (found and int(found[1]))
    return max(1, round(style.share * named)) if named and style.heeds else style.speech
