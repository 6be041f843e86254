"""Which model sits where, and which keys must never meet which hosts."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.errors import Unreachable, Unsuitable
from hustings.llm.model_spec import ModelSpec, Price, model_spec_of, parse_model_spec, settled
from hustings.script.seats import Seat

TWO_TEAMS = {
    "LLM_PROVIDER": "zhipu", "LLM_MODEL": "glm-4.7", "ZAI_API_KEY": "z",
    "PRO_LLM_PROVIDER": "openai_compatible", "PRO_LLM_MODEL": "deepseek-chat",
    "PRO_LLM_BASE_URL": "https://api.deepseek.com/v1", "PRO_LLM_API_KEY": "p",
    "CON_LLM_PROVIDER": "zhipu", "CON_LLM_MODEL": "glm-4.7",
    "JUDGE_LLM_PROVIDER": "openai_compatible", "JUDGE_LLM_MODEL": "claude-sonnet-4-6",
    "JUDGE_LLM_BASE_URL": "https://api.anthropic.com/v1", "JUDGE_LLM_API_KEY": "j",
}  # fmt: skip
PRO_1, PRO_2, CON_1 = Seat("pro_1", "pro"), Seat("pro_2", "pro"), Seat("con_1", "con")
JUDGE = Seat("judge", role="judge")
ELSEWHERE = "https://elsewhere.example/v1"
OPENAI = {"LLM_PROVIDER": "openai", "LLM_MODEL": "gpt-5"}


@pytest.mark.parametrize(
    ("seat", "expected"),
    [
        (PRO_1, ("openai_compatible", "https://api.deepseek.com/v1", "deepseek-chat", "PRO_LLM_API_KEY")),
        (CON_1, ("zai", "https://api.z.ai/api/paas/v4", "glm-4.7", "ZAI_API_KEY")),
        (JUDGE, ("openai_compatible", "https://api.anthropic.com/v1", "claude-sonnet-4-6", "JUDGE_LLM_API_KEY")),
        (Seat("chair", role="moderator"), ("zai", "https://api.z.ai/api/paas/v4", "glm-4.7", "ZAI_API_KEY")),
    ],
)
def test_teams_and_roles_have_models_of_their_own(seat, expected):
    model_spec = model_spec_of(seat, TWO_TEAMS)
    assert (model_spec.provider, model_spec.base_url, model_spec.model, model_spec.key) == expected


def test_the_seat_wins_over_its_team():
    environment = TWO_TEAMS | {"PRO_2_LLM_MODEL": "deepseek-reasoner"}
    assert [model_spec_of(seat, environment).model for seat in (PRO_1, PRO_2)] == ["deepseek-chat", "deepseek-reasoner"]


def test_the_team_wins_over_the_role_and_the_role_over_all():
    environment = {**OPENAI, "OPENAI_API_KEY": "k", "DEBATER_LLM_MODEL": "of-debaters", "PRO_LLM_MODEL": "of-pro"}
    assert [model_spec_of(s, environment).model for s in (PRO_1, CON_1, JUDGE)] == ["of-pro", "of-debaters", "gpt-5"]


def test_a_seat_without_a_team_is_found_by_the_beginning_of_its_name():
    environment = {**OPENAI, "OPENAI_API_KEY": "k", "PANEL_LLM_MODEL": "of-the-panel"}
    assert model_spec_of(Seat("panel_3"), environment).model == "of-the-panel"


def test_the_environment_wins_over_the_defaults():
    defaults = ModelSpec(provider="ollama", model="qwen3")
    assert model_spec_of(PRO_1, {}, defaults).label == "ollama/qwen3"
    assert model_spec_of(PRO_1, {"LLM_MODEL": "other"}, defaults).label == "ollama/other"


def test_a_flag_wins_over_everything():
    environment = TWO_TEAMS | {"ANTHROPIC_API_KEY": "a"}
    model_spec = model_spec_of(PRO_1, environment, flag=parse_model_spec("anthropic/claude-sonnet-4-6"))
    assert (model_spec.label, model_spec.key) == ("anthropic/claude-sonnet-4-6", "ANTHROPIC_API_KEY")


def test_temperature_stays_when_the_endpoint_changes():
    environment = TWO_TEAMS | {"LLM_TEMPERATURE": "0.7", "CON_LLM_TEMPERATURE": "0.2"}
    assert [model_spec_of(seat, environment).temperature for seat in (PRO_1, CON_1)] == [0.7, 0.2]


@pytest.mark.parametrize("key", ["LLM_API_KEY", "OPENAI_API_KEY"])
def test_a_key_does_not_follow_to_another_address(key):
    environment = {**OPENAI, key: "k", "PRO_LLM_BASE_URL": ELSEWHERE, "PRO_LLM_MODEL": "m"}
    with pytest.raises(Unsuitable, match=r"no key for elsewhere\.example: set PRO_1_LLM_API_KEY, PRO_LLM_API_KEY"):
        model_spec_of(PRO_1, environment)


def test_a_model_does_not_follow_to_another_provider():
    environment = TWO_TEAMS | {"PRO_1_LLM_PROVIDER": "anthropic", "ANTHROPIC_API_KEY": "a"}
    with pytest.raises(Unsuitable, match="seat pro_1 has no model: set PRO_1_LLM_MODEL, PRO_LLM_MODEL"):
        model_spec_of(PRO_1, environment)


@given(st.sampled_from(["LLM", "PRO_LLM", "DEBATER_LLM"]), st.sampled_from(["PRO_1_LLM", "PRO_LLM", "DEBATER_LLM"]))
def test_no_key_of_one_layer_reaches_an_address_of_another(keyed, addressed):
    environment = {**OPENAI, f"{keyed}_API_KEY": "k", f"{addressed}_BASE_URL": ELSEWHERE, f"{addressed}_MODEL": "m"}
    try:
        model_spec = model_spec_of(PRO_1, environment)
    except Unsuitable:
        return
    order = ["LLM", "DEBATER_LLM", "PRO_LLM", "PRO_1_LLM"]
    assert model_spec.base_url == ELSEWHERE
    assert order.index(keyed) >= order.index(addressed)


def test_a_customary_key_serves_the_providers_own_address_however_it_is_spelt():
    model_spec = model_spec_of(
        PRO_1, {**OPENAI, "OPENAI_API_KEY": "k", "LLM_BASE_URL": "https://api.openai.com:443/v1"}
    )
    assert model_spec.key == "OPENAI_API_KEY"


@pytest.mark.parametrize(
    "address",
    ["http://api.openai.com/v1", "http://api.openai.com:443/v1", "https://api.openai.com.evil.example/v1"],
)
def test_a_customary_key_serves_nothing_that_looks_like_the_own_address(address):
    with pytest.raises(Unsuitable, match="no key"):
        model_spec_of(PRO_1, {**OPENAI, "OPENAI_API_KEY": "k", "LLM_BASE_URL": address})


def test_an_empty_variable_counts_as_not_set():
    with pytest.raises(Unsuitable, match="OPENAI_API_KEY"):
        model_spec_of(PRO_1, {**OPENAI, "OPENAI_API_KEY": " "})


def test_google_goes_by_both_of_its_names_and_keys():
    environment = {"LLM_PROVIDER": "gemini", "LLM_MODEL": "gemini-2.5-pro", "GOOGLE_API_KEY": "g"}
    model_spec = model_spec_of(PRO_1, environment)
    assert (model_spec.provider, model_spec.key) == ("google", "GOOGLE_API_KEY")


def test_a_compatible_server_needs_an_address():
    with pytest.raises(Unsuitable, match="LLM_BASE_URL"):
        model_spec_of(PRO_1, {"LLM_PROVIDER": "openai_compatible", "LLM_MODEL": "m"})


def test_nobody_configured_is_told_where_to_begin():
    with pytest.raises(Unreachable, match=r"seat pro_1 has no provider: set PRO_1_LLM_PROVIDER, .+ or LLM_PROVIDER to"):
        model_spec_of(PRO_1, {})


def test_an_unknown_provider_is_told_who_is_known():
    with pytest.raises(
        Unsuitable, match=r"'opnai', for seat pro_1, is not a known provider: .*choose anthropic, openai"
    ):
        model_spec_of(PRO_1, {"LLM_PROVIDER": "opnai", "LLM_MODEL": "m"})


@pytest.mark.parametrize("address", ["http://127.0.0.1:8080/v1", "http://localhost:8080/v1", "http://[::1]:8080/v1"])
def test_a_server_on_loopback_is_free_and_needs_no_key(address):
    model_spec = model_spec_of(PRO_1, {"LLM_PROVIDER": "openai_compatible", "LLM_MODEL": "m", "LLM_BASE_URL": address})
    assert (model_spec.local, model_spec.key) == (True, "")


def test_numbers_come_from_the_environment():
    numbers = {"MAX_TOKENS": "900", "RPM": "60", "TPM": "90000", "CONTEXT": "8192", "PRICE_INPUT": "1.5"}
    environment = {**OPENAI, "OPENAI_API_KEY": "k", "LLM_PRICE_OUTPUT": "6"}
    model_spec = model_spec_of(PRO_1, environment | {f"LLM_{name}": value for name, value in numbers.items()})
    limits = (model_spec.max_tokens, model_spec.requests_per_minute, model_spec.tokens_per_minute, model_spec.context)
    assert (limits, model_spec.price) == ((900, 60, 90000, 8192), Price(input=1.5, output=6))


def test_price_and_window_belong_to_the_model():
    prices = {"LLM_PRICE_INPUT": "1", "LLM_PRICE_OUTPUT": "2", "LLM_CONTEXT": "8192", "LLM_RPM": "60"}
    model_spec = model_spec_of(PRO_1, {**OPENAI, **prices, "OPENAI_API_KEY": "k", "PRO_LLM_MODEL": "another"})
    assert (model_spec.price, model_spec.context, model_spec.requests_per_minute) == (None, None, 60)


@pytest.mark.parametrize(("name", "value"), [("TEMPERATURE", "hot"), ("RPM", "many"), ("PRICE_INPUT", "1")])
def test_what_is_no_number_is_named(name, value):
    with pytest.raises(Unsuitable, match=r"LLM_\w+ should be a number"):
        model_spec_of(PRO_1, {**OPENAI, f"LLM_{name}": value})


@pytest.mark.parametrize(
    ("name", "value"), [("TEMPERATURE", "nan"), ("CONTEXT", "0.5"), ("BASE_URL", "https://user:sk-secret@h.example")]
)
def test_what_cannot_be_used_is_named_but_not_repeated(name, value):
    with pytest.raises(Unsuitable, match=name.lower()) as caught:
        model_spec_of(PRO_1, {**OPENAI, f"LLM_{name}": value})
    assert value not in str(caught.value)


def test_a_model_spec_survives_storage_and_holds_no_key():
    model_spec = model_spec_of(PRO_1, TWO_TEAMS | {"PRO_LLM_API_KEY": "sk-canary"})
    stored = model_spec.model_dump_json()
    assert ModelSpec.model_validate_json(stored) == model_spec
    assert "sk-canary" not in stored


@pytest.mark.parametrize(
    "address",
    ["ftp://h.example", "h.example", "https://", "http://[::1", "http://h:99999", "https://h/?key=k", "http://h:0"],
)
def test_an_address_that_is_none_is_told(address):
    with pytest.raises(Unsuitable, match="base_url is invalid"):
        model_spec_of(PRO_1, {**OPENAI, "LLM_BASE_URL": address})


@pytest.mark.parametrize("name", ["sk-canary", "LLM_MODEL", "llm_api_key"])
def test_a_key_can_only_be_named(name):
    with pytest.raises(ValueError, match="key"):
        ModelSpec(key=name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("openai/gpt-5", ("openai", "gpt-5", "")),
        ("zhipu/glm-4.7", ("zai", "glm-4.7", "")),
        ("openrouter/anthropic/claude-sonnet-4-6", ("openrouter", "anthropic/claude-sonnet-4-6", "")),
        ("ollama/qwen3:8b@http://127.0.0.1:1/v1", ("ollama", "qwen3:8b", "http://127.0.0.1:1/v1")),
        ("ollama/name@tag", ("ollama", "name@tag", "")),
    ],
)
def test_a_flag_names_provider_model_and_address(text, expected):
    model_spec = parse_model_spec(text)
    assert (model_spec.provider, model_spec.model, model_spec.base_url) == expected


@pytest.mark.parametrize("text", ["", "gpt-5", "openai/", "/gpt-5", "@https://h.example"])
def test_a_flag_that_names_no_model_is_told_how(text):
    with pytest.raises(Unsuitable, match="write provider/model"):
        parse_model_spec(text)


@pytest.mark.parametrize("name", ["human", "improviser"])
def test_shipped_actors_need_nothing(name):
    model_spec = model_spec_of(PRO_1, {}, flag=parse_model_spec(name))
    assert (model_spec.label, model_spec.model, model_spec.key, model_spec.local) == (name, name, "", True)


@given(st.text(max_size=30))
def test_any_flag_is_a_model_spec_or_is_told_how(text):
    with suppress(Unsuitable):
        assert settled(parse_model_spec(text), {}).model


def test_a_server_of_ones_own_is_not_asked_more_than_it_takes_at_once():
    own = model_spec_of(Seat("pro"), {"LLM_PROVIDER": "ollama", "LLM_MODEL": "llama3.2"})
    told = model_spec_of(Seat("pro"), {"LLM_PROVIDER": "ollama", "LLM_MODEL": "llama3.2", "LLM_AT_ONCE": "6"})
    assert (own.at_once, told.at_once) == (2, 6)
