"""Whatever a provider does becomes the response it should, after exactly one call, and no key comes out."""

import asyncio
import logging
import random

import pytest

from hustings.llm.egress import PUBLIC, PUBLIC_OR_LOOPBACK, hang_up
from hustings.llm.http_model import model_of
from hustings.llm.model import LlmResponse
from tests.rig.provider import FAULTS
from tests.rig.provider_faults import HABITS

from .asking import KEY, ask, model_spec_at, request, stream_of

STREAMED = {
    "ok": ("ok", "yes"),
    "no_usage": ("ok", "yes"),
    "usage_huge": ("ok", "yes"),
    "usage_tiny": ("ok", "yes"),
    "usage_negative": ("ok", "yes"),
    "usage_changing": ("ok", "yes"),
    "usage_growing": ("ok", "yes"),
    "slow_drip": ("timed_out", "maybe"),
    "thinking": ("ok", "yes"),
    "parts": ("ok", "yes"),
    "null_beside_thinking": ("ok", "yes"),
    "tool_call": ("ok", "yes"),
    **dict.fromkeys(HABITS, ("ok", "yes")),
    "empty": ("empty", "yes"),
    "blank": ("empty", "yes"),
    "null_content": ("empty", "yes"),
    "refusal": ("refused", "yes"),
    "content_filter": ("filtered", "yes"),
    "content_filter_midway": ("filtered", "yes"),
    "finish_length": ("truncated", "yes"),
    "finish_none": ("garbled", "maybe"),
    "wrong_language": ("ok", "yes"),
    "repeats": ("malformed", "yes"),
    "echo": ("ok", "yes"),
    "not_the_form": ("ok", "yes"),
    "score_11": ("ok", "yes"),
    "score_nan": ("ok", "yes"),
    "unknown_id": ("ok", "yes"),
    "dup_tool": ("garbled", "maybe"),
    "status400": ("rejected", "no"),
    "status401": ("auth_failed", "no"),
    "status402": ("no_credit", "no"),
    "status403": ("auth_failed", "no"),
    "unknown_model": ("rejected", "no"),
    "status429": ("rate_limited", "no"),
    "status429_now": ("rate_limited", "no"),
    "status429_bare": ("rate_limited", "no"),
    "status429_long": ("rate_limited", "no"),
    "status429_date": ("rate_limited", "no"),
    "quota": ("no_credit", "no"),
    "status500": ("overloaded", "no"),
    "status502_html": ("overloaded", "no"),
    "status503": ("overloaded", "no"),
    "status529": ("overloaded", "no"),
    "status529_html": ("overloaded", "no"),
    "ctx_exceeded": ("too_long", "no"),
    "ctx_llamacpp": ("too_long", "no"),
    "html200": ("not_an_api", "no"),
    "json_malformed": ("garbled", "maybe"),
    "wrong_schema": ("garbled", "maybe"),
    "key_echo": ("auth_failed", "no"),
    "redirect": ("not_an_api", "no"),
    "json_truncated": ("garbled", "maybe"),
    "choices_empty": ("garbled", "maybe"),
    "huge": ("garbled", "maybe"),
    "endless": ("garbled", "maybe"),
    "huge_line": ("garbled", "maybe"),
    "conn_reset": ("unreachable", "no"),
    "conn_close": ("unreachable", "no"),
    "hang": ("timed_out", "maybe"),
    "exec_then_hang": ("timed_out", "maybe"),
    "stream_hang": ("timed_out", "maybe"),
    "stream_cut": ("garbled", "maybe"),
    "stream_reset": ("garbled", "maybe"),
    "stream_no_done": ("garbled", "maybe"),
    "bad_utf8": ("garbled", "maybe"),
    "sse_garbage": ("garbled", "maybe"),
    "sse_error": ("overloaded", "maybe"),
}
BEFORE_ANY_BODY = (
    "status",
    "ctx_",
    "key_",
    "conn_",
    "unknown_model",
    "quota",
    "redirect",
    "html200",
    "hang",
    "exec_",
    "slow_",
)
PLAIN = {
    name: answer if name.startswith(BEFORE_ANY_BODY) else ("garbled", "maybe") for name, answer in STREAMED.items()
} | {
    "stream_hang": ("timed_out", "maybe"),
    "stream_cut": ("unreachable", "maybe"),
    "stream_reset": ("unreachable", "maybe"),
}
"""A whole document where a stream was due is not the protocol, however good it is."""
WAITS = {"status429": 1, "status429_now": 0, "status429_long": 3600, "status429_bare": None}
LOGGERS = [None, "openai", "httpx2", "httpcore2", "pydantic_ai"]


def test_every_fault_has_its_response():
    assert STREAMED.keys() == FAULTS.keys()


@pytest.mark.parametrize("fault", STREAMED)
def test_a_fault_of_a_stream_becomes_its_response_after_one_call(provider, fault):
    response, calls = provoke(provider, fault)
    assert (response.kind, response.billed, calls) == (*STREAMED[fault], 1), response


@pytest.mark.parametrize("fault", PLAIN)
def test_a_fault_without_a_stream_becomes_its_response_after_one_call(provider, fault):
    response, calls = provoke(provider, fault, extra={"stream": False})
    assert (response.kind, response.billed, calls) == (*PLAIN[fault], 1), response


@pytest.mark.parametrize(("fault", "seconds"), WAITS.items())
def test_the_wait_a_provider_asks_for_is_passed_on(provider, fault, seconds):
    assert provoke(provider, fault)[0].after == seconds


