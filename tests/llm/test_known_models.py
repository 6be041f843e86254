"""A misspelt model or provider is recognised, and the name that was probably meant is offered."""

import pytest

from hustings.errors import Unsuitable
from hustings.llm.known_models import meant, near_name
from hustings.llm.model_spec import ModelSpec, model_spec_of, parse_model_spec
from hustings.llm.prices import must_be_known
from hustings.script.seats import Seat


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("openai/gpt5", "openai/gpt-5"),
        ("opnai/gpt-5", "openai/gpt-5"),
        ("gpt-5", "openai/gpt-5"),
        ("improvizer", "improviser"),
        ("opena", "openai/MODEL"),
        ("zhipuu/glm-4.6", "zhipu/GLM-4.6"),
        ("nowhere/gpt5", "openai/gpt-5"),
        ("ollama/my-own", ""),
        ("openai/none-such-at-all", ""),
        ("zebra", ""),
    ],
)
def test_the_nearest_name_is_found(typed, near):
    assert near_name(typed) == near


def test_the_same_name_is_no_hint():
    assert (meant("openai/gpt-5"), meant("openai/gpt5")) == ("", "did you mean openai/gpt-5? ")


def test_a_model_without_its_provider_is_named_with_it():
    with pytest.raises(Unsuitable) as refused:
        parse_model_spec("gpt-5")
    assert refused.value.fix.startswith("did you mean openai/gpt-5? write provider/model")


def test_an_unknown_provider_is_told_with_the_one_meant():
    with pytest.raises(Unsuitable) as refused:
        model_spec_of(Seat("pro", role="pro"), {}, flag=parse_model_spec("opnai/gpt-5"))
    assert refused.value.fix.startswith("did you mean openai/gpt-5? choose anthropic")


def test_a_model_without_a_price_is_told_with_the_one_meant():
    with pytest.raises(Unsuitable) as refused:
        must_be_known(ModelSpec(provider="openai", model="gptt-5"))
    assert refused.value.fix.startswith("did you mean openai/gpt-5? set LLM_PRICE_INPUT and LLM_PRICE_OUTPUT")
