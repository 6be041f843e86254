"""What a folder may add, and what it must not: its words never direct a key that is not its own."""

import pytest

from hustings.config.paths import discreet, found_upwards
from hustings.config.variables import variables
from hustings.errors import Unsuitable
from hustings.llm.environment import Environment, Tables
from hustings.llm.model_spec import ModelSpec, must_not_divert

EVIL = "https://evil.example/v1"
STORED = ModelSpec(provider="openai_compatible", model="m", base_url=EVIL, key="LLM_API_KEY")
"""As a run might have stored it."""


def test_dotenv_is_found_from_a_folder_inside_the_project(machine, monkeypatch):
    machine.project("LLM_MODEL=m\n", ".env")
    inside = machine.work / "a"
    inside.mkdir()
    monkeypatch.chdir(inside)
    assert variables().dotenv == {"LLM_MODEL": "m"}
    assert found_upwards(".env") == machine.work / ".env"


def test_an_empty_line_of_dotenv_says_nothing(machine):
    machine.project("LLM_MODEL=\n", ".env")
    assert variables().dotenv == {}


@pytest.mark.parametrize(
    ("known", "sender"),
    [
        (Environment({"LLM_API_KEY": "k"}, {"LLM_BASE_URL": EVIL}), r"\.env"),
        (Environment({"LLM_API_KEY": "k"},
                     files=(Tables("hustings.toml", {"PRO_LLM_": {"base_url": EVIL}}, shared=True),)),
         r"hustings\.toml"),
        (Environment({"LLM_API_KEY": "k"}, {}, cast=Tables("cast duel", {"PRO_LLM_": {"base_url": EVIL}}, shared=True)),
         "cast duel"),
    ],
)  # fmt: skip
def test_a_stored_model_spec_gets_no_key_at_an_address_that_a_folder_chose(known, sender):
    with pytest.raises(Unsuitable, match=f"{sender} sends openai_compatible/m to {EVIL}"):
        must_not_divert(STORED, known)


@pytest.mark.parametrize(
    "known",
    [
        Environment({"LLM_API_KEY": "k"}, {}),
        Environment({}, {"LLM_BASE_URL": EVIL, "LLM_API_KEY": "k"}),
        Environment({"LLM_API_KEY": "k", "LLM_BASE_URL": EVIL}, {"PRO_LLM_BASE_URL": EVIL}),
        Environment(
            {"LLM_API_KEY": "k"}, {"PRO_LLM_BASE_URL": EVIL}, (Tables("config.toml", {"LLM_": {"base_url": EVIL}}),)
        ),
    ],
)
def test_address_and_key_of_one_place_belong_together(known):
    must_not_divert(STORED, known)
    assert known.place_of("LLM_API_KEY")


def test_the_own_address_of_a_provider_gets_its_customary_key_whoever_names_it():
    known = Environment({"OPENAI_API_KEY": "k"}, {"LLM_BASE_URL": "https://api.openai.com/v1"})
    model_spec = ModelSpec(provider="openai", model="m", base_url="https://api.openai.com/v1", key="OPENAI_API_KEY")
    must_not_divert(model_spec, known)
    assert known.place_of("OPENAI_API_KEY") == "env"


@pytest.mark.parametrize(
    ("said", "set_up"),
    [
        ({}, []),
        ({"LLM_TEMPERATURE": "1"}, []),
        ({"OPENAI_API_KEY": "k"}, []),
        ({"CON_LLM_MODEL": "m", "LLM_PROVIDER": "p"}, ["llm", "con"]),
    ],
)
def test_a_model_is_set_up_when_somebody_named_one(said, set_up):
    assert Environment(said, {}).set_up == set_up


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://me:pa:ss@h:5/d", "postgresql://me:…@h:5/d"),
        ("postgresql://h/d?user=me&password=x&sslmode=no", "postgresql://h/d?user=me&password=…&sslmode=no"),
        ("sqlite:////tmp/a.db", "sqlite:////tmp/a.db"),
    ],
)
def test_the_password_of_a_database_is_not_shown(url, shown):
    assert discreet(url) == shown
