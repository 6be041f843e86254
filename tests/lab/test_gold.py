"""The gold debates are played as written, and judged as careful readers would; where they differ, either is right."""

import pytest

from hustings.lab.gold import GoldScore, apart, gold_debates, judged, played, score

DEBATES = gold_debates()


@pytest.fixture(scope="module")
def scores():
    return {name: score(gold, judged(gold, played(gold))) for name, gold in DEBATES.items()}


def test_there_are_sixteen_of_all_five_protocols_each_read_at_least_twice():
    assert len(DEBATES) >= 16
    assert {gold.protocol for gold in DEBATES.values()} == {
        "structured", "moderated", "roundtable", "adaptive", "competition"
    }  # fmt: skip
    assert all(len(gold.readings) >= 2 for gold in DEBATES.values())


@pytest.mark.parametrize("name", DEBATES)
def test_it_is_played_as_written(name):
    record = played(DEBATES[name]).proceedings
    assert record.ending.kind == "played"
    assert [note.body for note in record.notes if note.kind in {"failure", "unparsed"}] == []
    assert all(attempt.status == "ok" for turn in record.transcript.turns for attempt in turn.attempts)


def test_nine_standings_of_ten_are_those_of_a_careful_reader(scores):
    exact = [right for one in scores.values() for right in one.exact]
    assert sum(exact) >= 0.9 * len(exact)


def test_no_standing_is_more_than_one_class_off(scores):
    assert {name: one.off_by_more for name, one in scores.items() if one.off_by_more} == {}


def test_every_issue_ends_as_the_readers_say(scores):
    assert [one.states for one in scores.values() if not all(one.right_states)] == []


def test_every_outcome_is_that_of_the_readers(scores):
    assert {name: one.outcome for name, one in scores.items() if not one.right_outcome} == {}


@pytest.mark.parametrize(
    ("one", "other", "classes"),
    [("upheld", "refuted", 2), ("upheld", "uncertain", 1), ("withdrawn", "refuted", 1), ("withdrawn", "upheld", 2)],
)
def test_how_far_standings_are_apart(one, other, classes):
    assert (apart(one, other), apart(one, one)) == (classes, 0)


def test_either_reader_is_right_where_they_differ():
    one = GoldScore(
        name="x",
        standings={"A": ("refuted", ("refuted", "partially_upheld")), "B": ("upheld", ("refuted", "refuted"))},
        states={},
        outcome=("too_close", ("too_close", "decided: pro")),
    )
    assert (one.exact, one.off_by_more, one.right_outcome) == ([True, False], ["B"], True)
