"""`hustings config` and `hustings init`: what is in force, from where, and files that come with comments."""

import json
import re
import tomllib
from importlib.resources import files

import pytest
from jsonschema import Draft202012Validator

from hustings.cli.commands.config import TEMPLATE
from hustings.cli.lazy_commands import COMMANDS
from hustings.cli.options import default_map
from hustings.config.settings_files import OPTIONS, File, read_settings, schema
from hustings.config.settings_in_use import DEFAULTS
from hustings.errors import BrokenFile, NotFound, Unsuitable
from hustings.llm.endpoints import PROVIDERS
from tests.config.machine import machine

from .console import run

__all__ = ["machine"]
KEY = "sk-canary-7f3a9b2c"


def shown(*arguments):
    return run("config", "show", *arguments)


def test_every_value_of_a_seat_is_shown_with_its_origin_and_no_key(machine):
    machine.project("PRO_LLM_MODEL=deepseek-chat\nPRO_LLM_PROVIDER=deepseek\nPRO_LLM_API_KEY=" + KEY, ".env")
    machine.has(LLM_PROVIDER="zhipu", LLM_MODEL="glm-4.7", PRO_2_LLM_TEMPERATURE="0.2")
    told = shown("--origin", "pro_2")
    assert told.stdout.splitlines() == [
        "provider             deepseek         .env PRO_LLM_PROVIDER",
        "model                deepseek-chat    .env PRO_LLM_MODEL",
        "key                  PRO_LLM_API_KEY  .env (never shown)",
        "temperature          0.2              env PRO_2_LLM_TEMPERATURE",
        "first_token_timeout  60.0             default",
        "timeout              120.0            default",
    ]
    assert "Model for pro_2: deepseek/deepseek-chat at https://api.deepseek.com" in told.stderr
    assert KEY not in told.stdout + told.stderr


def rows(*arguments):
    told = json.loads(shown("--json", *arguments).stdout)
    return {name: (row["value"], row["origin"]) for name, row in told.items()}


@pytest.mark.parametrize(
    "named", [("-m", "openai_compatible/m@http://127.0.0.1:9/v1"), ("--endpoint", "127.0.0.1:9", "-m", "m")]
)
def test_a_model_that_is_named_is_shown_with_the_time_limits_that_its_calls_will_have(machine, named):
    machine.has(LLM_PROVIDER="openai", LLM_MODEL="gpt", PRO_LLM_FIRST_TOKEN_TIMEOUT="9", LLM_MAX_TOKENS="7")
    told = rows("pro", *named)
    assert told["first_token_timeout"] == (9, "env PRO_LLM_FIRST_TOKEN_TIMEOUT")
    assert told["timeout"] == (600, "default for a server on this machine")
    assert told["max_tokens"] == (7, "env LLM_MAX_TOKENS, not used: it is for another endpoint or model")


def test_a_wait_for_the_first_word_that_is_cut_or_makes_the_answer_longer_says_so(machine):
    machine.has(LLM_PROVIDER="openai", LLM_MODEL="m", LLM_TIMEOUT="30", CON_LLM_FIRST_TOKEN_TIMEOUT="200")
    assert rows("con")["first_token_timeout"] == (30, "timeout, no longer than the whole answer")
    machine.patch.delenv("LLM_TIMEOUT")
    assert rows("con")["timeout"] == (260, "first_token_timeout, and 60 more")


def test_options_are_shown_with_their_file_and_a_password_is_not(machine):
    machine.user("database = 'postgresql://me:secret@h/d'\nlanguage = 'fi'\n")
    machine.project("protocol = 'roundtable'\n")
    machine.has(HUSTINGS_LANGUAGE="de")
    told = json.loads(shown("--json").stdout)
    assert {name: row for name, row in told.items() if row["origin"] != "built in"} == {
        "protocol": {"value": "roundtable", "origin": "hustings.toml"},
        "language": {"value": "de", "origin": "env HUSTINGS_LANGUAGE"},
        "database": {"value": "postgresql://me:…@h/d", "origin": "config.toml"},
    }


def test_what_nobody_set_is_shown_as_built_in(machine):
    told = json.loads(shown("--json").stdout)
    assert told.keys() == set(OPTIONS)
    assert {row["origin"] for row in told.values()} == {"built in"}
    assert (told["protocol"]["value"], told["budget"]["value"]) == ("structured", None)
    lines = [" ".join(line.split()) for line in shown("--origin").stdout.splitlines()]
    assert "budget $1.00 if paid built in" in lines
    assert "control false built in" in lines


def test_profiles_and_casts_that_files_define_are_listed(machine):
    machine.user("[casts.solo]\npro = 'ollama/a'\n")
    machine.project("[profiles.quick]\nretries = 1\n[casts.duel]\ncon = 'ollama/b'\n")
    told = json.loads(shown("--json").stdout)
    assert told["casts"] == {"value": "duel, solo", "origin": "config.toml, hustings.toml"}
    assert told["profiles"] == {"value": "quick", "origin": "hustings.toml"}


def test_an_actor_speaks_at_no_address(machine):
    machine.has(LLM_PROVIDER="improviser")
    assert "Model for all seats: improviser.\n" in shown().stderr


