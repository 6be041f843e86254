"""Tokens booked for one try of a model call: the provider's report, held against our count of prompt and answer.

Tokenizers differ and reasoning is not shown, so our count cannot replace the provider's. It bounds it: from below by
the text, from above by what was held, which the longest prompt and the longest answer would take.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hustings.db.budget import Booking, Sum
from hustings.llm.model import LlmRequest, LlmResponse, Misreport, Usage
from hustings.llm.model_spec import ModelSpec
from hustings.llm.prices import likely_tokens, price

UNKNOWN = Usage()
MOST_LETTERS = 8
"""Characters per token, blanks in a row counted once. Prose has about half as many under any tokenizer that we know."""


@dataclass(frozen=True)
class Counted:
    """A response with its tokens as far as they can be right, and what is booked for it."""

    response: LlmResponse
    booking: Booking
    price: int | None = None
    """What it cost, in millionths of a dollar; None if only the provider knows."""
    reported: Usage = UNKNOWN
    """What the provider reported, if it cannot be right."""

    @property
    def tokens(self) -> int:
        """Tokens that are known."""
        return self.booking.tokens - self.booking.unproven


def count(model_spec: ModelSpec, request: LlmRequest, response: LlmResponse, held: Sum) -> Counted:
    """Count a try. What nobody can know is booked in full."""
    usage = response.usage
    if response.billed == "no":
        return Counted(response, Booking(), 0)
    if response.billed == "maybe":
        return Counted(replace(response, usage=UNKNOWN, misreport=""), Booking.in_full(held))
    cost = price(model_spec, usage)
    if cost is None or usage.input is None or usage.output is None:
        return _uncounted(request, response, held)
    paid = Booking(cost, usage.input + usage.output)
    if paid.within(held) != paid:
        found = _uncounted(request, replace(response, misreport="too_high"), held)
        return replace(found, booking=replace(found.booking, beyond=max(0, cost - held.money)))
    # A server that drops the beginning of a prompt says so by its count, and is believed.
    raised = usage if response.kind == "too_long" else _raised(request, response)
    if raised == usage and not response.misreport:
        return Counted(response, paid, cost)
    paid = Booking(price(model_spec, raised) or 0, (raised.input or 0) + (raised.output or 0), misreported=True)
    return _doubted(response, replace(paid.within(held), beyond=0), response.misreport or "too_low")


def _uncounted(request: LlmRequest, response: LlmResponse, held: Sum) -> Counted:
    """Booked in full, because reasoning that nobody saw may have been billed. Known is what we can count ourselves."""
    known = min(likely_tokens(request.prompt.text) + likely_tokens(response.text), held.tokens)
    wrong = bool(response.misreport)
    booking = Booking(held.money, held.tokens, unproven=held.tokens - known, misreported=wrong)
    return _doubted(response, booking, response.misreport)


def _doubted(response: LlmResponse, booking: Booking, misreport: Misreport) -> Counted:
    return Counted(replace(response, usage=UNKNOWN, misreport=misreport), booking, None, response.usage)


def _raised(request: LlmRequest, response: LlmResponse) -> Usage:
    """The reported tokens; our own count instead of each that is lower than any tokenizer makes it."""
    usage = response.usage
    read, said = (_at_least(n, text) for n, text in ((usage.input, request.prompt.text), (usage.output, response.text)))
    return replace(usage, input=read, output=said)


def _at_least(reported: int | None, text: str) -> int:
    reported = reported or 0
    return reported if reported >= len(" ".join(text.split())) // MOST_LETTERS else likely_tokens(text)
