"""`hustings evaluate`, `run --evaluate` and `show --evaluation`, as a person uses them."""

import csv
import json

import pytest

from hustings.cli.display.partial import heading_of
from hustings.errors import NotFound, Unsuitable
from hustings.lab.artefact import Evaluation, evaluation_digest
from tests.rig.postgres import ready_sqlite_file
from tests.rig.provider import serving

from .engine import TOPIC, run

ROUNDTABLE = ("-p", "roundtable", "--set", "rounds=2", "--set", "seats=2")


@pytest.fixture(scope="module")
def provider():
    with serving() as running:
        yield running


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory):
    """A debate that was evaluated right after it was held: where it is kept, and what was told."""
    where = ("--database", ready_sqlite_file(tmp_path_factory.mktemp("evaluated")))
    told = run("run", TOPIC, "-m", "improviser", "--judges", "none", "--evaluate", *ROUNDTABLE, *where)
    return where, told


def run_of(evaluated):
    return evaluated[1].stderr.partition(":")[0]


def test_a_debate_and_its_evaluation_can_be_had_at_once(evaluated):
    _, told = evaluated
    assert told.exit_code == 0
    assert heading_of("evaluation/1") in told.stdout
    assert f"Evaluation of {run_of(evaluated)} · 1 judge, 1 family" in told.stdout
    assert "seat   r1 opening" in told.stdout


def test_the_badge_of_a_panel_of_kin_comes_before_any_figure(evaluated):
    where, _ = evaluated
    lines = run("show", "last", "--evaluation", *where).stdout.splitlines()
    assert lines[0] == "! Judged by its own family."
    assert "pass" not in "".join(lines[3:5])


def test_judging_and_evaluation_follow_one_debate(tmp_path):
    where = ("--database", ready_sqlite_file(tmp_path))
    told = run("run", TOPIC, "-m", "improviser", "--judges", "improviser", "--evaluate", *ROUNDTABLE, *where)
    assert told.exit_code in {0, 5}
    assert heading_of("judging/1") in told.stdout
    assert "Evaluation of " in told.stdout


def test_figures_are_computed_again_without_a_call_and_with_the_same_bytes(evaluated, tmp_path):
    where, _ = evaluated
    first, again = tmp_path / "first.json", tmp_path / "again.json"
    for file in (first, again):
        told = run("evaluate", "last", "--recompute", "-o", str(file), *where)
        assert "Finished" not in told.stdout
    assert first.read_bytes() == again.read_bytes()
    document = json.loads(first.read_text("utf-8"))
    assert Evaluation.model_validate(document).x_hustings.integrity.digest == evaluation_digest(document)


def test_as_json_the_last_line_is_the_evaluation(evaluated):
    where, _ = evaluated
    told = run("evaluate", "last", "--recompute", "--json", *where)
    line = json.loads(told.stdout.splitlines()[-1])
    assert (line["kind"], line["schema_version"]) == ("evaluation", "1.0.0")
    assert line["x_hustings"]["badges"][0] == "judged by its own family"


def test_a_table_has_a_row_for_each_judge_seat_and_round(evaluated, tmp_path):
    where, _ = evaluated
    file = tmp_path / "rows.csv"
    run("evaluate", "last", "--recompute", "-o", str(file), *where)
    rows = list(csv.DictReader(file.read_text("utf-8").splitlines()))
    assert rows
    assert len({(row["judge"], row["seat"], row["round"]) for row in rows}) == len(rows)


def test_notes_are_written_as_lines(evaluated, tmp_path):
    where, _ = evaluated
    file = tmp_path / "notes.jsonl"
    run("evaluate", "last", "--recompute", "-o", str(file), *where)
    kinds = {json.loads(line)["kind"] for line in file.read_text("utf-8").splitlines()}
    assert {"stance", "claims", "crit", "rca", "t3"} <= kinds


def test_one_turn_is_shown_with_what_judges_quoted(evaluated):
    where, _ = evaluated
    told = run("show", "last", "--evaluation", "--turn", "r1.t0", *where)
    assert told.stdout.startswith("r1.t0: ")
    with pytest.raises(NotFound, match=r"r9\.t9"):
        run("show", "last", "--evaluation", "--turn", "r9.t9", *where)


def test_an_estimate_says_what_it_takes_beside_the_debate_and_calls_nothing(evaluated):
    where, _ = evaluated
    told = run("evaluate", "last", "--judges", "improviser", "--estimate", *where)
    assert "several times the tokens of a debate" in told.stderr
    assert "evaluation: " in told.stdout
    before = run("evaluate", "last", "--recompute", "--json", *where).stdout
    assert json.loads(before.splitlines()[-1])["x_hustings"]["evaluation_run_id"]


def test_parts_tier_options_and_rung_are_what_was_asked(evaluated):
    where, _ = evaluated
    asked = ("--judges", "improviser", "--tier", "strict", "--parts", "crit", "--options", "none", "--rung", "L2")
    told = run("evaluate", "last", *asked, "--json", *where)
    found = json.loads(told.stdout.splitlines()[-1])
    assert len(found["x_hustings"]["judges"]) == 3
    assert found["x_hustings"]["task"]["required_rung"] == "L2"
    assert found["x_hustings"]["task"]["options"] == []
    assert all(not turn["x_hustings"]["answers"]["rca"] for turn in found["turn_evaluations"])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--options", "yes"], "two different options"),
        (["--parts", "style"], "parts"),
        (["--rung", "L9"], "rung"),
        (["--set", "families=a"], "families can't be set here"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_words(evaluated, words, told):
    where, _ = evaluated
    with pytest.raises(Unsuitable, match=told):
        run("evaluate", "last", "--judges", "improviser", *words, *where)


def test_a_debate_without_an_evaluation_says_how_to_get_one(tmp_path):
    where = ("--database", ready_sqlite_file(tmp_path))
    run("run", TOPIC, "-m", "improviser", "--judges", "none", *ROUNDTABLE, *where)
    with pytest.raises(NotFound) as error:
        run("show", "last", "--evaluation", *where)
    assert "hustings evaluate" in error.value.fix


def test_a_file_is_made_a_record_first(evaluated):
    where, _ = evaluated
    with pytest.raises(Unsuitable) as error:
        run("evaluate", "debate.json", *where)
    assert "hustings import debate.json" in error.value.fix


def test_judges_who_answer_nothing_end_it_with_exit_code_five(tmp_path, provider):
    where = ("--database", ready_sqlite_file(tmp_path))
    run("run", TOPIC, "-m", "improviser", "--judges", "none", *ROUNDTABLE, *where)
    judge = f"openai_compatible/m@{provider.always('not_the_form')}"
    told = run("evaluate", "last", "--judges", judge, *where)
    assert told.exit_code == 5
    assert "ρ – " in told.stdout


def test_a_model_is_tried_as_an_evaluator_and_its_card_can_be_read_again(tmp_path):
    where = ("--database", ready_sqlite_file(tmp_path))
    told = run("audit", "improviser", "--evaluation", "--set", "topics=1", *where)
    assert "Do not use this model as an evaluator." in told.stdout
    again = run("show", told.stderr.partition(":")[0], "--briefing", "--json", *where)
    assert json.loads(again.stdout.splitlines()[-1])["kind"] == "evaluator_card"


def test_a_trial_is_of_a_judge_or_of_an_evaluator():
    with pytest.raises(Unsuitable, match="--gold"):
        run("audit", "improviser", "--evaluation", "--gold", "1")