def test_a_profile_and_a_cast_can_be_looked_at_before_they_are_used(machine):
    machine.project("[profiles.quick.llm]\nprovider = 'ollama'\nmodel = 'a'\n[casts.duel]\ncon = 'ollama/b'\n")
    told = shown("--origin", "con", "--profile", "quick", "--cast", "duel").stdout
    assert "profile quick (hustings.toml) [llm] provider" not in told
    assert "cast duel [con] model" in told


def test_what_is_missing_is_said(machine):
    machine.has(LLM_PROVIDER="openai")
    assert "Not ready: the model has no model" in shown().stderr


def test_nothing_set_up_is_said(machine):
    assert "No model is configured" in shown().stderr


def test_a_seat_that_is_misspelt_is_told_the_nearest(machine):
    with pytest.raises(NotFound, match="did you mean 'moderator'"):
        shown("moderatr")


def test_a_seat_that_nobody_has_is_refused_with_those_there_are(machine):
    with pytest.raises(NotFound, match=r"no seat 'nosuch': choose from .*\bpro\b"):
        shown("nosuch")


@pytest.mark.parametrize("seat", ["judge_2", "debater", "panelist", "workforce", "somebody"])
def test_teams_roles_judges_and_whoever_is_set_up_can_be_asked_for(machine, seat):
    machine.has(LLM_PROVIDER="ollama", LLM_MODEL="m", SOMEBODY_LLM_MODEL="m")
    assert "model                m" in shown(seat).stdout


def test_the_paths_are_shown_whether_files_are_there_or_not(machine):
    before = json.loads(run("config", "path", "--json").stdout)
    machine.project("")
    assert (before["project"], before["dotenv"]) == (None, None)
    assert str(machine.work / "hustings.toml") in run("config", "path").stdout


# -- files that we write -------------------------------------------------------------------


@pytest.mark.parametrize("command", [("init",), ("config", "init")])
def test_a_project_file_is_written_and_never_over_one_that_is_there(machine, command):
    told = run(*command)
    written = machine.work / "hustings.toml"
    assert written.read_text().startswith("#:schema ")
    assert "Check it: hustings doctor" in told.stderr
    written.write_text("language = 'fi'\n")
    with pytest.raises(Unsuitable, match="already exists"):
        run(*command)
    assert written.read_text() == "language = 'fi'\n"


def test_a_file_of_ones_own_is_written_beside_the_keys(machine):
    run("config", "init", "--user")
    assert (machine.config / "hustings" / "config.toml").is_file()


def test_all_that_the_comments_suggest_can_be_said(machine):
    lines = [line.removeprefix("# ") for line in TEMPLATE.splitlines() if " = " in line or line.startswith("# [")]
    machine.project("\n".join(lines))
    read_settings(machine.work / "hustings.toml", shared=True)
    Draft202012Validator(json.loads(schema())).validate(tomllib.loads("\n".join(lines)))


def test_the_schema_that_is_shipped_is_the_one_of_the_code(machine):
    shipped = (files("hustings") / "data" / "hustings.schema.json").read_text("utf-8")
    assert shipped == schema() == run("config", "schema").stdout


def test_the_schema_refuses_what_the_code_refuses():
    validator = Draft202012Validator(json.loads(schema()))
    assert not validator.is_valid({"bugdet": 1})
    assert not validator.is_valid({"pro": {"api_key": "k"}})
    assert validator.is_valid(File(budget=1.0).model_dump(exclude_none=True))


# -- defaults of options -------------------------------------------------------------------


def test_files_give_options_their_defaults(machine):
    machine.user("language = 'fi'\n[profiles.quick]\nretries = 2\n")
    assert default_map("run", ["--profile", "quick"]) == {"language": "fi", "retries": 2}
    assert default_map("run", ["--profile=quick"]) == default_map("run", ["--profile", "quick"])
    assert default_map("db", [], ("upgrade", "cap")) == {"upgrade": {"language": "fi"}, "cap": {"language": "fi"}}


def test_whoever_says_judge_means_it(machine):
    machine.project("judges = 'none'\ncontrol = true\nbudget = 2.0\n")
    assert default_map("judge", []) == {"budget": 2.0}
    assert default_map("run", [])["judges"] == "none"


@pytest.mark.parametrize("command", ["doctor", "config", "keys", "init"])
def test_commands_that_mend_files_work_where_they_are_broken(machine, command):
    machine.project("bugdet = 1\n")
    assert default_map(command, []) == {}
    with pytest.raises(BrokenFile):
        default_map("run", [])


def test_an_example_of_variables_is_written_once_and_names_only_variables_there_are(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("init", "--env")
    text = (tmp_path / ".env.example").read_text()
    names = re.findall(r"(?m)^# ([A-Z0-9_]+)=", text)
    known = {f"HUSTINGS_{name.upper()}" for name in OPTIONS} | {key for one in PROVIDERS.values() for key in one.keys}
    suffixes = ("LLM_PROVIDER", "LLM_MODEL", "LLM_API_KEY", "LLM_BASE_URL", "LLM_TEMPERATURE", "LLM_MAX_TOKENS")
    assert all(name in known or name.endswith(suffixes) for name in names)
    assert len(names) > 10
    assert not re.search(r"(?m)^[^#\n]", text)
    with pytest.raises(Unsuitable, match="already exists"):
        run("init", "--env")


def test_the_defaults_that_are_shown_are_those_of_the_command():
    defaults = {param.name: param.default for param in COMMANDS["run"].load("run").params}
    assert {name: defaults[name] for name in OPTIONS} == DEFAULTS
