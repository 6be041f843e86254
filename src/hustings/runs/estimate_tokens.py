"""Tokens and cost of model calls for an estimate, counted from made-up answers of realistic length."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from operator import add
from typing import Any, Literal

from pydantic import BaseModel

from hustings.llm.endpoints import BUILT_IN, endpoint_of
from hustings.llm.fake_values import ONE_BY_ONE, FakeValues
from hustings.llm.improviser import answered, clock, quotable
from hustings.llm.model import Usage
from hustings.llm.model_spec import ModelSpec
from hustings.llm.prices import likely_tokens, of_one_call, price, room_for, worst
from hustings.script.attempts import REPAIRS, weigh
from hustings.script.calls import Call, Reply
from hustings.script.forms import Form, schema_of
from hustings.script.prompt import prompt_of
from hustings.script.seats import Player

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
        answer = self._form(call, entries)
        if not entries and weigh(brief, Reply(answer, clock(call))).complaints:
            return self._form(call, 1)  # some list must not stay empty
        return answer

    def _form(self, call: Call, entries: int) -> str:
        brief, style = call.brief, self.style
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
        tag, again = call.address.split(" ", 1)[0], bool(call.complaints)
        return _TypicalValues(
            rng, tag, choices, quotable(call), words, self.style, entries, again=again, answers=answered(call)
        )


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


FRAME = 20
"""Tokens of a chat template."""
SENT_BACK = 300
"""Tokens around an answer that is sent back to its seat."""


class Figures(BaseModel, frozen=True, defer_build=True):
    """Calls, tokens and cost."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    money: int = 0
    """In millionths of a dollar, as far as prices are known."""
    unpriced: bool = False
    """Whether some calls have an unknown price, which comes on top."""

    @property
    def tokens(self) -> int:
        return self.tokens_in + self.tokens_out

    def __add__(self, other: Figures) -> Figures:
        return Figures(
            calls=self.calls + other.calls,
            tokens_in=self.tokens_in + other.tokens_in,
            tokens_out=self.tokens_out + other.tokens_out,
            money=self.money + other.money,
            unpriced=self.unpriced or other.unpriced,
        )


def total(some: Iterable[Figures]) -> Figures:
    return reduce(add, some, Figures())


def most_of_each(some: Iterable[Figures]) -> Figures:
    found = [Figures(), *some]
    return Figures(**{name: max(getattr(one, name) for one in found) for name in Figures.model_fields})


@dataclass(frozen=True)
class AskedCall:
    """A call, the player and model that answer it, and the made-up answer."""

    call: Call
    player: Player
    model_spec: ModelSpec | None
    """None for a person."""
    text: str

    @property
    def seat(self) -> str:
        return self.call.seat.id

    @property
    def kind(self) -> str:
        return self.call.brief.name


def expected_of(asked: AskedCall) -> Figures:
    """One call with the made-up answer, no cache read and no hidden reasoning."""
    model_spec, form = asked.model_spec, asked.call.brief.form
    if model_spec is not None and model_spec.provider == "tool":
        return Figures(calls=1, money=of_one_call(model_spec))
    if model_spec is None or model_spec.provider in BUILT_IN:
        return Figures(calls=1)
    read = likely_tokens(prompt_of(asked.call, asked.player).text) + FRAME
    if (
        not form.prose
        and not model_spec.local
        and endpoint_of(model_spec.provider, model_spec.base_url).forms == "native"
    ):
        read += _schema_tokens(form)  # hosted models read it as a part of the prompt
    written = likely_tokens(asked.text)
    written = min(written, model_spec.max_tokens or written)
    cost = price(model_spec, Usage(input=read, cached=0, written=0, output=written))
    return Figures(calls=1, tokens_in=read, tokens_out=written, money=cost or 0, unpriced=cost is None)


def all_attempts(call: Call, model_spec: ModelSpec | None, read: int, retries: int) -> Figures:
    """A question answered at full length, and sent back as often as allowed."""
    attempts = 1 + (retries if call.on_record else max(retries, REPAIRS))
    if model_spec is None or model_spec.provider in BUILT_IN:
        return Figures(calls=attempts if model_spec else 1)
    room = room_for(call, model_spec)
    # An answer goes back with complaints, which may repeat all of it and comment on each of its parts.
    reads = [read, *[read + 3 * room + SENT_BACK] * (attempts - 1)]
    known = price(model_spec, Usage(input=1, output=1)) is not None
    money = sum(worst(model_spec, one, room) for one in reads) if known else 0
    return Figures(calls=attempts, tokens_in=sum(reads), tokens_out=room * attempts, money=money, unpriced=not known)


@cache
def _schema_tokens(form: type[Form]) -> int:
    schema: Any = schema_of(form)
    return likely_tokens(json.dumps(schema))
