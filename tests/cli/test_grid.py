"""`hustings batch FILE.toml`: all combinations of a grid, with what they would take told before they begin."""

import json

import pytest

from hustings.errors import BrokenFile, Unsuitable
from tests.rig.postgres import ready_sqlite_file

from .engine import events_of, run

STUDY = """
repeats = 2

[debate]
protocol = "roundtable"
question = "Is it so?"
model = "improviser"

[vary]
settings.rounds = [1, 2]
"""


@pytest.fixture(autouse=True)
def _at_home(tmp_path, monkeypatch):
    monkeypatch.setenv("HUSTINGS_DATABASE", ready_sqlite_file(tmp_path))
    monkeypatch.chdir(tmp_path)


def study(tmp_path, text=STUDY):
    (tmp_path / "study.toml").write_text(text, "utf-8")
    return tmp_path / "study.toml"


def listed():
    return sorted(each["run_id"] for each in json.loads(run("list", "--json").stdout))


def test_a_grid_is_debated_and_summed_up_by_what_varies(tmp_path):
    ran = run("batch", study(tmp_path), "--json")
    assert events_of(ran.stdout)[-1]["tally"] == {"played": 4}
    assert listed() == ["study-rounds-1.1", "study-rounds-1.2", "study-rounds-2.1", "study-rounds-2.2"]
    found = json.loads(run("show", "--batch", "study", "--json").stdout)
    assert [(group["by"], group["value"], group["debates"]) for group in found["settings"]] == [
        ("rounds", "1", 2),
        ("rounds", "2", 2),
    ]


def test_what_a_grid_takes_is_told_before_it_is_queued(tmp_path):
    ran = run("batch", study(tmp_path), "--detach")
    told, queued = ran.stderr.splitlines()[:2]
    assert told == "4 debates · about 18 calls · no tokens · free (settings.rounds × 2, repeats × 2)"
    assert queued.startswith("Queued 4 debates as 'study'.")


def test_an_estimate_queues_nothing(tmp_path):
    assert run("batch", study(tmp_path), "--estimate").stdout == "4 debates · about 18 calls · no tokens · free\n"
    assert listed() == []


def test_an_estimate_can_be_read_by_programs(tmp_path):
    found = json.loads(run("batch", study(tmp_path), "--estimate", "--json").stdout)
    assert (found["batch"], found["debates"], found["expected"]["calls"], found["free"]) == ("study", 4, 18, True)


def test_lines_are_estimated_as_well(tmp_path):
    line = json.dumps({"protocol": "roundtable", "question": "Is it so?", "model": "improviser"})
    (tmp_path / "some.jsonl").write_text(f"{line}\n", "utf-8")
    ran = run("batch", tmp_path / "some.jsonl", "--estimate")
    assert ran.stdout == "1 debate · about 9 calls · no tokens · free\n"


def test_what_costs_money_is_told_with_the_most_that_it_may_cost(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    told = run("batch", study(tmp_path, STUDY.replace("improviser", "openai/gpt-4o-mini")), "--estimate").stdout
    assert "tokens · about $0.0" in told
    assert told.endswith("· at most $4.00 in all\n")


def test_a_combination_that_does_not_work_is_told_once_and_nothing_is_entered(tmp_path):
    with pytest.raises(BrokenFile, match=r"nothing was queued. Fix these:\nrounds-99: [^\n]*rounds: [^\n]*$"):
        run("batch", study(tmp_path, STUDY.replace("[1, 2]", "[1, 99]")))
    assert listed() == []


def test_a_value_that_is_added_later_is_all_that_is_entered(tmp_path):
    run("batch", study(tmp_path), "--detach")
    run("batch", study(tmp_path, STUDY.replace("[1, 2]", "[1, 2, 3]")), "--detach")
    assert len(listed()) == 6


@pytest.mark.parametrize(("text", "why"), [("[vary", "Expected ']'"), ("repeat = 2", "repeat: ")])
def test_a_file_that_is_no_grid_is_refused_with_the_reason(tmp_path, text, why):
    with pytest.raises(BrokenFile) as refused:
        run("batch", study(tmp_path, text))
    assert why in refused.value.why


def test_a_grid_of_nothing_is_refused(tmp_path):
    with pytest.raises(Unsuitable, match="nothing varies"):
        run("batch", study(tmp_path, ""))
