"""`hustings run` and `hustings fork` as a person uses them, on the real engine."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import contextmanager

import pytest

from hustings.cli.narrate import lines_of
from hustings.config.paths import LONGEST_FILE, read_text
from hustings.config.plan_run import affordable
from hustings.config.variables import assignments, variables
from hustings.errors import BrokenFile, NotFound, Unsuitable
from hustings.llm.environment import Environment
from hustings.llm.model_spec import ModelSpec, Price
from hustings.runs.request import DebateRequest, build_spec
from hustings.transcript.events import TurnEntered
from hustings.transcript.models import Attempt, Turn
from tests.rig.postgres import ready_sqlite_file
from tests.rig.provider import serving

from .console import ENTRY, hustings
from .engine import TOPIC, debate, events_of, run

OWN = ModelSpec(provider="openai", model="m", base_url="http://127.0.0.1:1/v1", local=True)


@pytest.fixture(autouse=True)
def _at_home(tmp_path, monkeypatch):
    monkeypatch.setenv("HUSTINGS_DATABASE", ready_sqlite_file(tmp_path))
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def provider():
    with serving() as running:
        yield running


# -- telling -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What a debate looks like."""
    where = ready_sqlite_file(tmp_path_factory.mktemp("told"))
    return run("run", TOPIC, "-m", "improviser", "--database", where)


def test_a_debate_is_told_round_by_round(told):
    lines = told.stdout.splitlines()
    assert lines[0] == f"Pro and con, three rounds: {TOPIC}"
    assert [line[6:] for line in lines if line.startswith("==")] == ["opening", "cross-examination", "closing"]
    assert lines[-1] == "Finished: 6 calls, 0 tokens, 0.0000 USD"


def test_a_debate_ends_with_the_next_useful_commands(told):
    run_id = told.stderr.partition(":")[0]
    assert told.stderr.splitlines()[-2:] == [
        f"Read what was said: hustings show {run_id} --transcript",
        f"Next: hustings judge {run_id}",
    ]


def test_a_debate_that_was_played_exits_with_0(told):
    assert told.exit_code == 0


def test_as_json_every_event_is_a_line_without_a_gap():
    _, told = debate("-m", "improviser")
    assert told[0]["kind"] == "launched"
    assert [event["seq"] for event in told[1:-1]] == list(range(len(told) - 2))
    assert (told[-1]["kind"], told[-1]["ending"]) == ("done", "played")


def test_words_cannot_pass_for_another_speaker():
    attempt = Attempt(attempt_index=0, timestamp="", status="ok", content="Yes.\ncon (r1.t1):\rI give up.")
    turn = Turn(turn_id="r1.t0", round_index=1, turn_index_in_round=0, speaker_id="pro", attempts=[attempt])
    _, *words = lines_of(TurnEntered(turn=turn))
    assert [line[:4] for line in words] == ["    "] * 3


# -- exit codes ----------------------------------------------------------------------------


def test_a_debate_that_a_cap_stopped_exits_with_3():
    ran = run("run", TOPIC, "-m", "improviser", "--max-calls", 3)
    assert (ran.exit_code, ran.stdout.splitlines()[-1].split(":")[0]) == (3, "Stopped by a cap")


def test_a_debate_that_failed_exits_with_1(provider):
    ran = run("run", TOPIC, "-m", f"openai_compatible/m@{provider.always('unknown_model')}")
    assert (ran.exit_code, "Failed: " in ran.stdout) == (1, True)


def test_invented_words_are_announced_before_the_first_of_them():
    told = run("run", TOPIC, "-m", "improviser", "--judges", "improviser", "--display", "plain").stderr
    assert told.count("The improviser speaks: invented words, the same for every question.\n") == 1
    assert "invented words" not in run("run", TOPIC, "-m", "improviser", "--json").stderr


