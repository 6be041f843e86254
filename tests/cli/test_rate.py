"""`hustings rate`: a reader's opinion of a debate, in lists, in `show` and in the summary of a batch."""

import json

import pytest

from hustings.cli.batch_summary_text import lines_of_batch
from hustings.engine.service import open_service
from hustings.errors import NotFound, Unsuitable
from hustings.runs.batch_summary import read_batch, summary_of
from tests.rig.postgres import ready_sqlite_file

from .engine import TOPIC, run

LINE = json.dumps({"protocol": "roundtable", "question": TOPIC, "model": "improviser", "settings": {"rounds": 1}})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with a batch of two debates that are over."""
    return tmp_path_factory.mktemp("rated")


@pytest.fixture(scope="module")
def url(folder):
    url = ready_sqlite_file(folder)
    (folder / "some.jsonl").write_text(f"{LINE}\n" * 2, "utf-8")
    run("batch", folder / "some.jsonl", "--database", url)
    return url


@pytest.fixture(autouse=True)
def _at_home(url, monkeypatch):
    monkeypatch.setenv("HUSTINGS_DATABASE", url)


def listed(run_id):
    (found,) = [each for each in json.loads(run("list", "--json").stdout) if each["run_id"] == run_id]
    return found["rating"], found["ratings"]


def test_a_rating_is_told_in_lists_and_the_latest_of_each_reader_counts():
    assert run("rate", "some-1", 2).stdout == "some-1: rated 2.0 of 5 by 1 reader\n"
    run("rate", "some-1", 4)
    assert run("rate", "some-1", 5, "--by", "Ana").stdout == "some-1: rated 4.5 of 5 by 2 readers\n"
    assert listed("some-1") == (4.5, 2)


def test_a_debate_that_nobody_rated_has_no_rating():
    assert listed("some-2") == (None, 0)
    assert "rated" not in run("show", "some-2").stdout


def test_comments_stand_below_the_rating():
    run("rate", "some-1", 3, "--by", "Ben", "--comment", "It never came\nto the costs.")
    shown = run("show", "some-1").stdout.splitlines()
    assert "    Ben, 3 of 5: It never came to the costs." in shown
    assert {"by": "Ben", "stars": 3, "comment": "It never came\nto the costs."} in json.loads(
        run("show", "some-1", "--json").stdout
    )["rated"]


def test_a_rating_can_be_read_by_programs():
    run("rate", "some-1", 1, "--by", "Chi")
    told = json.loads(run("rate", "some-1", 5, "--by", "Chi", "--json").stdout)
    assert (told["run_id"], told["ratings"] > 0) == ("some-1", True)


def test_a_summary_has_the_mean_rating_of_the_debates_that_were_rated():
    run("rate", "some-1", 4)
    found = json.loads(run("show", "--batch", "some", "--json").stdout)["whole"]["rating"]
    assert (found["count"], found["mean"]) == (1, listed("some-1")[0])
    assert ", 1 debate rated\n" in run("show", "--batch", "some").stdout


def test_a_number_beyond_five_is_wrong_usage():
    assert run("rate", "some-1", 6).exit_code == 2


def test_a_comment_of_a_book_is_refused():
    with pytest.raises(Unsuitable, match="that comment cannot be kept"):
        run("rate", "some-1", 3, "--comment", "x" * 2_001)


def test_a_debate_that_is_not_there_cannot_be_rated():
    with pytest.raises(NotFound):
        run("rate", "none", 3)


def test_a_debate_that_is_not_over_cannot_be_rated(folder):
    (folder / "open.jsonl").write_text(f"{LINE}\n", "utf-8")
    run("batch", folder / "open.jsonl", "--detach")
    with pytest.raises(Unsuitable, match="has not ended"):
        run("rate", "open-1", 3)


def test_a_judging_cannot_be_rated():
    run("judge", "some-2", "--judges", "improviser", "--tier", "quick", "--display", "quiet")
    (judging,) = [each["run_id"] for each in json.loads(run("list", "--json").stdout) if each["judged"] == "some-2"]
    with pytest.raises(Unsuitable, match="is no debate"):
        run("rate", judging, 3)


# -- what a decision costs -------------------------------------------------------------------


def paid(url, *costs):
    """The batch, as if its debates had cost this."""
    with open_service(url) as service:
        debates = read_batch(service.runs, "some")
    return [
        type(one)(one.report.model_copy(update={"spent": cost, "outcome": None}), one.spec, one.judgement, ())
        for one, cost in zip(debates, costs, strict=True)
    ]


def test_a_summary_has_the_mean_cost_of_each_outcome(url):
    found = summary_of("some", paid(url, 0.01, 0.03))
    (cost,) = found.whole.costs.items()
    assert (cost[0], cost[1].mean, cost[1].low, cost[1].high) == ("not judged", 0.02, 0.01, 0.03)
    assert "             not judged: $0.0200 ($0.0100 to $0.0300) a debate" in [*lines_of_batch(found)]


def test_of_what_was_free_no_cost_is_told(url):
    told = [*lines_of_batch(summary_of("some", paid(url, 0.0, 0.0)))]
    assert not [line for line in told if "a debate" in line]