def test_a_wait_until_a_date_is_passed_on_in_seconds(provider):
    assert 0 <= provoke(provider, "status429_date")[0].after <= 2


@pytest.mark.parametrize("fault", ["stream_cut", "content_filter_midway", "finish_length", "sse_error"])
def test_what_had_come_is_kept_for_diagnosis(provider, fault):
    assert provoke(provider, fault)[0].text


def test_the_words_of_a_refusal_are_kept(provider):
    assert provoke(provider, "refusal")[0].text == "I can't help with that."


def test_unknown_usage_is_not_nought(provider):
    assert provoke(provider, "no_usage")[0].usage.input is None


@pytest.mark.parametrize(
    ("fault", "usage", "misreport"),
    [
        ("no_usage", (None, None), "missing"),
        ("usage_negative", (None, None), "impossible"),
        ("usage_changing", (2_000, 700), "changing"),
        ("usage_growing", (2_000, 300), ""),
    ],
)
def test_of_the_reports_of_a_stream_the_largest_counts_and_contradictions_are_told(provider, fault, usage, misreport):
    response = provoke(provider, fault)[0]
    assert ((response.usage.input, response.usage.output), response.misreport) == (usage, misreport)


@pytest.mark.parametrize("fault", ["status401", "status400", "html200", "sse_error"])
def test_a_detail_holds_nothing_the_provider_wrote_in_words(provider, fault):
    detail = provoke(provider, fault)[0].detail
    assert not any(words in detail for words in ("bad key", "something is wrong", "log in", "overloaded "))


def test_a_server_that_is_not_there_is_unreachable_and_free():
    (response,) = ask(model_spec_at("http://127.0.0.1:9/v1"), request())
    assert (response.kind, response.billed) == ("unreachable", "no")


def test_an_unknown_host_is_unreachable_and_free():
    # A label of 64 characters: no resolver is asked.
    (response,) = ask(model_spec_at(f"http://{'a' * 64}.invalid/v1"), request())
    assert (response.kind, response.billed) == ("unreachable", "no")


def test_a_forbidden_address_is_rejected_and_free(provider):
    (response,) = ask(model_spec_at(provider.always("ok")), request(name="forbidden"), policy=PUBLIC)
    assert (response.kind, response.billed) == ("rejected", "no")
    assert not [call for call in provider.calls() if call.key == "forbidden"]


def test_no_key_is_in_any_response_or_log(provider, caplog):
    for name in LOGGERS:
        caplog.set_level(logging.DEBUG, logger=name)
    told = [
        provoke(provider, fault)[0] for fault in ("ok", "key_echo", "status401", "status500", "redirect", "bad_utf8")
    ]
    logs = "".join(f"{record.getMessage()}{record.exc_info}{record.exc_text}" for record in caplog.records)
    assert KEY not in repr(told) + logs


def test_a_key_the_server_puts_into_a_code_or_a_speech_is_taken_out(canary):
    canary.status, canary.kind = 400, "application/json"
    canary.answer = f'{{"error": {{"message": "no", "code": "{KEY}", "type": "{KEY}"}}}}'.encode()
    (coded,) = ask(model_spec_at(f"{canary.url}/v1"), request())
    canary.status, canary.kind, canary.answer = 200, "text/event-stream", stream_of(KEY, id=KEY, model=KEY)
    (spoken,) = ask(model_spec_at(f"{canary.url}/v1"), request())
    assert (coded.kind, spoken.kind, spoken.text) == ("rejected", "ok", "[key]")
    assert KEY not in repr((coded, spoken))


@pytest.mark.parametrize("many", [100, pytest.param(1_000, marks=pytest.mark.nightly("a thousand faults"))])
def test_random_faults_raise_nothing(provider, many):
    """Those that only wait, or send megabytes, are left out: they would take an hour."""
    quick = [
        name for name, (kind, _) in STREAMED.items() if kind != "timed_out" and not name.startswith(("huge", "endless"))
    ]
    rng = random.Random(20260101)
    plan = [(rng.choice(quick), rng.random() < 0.3) for _ in range(many)]

    async def one(number, fault, plain):
        model = model_of(model_spec_at(provider.always(fault)), {"LLM_API_KEY": KEY}, PUBLIC_OR_LOOPBACK)
        asked = request(name=f"random {number}", seconds=30, first_token_seconds=30)
        return await model.answer(
            request(**vars(asked) | {"extra": {"stream": False} if plain else {}}), lambda _: None
        )

    async def everything():
        try:
            gate = asyncio.Semaphore(20)

            async def gated(number, fault, plain):
                async with gate:
                    return await one(number, fault, plain)

            return await asyncio.gather(*(gated(n, *each) for n, each in enumerate(plan)))
        finally:
            await hang_up()

    responses = asyncio.run(everything())
    expected = [(PLAIN if plain else STREAMED)[fault][0] for fault, plain in plan]
    assert [response.kind for response in responses] == expected
    assert all(isinstance(response, LlmResponse) and KEY not in repr(response) for response in responses)


def provoke(provider, fault, **fields):
    name = f"{fault} {fields}"
    before = calls_of(provider, name)
    patience = {} if STREAMED[fault][0] == "timed_out" else {"seconds": 20, "first_token_seconds": 20}
    (response,) = ask(model_spec_at(provider.always(fault)), request(name=name, **patience, **fields))
    return response, calls_of(provider, name) - before


def calls_of(provider, name):
    return sum(call.key == name for call in provider.calls())