@pytest.mark.nightly("a process of its own; tests/cli/test_errors.py has a wrong key on every change")
def test_a_refused_key_pauses_and_exits_with_4(provider):
    environment = {"LLM_API_KEY": "not-the-right-one"}
    model = f"openai_compatible/m@{provider.always('status401')}"
    code, _, said = hustings("run", TOPIC, "-m", model, **environment)
    assert code == 4
    assert b"refused the key" in said
    assert b"hustings resume" in said


@pytest.mark.nightly("two processes; Ctrl-C is tried in tests/api and at a terminal on every change")
def test_ctrl_c_pauses_and_the_run_goes_on_later_for_nothing_more(provider):
    provider.plan(delay=1.0)
    with begun(provider) as (ran, run_id):
        ran.send_signal(signal.SIGINT)
        out, err = ran.communicate(timeout=30)
    provider.plan(delay=0.0)
    assert (ran.returncode, events_of(out.decode())[-1]["state"]) == (130, "paused")
    assert f"hustings resume {run_id}".encode() in err
    resumed = run("resume", run_id, "--json")
    assert (resumed.exit_code, events_of(resumed.stdout)[-1]["ending"]) == (0, "played")
    assert provider.ledger()["served_again"] == 0


def test_a_run_whose_process_was_killed_goes_on_in_another(tmp_path, provider):
    provider.reset()
    provider.plan(delay=1.0)
    with begun(provider) as (ran, run_id):
        ran.kill()
        ran.communicate()
    provider.plan(delay=0.0)
    with sqlite3.connect(tmp_path / "hustings.db") as db:
        db.execute("update hustings_lease set expires = 0")  # instead of waiting until it runs out
    db.close()
    resumed = events_of(run("resume", run_id, "--json").stdout)
    assert resumed[-1]["ending"] == "played"
    assert provider.ledger()["served_again"] == 0


def test_the_list_says_that_nobody_works_on_a_run_whose_process_was_killed(tmp_path, provider):
    provider.reset()
    provider.plan(delay=1.0)
    with begun(provider) as (ran, run_id):
        alive = run("list")
        ran.kill()
        ran.communicate()
    provider.plan(delay=0.0)
    with sqlite3.connect(tmp_path / "hustings.db") as db:
        db.execute("update hustings_lease set expires = 0")  # instead of waiting until it runs out
    db.close()
    gone = run("list")
    assert (alive.stdout.split()[0], gone.stdout.split()[0]) == ("running", "stopped?")
    advice = f"Nobody works on {run_id}. Go on: hustings resume {run_id}"
    assert (advice in alive.stderr, advice in gone.stderr) == (False, True)


@contextmanager
def begun(provider):
    """A run in a process of its own, at the moment when somebody has been asked."""
    options = ["run", TOPIC, "-m", f"openai_compatible/m@{provider.base_url}", "--json"]
    command, pipe = [sys.executable, "-c", ENTRY, *options], subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe) as ran:
        run_id = json.loads(ran.stdout.readline())["run_id"]
        while json.loads(ran.stdout.readline())["kind"] != "turn_begun":
            pass
        yield ran, run_id


# -- wishes --------------------------------------------------------------------------------


def test_a_topic_may_come_from_a_file(tmp_path):
    (tmp_path / "topic.txt").write_text("Is it so?", "utf-8")
    assert run("run", "@topic.txt", "-m", "improviser").stdout.startswith("Pro and con, three rounds: Is it so?")


def test_a_seat_that_is_not_there_is_named():
    with pytest.raises(Unsuitable, match="no seat judge in 'structured': choose from con, pro"):
        run("run", TOPIC, "-m", "improviser", "--seat", "judge=improviser")


def test_a_seat_flag_without_a_model_is_explained():
    with pytest.raises(Unsuitable, match="--seat con=improviser"):
        run("run", TOPIC, "--seat", "pro")


def test_a_paid_model_spec_gets_a_dollar_and_no_more():
    made = spec(OWN.model_copy(update={"price": Price(input=1.0, output=1.0)}))
    assert affordable(made, Environment({}, {})).caps.money == 1_000_000


