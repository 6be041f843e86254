"""`hustings outcome`: what really happened, recorded beside a debate, with a trail of who said so."""

import json

import pytest

from hustings.api.results import Result
from hustings.errors import NotFound, Unsuitable
from tests.rig.postgres import ready_sqlite_file

from .engine import TOPIC, debate, run


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    return ready_sqlite_file(tmp_path_factory.mktemp("outcomes"))


@pytest.fixture(scope="module")
def held(url):
    name, _ = debate("-m", "improviser", "--database", url, protocol="roundtable")
    return name


@pytest.fixture(autouse=True)
def _at_home(url, monkeypatch):
    monkeypatch.setenv("HUSTINGS_DATABASE", url)


def shown(run_id):
    return json.loads(run("show", run_id, "--json").stdout)["happened"]


def test_what_happened_is_told_with_the_debate(held):
    assert run("outcome", held, "yes").stdout == f"{held}: what happened is yes\n"
    assert shown(held) == "yes"
    assert "what really happened: yes" in run("show", held).stdout


def test_recorded_again_the_latest_counts_and_the_log_keeps_both(held):
    run("outcome", held, "yes")
    told = run("outcome", held, "no", "--source", "Minutes of 3 May").stdout
    assert told == f"{held}: what happened is no (recorded before: yes)\n"
    log = [row for row in json.loads(run("activity", "--json").stdout) if row["action"] == "outcome recorded"]
    assert [row["detail"] for row in log[:2]] == ["no", "yes"]


def test_programs_read_what_was_recorded(held):
    told = json.loads(run("outcome", held, " no ", "--source", "A paper.", "--json").stdout)
    assert told == {"run_id": held, "option": "no", "source": "A paper."}


def test_python_records_it_too(held, url):
    Result.of(held, database=url).record_outcome("yes", source="The vote", database=url)
    assert shown(held) == "yes"


def test_an_option_that_the_debate_does_not_have_is_recorded_only_if_that_is_meant(held):
    run("outcome", held, "no")
    with pytest.raises(Unsuitable, match="is none of the options of this debate") as refused:
        run("outcome", held, "maybe purple")
    assert (refused.value.fix, shown(held)) == ("choose from yes, no, or record another: --other", "no")
    assert run("outcome", held, " Yes").stdout.startswith(f"{held}: what happened is Yes")
    run("outcome", held, "maybe purple", "--other")
    assert shown(held) == "maybe purple"


def test_the_options_that_judges_chose_from_are_options_of_the_debate(url):
    name, _ = debate("-m", "improviser", "--database", url, protocol="roundtable")
    run("judge", name, "--judges", "improviser", "--tier", "quick", "--options", "tea,coffee", "--display", "quiet")
    assert "what happened is Tea" in run("outcome", name, "Tea").stdout


@pytest.mark.parametrize("option", ["", " ", "x" * 201, "two\nlines", "\x1b[31mred"])
def test_an_option_is_one_short_line(held, option):
    with pytest.raises(Unsuitable, match="that option cannot be kept"):
        run("outcome", held, option, "--other")


def test_a_source_of_a_book_is_refused(held):
    with pytest.raises(Unsuitable, match="that source cannot be kept"):
        run("outcome", held, "yes", "--source", "x" * 2_001)


def test_a_debate_that_is_not_there_has_no_outcome():
    with pytest.raises(NotFound):
        run("outcome", "none", "yes")


def test_a_debate_that_is_not_over_has_no_outcome_yet(tmp_path):
    line = {"protocol": "roundtable", "question": TOPIC, "model": "improviser", "settings": {"rounds": 1}}
    (tmp_path / "open.jsonl").write_text(json.dumps(line), "utf-8")
    run("batch", tmp_path / "open.jsonl", "--detach")
    with pytest.raises(Unsuitable, match="has not ended"):
        run("outcome", "open-1", "yes")


def test_a_judging_has_no_outcome_of_its_own(held):
    run("judge", held, "--judges", "improviser", "--tier", "quick", "--display", "quiet")
    (judging,) = [each["run_id"] for each in json.loads(run("list", "--json").stdout) if each["judged"] == held]
    with pytest.raises(Unsuitable, match="is no debate"):
        run("outcome", judging, "yes")
