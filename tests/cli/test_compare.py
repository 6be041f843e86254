"""`hustings compare`: two runs side by side, and the truth about whether that says anything."""

import json

import pytest

from tests.rig.postgres import ready_sqlite_file

from .engine import debate, run


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    return ready_sqlite_file(tmp_path_factory.mktemp("compared"))


@pytest.fixture(scope="module")
def runs(database):
    """A judged debate, the same with another setting, and a debate of another kind that nobody judged."""
    where = ("-m", "improviser", "--database", database)
    first, _ = debate(*where, "--judges", "improviser")
    second, _ = debate(*where, "--judges", "improviser", "--set", "closing_words=150")
    third, _ = debate(*where, protocol="roundtable", topic="Tabs or spaces?")
    return first, second, third


@pytest.fixture
def compare(database):
    return lambda *arguments: run("compare", *arguments, "--database", database)


def read(compare, *names):
    return json.loads(compare(*names, "--json").stdout)


def test_settings_that_differ_are_told_and_no_others(runs, compare):
    assert read(compare, *runs[:2])["settings"] == {"closing_words": [200, 150]}


def test_debates_of_the_same_question_and_protocol_are_comparable(runs, compare):
    told = compare(*runs[:2]).stdout
    assert "Not comparable" not in told
    assert "closing words" in told


def test_debates_about_different_things_are_not_comparable(runs, compare):
    told = compare(runs[0], runs[2])
    assert "Not comparable: these figures measure different things." in told.stdout
    assert "Note: they are about different questions." in told.stdout
    assert told.stderr == f"Next: hustings judge {runs[2]}\n"


def test_arguments_that_both_have_stand_beside_each_other(runs, compare):
    found = read(compare, *runs[:2])
    assert found["alone"] == [0, 0]
    assert {a == b for a, b in (argument["ids"] for argument in found["matched"])} == {True}
    assert f"of {len(found['matched'])} shared arguments have the same status" in compare(*runs[:2]).stdout


def test_quality_is_compared_where_both_were_evaluated(runs, compare, database):
    assert read(compare, *runs[:2])["evaluated"] is None
    assert "Quality" not in compare(*runs[:2]).stdout
    evaluate = ("--judges", "improviser", "--tier", "quick", "--display", "quiet", "--database", database)
    run("evaluate", runs[0], *evaluate)
    half = compare(*runs[:2]).stdout
    assert f"Quality is not compared: {runs[1]} was not evaluated (hustings evaluate {runs[1]})." in half
    run("evaluate", runs[1], *evaluate)
    assert "Evaluation (one pair proves nothing)" in compare(*runs[:2]).stdout
    found = read(compare, *runs[:2])["evaluated"]
    assert (found["caveats"], found["gains"]["cost_multiplier"]) == (["one pair proves nothing"], None)


def test_a_run_agrees_with_itself(runs, compare):
    found = read(compare, runs[0], runs[0])
    assert (found["agreement"], found["same_outcome"], found["settings"]) == (1.0, True, {})


def test_it_ends_with_the_next_command(runs, compare):
    assert compare(*runs[:2]).stderr == f"Next: hustings export {runs[0]} --to html\n"
