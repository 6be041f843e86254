"""Tokens and cost of model calls for an estimate: as expected, and with every attempt at full length."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, reduce
from operator import add
from string import ascii_letters
from typing import Any

from pydantic import BaseModel

from hustings.llm.endpoints import ACTORS, endpoint_of
from hustings.llm.model import Usage
from hustings.llm.model_spec import ModelSpec
from hustings.llm.prices import price, room_for, worst
from hustings.script.attempts import REPAIRS
from hustings.script.calls import Call
from hustings.script.forms import Form, schema_of
from hustings.script.prompt import prompt_of
from hustings.script.seats import Player

LETTERS = 5.2
"""English letters and spaces per token of the local model's tokenizer; other characters take about one token each.

Within 6 % over all protocols and audits. Larger vocabularies need fewer tokens, languages other than English more."""
_FLUENT = (ascii_letters + " ").encode()
FRAME = 20
"""Tokens of a chat template."""
SENT_BACK = 300
"""Tokens around an answer that is sent back to its seat."""


class Figures(BaseModel, frozen=True):
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
    if model_spec is None or model_spec.provider in ACTORS:
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
    if model_spec is None or model_spec.provider in ACTORS:
        return Figures(calls=attempts if model_spec else 1)
    room = room_for(call, model_spec)
    # An answer goes back with complaints, which may repeat all of it and comment on each of its parts.
    reads = [read, *[read + 3 * room + SENT_BACK] * (attempts - 1)]
    known = price(model_spec, Usage(input=1, output=1)) is not None
    money = sum(worst(model_spec, one, room) for one in reads) if known else 0
    return Figures(calls=attempts, tokens_in=sum(reads), tokens_out=room * attempts, money=money, unpriced=not known)


def likely_tokens(text: str) -> int:
    raw = text.encode("utf-8", "replace")
    dear = len(raw.translate(None, _FLUENT))
    return dear + round((len(raw) - dear) / LETTERS)


@cache
def _schema_tokens(form: type[Form]) -> int:
    schema: Any = schema_of(form)
    return likely_tokens(json.dumps(schema))
