"""The call that goes out to a seat, and the reply that comes back."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any, Literal

from pydantic import AwareDatetime, TypeAdapter, ValidationError

from hustings.transcript.models import Turn

from .background import Background
from .documents import FIRST, Document, Documents, FetchedDocument, TextsOf
from .forms import fingerprint
from .moves import Brief
from .seats import Seat
from .tools import ToolTerms
from .visibility import Knowledge

Fault = Literal["refused", "filtered", "truncated", "empty"]
"""Why a reply cannot be used."""

PROMPTS = "1"
"""Version of the prompts."""
_LOOKS = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
_INSTANT: TypeAdapter[AwareDatetime] = TypeAdapter(AwareDatetime)


@dataclass(frozen=True)
class DebateContext:
    """What every seat knows from the start."""

    protocol: str
    topic: str
    rules: str
    seats: tuple[Seat, ...]
    language: str = "en"
    run_id: str = ""
    fence: str = ""
    """Secret of the marks around what others said; it is in no prompt."""
    table: bool = True
    """Whether all seats take part, so that the prompt can name them from the start."""
    subject: bool = False
    """Whether seats judge a finished record: each works alone, and its prompt mentions no table."""
    background: Background | None = None
    documents: Documents | None = None
    texts: TextsOf = field(default_factory=dict[str, str])
    """Texts of the documents by id: a call needs none of them, its prompt does."""
    titles_only: bool = False
    """Whether seats are shown the titles of the documents and not their texts, as judges are."""
    tools: tuple[ToolTerms, ...] = ()
    fetched: tuple[FetchedDocument, ...] = ()
    """Documents that tools have brought so far."""

    @property
    def document(self) -> str:
        """The document that came with the question; empty without one."""
        return self.background.shown if self.background else ""

    def texts_for(self, seat: str, said: Turn | None = None) -> TextsOf:
        """Texts of all documents that a seat may cite, by id; those that it could cite when something was said."""
        brought = {one.id: one.text for one in self.fetched if seat in one.seats and _was_there(one, said)}
        if self.titles_only:
            return brought
        first = {FIRST: self.background.text} if self.background else {}
        known = self.documents.readable_by(seat) if self.documents else ()
        return {**first, **{one.id: self.texts[one.id] for one in known if one.id in self.texts}, **brought}

    @property
    def unvouched(self) -> frozenset[str]:
        """Ids of the documents that tools brought."""
        return frozenset(one.id for one in self.fetched)

    @property
    def first_fetched(self) -> int:
        """Number of the first document that a tool can bring."""
        return 1 + bool(self.background) + (len(self.documents.each) if self.documents else 0)

    def next_fetched(self, side: str) -> int:
        """Number of the next document that a tool brings a side. What another side has fetched does not change it."""
        sides = list(dict.fromkeys(seat.side for seat in self.seats))
        own = sum(one.side == side for one in self.fetched)
        return self.first_fetched + own * len(sides) + sides.index(side)

    def tools_for(self, seat: str) -> tuple[ToolTerms, ...]:
        return tuple(tool for tool in self.tools if seat in tool.seats)

    @property
    def look_ups(self) -> int:
        """How often each side may have something looked up in the documents."""
        return self.documents.look_ups if self.documents and not self.titles_only else 0

    @property
    def shown(self) -> tuple[Document, ...]:
        """The further documents whose texts all seats are shown."""
        return self.documents.shared if self.documents and not self.titles_only else ()

    @property
    def citable(self) -> tuple[str, ...]:
        """Ids of the documents that all seats may cite from the start."""
        return (*([FIRST] if self.background else []), *(one.id for one in self.shown))


def _was_there(document: FetchedDocument, said: Turn | None) -> bool:
    return said is None or document.after < (said.round_index, said.turn_index_in_round)


@dataclass(frozen=True)
class Call:
    """One question to one seat, with everything that seat may know."""

    address: str
    """Its place in the debate: wave, place in the wave, seat, brief."""
    context: DebateContext
    seat: Seat
    brief: Brief[Any]
    on_record: bool
    knowledge: Knowledge
    complaints: tuple[str, ...] = ()
    rejected: str = ""
    """The seat's own last answer, if it was sent back."""
    instructions: tuple[str, ...] = ()
    """What the chair told this seat since it last spoke."""

    @cached_property
    def key(self) -> str:
        """Address and fingerprint of the question: the name of its durable step."""
        known, background = self.knowledge, self.context.background
        further = self.context.documents.digest_for(self.seat.id) if self.context.documents else ""
        papers = [*([background.digest] if background else []), *([further] if further else [])]
        asked = [self.context.topic, self.context.language, self.brief.text, self.brief.words, self.brief.seconds]
        heard = (_spoken(turn.turn_id, turn.said) for wave in known.public for turn in wave)
        private = [[i.turn_id, i.said] if isinstance(i, Turn) else [i.note_id, i.body] for i in known.private]
        exhibits = [[shown.name, shown.what, shown.words] for group in self.brief.exhibits for shown in group]
        question = (
            _json([*asked, *papers]),
            _json([self.brief.choices, fingerprint(self.brief.form)]),
            f"[{', '.join(heard)}]",
            _json(private),
            _json([self.complaints, self.rejected, self.instructions]),
            _json(exhibits),
        )
        text = f"[{', '.join(question)}]"
        return f"{self.address} #{sha256(text.encode()).hexdigest()[:8]}"


def _json(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


@lru_cache(maxsize=512)
def _spoken(turn_id: str, said: str) -> str:
    """Kept, because every call after a turn has it in its key."""
    return _json([turn_id, said])


@dataclass(frozen=True)
class Sampling:
    """Settings that were sent with a call; None where none was sent."""

    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None


NONE_SENT = Sampling()


@dataclass(frozen=True)
class Reply:
    """What came back, and when."""

    text: str
    at: str
    """UTC with milliseconds and Z, so that sorting the texts sorts the times."""
    fault: Fault | None = None
    model: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    latency_ms: int | None = None
    sampling: Sampling = NONE_SENT
    reasoning: str = ""
    """What the model thought before it answered, where it was to be kept."""
    player: str = ""
    """Label of the model that had the seat; a seat that gets another one has all its attempts again."""

    def __post_init__(self) -> None:
        must_be_instant(self.at)


def must_be_instant(text: str) -> None:
    """Refuse a time in any other format: times of a run are compared as texts, so all must look alike."""
    try:
        if _LOOKS.fullmatch(text) and _INSTANT.validate_python(text):
            return
    except ValidationError:
        pass
    raise ValueError(f"{text!r} is no time like '2026-01-01T00:00:00.000Z': a run's clock is UTC, with milliseconds")
