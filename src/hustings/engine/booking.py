"""Tokens booked for one try of a model call: the provider's report, held against our count of prompt and answer.

Tokenizers differ and reasoning is not shown, so our count cannot replace the provider's. It bounds it: from below by
the text, from above by what was held, which the longest prompt and the longest answer would take.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hustings.db.budget import Sum
from hustings.db.caps import MICRO
from hustings.db.instants import instant
from hustings.db.ledger import NOTHING
from hustings.llm.model import LlmRequest, LlmResponse, Misreport, Usage
from hustings.llm.model_spec import ModelSpec
from hustings.llm.prices import likely_tokens, price
from hustings.transcript.call_try import CallTry

UNKNOWN = Usage()
MOST_LETTERS = 8
"""Characters per token, blanks in a row counted once. Prose has about half as many under any tokenizer that we know."""


@dataclass(frozen=True)
class ChargedResponse:
    """A response with its tokens as far as they can be right, and the try that it ended, with what is booked for it."""

    response: LlmResponse
    call_try: CallTry


def charge(
    model_spec: ModelSpec, request: LlmRequest, response: LlmResponse, held: Sum, sent_at: float
) -> ChargedResponse:
    """Count a try. What nobody can know is booked in full."""
    usage = response.usage
    if response.billed == "no":
        return book(replace(response, misreport=""), sent_at, cost=0)
    if response.billed == "maybe":
        lost = replace(response, usage=UNKNOWN, misreport="")
        return book(lost, sent_at, held, unproven=held.tokens)
    cost = price(model_spec, usage)
    if cost is None or usage.input is None or usage.output is None:
        return _book_in_full(request, response, held, sent_at)
    if cost > held.money or usage.input + usage.output > held.tokens:
        beyond = max(0, cost - held.money)
        return _book_in_full(request, replace(response, misreport="too_high"), held, sent_at, beyond)
    # A server that drops the beginning of a prompt says so by its count, and is believed.
    raised = usage if response.kind == "too_long" else _raised(request, response)
    if raised == usage and not response.misreport:
        return book(response, sent_at, Sum(cost, usage.input + usage.output), cost=cost)
    return book(
        _without_usage(response, response.misreport or "too_low"),
        sent_at,
        Sum(
            min(price(model_spec, raised) or 0, held.money),
            min((raised.input or 0) + (raised.output or 0), held.tokens),
        ),
        reported=usage,
    )


def book(
    response: LlmResponse,
    sent_at: float,
    booked: Sum = NOTHING,
    *,
    unproven: int = 0,
    cost: int | None = None,
    beyond: int = 0,
    reported: Usage = UNKNOWN,
) -> ChargedResponse:
    """A try that is over. Its price is known only with a cost; `reported` is what cannot be right."""
    usage = response.usage
    call_try = CallTry(
        ended=response.kind,
        sent_at=instant(sent_at),
        answered_at=instant(),
        tokens_in=usage.input,
        tokens_cached=usage.cached,
        tokens_out=usage.output,
        tokens=booked.tokens - unproven,
        unproven=unproven,
        price=None if cost is None else cost / MICRO,
        booked=booked.money / MICRO,
        beyond=beyond / MICRO,
        misreport=response.misreport,
        reported_in=reported.input,
        reported_out=reported.output,
    )
    return ChargedResponse(response, call_try)


def _book_in_full(
    request: LlmRequest, response: LlmResponse, held: Sum, sent_at: float, beyond: int = 0
) -> ChargedResponse:
    """Booked in full, because reasoning that nobody saw may have been billed. Known is what we can count ourselves."""
    known = min(likely_tokens(request.prompt.text) + likely_tokens(response.text), held.tokens)
    return book(
        _without_usage(response, response.misreport),
        sent_at,
        held,
        unproven=held.tokens - known,
        beyond=beyond,
        reported=response.usage,
    )


def _without_usage(response: LlmResponse, misreport: Misreport) -> LlmResponse:
    return replace(response, usage=UNKNOWN, misreport=misreport)


def _raised(request: LlmRequest, response: LlmResponse) -> Usage:
    """The reported tokens; our own count instead of each that is lower than any tokenizer makes it."""
    usage = response.usage
    read, said = (_at_least(n, text) for n, text in ((usage.input, request.prompt.text), (usage.output, response.text)))
    return replace(usage, input=read, output=said)


def _at_least(reported: int | None, text: str) -> int:
    reported = reported or 0
    return reported if reported >= len(" ".join(text.split())) // MOST_LETTERS else likely_tokens(text)
