"""One answer: heard as it comes, stopped when it does not end, and never longer or later than was allowed."""

import asyncio
import random
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.errors import Unsuitable
from hustings.llm.egress import PUBLIC, PUBLIC_OR_LOOPBACK, hang_up
from hustings.llm.http_model import Discreet, HttpModel, loops, model_of
from hustings.llm.model import LlmRequest
from hustings.llm.model_spec import parse_model_spec
from hustings.script.prompt import Prompt
from tests.rig.provider import serving

from .asking import KEY, PROMPT, ask, model_spec_at, request, stream_of

CALM = {"seconds": 20, "first_token_seconds": 20}


def test_an_answer_is_heard_piece_by_piece(provider):
    heard = []
    (response,) = ask(model_spec_at(provider.always("ok")), request(**CALM), on_text=heard.append)
    assert len(heard) > 2
    assert "".join(heard) == response.text


def test_an_answer_brings_its_usage_its_model_and_its_id(provider):
    (response,) = ask(model_spec_at(provider.always("ok"), model="some-model"), request(**CALM))
    assert response.usage.input
    assert response.usage.output
    assert (response.model, bool(response.response_id)) == ("some-model", True)


def test_a_listener_that_breaks_does_not_cost_the_answer(provider):
    def broken(piece):
        raise RuntimeError(piece)

    assert ask(model_spec_at(provider.always("ok")), request(**CALM), on_text=broken)[0].kind == "ok"


@given(st.lists(st.sampled_from(["sk-", "secret", "-", "k", "one", " "]), max_size=30))
def test_the_key_is_never_heard_however_it_is_cut_and_nothing_else_is_lost(pieces):
    heard = []
    discreet = Discreet(heard.append, "sk-secret-one")
    for piece in pieces:
        discreet(piece)
    discreet.finish()
    assert "".join(heard) == "".join(pieces).replace("sk-secret-one", "[key]")


def test_a_key_that_the_server_repeats_is_neither_heard_nor_kept(canary):
    heard = []
    canary.status, canary.answer = 200, stream_of(f"Your key is {KEY}.")
    (response,) = ask(model_spec_at(f"{canary.url}/v1"), request(**CALM), on_text=heard.append)
    assert "".join(heard) == response.text == "Your key is [key]."


def test_the_whole_answer_has_a_deadline_however_steadily_it_drips():
    with serving(hang=30) as dripping:
        began = time.monotonic()
        (response,) = ask(model_spec_at(dripping.always("slow_drip")), request(seconds=0.9, first_token_seconds=20))
        took = time.monotonic() - began
    assert response.kind == "timed_out"
    assert took < 10  # a third of the drip, also where the machine is busy with something else


def test_cancelling_is_the_one_thing_that_is_raised(provider):
    async def cancelled():
        model = model_of(model_spec_at(provider.always("hang")), {"LLM_API_KEY": KEY}, PUBLIC_OR_LOOPBACK)
        task = asyncio.create_task(model.answer(request(), lambda _: None))
        await asyncio.sleep(0.2)
        task.cancel()
        try:
            await task
        finally:
            await hang_up()

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())


def test_a_loop_is_stopped_long_before_its_end(provider):
    heard = []
    (response,) = ask(model_spec_at(provider.always("repeats")), request(**CALM), on_text=heard.append)
    assert (response.kind, "kept repeating itself" in response.detail) == ("malformed", True)


