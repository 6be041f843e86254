"""The bytes a provider gets: the record in order, marks where its cache reads, the form in its own dialect."""

import json
import warnings
from dataclasses import replace

import pytest

from hustings.llm.endpoints import PROVIDERS
from hustings.llm.improviser import Improviser
from hustings.runs.registry import protocols
from hustings.runs.staging import plan, rehearse
from hustings.script.prompt import Prompt, prompt_of

from .asking import KEY, PROMPT, ask, model_spec_at, request

SCHEMA = {
    "type": "object",
    "properties": {
        "claim": {"type": "string", "maxLength": 90, "x-choice": "claim"},
        "scores": {"type": "array", "items": {"type": "integer", "minimum": 1, "maximum": 10, "x-quote": True}},
    },
    "required": ["claim", "scores"],
    "additionalProperties": False,
}
FORM = replace(PROMPT, schema=SCHEMA)
CALM = {"seconds": 20, "first_token_seconds": 20}
MARK = {"openai": "prompt_cache_breakpoint", "anthropic": "cache_control"}
MODELS = {
    "openai": "gpt-5.6-sol",
    "anthropic": "claude-sonnet-4-6",
    "google": "gemini-2.5-pro",
    "deepseek": "deepseek-chat",
    "zai": "glm-4.7",
    "mistral": "mistral-large-latest",
    "openrouter": "openai/gpt-5",
}


@pytest.fixture
def at_home(canary, monkeypatch):
    """A voice of any provider whose own address, for once, is the canary's."""
    with warnings.catch_warnings():
        # Google's package has escapes that Python warns of when it first reads them.
        warnings.simplefilter("ignore")
        import google.genai  # noqa: F401, PLC0415

    def model_spec(provider, **fields):
        url = canary.url if provider in ("anthropic", "google") else f"{canary.url}/v1"
        monkeypatch.setitem(PROVIDERS, provider, replace(PROVIDERS[provider], url=url))
        return model_spec_at(url, provider, **{"model": MODELS[provider], **fields})

    return model_spec


def sent(canary):
    return [json.loads(body) for _, _, body in canary.heard]


def waves(count):
    return Prompt("rules ", tuple(f"wave {n} " for n in range(1, count + 1)), "tail", None)


def test_a_generic_server_gets_rules_and_one_string(canary):
    ask(model_spec_at(f"{canary.url}/v1"), request(waves(3), **CALM))
    (body,) = sent(canary)
    assert body["messages"] == [
        {"role": "system", "content": "rules "},
        {"role": "user", "content": "wave 1 wave 2 wave 3 tail"},
    ]


@pytest.mark.parametrize("provider", MARK)
def test_a_second_request_repeats_a_mark_of_the_first(canary, at_home, provider):
    """Each wave is a piece of its own, so what came before stays the same bytes."""
    ask(at_home(provider), request(waves(4), **CALM), request(waves(5), **CALM))
    before, after = (
        [(piece["text"], MARK[provider] in piece) for piece in body["messages"][-1]["content"]] for body in sent(canary)
    )
    assert [text for text, _ in after][:4] == [text for text, _ in before][:4]
    assert {text for text, marked in before if marked} & {text for text, marked in after if marked}
    assert [text for text, marked in after if marked] == ["wave 3 ", "wave 4 ", "wave 5 "]


@pytest.mark.parametrize("provider", MARK)
def test_rules_are_marked_while_the_record_is_short(canary, at_home, provider):
    ask(at_home(provider), request(waves(1), **CALM))
    (body,) = sent(canary)
    rules = body["system"] if provider == "anthropic" else body["messages"][0]["content"]
    assert MARK[provider] in rules[-1]


@pytest.mark.parametrize("provider", MARK)
def test_what_one_seat_alone_gets_is_never_marked(canary, at_home, provider):
    ask(at_home(provider), request(waves(0), **CALM), request(waves(6), **CALM))
    last = [body["messages"][-1]["content"] for body in sent(canary)]
    assert not any(MARK[provider] in piece for content in last if isinstance(content, list) for piece in content[-1:])


def test_openai_is_told_the_run_and_to_keep_to_our_marks(canary, at_home):
    ask(at_home("openai"), request(run="run-7", **CALM))
    (body,) = sent(canary)
    assert (body["prompt_cache_key"], body["prompt_cache_options"]) == ("run-7", {"mode": "explicit"})


def test_an_older_model_of_openai_gets_one_string_and_no_marks(canary, at_home):
    ask(at_home("openai", model="gpt-4.1"), request(waves(2), **CALM))
    (body,) = sent(canary)
    assert body["messages"][-1]["content"] == "wave 1 wave 2 tail"
    assert "prompt_cache_options" not in body


def test_a_native_form_goes_without_our_own_keywords_and_by_one_name(canary):
    ask(model_spec_at(f"{canary.url}/v1", local=True), request(FORM, **CALM))
    (body,) = sent(canary)
    form = body["response_format"]["json_schema"]
    assert (form["name"], form["strict"], "x-" in json.dumps(form)) == ("answer", True, False)


def test_a_server_of_ones_own_gets_the_limits_of_a_schema(canary):
    ask(model_spec_at(f"{canary.url}/v1", local=True), request(FORM, **CALM))
    (body,) = sent(canary)
    assert body["response_format"]["json_schema"]["schema"]["properties"]["claim"]["maxLength"] == 90


