"""`cli/NAME` in a seat: a debate by programs of the user, within its budget, one program at a time."""

import json
import sys
from pathlib import Path

import pytest

from hustings.config.checkup import check_up
from hustings.config.paths import user_file
from hustings.errors import BrokenFile, NotFound, Unsuitable

from .engine import run

AGENT = Path(__file__).parents[1] / "rig" / "stand_in_agent.py"
TOPIC = "Should towns close their centres to cars?"
LINE = (TOPIC, "-p", "roundtable", "--set", "seats=2", "--set", "rounds=1", "--json")


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """A machine with programs that answer."""
    (tmp_path / "running").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("HUSTINGS_DATABASE", f"sqlite:///{tmp_path}/hustings.db")
    user_file().parent.mkdir(parents=True)
    return tmp_path


def described(name, *arguments, more="price = { input = 3, output = 15 }\n"):
    command = json.dumps([sys.executable, str(AGENT), *map(str, arguments)])
    with user_file().open("a", encoding="utf-8") as file:
        file.write(f"[commands.{name}]\ncommand = {command}\n{more}\n")


def test_a_debate_is_held_by_a_program_and_the_worst_case_is_booked(here):
    described("agent", "count", here / "running")
    ended = run("run", *LINE, "-m", "cli/agent")
    shown = json.loads(run("show", "last", "--json").stdout)
    assert (ended.exit_code, shown["ending"], shown["calls"]) == (0, "played", 2)
    assert shown["tokens_held"] > shown["tokens"] > 0
    assert shown["spent"] > 0.03
    assert {person["model_name"] for person in transcript()["participants"]} == {"cli/agent"}
    assert len(seen(here)) == 2


def seen(here):
    """How many programs ran at the same time, as each of them saw it."""
    return [int(number) for number in (here / "running.seen").read_text("utf-8").split()]


@pytest.mark.parametrize(("most", "at_once"), [(1, ""), (3, "at_once = 3\n")])
def test_no_more_programs_run_at_once_than_the_settings_say(here, most, at_once):
    """Four panelists open at the same time. A busy machine may start them one by one, but never one too many."""
    described("agent", "count", here / "running", more=f"{at_once}price = {{ input = 0, output = 0 }}\n")
    seats = ("-m", "cli/agent", "--seat", "moderator=improviser")
    limits = ("--set", "domain=technical", "--set", "max_exchanges=1")
    assert run("run", TOPIC, "-p", "moderated", *limits, *seats, "--json").exit_code == 0
    assert len(seen(here)) >= 4
    assert max(seen(here)) <= most


def transcript():
    return json.loads(run("show", "last", "--transcript", "--json").stdout)


def test_the_budget_holds_the_worst_case_of_each_call(here):
    described("agent", "count", here / "running", more="price = { input = 3000, output = 15000 }\n")
    ended = run("run", *LINE, "-m", "cli/agent", "--budget", "0.01")
    assert ended.exit_code == 3
    assert not (here / "running.seen").exists()


def test_what_a_failing_program_says_is_shown(here):
    described("broken", "fail", "first")
    told = run("run", *LINE, "-m", "cli/broken")
    assert told.exit_code == 1
    assert (
        "exit code 3: not logged in: run `agent login` first"
        in run("show", "last", "--transcript").output + told.output
    )


def test_without_a_price_nothing_is_started():
    described("agent", "say", "Yes.", more="")
    with pytest.raises(Unsuitable, match=r"set price in \[commands\.agent\]"):
        run("run", *LINE, "-m", "cli/agent")


def test_a_program_that_is_not_on_the_list_is_not_started():
    described("agent", "say", "Yes.")
    with pytest.raises(NotFound, match="no command 'rm'"):
        run("run", *LINE, "-m", "cli/rm")


def test_a_project_cannot_name_programs(here):
    (here / "hustings.toml").write_text('[commands.agent]\ncommand = ["rm"]\n', encoding="utf-8")
    with pytest.raises(BrokenFile, match=r"a shared folder can't name programs to start.*config\.toml"):
        run("run", *LINE, "-m", "cli/agent")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('command = "agent"\n', "invalid value"),
        ("command = []\n", "invalid value"),
        ("seconds = 5\n", "a command needs this: set it in [commands.agent]: program and arguments"),
        ('command = ["a"]\nsecond = 5\n', "unknown setting of a command: did you mean 'seconds'?"),
        ('command = ["a"]\nvariables = ["A=B"]\n', "invalid value"),
    ],
)
def test_a_program_that_is_described_wrongly_is_refused_with_its_line(line, told):
    user_file().write_text(f"[commands.agent]\n{line}", encoding="utf-8")
    with pytest.raises(BrokenFile) as error:
        run("config", "show")
    assert told in str(error.value)
    assert "line" in str(error.value)


def test_doctor_finds_programs_and_starts_none(here):
    described("agent", "count", here / "running")
    described("gone", "say", "Yes.")
    user_file().write_text(user_file().read_text("utf-8").replace(f'["{sys.executable}", "{AGENT}", "say"', '["/gone"'))
    found = {(one.state, one.said) for one in check_up("", []) if one.about == "command"}
    assert found == {("ok", f"cli/agent runs {sys.executable}"), ("FAIL", "cli/gone: /gone was not found")}
    assert not (here / "running.seen").exists()