@given(st.text(min_size=1, max_size=200), st.text(max_size=300))
def test_the_same_words_over_and_over_are_a_loop(words, before):
    assert loops(before + words * (1200 // len(words) + 1))


@given(st.integers(0, 10**9))
def test_words_that_change_are_no_loop(seed):
    rng = random.Random(seed)
    assert not loops("".join(rng.choices(["yes ", "no ", "perhaps "], k=400)))


def test_a_rule_across_the_page_is_no_loop():
    assert not loops("A table. " + "-" * 300)


def test_a_prompt_beyond_the_window_is_not_sent(provider):
    model_spec = model_spec_at(provider.always("ok"), context=100)
    (response,) = ask(model_spec, request(Prompt("word " * 1000, (), "tail", None), name="beyond the window"))
    assert (response.kind, response.billed) == ("too_long", "no")
    assert not [call for call in provider.calls() if call.key == "beyond the window"]


@pytest.mark.parametrize(("tokens", "kind"), [(5000, "too_long"), (20_000, "ok"), (10, "ok")])
def test_a_prompt_that_was_cut_in_silence_is_found_by_its_count(canary, tokens, kind):
    """Some servers count nothing and report next to nothing: that is no cut."""
    chunk = (
        '{"id":"c","model":"m","created":1,"choices":[{"index":0,"delta":{"content":"Yes."},"finish_reason":"stop"}]'
    )
    usage = f'"usage":{{"prompt_tokens":{tokens},"completion_tokens":2,"total_tokens":{tokens}}}'
    canary.status, canary.answer = 200, f"data: {chunk},{usage}}}\n\ndata: [DONE]\n\n".encode()
    (response,) = ask(model_spec_at(f"{canary.url}/v1"), request(Prompt("word " * 20_000, (), "tail", None), **CALM))
    assert response.kind == kind


def test_a_model_spec_limits_the_length_of_an_answer_and_gives_its_temperature(provider):
    model_spec = model_spec_at(provider.always("ok"), max_tokens=20, temperature=0.3, extra={"min_p": 0.1})
    ask(model_spec, request(name="limits", **CALM))
    body = provider.bodies()[-1]
    assert (body["max_tokens"], body["temperature"], body["min_p"]) == (20, 0.3, 0.1)


def test_a_request_wins_over_its_model_spec(provider):
    ask(model_spec_at(provider.always("ok"), temperature=0.3), request(temperature=0.9, **CALM))
    assert provider.bodies()[-1]["temperature"] == 0.9


def test_what_is_not_set_is_not_sent(provider):
    ask(model_spec_at(provider.always("ok")), request(**CALM))
    assert not {"temperature", "seed", "prompt_cache_key", "response_format", "tools"} & provider.bodies()[-1].keys()


def test_a_key_that_is_not_set_here_is_told_by_name():
    with pytest.raises(Unsuitable, match="OPENAI_API_KEY, which is not set"):
        model_of(parse_model_spec("openai/gpt-5").model_copy(update={"key": "OPENAI_API_KEY"}), {}, PUBLIC)


@pytest.mark.parametrize(("provider", "package"), [("anthropic", "anthropic"), ("google", "google")])
def test_a_package_that_is_not_installed_is_told_by_name(monkeypatch, provider, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(Unsuitable, match=rf"pip install .*'pydantic-ai-slim\[{provider}\]>="):
        model_of(parse_model_spec(f"{provider}/some-model"), {}, PUBLIC)


def test_what_cannot_even_be_set_up_is_rejected_and_free():
    async def answer():
        model_spec = model_spec_at("http://127.0.0.1:9/v1")
        return await HttpModel(model_spec, None, lambda: None / 0).answer(request(), lambda _: None)

    response = asyncio.run(answer())
    assert (response.kind, response.billed) == ("rejected", "no")


def test_half_a_character_is_escaped(canary):
    canary.status, canary.answer = 200, stream_of("\ud800")
    (response,) = ask(model_spec_at(f"{canary.url}/v1"), request(**CALM))
    assert (response.kind, response.text) == ("ok", "\\ud800")


@pytest.mark.parametrize(
    ("header", "after"), [("nan", None), ("-5", None), ("99999999", None), ("soon", None), ("7", 7)]
)
def test_a_wait_that_makes_no_sense_is_none(canary, header, after):
    canary.status, canary.headers = 429, {"Retry-After": header}
    assert ask(model_spec_at(f"{canary.url}/v1"), request(**CALM))[0].after == after


def test_no_key_of_the_environment_is_sent_unasked(canary, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    ask(model_spec_at(f"{canary.url}/v1", key=""), request(**CALM))
    assert KEY not in str(canary.heard)


def test_the_same_model_spec_is_the_same_model():
    model_spec = model_spec_at("http://127.0.0.1:9/v1")
    first, second = (model_of(model_spec, {"LLM_API_KEY": KEY}, PUBLIC) for _ in range(2))
    assert first is second is not model_of(model_spec, {"LLM_API_KEY": "another-key"}, PUBLIC)


def test_a_model_answers_in_one_event_loop_after_another(provider):
    model_spec = model_spec_at(provider.always("ok"))
    assert [ask(model_spec, LlmRequest(PROMPT, 50))[0].kind for _ in range(2)] == ["ok", "ok"]


def test_looking_at_a_model_does_not_show_its_key():
    model = model_of(model_spec_at("http://127.0.0.1:9/v1"), {"LLM_API_KEY": KEY}, PUBLIC)
    assert KEY not in repr(vars(model))
