"""Prices of model calls, from settings or the price list; a model without a known price is not called.

The worst case is priced before a call, the real cost after it, in millionths of a US dollar.
Prices are looked up by our own name of the provider.
"""

from __future__ import annotations

import json
from decimal import ROUND_CEILING, Decimal
from math import ceil
from string import ascii_letters

from hustings.errors import Unsuitable
from hustings.script.calls import Call
from hustings.script.prompt import Prompt

from .endpoints import COMMAND, endpoint_of
from .known_models import meant
from .model import Usage
from .model_spec import ModelSpec

_FLUENT = (ascii_letters + " ").encode()
LETTERS = 5.2
"""English letters and spaces per token of the local model's tokenizer; other characters take about one token each.

Within 6 % over all protocols and audits. Larger vocabularies need fewer tokens, languages other than English more."""
_FRAME = 64
"""Tokens that a chat template adds around the messages, with a margin."""
REASONING = 1_024
"""Tokens for reasoning that is billed but not shown."""


def most_tokens(prompt: Prompt) -> int:
    """Upper bound for the tokens of a prompt. No tokenizer is available, so it errs upwards.

    English has four to five letters per token; Finnish has fewer than three in a tokenizer made for English. Digits,
    punctuation and non-ASCII characters cost the most: a byte-level tokenizer may need one token per byte.
    """
    schema = json.dumps(prompt.schema) if prompt.schema else ""
    text = f"{prompt.text}{schema}".encode("utf-8", "replace")
    dear = len(text.translate(None, _FLUENT))
    return dear + ceil((len(text) - dear) / 2.5) + _FRAME


def least_tokens(prompt: Prompt) -> int:
    """Lower bound for the tokens of a prompt: hardly any text has more than six characters per token."""
    return len(prompt.text) // 6


def likely_tokens(text: str) -> int:
    """Our own count of a text."""
    raw = text.encode("utf-8", "replace")
    dear = len(raw.translate(None, _FLUENT))
    return dear + round((len(raw) - dear) / LETTERS)


def room_for(call: Call, model_spec: ModelSpec | None) -> int:
    """Tokens allowed for an answer: three per word, plus room for reasoning and, in a form, for the JSON."""
    words = call.brief.words or 300
    room = 3 * words + (REASONING if call.brief.form.prose else 2 * REASONING)
    return room if model_spec is None or model_spec.max_tokens is None else min(room, model_spec.max_tokens)


def worst(model_spec: ModelSpec, tokens: int, max_tokens: int) -> int:
    """The most that a call can cost: no cache read, the whole prompt written to a cache, and the longest answer."""
    plain = price(model_spec, Usage(input=tokens, output=max_tokens))
    written = price(model_spec, Usage(input=tokens, written=tokens, output=max_tokens))
    if plain is None or written is None:
        raise _unknown(model_spec)
    return max(plain, written)


def price(model_spec: ModelSpec, usage: Usage) -> int | None:
    """Cost of a call; None if the token counts or the price are unknown."""
    if usage.input is None or usage.output is None:
        return None
    if model_spec.price is not None:
        total = (
            Decimal(str(model_spec.price.input)) * usage.input + Decimal(str(model_spec.price.output)) * usage.output
        )
        return _up(total)
    if model_spec.local:
        return 0
    listed = endpoint_of(model_spec.provider, model_spec.base_url).prices
    return _listed(listed, model_spec.model, usage) if listed else None


def of_one_call(tool: ModelSpec) -> int:
    """Cost of one call of a tool: its spec counts a call as one token."""
    return price(tool, Usage(input=0, output=1)) or 0


def must_be_known(model_spec: ModelSpec) -> None:
    if price(model_spec, Usage(input=1, output=1)) is None:
        raise _unknown(model_spec)


def _listed(provider: str, model: str, usage: Usage) -> int | None:
    # Loading the price list takes most of a second.
    from genai_prices import Usage as Tokens  # noqa: PLC0415
    from genai_prices import calc_price  # noqa: PLC0415

    tokens = Tokens(
        input_tokens=usage.input,
        cache_read_tokens=usage.cached,
        cache_write_tokens=usage.written,
        output_tokens=usage.output,
    )
    try:
        return _up(calc_price(tokens, model, provider_id=provider).total_price * 1_000_000)
    except (LookupError, ValueError):
        return None


def _up(amount: Decimal) -> int:
    return int(amount.to_integral_value(ROUND_CEILING))


def _unknown(model_spec: ModelSpec) -> Unsuitable:
    if model_spec.provider == COMMAND:
        return Unsuitable(
            f"no price known for {model_spec.label}, so the budget can't be enforced",
            fix=f"set price in [commands.{model_spec.model}] in USD per million tokens (both 0 if you pay a flat rate)",
        )
    return Unsuitable(
        f"no price known for {model_spec.label}, so the budget can't be enforced",
        fix=f"{meant(model_spec.label)}set LLM_PRICE_INPUT and LLM_PRICE_OUTPUT in USD per million tokens "
        "(both 0 for your own server)",
    )