@pytest.mark.parametrize("provider", ["deepseek", "zai"])
def test_who_knows_no_schemas_is_asked_for_json_and_gets_the_prompt_as_it_is(canary, at_home, provider):
    ask(at_home(provider), request(FORM, **CALM))
    (body,) = sent(canary)
    assert body["response_format"] == {"type": "json_object"}
    assert [message["content"] for message in body["messages"]] == [FORM.rules, "first wave second wave tail"]


def test_a_compatible_name_at_a_known_address_is_treated_as_what_it_is(canary, at_home):
    known = at_home("deepseek")
    ask(known.model_copy(update={"provider": "openai_compatible"}), request(FORM, **CALM))
    assert sent(canary)[0]["response_format"] == {"type": "json_object"}


def test_anthropic_gets_the_form_as_a_schema(canary, at_home):
    ask(at_home("anthropic"), request(FORM, **CALM))
    (body,) = sent(canary)
    assert body["output_config"]["format"]["type"] == "json_schema"


def test_google_gets_the_form_as_a_schema_and_the_key_in_a_header(canary, at_home):
    ask(at_home("google"), request(FORM, **CALM))
    ((path, headers, body),) = canary.heard
    assert KEY not in path
    assert headers["x-goog-api-key"] == KEY
    assert json.loads(body)["generationConfig"]["responseJsonSchema"]["required"] == ["claim", "scores"]


@pytest.mark.parametrize("provider", MODELS)
def test_every_provider_is_called_once_however_it_fails(canary, at_home, provider):
    (response,) = ask(at_home(provider), request(**CALM))
    assert (response.kind, len(canary.heard)) == ("overloaded", 1)


@pytest.mark.parametrize("provider", MODELS)
def test_every_provider_is_told_the_name_of_the_call_and_a_limit(canary, at_home, provider):
    ask(at_home(provider), request(name="run-7/0.1 pro: Größe", max_tokens=77, **CALM))
    ((_, headers, body),) = canary.heard
    assert headers["x-client-request-id"] == "run-7%2F0.1%20pro%3A%20Gr%C3%B6%C3%9Fe"
    assert "77" in body.decode()


@pytest.mark.parametrize(("provider", "model"), [("openai", "gpt-5"), ("anthropic", "claude-opus-4-7")])
def test_a_model_that_reasons_is_sent_no_temperature(canary, at_home, provider, model):
    ask(at_home(provider, model=model), request(temperature=0.5, **CALM))
    assert "temperature" not in sent(canary)[0]


@pytest.mark.parametrize(("provider", "seeded"), [("openai", True), ("anthropic", False), ("mistral", False)])
def test_a_seed_is_sent_to_those_who_take_one(canary, at_home, provider, seeded):
    ask(at_home(provider), request(seed=7, **CALM))
    assert ("seed" in sent(canary)[0]) == seeded


@pytest.mark.parametrize("provider", ["openai", "anthropic", "google"])
@pytest.mark.parametrize("name", protocols())
def test_every_form_of_every_protocol_reaches_every_dialect(canary, at_home, provider, name):
    done = rehearse(plan(protocols()[name], "Should a town close its centre to cars?"), Improviser())
    calls = {call.brief.form: call for wave in done.waves for call in wave}.values()
    prompts = [prompt_of(call, done.debate.cast[call.seat.id]) for call in calls]
    responses = ask(at_home(provider), *(request(prompt, **CALM) for prompt in prompts))
    assert {response.kind for response in responses} == {"overloaded"}
    assert len(canary.heard) == len(prompts)


COUNTED = {"input_tokens": 10, "cache_read_input_tokens": 600, "cache_creation_input_tokens": 30, "output_tokens": 1}
OPENED = {"id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": "claude-x", "usage": COUNTED}


def anthropic_stream(stop_reason="end_turn"):
    stopped = {"stop_reason": stop_reason, "stop_sequence": None}
    events = [
        {"type": "message_start", "message": {**OPENED, "stop_reason": None, "stop_sequence": None}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Yes."}},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": stopped, "usage": {"output_tokens": 3}},
        {"type": "message_stop"},
    ]
    return "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events).encode()


def test_anthropic_counts_what_was_read_from_the_cache_as_input_too(canary, at_home):
    canary.status, canary.answer = 200, anthropic_stream()
    (response,) = ask(at_home("anthropic"), request(**CALM))
    usage = response.usage
    assert (response.kind, response.text, response.model) == ("ok", "Yes.", "claude-x")
    assert (usage.input, usage.cached, usage.written, usage.output) == (640, 600, 30, 3)


@pytest.mark.parametrize(("reason", "kind"), [("refusal", "refused"), ("max_tokens", "truncated")])
def test_anthropic_says_why_it_stopped(canary, at_home, reason, kind):
    canary.status, canary.answer = 200, anthropic_stream(reason)
    assert ask(at_home("anthropic"), request(**CALM))[0].kind == kind


@pytest.mark.parametrize(
    ("reason", "kind"),
    [("STOP", "ok"), ("MAX_TOKENS", "truncated"), ("SAFETY", "filtered"), ("RECITATION", "filtered")],
)
def test_google_says_why_it_stopped(canary, at_home, reason, kind):
    candidate = {"content": {"parts": [{"text": "Yes."}], "role": "model"}, "finishReason": reason, "index": 0}
    usage = {"promptTokenCount": 640, "cachedContentTokenCount": 600, "candidatesTokenCount": 3}
    answer = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "gemini-x", "responseId": "r"}
    canary.status, canary.answer = 200, f"data: {json.dumps(answer)}\r\n\r\n".encode()
    (response,) = ask(at_home("google"), request(**CALM))
    assert (response.kind, response.usage.cached) == (kind, 600)
