"""Precision and recall of citations: whether true quotes support the claims for which they are given."""

import pytest

from .judges import judge
from .judgings import debated, judged, judgement, shown
from .test_support import with_report


def asked(played):
    return [call for wave in played.waves for call in wave if call.brief.name == "quote support"]


def scores(supports):
    support = judgement(with_report(), judge(lambda _: 9, supports=supports)).support
    return support.precision, support.recall and round(support.recall * support.arguments)


@pytest.mark.parametrize(
    ("answer", "found"), [("fully", (0.5, 1)), ("partly", (0.5, 0)), ("not", (0.0, 0))], ids=["fully", "partly", "not"]
)
def test_a_true_quote_counts_as_far_as_it_supports_its_claim(answer, found):
    assert scores(lambda _: answer) == found


def test_of_judges_who_differ_the_one_in_the_middle_counts():
    assert scores(lambda call: {"judge_1": "not", "judge_2": "fully"}.get(call.seat.id, "fully")) == (0.5, 1)


def test_each_judge_is_asked_once_and_of_true_quotes_alone():
    calls = asked(judged(with_report()))
    assert sorted(call.seat.id for call in calls) == ["judge_1", "judge_2", "judge_3"]
    assert {tuple(call.brief.choices["item"]) for call in calls} == {("Q1",)}


def test_a_judge_sees_the_claim_and_the_quoted_words_and_nothing_else():
    (only,) = shown(asked(judged(with_report()))[0]).items()
    assert only[0].startswith("Q1")
    assert only[1].splitlines()[1] == "Quoted words: “The street was measured twice”"


def test_without_quotes_nobody_is_asked():
    assert asked(judged(with_report(lines={}))) == asked(judged(debated("structured"))) == []
