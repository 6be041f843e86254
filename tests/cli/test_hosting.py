"""`hustings start`, `next` and `answer`: a debate that is played by commands alone."""

import json

import pytest

from hustings.errors import Unsuitable
from tests.rig.postgres import ready_sqlite_file

from .console import run

MOTION = "Should towns close their centres to cars?"
ROUND = ("--protocol", "roundtable", "--set", "rounds=1")


@pytest.fixture(autouse=True)
def database(tmp_path, monkeypatch):
    monkeypatch.setenv("HUSTINGS_DATABASE", ready_sqlite_file(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)


def told(*arguments):
    return json.loads(run(*arguments, "--json").stdout)


def played():
    """A round of three, played to its end; the last answer hands back how it stands then."""
    wave = told("start", MOTION, *ROUND, "--brain", "claude-opus-4")
    while wave["state"] == "open":
        question = wave["questions"][0]
        words = f"{question['seat']} says: close them on Saturdays first, and count who comes."
        wave = told("answer", wave["run_id"], question["key"], words, "--next")["wave"]
    return wave


def test_start_shows_the_first_questions_with_whole_prompts():
    shown = run("start", MOTION, *ROUND)
    assert "=== 000.0-14aca032 for ada (panelist) ===" in shown.stdout
    assert MOTION in shown.stdout
    assert "1 question is open in should-towns-close-their-centres-to-" in shown.stderr


def test_a_debate_is_played_by_answers_that_hand_back_the_next_wave():
    wave = played()
    assert wave["next"].startswith("The debate is over. Judge it: hustings next should-towns-close")


def test_judge_without_options_is_the_judging_that_the_end_of_the_debate_names():
    wave = played()
    judging = told("judge", wave["run_id"])
    assert (judging["state"], wave["next"].endswith(judging["run_id"])) == ("open", True)
    assert told("next", judging["run_id"]) == judging


@pytest.mark.parametrize(
    "panel", [("--judges", "host/claude-opus-4,host/gpt-5"), ("--judges", "host", "--tier", "standard")]
)
def test_two_hosted_judges_are_refused_since_one_program_answers_for_both(panel):
    with pytest.raises(Unsuitable, match="judges would be played by the host") as refused:
        run("judge", played()["run_id"], *panel)
    assert refused.value.why == "one program answers for all of them, so they would count as two opinions and be one"
    assert refused.value.fix.startswith("name the host once")


def test_a_host_may_judge_beside_a_model():
    judging = told("judge", played()["run_id"], "--judges", "host,improviser")
    assert judging["state"] == "open"


def test_people_are_still_no_judges():
    wave = played()
    with pytest.raises(Unsuitable, match="people can't be judges here"):
        run("judge", wave["run_id"], "--judges", "human")


def test_an_answer_may_come_from_a_file(tmp_path):
    wave = told("start", MOTION, *ROUND)
    (tmp_path / "ada.txt").write_text("Close them.", "utf-8")
    done = told("answer", wave["run_id"], wave["questions"][0]["key"], "--file", tmp_path / "ada.txt")
    assert (done["taken"], done["left"]) == (True, 0)


@pytest.mark.parametrize("given", [(), ("Words.", "--file", "-")])
def test_an_answer_comes_from_one_place(given):
    with pytest.raises(Unsuitable, match="give one answer"):
        run("answer", told("start", MOTION, *ROUND)["run_id"], "000.0-14aca032", *given)


def test_show_and_list_say_who_plays_and_name_no_cost():
    run_id = told("start", MOTION, *ROUND)["run_id"]
    shown = run("show", run_id)
    assert f"You play it. Go on: hustings next {run_id}" in shown.stderr
    assert "cost unknown" in shown.stdout
    assert "$" not in run("list").stdout


def test_a_paused_debate_goes_on_when_it_is_resumed():
    run_id = told("start", MOTION, *ROUND)["run_id"]
    run("pause", run_id)
    assert told("next", run_id)["state"] == "resting"
    assert told("resume", run_id)["state"] == "open"


def test_a_cancelled_debate_ends_at_once():
    run_id = told("start", MOTION, *ROUND)["run_id"]
    assert told("cancel", run_id)["state"] == "ended"
    assert told("show", run_id)["ending"] == "cancelled"


def test_a_debate_of_models_is_not_played_by_hand():
    run("run", MOTION, *ROUND, "-m", "improviser", "--judges", "none", "--display", "quiet")
    with pytest.raises(Unsuitable, match="you play no seat"):
        run("next", "last")


def test_a_host_needs_start():
    with pytest.raises(Unsuitable, match="workers cannot ask it"):
        run("run", MOTION, *ROUND, "-m", "host", "--judges", "none", "--display", "quiet")
