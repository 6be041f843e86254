"""Interface between the engine and a model: LlmRequest in, LlmResponse out. No I/O here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from hustings.script.calls import NONE_SENT, Sampling
from hustings.script.prompt import Prompt

from .patience import USUAL

OnText = Callable[[str], None]
"""Receives every piece of text as it arrives. It is only a display: nothing durable may depend on it."""
Said = Literal["refused", "filtered", "truncated", "empty", "malformed"]
"""The model answered without a usable speech. This counts as an attempt, where the brief allows attempts."""
Wire = Literal["garbled", "overloaded", "timed_out", "unreachable", "rate_limited"]
"""Failures of the connection or the server. They are retried inside the step and never count as an attempt."""
Stop = Literal["too_long", "rejected"]
"""Sending the same request again cannot help: the user must change something."""
Barred = Literal["auth_failed", "no_credit", "untrusted", "not_an_api"]
"""No request gets through until the user acts: on the key, the account, the certificate, the address or the network.
After that the same request helps."""
Kind = Literal["ok"] | Said | Wire | Stop | Barred
Billed = Literal["no", "maybe", "yes"]
"""`maybe` is booked as spent in full."""
Misreport = Literal["", "missing", "impossible", "changing", "too_low", "too_high"]
"""What is wrong with the report of tokens of a complete answer: it is missing; it holds counts that no call can have;
it changes within a stream; or it names fewer tokens than there are, or more than the call could take."""


@dataclass(frozen=True)
class Usage:
    """Tokens as the provider counted them. None means unknown, not zero."""

    input: int | None = None
    cached: int | None = None
    written: int | None = None
    output: int | None = None


@dataclass(frozen=True)
class LlmResponse:
    """Result of a request. Plain fields only: no exception, header or request object that could contain a key."""

    kind: Kind
    text: str = ""
    """The answer. If the stream broke off, the part that arrived, for diagnosis."""
    detail: str = ""
    """What went wrong, in words for people. Never a body, a header, a key or a prompt."""
    usage: Usage = Usage()
    misreport: Misreport = ""
    billed: Billed = "yes"
    after: float | None = None
    """Seconds that the provider asked us to wait."""
    model: str = ""
    """Name that the provider reports; it may differ from the model asked for."""
    response_id: str | None = None
    sampling: Sampling = NONE_SENT
    """What was really sent: some models take no temperature."""
    reasoning: str = ""
    """What the model thought before it answered, if that was asked for and the provider shows it."""


@dataclass(frozen=True)
class LlmRequest:
    """A prompt, and the limits for its answer."""

    prompt: Prompt
    max_tokens: int
    name: str = ""
    """Identifies the call in the provider's logs; the same for every retry."""
    run: str = ""
    """Requests of one run share a prompt cache."""
    seconds: float = USUAL.whole
    """For the whole answer, by a monotonic clock."""
    first_token_seconds: float = USUAL.first_word
    temperature: float | None = None
    """None: the setting is not sent."""
    seed: int | None = None
    keep_reasoning: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Sampling options of a particular server, such as `repeat_penalty` of llama.cpp."""


class Model(Protocol):
    async def answer(self, request: LlmRequest, on_text: OnText) -> LlmResponse:
        """Never raise, except when cancelled."""
        ...
