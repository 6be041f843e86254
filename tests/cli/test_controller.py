"""`hustings run --controller`, and `hustings tell` as a person at the dial uses it."""

import json

import pytest

from hustings.errors import Unsuitable
from hustings.script.seats import CONTROLLER
from tests.rig.postgres import ready_sqlite_file

from .engine import TOPIC, debate, run


@pytest.fixture(autouse=True)
def _at_home(tmp_path, monkeypatch):
    monkeypatch.setenv("HUSTINGS_DATABASE", ready_sqlite_file(tmp_path))
    monkeypatch.chdir(tmp_path)


def begun(*options, protocol="roundtable"):
    """Id of a debate that waits for a worker."""
    told = run("run", TOPIC, "-m", "improviser", "-p", protocol, "--judges", "none", "--detach", "--json", *options)
    return json.loads(told.stdout)["run_id"]


def test_a_debate_under_a_controller_is_told_with_what_it_saw():
    told = run("run", TOPIC, "-m", "improviser", "-p", "roundtable", "--judges", "none", "--controller", "pid")
    assert told.stdout.count("the controller looked") == 2
    assert "the controller tells" in told.stdout


def test_its_events_name_the_law_and_the_seat():
    _, events = debate("-m", "improviser", "--judges", "none", "--controller", "p", protocol="roundtable")
    notes = [event["note"] for event in events if event["kind"] == "note_taken"]
    assert {note["body"]["law"] for note in notes if note["kind"] == "controller"} == {"p"}
    assert CONTROLLER.id in {event["seat"] for event in events if event["kind"] == "turn_begun"}


def test_an_estimate_names_the_readings():
    told = run(
        "run", TOPIC, "-m", "improviser", "-p", "roundtable", "--judges", "none", "--controller", "p", "--estimate"
    )
    assert CONTROLLER.id in told.stdout


def test_a_competition_refuses_it_in_words():
    with pytest.raises(Unsuitable, match="'competition' takes no controller"):
        run("run", TOPIC, "-m", "improviser", "-p", "competition", "--controller", "p")


def test_a_person_takes_the_dial_and_gives_it_back():
    run_id = begun("--controller", "p")
    for options, order in {("--tone", "0.25"): "tone 0.25", ("--hold",): "hold", ("--release",): "release"}.items():
        assert run("tell", run_id, *options).stdout == f"The controller will be told: {order}.\n"
    assert json.loads(run("tell", run_id, "--hold", "--json").stdout) == {"run_id": run_id, "dial": "hold"}


def test_one_thing_is_said_at_a_time():
    run_id = begun("--controller", "p")
    for options in ((), ("Be brief.", "--hold"), ("--hold", "--release")):
        with pytest.raises(Unsuitable, match="one thing at a time"):
            run("tell", run_id, *options)


def test_a_debate_without_retries_names_the_option_that_lets_people_speak():
    with pytest.raises(Unsuitable, match="--retries 1"):
        run("tell", begun(), "Be brief.")


def test_speakers_are_told_words():
    told = json.loads(run("tell", begun("--retries", "1"), "Be brief.", "--seat", "ada", "--json").stdout)
    assert told["told"] == ["ada"]
