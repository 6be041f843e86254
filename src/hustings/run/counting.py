"""What the calls of a rehearsal would take of real models: as expected, and at the very most.

Tokens as expected are a calibration: signs counted as the tokenizer of the local model splits our prompts (within
6 % over all protocols and audits). Larger vocabularies need somewhat fewer, languages other than English more.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from string import ascii_letters
from typing import Any

from pydantic import BaseModel

from hustings.core.asking import REPAIRS
from hustings.core.calls import Call
from hustings.core.forms import Form, schema_of
from hustings.core.notes import Note
from hustings.core.prompt import prompt_of
from hustings.core.seats import Player
from hustings.core.transcript import Turn
from hustings.llm.endpoints import ACTORS, endpoint_of
from hustings.llm.model import Usage
from hustings.llm.prices import most_tokens, price, worst
from hustings.llm.voices import Voice

LETTERS = 5.2
"""English letters and spaces in a token; every other sign, a digit or a quotation mark, is about one by itself."""
FRAME = 20
"""Tokens of a chat template."""
_FLUENT = (ascii_letters + " ").encode()
LABELS = 64
"""Tokens that the reading of a form may have more than what was written on it."""
PERSON = Voice()
SENT_BACK = 300
"""Tokens around an answer that is shown to its seat again."""


class Figures(BaseModel, frozen=True):
    """What some calls take."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    money: int = 0
    """In millionths of a dollar, as far as prices are known."""
    unpriced: bool = False
    """Whether something comes on top whose price nobody knows."""

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


@dataclass(frozen=True)
class Asked:
    """A call, who answers it, and what was imagined as the answer."""

    call: Call
    player: Player
    voice: Voice | None
    """None for a person."""
    text: str

    @property
    def costs(self) -> bool:
        """Whether a model reads it; shipped actors and people take no tokens."""
        return self.voice is not None and self.voice.provider not in ACTORS


def as_expected(asked: Asked) -> Figures:
    """One call, its answer as long as imagined, nothing read from a cache and nothing thought in secret."""
    voice = asked.voice
    if voice is None or not asked.costs:
        return Figures(calls=1)
    read = likely_tokens(prompt_of(asked.call, asked.player).text) + FRAME
    form = asked.call.brief.form
    if not form.prose and not voice.local and endpoint_of(voice.provider, voice.base_url).forms == "native":
        read += _schema_tokens(form)  # hosted models read it as a part of the prompt
    written = likely_tokens(asked.text)
    written = written if voice.max_tokens is None else min(written, voice.max_tokens)
    cost = price(voice, Usage(input=read, cached=0, written=0, output=written))
    return Figures(calls=1, tokens_in=read, tokens_out=written, money=cost or 0, unpriced=cost is None)


@dataclass(frozen=True)
class Spare:
    """Tokens by which a debate that is yet to be held may be longer than the imagined one laid before a seat."""

    turn: int = 0
    """The longest one."""
    whole: int = 0

    def beside(self, call: Call) -> int:
        return min(self.whole, self.turn * sum(map(len, call.brief.exhibits)))


def most_read(asked: Asked, rooms: Rooms, spare: Spare) -> int:
    """Tokens of the prompt, if all that was said before filled its room."""
    return most_tokens(prompt_of(asked.call, asked.player)) + rooms.before(asked.call) + spare.beside(asked.call)


def at_worst(call: Call, voice: Voice | None, read: int, retries: int) -> Figures:
    """A question answered at full length, and sent back as often as may be."""
    attempts = 1 + (retries if call.on_record else max(retries, REPAIRS))
    if voice is None:
        return Figures(calls=1)
    if voice.provider in ACTORS:
        return Figures(calls=attempts)
    room = room_of(call, voice)
    # An answer goes back with the reasons, which may repeat all of it and say something of each of its parts.
    reads = [read, *[read + 3 * room + SENT_BACK] * (attempts - 1)]
    known = price(voice, Usage(input=1, output=1)) is not None
    return Figures(
        calls=attempts,
        tokens_in=sum(reads),
        tokens_out=room * attempts,
        money=sum(worst(voice, one, room) for one in reads) if known else 0,
        unpriced=not known,
    )


def dearest(some: Sequence[Figures]) -> Figures:
    """The most of each."""
    return Figures(
        calls=max((one.calls for one in some), default=0),
        tokens_in=max((one.tokens_in for one in some), default=0),
        tokens_out=max((one.tokens_out for one in some), default=0),
        money=max((one.money for one in some), default=0),
        unpriced=any(one.unpriced for one in some),
    )


class Rooms:
    """How long answers may be in tokens, and with them whatever later prompts repeat."""

    def __init__(self, asked: Sequence[Asked]) -> None:
        self._by_kind: dict[str, int] = {}
        self._by_seat: dict[str, int] = {}
        for one in asked:
            seat, kind, room = one.call.seat.id, one.call.brief.name, room_of(one.call, one.voice)
            self._by_kind[kind] = max(room, self._by_kind.get(kind, 0))
            self._by_seat[seat] = max(room, self._by_seat.get(seat, 0))

    def before(self, call: Call) -> int:
        """Tokens by which the words in a prompt may exceed those that were imagined."""
        return self.of_words([*(turn for wave in call.knowledge.public for turn in wave), *call.knowledge.private])

    def of_words(self, items: Sequence[Turn | Note]) -> int:
        return sum(self._of(item) + LABELS for item in items)

    def _of(self, item: Turn | Note) -> int:
        if isinstance(item, Note):
            seat, kind = item.by, item.kind
        else:
            seat, kind = item.speaker_id, (item.metadata and item.metadata.kind) or ""
        # What a script lets a seat say was written elsewhere, on whichever of its forms gave it most room.
        return self._by_kind.get(kind, self._by_seat.get(seat, 0))


def room_of(call: Call, voice: Voice | None) -> int:
    from .actor import room_for  # noqa: PLC0415  the actor loads the database

    return room_for(call, voice or PERSON)


def likely_tokens(text: str) -> int:
    raw = text.encode("utf-8", "replace")
    dear = len(raw.translate(None, _FLUENT))
    return dear + round((len(raw) - dear) / LETTERS)


@cache
def _schema_tokens(form: type[Form]) -> int:
    schema: Any = schema_of(form)
    return likely_tokens(json.dumps(schema))
