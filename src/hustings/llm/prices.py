"""What a call costs, in millionths of a US dollar: the worst before it is sent, the real price after.

Prices are looked up by our own name of the provider. A model nobody has a price for is not called.
"""

from __future__ import annotations

import json
from decimal import ROUND_CEILING, Decimal
from math import ceil
from string import ascii_letters

from hustings.errors import Unsuitable
from hustings.script.calls import Call
from hustings.script.prompt import Prompt

from .endpoints import endpoint_of
from .model import Usage
from .model_spec import ModelSpec

_FLUENT = (ascii_letters + " ").encode()
_FRAME = 64
"""Tokens that a chat template puts around the messages, with room to spare."""
REASONING = 1_024
"""Tokens of room for thoughts that are paid but not shown."""


def most_tokens(prompt: Prompt) -> int:
    """No tokenizer is at hand, so this errs upwards.

    English has four to five letters a token; Finnish, to a tokenizer made for English, not even three. Digits,
    signs and characters beyond ASCII are the dear ones: a tokenizer by bytes may need a token for every single byte.
    """
    schema = json.dumps(prompt.schema) if prompt.schema else ""
    text = f"{prompt.text}{schema}".encode("utf-8", "replace")
    dear = len(text.translate(None, _FLUENT))
    return dear + ceil((len(text) - dear) / 2.5) + _FRAME


def least_tokens(prompt: Prompt) -> int:
    """Errs downwards: hardly any text has more than six characters a token."""
    return len(prompt.text) // 6


def room_for(call: Call, model_spec: ModelSpec | None) -> int:
    """Tokens an answer may have: three a word, a frame for a form, and thoughts."""
    words = call.brief.words or 300
    room = 3 * words + (REASONING if call.brief.form.prose else 2 * REASONING)
    return room if model_spec is None or model_spec.max_tokens is None else min(room, model_spec.max_tokens)


def worst(model_spec: ModelSpec, tokens: int, max_tokens: int) -> int:
    """The most a call can cost: nothing read from a cache, all of it written to one, and the longest answer."""
    plain = price(model_spec, Usage(input=tokens, output=max_tokens))
    written = price(model_spec, Usage(input=tokens, written=tokens, output=max_tokens))
    if plain is None or written is None:
        raise _unknown(model_spec)
    return max(plain, written)


def price(model_spec: ModelSpec, usage: Usage) -> int | None:
    """None if the tokens or their price are not known."""
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
    return Unsuitable(
        f"nobody knows what {model_spec.label} costs, so no budget could hold it",
        fix="declare it in USD per million tokens with LLM_PRICE_INPUT and LLM_PRICE_OUTPUT "
        "(both 0 for a server of your own)",
    )
