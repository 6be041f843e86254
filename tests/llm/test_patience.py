"""How long a call may take: what was set holds, whatever endpoint a narrower layer names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.llm.environment import Environment, Tables
from hustings.llm.model_spec import ModelSpec, parse_model_spec, resolve
from hustings.llm.patience import LOADING, USUAL, TimeLimits, patience_of
from hustings.script.seats import Seat

SECONDS = st.one_of(st.none(), st.floats(0.1, 5_000))
ELSEWHERE = ModelSpec(provider="openai", model="m")
HERE = ModelSpec(provider="openai_compatible", model="m", base_url="http://127.0.0.1:9/v1")


@pytest.mark.parametrize(
    ("model_spec", "patience"),
    [
        (ELSEWHERE, USUAL),
        (HERE, LOADING),
        (ModelSpec(provider="ollama", model="m"), LOADING),
        (ModelSpec(provider="openai_compatible", model="m", base_url="http://localhost:1/v1"), LOADING),
    ],
)
def test_a_server_on_this_machine_is_given_time_to_load_its_model(model_spec, patience):
    assert patience_of(model_spec) == patience
    assert LOADING.first_word > USUAL.first_word


@given(SECONDS, SECONDS, SECONDS, st.sampled_from([ELSEWHERE, HERE]))
def test_what_was_set_holds(first, whole, of_run, model_spec):
    used = patience_of(model_spec.model_copy(update={"timeout": whole, "first_token_timeout": first}), of_run)
    assert used.whole == (whole or of_run or used.whole)
    assert used.first_word == min(first or used.first_word, used.whole)
    assert used.first_word <= used.whole


def test_a_longer_wait_for_the_first_word_leaves_the_answer_its_time():
    assert patience_of(ELSEWHERE.model_copy(update={"first_token_timeout": 200.0})) == TimeLimits(200, 260)


def test_a_program_writes_its_answer_in_one_piece():
    assert patience_of(ModelSpec(provider="cli", model="mine", timeout=300)) == TimeLimits(300, 300)


# -- layers --------------------------------------------------------------------------------

PREFIXES = ("LLM_", "DEBATER_LLM_", "PRO_LLM_", "PRO_2_LLM_")
PLACES = ("file", ".env", "env")
LAYERS = [*(("file", prefix) for prefix in PREFIXES), *((place, p) for p in PREFIXES for place in (".env", "env"))]
"""Low to high."""
ENDPOINT = {"provider": "openai_compatible", "model": "m"}


@given(
    st.dictionaries(st.sampled_from(LAYERS), st.floats(0.5, 999), min_size=1),
    st.sets(st.sampled_from(LAYERS)),
    st.sampled_from([None, "openai_compatible/m@http://127.0.0.1:9/v1", "anthropic/m"]),
)
def test_the_narrowest_word_about_patience_is_kept_whatever_names_the_model(patience, endpoints, flag):
    fields = {layer: {} for layer in LAYERS}
    for layer, seconds in patience.items():
        fields[layer] |= {"timeout": seconds, "first_token_timeout": seconds / 2}
    for layer in endpoints:
        fields[layer] |= {**ENDPOINT, "base_url": f"http://127.0.0.1:{LAYERS.index(layer) + 1}/v1"}

    def variables(place):
        given = (
            (p, name, value) for (where, p), said in fields.items() if where == place for name, value in said.items()
        )
        return {f"{prefix}{name.upper()}": str(value) for prefix, name, value in given}

    tables = {prefix: said for (where, prefix), said in fields.items() if where == "file" and said}
    environment = Environment(variables("env"), variables(".env"), (Tables("file", tables, shared=False),))
    found = resolve(Seat("pro_2", "pro"), environment, flag=parse_model_spec(flag) if flag else None)
    highest = max(patience, key=LAYERS.index)
    assert (found.model_spec.timeout, found.model_spec.first_token_timeout) == (
        patience[highest],
        patience[highest] / 2,
    )
    assert found.origins["timeout"].place == highest[0]


LIMITS = {"LLM_MAX_TOKENS": "7", "LLM_AT_ONCE": "2", "LLM_RPM": "3", "LLM_TPM": "4"}
FLAG = parse_model_spec("openai_compatible/m@http://127.0.0.1:9/v1")


def test_limits_of_another_endpoint_are_not_used_and_are_told():
    environment = {**LIMITS, "LLM_PROVIDER": "openai", "LLM_API_KEY": "k", "LLM_CONTEXT": "9"}
    found = resolve(Seat("pro"), environment, flag=FLAG)
    lost = {"max_tokens", "at_once", "requests_per_minute", "tokens_per_minute", "key", "context"}
    assert found.unused.keys() == lost
    assert {name: getattr(found.model_spec, name) for name in lost - {"key"}} == dict.fromkeys(lost - {"key"})
    assert str(found.unused["at_once"][1]) == "env LLM_AT_ONCE"


def test_limits_that_were_set_without_any_endpoint_are_meant_for_the_one_that_is_named():
    found = resolve(Seat("pro"), LIMITS, flag=FLAG)
    assert (found.model_spec.max_tokens, found.model_spec.at_once, found.unused) == (7, 2, {})
