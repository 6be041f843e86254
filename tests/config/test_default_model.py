"""Whom one talks to when nothing is set up: said in a sentence, or the cures."""

import pytest

from hustings.config import models
from hustings.config.models import DEFAULT_MODELS, at_endpoint, choose
from hustings.config.variables import variables, with_default
from hustings.errors import Unreachable, Unsuitable
from hustings.llm.endpoints import PROVIDERS
from hustings.llm.environment import Environment
from hustings.llm.local_servers import LocalServer
from hustings.llm.model_spec import ModelSpec, model_spec_of
from hustings.llm.prices import must_be_known
from hustings.script.seats import Seat

from .ports import answering, whole

OLLAMA = LocalServer("ollama", "http://127.0.0.1:11434/v1", ("nomic-embed-text", "llama3.2", "qwen3:8b"))
PRO, CON = Seat("pro", role="pro"), Seat("con", role="con")


def here(**process):
    return Environment(process, {})


def test_a_local_model_speaks_in_all_seats_and_that_is_said_to_be_weak():
    chosen = choose(here(), [OLLAMA])
    assert chosen.flag == "ollama/llama3.2"
    assert chosen.sentence == (
        "Using ollama/llama3.2 for all seats (free). "
        "All speakers share one model and its blind spots. Add another: --con ollama/qwen3:8b"
    )


def test_what_costs_nothing_goes_before_a_key_and_the_key_is_the_second():
    chosen = choose(here(OPENAI_API_KEY="k"), [LocalServer("ollama", OLLAMA.url, ("llama3.2",))])
    assert chosen.model_spec.label == "ollama/llama3.2"
    assert chosen.sentence.endswith(f"--con openai/{DEFAULT_MODELS['openai']}")


def test_a_key_chooses_its_provider_and_says_where_it_is_from():
    chosen = choose(Environment({}, {"MISTRAL_API_KEY": "k"}), [])
    assert chosen.sentence.startswith("Using mistral/mistral-medium-latest (MISTRAL_API_KEY from .env) for all seats.")


def test_a_server_at_another_port_is_named_with_its_address():
    chosen = choose(here(), [LocalServer("llamacpp", "http://127.0.0.1:5001/v1", ("smollm2",))])
    assert chosen.flag == "llamacpp/smollm2@http://127.0.0.1:5001/v1"
    assert "at 127.0.0.1:5001" in chosen.sentence


def test_a_server_without_a_model_is_told_how_to_get_one():
    with pytest.raises(Unreachable, match=r"ollama at 127\.0\.0\.1:11434 has no model: ollama pull llama3"):
        choose(here(), [LocalServer("ollama", OLLAMA.url)])


def test_models_that_cannot_speak_are_not_chosen():
    with pytest.raises(Unreachable, match="has no model"):
        choose(here(), [LocalServer("ollama", OLLAMA.url, ("nomic-embed-text", "bge-m3"))])


def test_with_nothing_at_all_the_cures_are_told():
    with pytest.raises(Unreachable) as caught:
        choose(here(), [])
    assert all(cure in caught.value.fix for cure in ("hustings demo", "ollama pull", "keys set", "--endpoint"))


def test_a_key_of_nobody_is_asked_whose_it_is():
    with pytest.raises(Unsuitable, match="LLM_API_KEY is set, but not its provider"):
        choose(here(LLM_API_KEY="k"), [OLLAMA])


def test_a_provider_whose_extra_is_missing_is_told_the_line_to_type(monkeypatch):
    monkeypatch.setitem(models.EXTRAS, "anthropic", ("no_such_module",))
    with pytest.raises(Unreachable, match=r"pip install .*'pydantic-ai-slim\[anthropic\]>="):
        choose(here(ANTHROPIC_API_KEY="k"), [])
    assert choose(here(ANTHROPIC_API_KEY="k", XAI_API_KEY="k"), []).model_spec.provider == "xai"


@pytest.mark.parametrize("provider", DEFAULT_MODELS)
def test_the_usual_model_of_every_provider_has_a_known_price(provider):
    must_be_known(ModelSpec(provider=provider, model=DEFAULT_MODELS[provider], base_url=PROVIDERS[provider].url))


def test_every_provider_that_takes_a_key_has_a_usual_model():
    assert DEFAULT_MODELS.keys() == {name for name, endpoint in PROVIDERS.items() if endpoint.keys}


def test_whoever_is_set_up_stays_and_the_choice_fills_the_rest(machine):
    machine.project('[con]\nprovider = "ollama"\nmodel = "of-con"\n')
    chosen = choose(variables(), [OLLAMA])
    known = with_default(variables(), chosen.model_spec)
    assert [model_spec_of(seat, known).model for seat in (PRO, CON)] == ["llama3.2", "of-con"]
    assert "for every other seat" in chosen.sentence


def test_no_key_of_another_layer_reaches_a_server_that_was_only_found():
    found = ModelSpec(provider="openai_compatible", model="m", base_url="http://127.0.0.1:5001/v1")
    known = with_default(here(PRO_LLM_API_KEY="k"), found)
    with pytest.raises(Unsuitable, match="found here sends seat pro to"):
        model_spec_of(PRO, known)


# -- any endpoint --------------------------------------------------------------------------


def test_an_endpoint_takes_the_model_that_was_named():
    chosen = at_endpoint("http://localhost:1234/v1", "gemma")
    assert chosen.flag == "openai_compatible/gemma@http://localhost:1234/v1"
    assert chosen.sentence == "Using gemma at localhost:1234 for all seats (free)."


@pytest.mark.parametrize("text", ["localhost:1234", "http://localhost:1234/", " http://localhost:1234 "])
def test_an_endpoint_may_be_written_short(text):
    assert at_endpoint(text, "m").model_spec.base_url == "http://localhost:1234/v1"


def test_an_endpoint_with_one_model_needs_no_name():
    with answering(whole({"data": [{"id": "gemma"}]})) as number:
        assert at_endpoint(f"127.0.0.1:{number}").model_spec.model == "gemma"


def test_an_endpoint_with_several_models_is_asked_which():
    with (
        answering(whole({"data": [{"id": "a"}, {"id": "b"}]})) as number,
        pytest.raises(Unsuitable, match="2 models: name one with -m MODEL: a, b"),
    ):
        at_endpoint(f"127.0.0.1:{number}")


@pytest.mark.parametrize("text", ["ftp://h/v1", "http://[", "http://user:pw@h/v1", "http://h:99999"])
def test_what_is_no_address_is_told_and_not_repeated(text):
    with pytest.raises(Unsuitable, match="--endpoint is not a web address") as caught:
        at_endpoint(text, "m")
    assert "pw" not in str(caught.value)


def test_an_endpoint_elsewhere_is_not_asked_before_the_debate():
    with pytest.raises(Unsuitable, match="-m MODEL"):
        at_endpoint("https://models.example/v1")


def test_an_endpoint_that_is_silent_is_told():
    with pytest.raises(Unreachable, match="does not list its models"):
        at_endpoint("http://127.0.0.1:1/v1")
