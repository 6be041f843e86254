"""`hustings stats`: figures over the debates of a database, by what they have in common."""

import csv
import json

import pytest

from hustings.cli.statistics_text import lines_of_statistics
from hustings.errors import Unsuitable
from hustings.lab.many_runs import RunFigures, statistics_of
from tests.rig.postgres import ready_sqlite_file

from .engine import TOPIC, run


def line(**more):
    asked = {"protocol": "roundtable", "question": TOPIC, "model": "improviser", "settings": {"rounds": 1, "seats": 2}}
    return json.dumps({**asked, **more})


ADAPTIVE = {"protocol": "adaptive", "settings": {"extent": "extended", "max_rounds": 1}}


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stats")
    lines = [*[line()] * 10, line(**ADAPTIVE), line(meta={"task_type": "policy"})]
    (folder / "some.jsonl").write_text("\n".join(lines), "utf-8")
    run("batch", folder / "some.jsonl", "--database", url := ready_sqlite_file(folder))
    return url


@pytest.fixture(autouse=True)
def _at_home(url, monkeypatch):
    monkeypatch.setenv("HUSTINGS_DATABASE", url)


def read(*options):
    return json.loads(run("stats", "--json", *options).stdout)


def test_debates_are_counted_and_their_medians_told():
    found = read()["whole"]
    assert (found["runs"], found["evaluated"]) == (12, 0)
    assert "  Gini of words " in run("stats").stdout
    words = found["figures"]["gini_of_words"]
    assert (words["runs"], words["origin"], 0 <= words["low"] <= words["median"] <= words["high"]) == (
        12,
        "transcript",
        True,
    )


def test_figures_of_quality_are_absent_without_an_evaluation():
    assert {figure["origin"] for figure in read()["whole"]["figures"].values()} <= {"transcript", "calls", "budget"}
    assert "No debate was evaluated" in run("stats").stdout


@pytest.mark.parametrize(
    ("by", "groups"),
    [
        ("protocol", {"roundtable": 11, "adaptive": 1}),
        ("task", {"roundtable": 10, "adaptive": 1, "policy": 1}),
        ("model", {"improviser": 12}),
        ("extent", {"extended": 1}),
    ],
)
def test_debates_are_grouped_by_what_they_have_in_common(by, groups):
    assert {group["value"]: group["runs"] for group in read("--by", by)["groups"]} == groups


def test_a_group_of_few_debates_has_its_number_and_no_median():
    told = run("stats", "--by", "protocol").stdout
    assert "  adaptive: 1 debate, 0 evaluated\n      fewer than 10 debates: no medians\n" in told
    (few,) = [group for group in read("--by", "protocol")["groups"] if group["value"] == "adaptive"]
    assert {figure["median"] for figure in few["figures"].values()} == {None}


def test_debates_without_an_extent_are_said_to_have_none():
    assert "  11 debates without an extent\n" in run("stats", "--by", "extent").stdout


def test_ratings_and_outcomes_are_waited_for_with_their_numbers():
    run("rate", "some-1", 4)
    run("outcome", "some-1", "yes")
    told = run("stats").stdout
    assert "1  hustings rate" in told
    assert "Calibration: 0 of 30 outcomes that it needs are known" in told
    assert "Extended debate: 0 of 30 questions that it needs were held both ways" in told


@pytest.mark.parametrize("since", ["30d", "1h", "2w", "2020-01-01", "99999w"])
def test_a_time_is_an_age_or_a_day(since):
    assert read("--since", since)["whole"]["runs"] == 12


def test_debates_before_that_time_do_not_count():
    found = read("--since", "2999-01-01")
    assert (found["whole"]["runs"], found["since"]) == (0, "2999-01-01T00:00:00.000Z")


@pytest.mark.parametrize("since", ["yesterday", "30", "2026-13-01", "-1d"])
def test_what_is_no_time_is_refused_with_a_cure(since):
    with pytest.raises(Unsuitable, match="is no time: write 12h, 30d, 2w"):
        run("stats", "--since", since)


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_a_table_has_a_row_for_each_debate(suffix, tmp_path):
    file = tmp_path / f"figures.{suffix}"
    assert run("stats", "--output", file).stderr.startswith(f"Wrote {file}: 12 debates\n")
    text = file.read_text("utf-8")
    rows = [*csv.DictReader(text.splitlines())] if suffix == "csv" else [*map(json.loads, text.splitlines())]
    assert {row["run_id"] for row in rows} == {f"some-{n}" for n in range(1, 13)}
    assert {row["reasoning_depth"] for row in rows} == {"" if suffix == "csv" else None}


def test_a_table_of_another_kind_is_refused(tmp_path):
    with pytest.raises(Unsuitable, match=r"ends with \.csv or \.jsonl"):
        run("stats", "--output", tmp_path / "figures.xls")


def test_a_line_of_a_batch_has_its_debate_evaluated(tmp_path):
    (tmp_path / "seen.jsonl").write_text(line(evaluate="quick"), "utf-8")
    where = ("--database", ready_sqlite_file(tmp_path))
    run("batch", tmp_path / "seen.jsonl", *where)
    found = json.loads(run("stats", "--json", *where).stdout)["whole"]
    assert (found["runs"], found["evaluated"]) == (1, 1)
    assert "evaluation" in {figure["origin"] for figure in found["figures"].values()}


def test_an_empty_database_says_what_to_do(tmp_path):
    told = run("stats", "--database", f"sqlite:///{tmp_path}/none.db")
    assert told.stdout.startswith("0 debates, 0 evaluated\n")
    assert told.stderr == "Next: hustings run MOTION\n"


def test_the_targets_of_the_source_are_told_with_a_word():
    figures = {"gamma_mean": 0.82, "argument_diversity": 0.3, "dollars": 0.02}
    runs = [RunFigures(f"run-{n}", "Is it so?", {"extent": "extended"}, figures) for n in range(10)]
    told = [*lines_of_statistics(statistics_of(runs))]
    begin = told.index("Targets of the source document for extended debates: standard, extended, target")
    assert [" ".join(line.split()) for line in told[begin + 1 : begin + 5]] == [
        "reasoning (ρ) –, 0.82, 0.80: reached",
        "decision confidence –, –, 0.85: not known",
        "argument diversity –, 0.30, 0.80: missed",
        "dollars –, $0.0200, at most $1.2500: reached",
    ]


def test_the_figures_of_one_batch_are_told_alone(tmp_path):
    (tmp_path / "one.jsonl").write_text(line(), "utf-8")
    where = ("--database", ready_sqlite_file(tmp_path))
    for name in ("one", "two"):
        run("batch", tmp_path / "one.jsonl", "--name", name, *where)
    counted = [json.loads(run("stats", "--json", *which, *where).stdout)["whole"]["runs"] for which in BATCHES]
    assert counted == [2, 1, 0]


BATCHES: tuple[tuple[str, ...], ...] = ((), ("--batch", "two"), ("--batch", "none"))
