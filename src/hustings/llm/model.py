"""The port between a debate and any model: one request in, one response of a closed union out. No I/O here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from hustings.script.prompt import Prompt

OnText = Callable[[str], None]
"""Gets every piece of text as it comes. Passing: nothing durable may depend on it."""
Said = Literal["refused", "filtered", "truncated", "empty", "malformed"]
"""The model answered, but not with a usable speech: an attempt, where attempts are allowed."""
Wire = Literal["garbled", "overloaded", "timed_out", "unreachable", "rate_limited"]
"""Tried again inside the step; never an attempt."""
Stop = Literal["too_long", "auth_failed", "rejected"]
"""Sending the same again cannot help: somebody must act."""
Kind = Literal["ok"] | Said | Wire | Stop
Billed = Literal["no", "maybe", "yes"]
"""`maybe` counts as spent in full."""


@dataclass(frozen=True)
class Usage:
    """Tokens as the provider counted them; None is unknown, which is not nought."""

    input: int | None = None
    cached: int | None = None
    written: int | None = None
    output: int | None = None


@dataclass(frozen=True)
class LlmResponse:
    """What came of a request. Plain fields only: no exception, header or request, so no key can hide in it."""

    kind: Kind
    text: str = ""
    """The answer; of one that broke off, what had come, for diagnosis."""
    detail: str = ""
    """For people: class, status, codes. Never a body, a header, a key or a prompt."""
    usage: Usage = Usage()
    billed: Billed = "yes"
    after: float | None = None
    """Seconds the provider asked to wait."""
    model: str = ""
    """As the provider names it, which may differ from the one asked for."""
    response_id: str | None = None


@dataclass(frozen=True)
class LlmRequest:
    """A prompt, and what may be spent on its answer."""

    prompt: Prompt
    max_tokens: int
    name: str = ""
    """Says which call this is, to a provider that keeps a log; the same for every try."""
    run: str = ""
    """Requests of one run share a cache."""
    seconds: float = 120.0
    """For the whole answer, by a clock that only goes forward."""
    first_token_seconds: float = 60.0
    temperature: float | None = None
    """None: not sent."""
    seed: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Sampling options of one server, such as `repeat_penalty` of llama.cpp."""


class Model(Protocol):
    async def answer(self, request: LlmRequest, on_text: OnText) -> LlmResponse:
        """Never raises, except when it is cancelled."""
        ...
