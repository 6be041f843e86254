"""Asking a model from a test, which has no event loop of its own."""

import asyncio
import json

from hustings.llm.egress import PUBLIC_OR_LOOPBACK, hang_up
from hustings.llm.http_model import model_of
from hustings.llm.model import LlmRequest
from hustings.llm.model_spec import ModelSpec
from hustings.script.prompt import Prompt

KEY = "sk-canary-7f3a9b2c"
PROMPT = Prompt("rules", ("first wave ", "second wave "), "tail", None)


def model_spec_at(base_url, provider="openai_compatible", **fields):
    return ModelSpec(**{"provider": provider, "model": "m", "base_url": base_url, "key": "LLM_API_KEY", **fields})


def ask(model_spec, *requests, policy=PUBLIC_OR_LOOPBACK, on_text=lambda _: None):
    """The responses to one request after another."""

    async def all_of_them():
        try:
            model = model_of(model_spec, {"LLM_API_KEY": KEY}, policy)
            return [await model.answer(request, on_text) for request in requests]
        finally:
            await hang_up()

    return asyncio.run(all_of_them())


def ask_at_once(*model_specs):
    """The responses of several models to one request each, at the same time."""

    async def all_of_them():
        try:
            models = [model_of(model_spec, {"LLM_API_KEY": KEY}, PUBLIC_OR_LOOPBACK) for model_spec in model_specs]
            return await asyncio.gather(
                *(model.answer(request(seconds=20, first_token_seconds=20), lambda _: None) for model in models)
            )
        finally:
            await hang_up()

    return asyncio.run(all_of_them())


def request(prompt=PROMPT, **fields):
    return LlmRequest(prompt, **{"max_tokens": 50, "seconds": 1.2, "first_token_seconds": 0.8, **fields})


def stream_of(text, **more):
    """The body of a whole streamed answer, as a generic server sends it."""
    choice = {"index": 0, "delta": {"content": text}, "finish_reason": "stop"}
    chunk = {"id": "c", "model": "m", "created": 1, "choices": [choice], **more}
    return f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode()
