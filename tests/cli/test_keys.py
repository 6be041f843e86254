"""`hustings keys`: nobody ever sees one."""

import json

import pytest
from typer.testing import CliRunner

from hustings.errors import NotFound, Unsuitable
from hustings.main import app
from tests.config.machine import machine

from .console import run, typed

__all__ = ["machine"]
KEY = "sk-canary-7f3a9b2c"


def set_key(name, given):
    result = CliRunner().invoke(app, ["keys", "set", name], input=given)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_a_key_from_standard_input_is_kept_and_listed_by_name(machine):
    told = set_key("anthropic", f"{KEY}\n")
    listed = run("keys", "list")
    assert "ANTHROPIC_API_KEY is stored in the key file" in told.stderr
    assert listed.stdout == "ANTHROPIC_API_KEY        key file\n"
    assert "canary" not in told.output + listed.output


def test_the_list_is_data(machine):
    set_key("PRO_LLM_API_KEY", KEY)
    assert json.loads(run("keys", "list", "--json").stdout) == [{"name": "PRO_LLM_API_KEY", "place": "key file"}]


def test_a_deleted_key_is_gone(machine):
    set_key("openai", KEY)
    run("keys", "delete", "openai")
    assert "No key stored" in run("keys", "list").stderr
    assert KEY not in (machine.config / "hustings" / "keys.json").read_text()


def test_the_path_is_shown(machine):
    assert run("keys", "path").stdout == f"{machine.config / 'hustings' / 'keys.json'}\n"


def test_nothing_on_standard_input_is_told_how(machine):
    with pytest.raises(Unsuitable, match="no key on standard input"):
        set_key("openai", "")


def test_a_provider_that_is_misspelt_is_told_the_nearest(machine):
    with pytest.raises(NotFound, match="no provider 'antropic': did you mean 'anthropic'"):
        set_key("antropic", KEY)


def test_a_key_is_no_argument(machine):
    with pytest.raises(NotFound) as caught:
        set_key(KEY, KEY)
    assert KEY not in str(caught.value)


TYPED_KEYS = (
    "sk-proj-CANARY7f3a9b2c",
    "gsk_CANARY7f3a9b2cd41e",
    "AIzaCANARY7f3a9b2cd41e5f6a7b",
    "CANARY7f3a9b2cd41e5f6a7b8cZq",
    f"{'0123456789abcdef' * 2}.CANARY7f3a9b2c",
)


@pytest.mark.parametrize("key", TYPED_KEYS)
@pytest.mark.parametrize(
    "command",
    [
        ("keys", "set", "openai", "{}"),
        ("keys", "set", "{}"),
        ("keys", "{}"),
        ("run", "Is it so?", "-m", "{}"),
        ("run", "Is it so?", "-m", "openai/{}"),
        ("run", "Is it so?", "-m", "{}/gpt-5"),
        ("run", "Is it so?", "--calls", "{}"),
        ("run", "Is it so?", "--api-key={}"),
        ("judge", "run-1", "--judges", "openai/{}"),
        ("show", "{}"),
        ("models", "{}"),
    ],
    ids=" ".join,
)
def test_a_key_typed_in_the_wrong_place_is_not_repeated(command, key, machine, tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "of-another-kind")
    monkeypatch.setenv("HUSTINGS_DATABASE", f"sqlite:///{tmp_path}/runs.db")
    code, out, err = typed(*(word.format(key) for word in command))
    assert code
    assert "CANARY" not in out + err


@pytest.mark.parametrize(
    "name",
    [
        "anthropic/claude-sonnet-4-5-20250929",
        "ollama/Meta-Llama-3-1-8B-Instruct-Turbo",
        "should-a-town-close-its-centre-3f2a9c1b4d5e",
        "/usr/share/task_list_of_many_things/disk-space-is-running-low",
        "9080e60a18b6b478adc8b2ec3a71c79a95172b0a524a84020e8f1d1e08b12663",
        "PRO_LLM_API_KEY",
    ],
)
def test_names_of_models_runs_files_and_digests_are_repeated(name):
    assert str(Unsuitable(f"{name} is unknown")) == f"{name} is unknown"
