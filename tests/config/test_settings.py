"""Files of settings: what they may say, how a mistake is told, and which of them wins."""

import re

import pytest

from hustings.config.settings_files import WORDS, line_of, option_defaults, options, seated, settings_files
from hustings.config.variables import variables
from hustings.errors import BrokenFile, NotFound, Unsuitable
from hustings.llm.model_spec import model_spec_of, resolve
from hustings.script.seats import Seat

PRO, CON = Seat("pro", role="pro"), Seat("con", role="con")


def test_the_profile_that_was_named_wins_over_the_project_and_the_project_over_the_user(machine):
    machine.user('protocol = "roundtable"\nlanguage = "fi"\n[profiles.quick]\nlanguage = "de"\nretries = 3\n')
    machine.project('protocol = "competition"\nbudget = 0.5\ncontrol = true\n')
    assert option_defaults("quick") == {
        "protocol": "competition",
        "language": "de",
        "retries": 3,
        "budget": 0.5,
        "control": True,
    }
    assert options("quick")["retries"] == (3, "profile quick (config.toml)")


def test_without_files_there_are_no_defaults(machine):
    assert option_defaults() == {}


def test_tables_reach_the_seats(machine):
    machine.project('[llm]\nprovider = "ollama"\nmodel = "llama3.2"\n[con]\nmodel = "qwen3"\n')
    known = variables()
    assert [model_spec_of(seat, known).label for seat in (PRO, CON)] == ["ollama/llama3.2", "ollama/qwen3"]


def test_a_variable_wins_over_every_table(machine):
    machine.project('[pro]\nprovider = "ollama"\nmodel = "of-the-file"\n')
    machine.has(LLM_MODEL="of-the-process")
    found = resolve(PRO, variables())
    assert (found.model_spec.label, str(found.origins["model"])) == ("ollama/of-the-process", "env LLM_MODEL")


def test_the_file_is_found_from_a_folder_inside_the_project(machine, monkeypatch):
    machine.project('protocol = "roundtable"\n')
    inside = machine.work / "a" / "b"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    assert option_defaults() == {"protocol": "roundtable"}


def test_a_file_above_the_root_of_the_project_does_not_count(machine, monkeypatch):
    machine.project('protocol = "roundtable"\n')
    root = machine.work / "cloned"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    assert option_defaults() == {}


# -- profiles and casts --------------------------------------------------------------------


def test_a_profile_is_chosen_by_name_variable_or_file(machine):
    machine.user('profile = "a"\n[profiles.a]\nretries = 1\n[profiles.b]\nretries = 2\n[profiles.c]\nretries = 3\n')
    assert option_defaults()["retries"] == 1
    machine.has(HUSTINGS_PROFILE="b")
    assert option_defaults()["retries"] == 2
    assert option_defaults("c")["retries"] == 3


def test_a_profile_has_models_of_its_own(machine):
    machine.user('[profiles.quick.llm]\nprovider = "ollama"\nmodel = "tiny"\n[profiles.quick.con]\nmodel = "small"\n')
    known = variables(profile="quick")
    assert [model_spec_of(seat, known).model for seat in (PRO, CON)] == ["tiny", "small"]


@pytest.mark.parametrize(("kind", "near"), [("profile", "quick"), ("cast", "duel")])
def test_an_unknown_name_is_told_the_nearest(machine, kind, near):
    machine.project('[profiles.quick]\nretries = 1\n[casts.duel]\npro = "ollama/a"\n')
    with pytest.raises(NotFound, match=f"no {kind} '{near[:-1]}': did you mean '{near}'"):
        variables(**{kind: near[:-1]})


def test_a_name_where_there_are_none_is_told_where_to_write_it(machine):
    with pytest.raises(NotFound, match=r"\[profiles\.quick\]"):
        variables(profile="quick")


def test_a_cast_seats_models_above_every_variable(machine):
    machine.project('[casts.duel]\npro = "ollama/a"\njudge = "ollama/j"\ncon = "improviser"\n')
    machine.has(PRO_LLM_PROVIDER="ollama", PRO_LLM_MODEL="b")
    known = variables(cast="duel")
    assert [model_spec_of(seat, known).label for seat in (PRO, CON)] == ["ollama/a", "improviser"]
    assert known["JUDGE_LLM_MODEL"] == "j"


def test_a_cast_that_names_no_model_is_told_where(machine):
    machine.project('[casts.duel]\npro = "llama"\n')
    with pytest.raises(Unsuitable, match=r"casts\.duel\.pro: 'llama' is not a model"):
        variables(cast="duel")


# -- mistakes ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("\nbugdet = 1\n", "line 2, bugdet: unknown setting: did you mean 'budget'?"),
        ("[llm]\nmodle = 'm'\n", "line 2, llm.modle: unknown model setting: did you mean 'model'?"),
        ("[jugde]\nmodel = 'm'\n", "line 1, jugde: no protocol has such a seat, team or role: did you mean 'judge'?"),
        ("[profile.a]\nretries = 1\n", "line 1, profile: this must be a name: define it as a table [profiles.NAME]"),
        ("budget = 'much'\n", "line 1, budget: invalid value: must be a number"),
        ("budget = -1\n", "line 1, budget: invalid value"),
        ("[llm]\nbase_url = 'ftp://h'\n", "line 2, llm.base_url: invalid value"),
        (
            "[profiles.a]\nbugdet = 1\n",
            "line 2, profiles.a.bugdet: unknown setting of a profile: did you mean 'budget'?",
        ),
        ("[profiles.a]\nprofil = 'b'\n", "unknown setting of a profile: did you mean 'protocol'?"),
        ("[profiles.a.con]\nmodl = 'm'\n", "line 2, profiles.a.con.modl: unknown model setting"),
        ("pro = { modl = 'm' }\n", "line 1, pro.modl: unknown model setting"),
        ("database = 'sqlite:///x'\n", "line 1, database: a shared folder can't decide"),
        ("[profiles.a]\ndatabase = 'x'\n", "line 2, profiles.a.database: a shared folder can't decide"),
        ("[llm\n", "is not valid TOML"),
    ],
)
def test_a_mistake_is_told_with_its_line_and_the_nearest_right_name(machine, text, told):
    machine.project(text)
    with pytest.raises(BrokenFile, match=re.escape(told)):
        settings_files()


@pytest.mark.parametrize(
    "text", ["api_key = 'sk-canary'\n", "[llm]\napi_key = 'sk-canary'\n", "[pro]\nsecret = 'sk-canary'\n"]
)
def test_a_key_in_a_file_is_refused_and_not_repeated(machine, text):
    machine.project(text)
    with pytest.raises(BrokenFile, match="keys don't belong in this file: hustings keys set") as caught:
        settings_files()
    assert "canary" not in str(caught.value)


def test_the_user_may_say_where_runs_are_kept(machine):
    machine.user("database = 'postgresql://h/d'\n")
    assert option_defaults() == {"database": "postgresql://h/d"}


def test_a_seat_that_only_some_protocol_has_is_known(machine):
    machine.project("[critic]\nmodel = 'm'\n[devil]\nmodel = 'm'\n[pro_2]\nmodel = 'm'\n")
    assert settings_files()


def test_the_common_words_are_those_of_our_protocols():
    assert set(WORDS) <= seated()


def test_a_line_is_found_for_dotted_quoted_and_inline_names():
    text = '[a]\nx = 1\n["b c"]\nd.e = 2\nf = { g = 3 }\n'
    assert [line_of(text, at) for at in (["a", "x"], ["b c", "d", "e"], ["b c", "f", "g"], ["z"])] == [2, 4, 5, None]
