"""`hustings keys`: nobody ever sees one."""

import json

import pytest
from typer.testing import CliRunner

from hustings.errors import NotFound, Unsuitable
from hustings.main import app
from tests.config.machine import machine

from .console import run

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
    assert "ANTHROPIC_API_KEY is kept in the key file" in told.stderr
    assert listed.stdout == "ANTHROPIC_API_KEY        key file\n"
    assert "canary" not in told.output + listed.output


def test_the_list_is_data(machine):
    set_key("PRO_LLM_API_KEY", KEY)
    assert json.loads(run("keys", "list", "--json").stdout) == [{"name": "PRO_LLM_API_KEY", "place": "key file"}]


def test_a_deleted_key_is_gone(machine):
    set_key("openai", KEY)
    run("keys", "delete", "openai")
    assert "None is kept" in run("keys", "list").stderr
    assert KEY not in (machine.config / "hustings" / "keys.json").read_text()


def test_the_path_is_shown(machine):
    assert run("keys", "path").stdout == f"{machine.config / 'hustings' / 'keys.json'}\n"


def test_nothing_on_standard_input_is_told_how(machine):
    with pytest.raises(Unsuitable, match="no key came on standard input"):
        set_key("openai", "")


def test_a_provider_that_is_misspelt_is_told_the_nearest(machine):
    with pytest.raises(NotFound, match="no provider 'antropic': did you mean 'anthropic'"):
        set_key("antropic", KEY)


def test_a_key_is_no_argument(machine):
    with pytest.raises(NotFound) as caught:
        set_key(KEY, KEY)
    assert KEY not in str(caught.value)
