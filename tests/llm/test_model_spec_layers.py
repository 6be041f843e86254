"""Layers of settings: the highest that speaks is heard, and no key meets an address it was not meant for."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.errors import UserError
from hustings.llm.environment import Environment, Tables, layered
from hustings.llm.model_spec import ModelSpec, model_spec_of, parse_model_spec, resolve
from hustings.script.seats import Seat

PRO_2 = Seat("pro_2", "pro")
PREFIXES = ("LLM_", "DEBATER_LLM_", "PRO_LLM_", "PRO_2_LLM_")
FILES = {"config.toml": False, "hustings.toml": True, "profile": True}
"""Low to high, and whether somebody else may have written it."""
LAYERS = [
    *((file, prefix) for file in FILES for prefix in PREFIXES),
    *((place, prefix) for prefix in PREFIXES for place in ("kept", ".env", "env")),
    *(("cast", prefix) for prefix in PREFIXES),
]
"""Low to high."""


def environment_of(said):
    """`said`: (place, prefix) to the fields that layer gives."""
    tables = {place: {prefix: fields for (p, prefix), fields in said.items() if p == place} for place, _ in LAYERS}

    def variables(place):
        given = [(prefix, name, value) for prefix, fields in tables[place].items() for name, value in fields.items()]
        return {f"{prefix}{name.upper()}": str(value) for prefix, name, value in given}

    return Environment(
        variables("env"),
        variables(".env"),
        tuple(Tables(file, tables[file], shared) for file, shared in FILES.items()),
        variables("kept"),
        dict.fromkeys(variables("kept"), "kept"),
        Tables("cast", tables["cast"], shared=True),
    )


@given(st.sets(st.sampled_from([layer for layer in LAYERS if layer[0] != "kept"]), min_size=1))
def test_of_any_layers_the_highest_wins_and_is_named(speaking):
    said = {layer: {"temperature": float(LAYERS.index(layer))} for layer in speaking}
    found = resolve(PRO_2, environment_of(said))
    highest = max(speaking, key=LAYERS.index)
    assert found.model_spec.temperature == LAYERS.index(highest)
    assert found.origins["temperature"].place == highest[0]


@given(st.sets(st.sampled_from([layer for layer in LAYERS if layer[0] != "kept"])))
def test_a_flag_wins_over_any_layers(speaking):
    said = {layer: {"provider": "ollama", "model": f"m{LAYERS.index(layer)}"} for layer in speaking}
    found = resolve(PRO_2, environment_of(said), flag=parse_model_spec("ollama/flagged"))
    assert (found.model_spec.model, str(found.origins["model"])) == ("flagged", "flag")


SOME_LAYERS = st.dictionaries(
    st.integers(0, len(LAYERS) - 1), st.sets(st.sampled_from(["base_url", "api_key", "model", "provider"])), max_size=8
)


def set_up_in(place, prefix, names):
    """Fields of a layer, of those it may have at all; its address says whose it is."""
    address = f"https://from{place.replace('.', '-')}.example/{prefix}"
    fields = {"base_url": address, "api_key": "secret", "model": "m", "provider": "openai_compatible"}
    possible = {"kept": {"api_key"}, ".env": {*fields}, "env": {*fields}}.get(place, {*fields} - {"api_key"})
    return {name: fields[name] for name in sorted(names & possible)}


@given(SOME_LAYERS)
def test_no_key_meets_an_address_that_another_layer_chose(some):
    said = {LAYERS[n]: set_up_in(*LAYERS[n], names) for n, names in some.items()}
    environment = environment_of(said)
    with suppress(UserError):
        model_spec = model_spec_of(PRO_2, environment)
        chosen = next(layer for layer in reversed(LAYERS) if said.get(layer, {}).get("base_url") == model_spec.base_url)
        keyed = (environment.place_of(model_spec.key), model_spec.key.removesuffix("API_KEY"))
        assert LAYERS.index(keyed) >= LAYERS.index(chosen)
        if chosen[0] in {"profile", "hustings.toml", ".env", "cast"}:
            assert keyed[0] == chosen[0]


def test_a_project_file_cannot_send_a_variables_key_to_its_address():
    said = {
        ("hustings.toml", "LLM_"): {"provider": "openai_compatible", "base_url": "https://evil.example", "model": "m"}
    }
    said["env", "LLM_"] = {"api_key": "k"}
    with pytest.raises(UserError, match=r"hustings\.toml sends seat pro_2 to https://evil\.example, but the key"):
        model_spec_of(PRO_2, environment_of(said))


def test_a_kept_key_does_not_follow_an_address_of_a_folder():
    said = {(".env", "LLM_"): {"provider": "openai_compatible", "base_url": "https://evil.example", "model": "m"}}
    said["kept", "LLM_"] = {"api_key": "k"}
    with pytest.raises(UserError, match=r"no key for evil\.example"):
        model_spec_of(PRO_2, environment_of(said))


def test_a_folder_that_repeats_the_users_address_did_not_choose_it():
    address = {"provider": "openai_compatible", "base_url": "https://mine.example", "model": "m"}
    said = {("config.toml", "LLM_"): address, (".env", "LLM_"): {"base_url": "https://mine.example"}}
    said["kept", "LLM_"] = {"api_key": "k"}
    assert model_spec_of(PRO_2, environment_of(said)).key == "LLM_API_KEY"


def test_a_customary_key_never_meets_a_foreign_host_whatever_file_names_it():
    said = {("hustings.toml", "LLM_"): {"provider": "anthropic", "base_url": "https://evil.example", "model": "m"}}
    plain = environment_of(said)
    environment = Environment({"ANTHROPIC_API_KEY": "k"}, files=plain.files)
    with pytest.raises(UserError, match=r"no key for evil\.example"):
        model_spec_of(PRO_2, environment)


def test_a_seat_in_dotenv_wins_over_everybody_in_the_process():
    environment = Environment({"LLM_TEMPERATURE": "0.1"}, {"PRO_2_LLM_TEMPERATURE": "0.9"})
    assert str(resolve(PRO_2, environment).origins["temperature"]) == ".env PRO_2_LLM_TEMPERATURE"


def test_another_provider_in_the_process_leaves_dotenvs_model_and_key_behind():
    dotenv = {"LLM_PROVIDER": "openai", "LLM_MODEL": "gpt-5", "LLM_API_KEY": "of openai"}
    found = resolve(PRO_2, Environment({"LLM_PROVIDER": "anthropic"}, dotenv))
    assert (found.model_spec.provider, found.model_spec.model, found.model_spec.key) == ("anthropic", "", "")


def test_a_table_of_a_file_is_read_by_name_like_a_variable():
    environment = Environment({}, files=(Tables("config.toml", {"JUDGE_LLM_": {"model": "m"}}),))
    assert (environment["JUDGE_LLM_MODEL"], environment.place_of("JUDGE_LLM_MODEL")) == ("m", "config.toml")
    assert list(environment) == ["JUDGE_LLM_MODEL"]
    assert len(environment) == 1


def test_a_plain_mapping_is_the_process():
    assert layered({"LLM_MODEL": "m"}).place_of("LLM_MODEL") == "env"
    assert layered({"LLM_MODEL": "m"}).place_of("ELSE") == ""


def test_what_is_not_given_has_no_origin():
    assert resolve(PRO_2, {}).model_spec == ModelSpec()
    assert not resolve(PRO_2, {}).origins