def test_a_free_model_spec_gets_no_cap_in_money():
    assert affordable(spec(OWN), Environment({}, {})).caps.money is None


def spec(model_spec):
    made = build_spec(DebateRequest(protocol="structured", question=TOPIC, model="improviser"), {})
    return made.model_copy(update={"model_specs": {"pro": model_spec, "con": model_spec}})


# -- files and variables -------------------------------------------------------------------


@pytest.mark.parametrize("name", ["missing", "folder", "pipe", "zero", "long", "latin", "nul\0", "loop"])
def test_what_is_no_text_file_is_refused(tmp_path, name):
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "long").write_bytes(b"a" * (LONGEST_FILE + 1))
    (tmp_path / "latin").write_bytes(b"caf\xe9")
    with pytest.raises(BrokenFile):
        read_text(tmp_path / name)


def test_a_file_of_the_greatest_length_is_read(tmp_path):
    (tmp_path / "long").write_bytes(b"a" * LONGEST_FILE)
    assert len(read_text(tmp_path / "long")) == LONGEST_FILE


def test_assignments_may_be_quoted_exported_and_commented():
    text = "# a\nA=1\nexport B = 'two words' # b\nC=\"#3\"\r\nD=\nno line\nE=x y  # e\nF=a#b\n"
    assert assignments(text) == {"A": "1", "B": "two words", "C": "#3", "D": "", "E": "x y", "F": "a#b"}


def test_of_a_file_only_what_concerns_models_is_read_and_the_process_wins(tmp_path, monkeypatch):
    (tmp_path / ".env").write_text("LLM_MODEL=a\nPRO_LLM_MODEL=b\nPATH=/c\nHUSTINGS_DATABASE=d\n", "utf-8")
    monkeypatch.setenv("LLM_MODEL", "e")
    assert variables().dotenv == {"LLM_MODEL": "a", "PRO_LLM_MODEL": "b"}
    assert variables()["LLM_MODEL"] == "e"


def test_a_folder_cannot_send_a_key_of_the_process_to_its_own_address():
    known = Environment({"LLM_API_KEY": "secret"}, {"LLM_BASE_URL": OWN.base_url})
    with pytest.raises(Unsuitable, match="the key LLM_API_KEY comes from elsewhere"):
        affordable(spec(OWN.model_copy(update={"key": "LLM_API_KEY"})), known)


# -- forks ---------------------------------------------------------------------------------


def test_a_fork_repeats_what_was_said_for_nothing():
    run_id, told = debate("-m", "improviser", "--seed", "7")
    again = events_of(run("fork", run_id, "--json").stdout)
    assert again[-1]["calls"] == 0
    assert words(again) == words(told)


def test_a_fork_from_a_turn_with_another_model_changes_what_comes_after(provider):
    run_id, told = debate("-m", "improviser")
    flags = ("--from", "r3.t0", "-m", f"openai_compatible/m@{provider.base_url}")
    again = events_of(run("fork", run_id, *flags, "--json").stdout)
    same = [old == new for old, new in zip(words(told), words(again), strict=True)]
    assert same == [True, True, True, True, False, False]


def test_another_model_without_a_turn_is_told_that_it_will_hardly_be_asked(provider):
    run_id, _ = debate("--model", "improviser")
    forked = run("fork", run_id, "--model", f"openai_compatible/m@{provider.base_url}")
    assert "add --from TURN" in forked.stderr
    assert not [call for call in provider.calls() if run_id in call.key]


def test_a_turn_that_is_not_there_cannot_be_forked_from():
    run_id, _ = debate("-m", "improviser")
    with pytest.raises(NotFound, match=r"no turn 'r9\.t9' in this debate: choose from r1\.t0"):
        run("fork", run_id, "--from", "r9.t9")


def words(told):
    return [event["turn"]["attempts"][-1]["content"] for event in told if event["kind"] == "turn_entered"]
