"""What the user's settings say of every debate holds in programs, too; what a program gives comes first."""

import logging

import pytest

from hustings import Debate, debate
from hustings.api.database_place import database_url
from hustings.errors import NoModel, Unsuitable

PLAIN = {"model": "improviser", "judges": None, "protocol": "roundtable", "settings": {"rounds": 1}}


@pytest.fixture
def config(tmp_path, monkeypatch):
    """The user's own settings file."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "hustings").mkdir()
    return tmp_path / "hustings" / "config.toml"


def limits(**given):
    caps = Debate("Is it so?", **PLAIN, **given)._spec.caps
    return caps.money, caps.tokens, caps.calls, caps.seconds


def test_limits_of_the_settings_bind_a_program(config):
    config.write_text("budget = 0.05\nmax_tokens_total = 9\nmax_calls = 8\nmax_minutes = 2\n")
    assert limits() == (50_000, 9, 8, 120)


def test_a_variable_comes_before_a_file_and_an_argument_before_both(config, monkeypatch):
    config.write_text("budget = 0.05\nmax_calls = 8\n")
    monkeypatch.setenv("HUSTINGS_MAX_CALLS", "7")
    assert limits(budget=0.02) == (20_000, None, 7, None)
    assert limits(max_calls=6)[2] == 6


def test_a_debate_ends_at_a_limit_of_the_settings(config):
    config.write_text("max_calls = 1\n")
    assert debate("Is it so?", **PLAIN).outcome.kind == "budget_stopped"


@pytest.mark.parametrize("text", ["much", "-1", "inf"])
def test_a_variable_that_is_no_limit_is_refused_by_its_name(text, monkeypatch):
    monkeypatch.setenv("HUSTINGS_BUDGET", text)
    with pytest.raises(Unsuitable, match="HUSTINGS_BUDGET can't be used"):
        Debate("Is it so?", **PLAIN)


def test_the_database_of_the_settings_is_that_of_programs(config, tmp_path, monkeypatch):
    config.write_text(f'database = "{tmp_path}/mine.db"\n')
    monkeypatch.delenv("HUSTINGS_DATABASE")
    assert database_url(None) == f"sqlite:///{tmp_path}/mine.db"


# -- how long an answer may take -----------------------------------------------------------


def test_a_time_for_every_answer_comes_before_that_of_the_settings(config):
    config.write_text("[llm]\ntimeout = 50\n[con]\ntimeout = 70\n")
    made = Debate("Is it so?", model="ollama/llama3.2", judges=None, timeout=300)
    assert {seat: one.timeout for seat, one in made._spec.model_specs.items()} == {"pro": 300, "con": 300}


def test_no_time_at_all_is_refused():
    with pytest.raises(Unsuitable, match="timeout is 0: give more than 0 seconds"):
        Debate("Is it so?", **PLAIN, timeout=0)


# -- without a model -----------------------------------------------------------------------


@pytest.fixture
def no_server(monkeypatch):
    monkeypatch.setattr("hustings.llm.local_servers.PORTS", ())  # whoever has a server here would have a model
    monkeypatch.setenv("OLLAMA_HOST", "")


@pytest.mark.usefixtures("no_server")
def test_without_a_model_a_program_is_told_what_to_write():
    with pytest.raises(NoModel) as refused:
        Debate("Is it so?")
    assert str(refused.value) == (
        'no model found: try model="improviser", or set OPENAI_API_KEY, or model="openai_compatible/NAME@URL"'
    )


@pytest.mark.usefixtures("no_server")
def test_a_program_is_warned_of_a_paid_model_that_nobody_named(monkeypatch, caplog):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    Debate("Is it so?", judges=None)
    (record,) = caplog.records
    assert (record.levelno, "openai/" in record.getMessage()) == (logging.WARNING, True)
