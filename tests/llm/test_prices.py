"""What a call may cost, what it did cost, and what is not called because nobody knows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.errors import Unsuitable
from hustings.llm.model import Usage
from hustings.llm.model_spec import ModelSpec, Price, parse_model_spec
from hustings.llm.prices import least_tokens, most_tokens, must_be_known, price, worst
from hustings.script.prompt import Prompt

SONNET = parse_model_spec("anthropic/claude-sonnet-4-6")
GPT = parse_model_spec("openai/gpt-5")
DECLARED = ModelSpec(
    provider="openai_compatible", model="m", base_url="https://h.example", price=Price(input=1.5, output=6)
)
PROMPT = Prompt("rules ", ("wave ",), "tail", None)


def test_a_declared_price_is_per_million_tokens():
    assert price(DECLARED, Usage(input=1000, output=100)) == 2100


def test_a_price_is_rounded_up():
    assert price(DECLARED, Usage(input=1, output=0)) == 2


def test_a_listed_price_is_found_by_our_provider():
    assert price(SONNET, Usage(input=1_000_000, output=0)) == 3_000_000


def test_cached_tokens_are_cheaper_and_written_ones_dearer():
    read, plain, written = (
        price(SONNET, Usage(input=10_000, output=0, **cache)) for cache in ({"cached": 10_000}, {}, {"written": 10_000})
    )
    assert (read, plain, written) == (3000, 30_000, 37_500)


@pytest.mark.parametrize("usage", [Usage(), Usage(input=5), Usage(output=5)])
def test_unknown_tokens_have_no_price(usage):
    assert price(GPT, usage) is None


def test_a_local_model_is_free_whatever_it_is_called():
    local = ModelSpec(provider="openai_compatible", model="gpt-5", base_url="http://127.0.0.1:1/v1", local=True)
    assert price(local, Usage(input=1000, output=1000)) == 0


def test_the_name_of_a_model_gives_no_price_at_an_unknown_address():
    elsewhere = ModelSpec(provider="openai", model="gpt-5", base_url="https://elsewhere.example/v1")
    assert price(elsewhere, Usage(input=1000, output=1000)) is None


def test_a_compatible_name_at_a_known_address_has_that_hosts_price():
    generic = ModelSpec(provider="openai_compatible", model="deepseek-chat", base_url="https://api.deepseek.com/v1")
    assert price(generic, Usage(input=1000, output=10)) == price(
        parse_model_spec("deepseek/deepseek-chat"), Usage(input=1000, output=10)
    )


def test_an_unknown_price_is_refused_with_the_cure():
    with pytest.raises(Unsuitable, match="LLM_PRICE_INPUT and LLM_PRICE_OUTPUT"):
        must_be_known(parse_model_spec("openai/no-such-model-at-all"))


@pytest.mark.parametrize("model_spec", [SONNET, GPT, DECLARED], ids=lambda model_spec: model_spec.label)
def test_a_known_price_is_known(model_spec):
    must_be_known(model_spec)


def test_the_worst_case_needs_a_price():
    with pytest.raises(Unsuitable, match="no price known for openai/no-such-model"):
        worst(parse_model_spec("openai/no-such-model"), 1000, 100)


@given(
    st.sampled_from([SONNET, GPT, DECLARED]),
    st.tuples(*[st.floats(0, 1)] * 4),
    st.integers(1, 4000),
)
def test_no_call_costs_more_than_the_worst_that_was_foreseen(model_spec, shares, max_tokens):
    spent, cached, written, output = shares
    read = int(most_tokens(PROMPT) * spent)
    usage = Usage(read, int(read * cached), int((read - int(read * cached)) * written), int(max_tokens * output))
    assert price(model_spec, usage) <= worst(model_spec, most_tokens(PROMPT), max_tokens)


def test_the_worst_case_writes_all_of_it_to_the_cache():
    tokens = most_tokens(PROMPT)
    assert worst(SONNET, tokens, 10) == price(SONNET, Usage(input=tokens, written=tokens, output=10))


def test_a_schema_counts_as_part_of_the_prompt():
    asked = Prompt("rules ", ("wave ",), "tail", {"type": "object", "properties": {"a": {"type": "string"}}})
    assert most_tokens(asked) > most_tokens(PROMPT) + 10


@given(st.text())
def test_the_most_is_never_less_than_the_least(text):
    prompt = Prompt(text, (), text, None)
    assert least_tokens(prompt) < most_tokens(prompt)


@given(st.text(alphabet="0123456789{}[]¿漢🎈", min_size=50))
def test_signs_digits_and_other_scripts_may_cost_a_token_for_every_byte(text):
    assert most_tokens(Prompt(text, (), "", None)) >= len(text.encode())
