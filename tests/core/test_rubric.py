"""A rubric sums itself, and refuses to be summed wrongly."""

from typing import Annotated

import pytest

from hustings.core.rubric import Rubric, Score, Weight
from hustings.rubrics.speech import SpeechScore

MARKS = {"quote": "well said", "logic": 8, "persuasion": 7, "expression": 6, "teamwork": 8, "rule_compliance": 10}


def test_a_rubric_adds_up_its_own_marks():
    assert SpeechScore(**MARKS, violations=()).total == pytest.approx(
        0.25 * 8 + 0.25 * 7 + 0.2 * 6 + 0.15 * 8 + 0.15 * 10
    )


def test_a_rubric_whose_weights_do_not_add_up_is_refused():
    with pytest.raises(TypeError, match=r"add up to 0\.5, not to 1"):

        class Half(Rubric):
            logic: Annotated[Score, Weight(0.5)]


def test_a_foul_counts_once_however_often_it_is_quoted():
    violations = tuple({"rule": "off_topic", "quote": q} for q in ("by the way", "that reminds me"))
    assert SpeechScore.model_validate({**MARKS, "violations": violations}, strict=False).fouls() == ["off_topic"]


def test_no_mark_without_a_quote():
    with pytest.raises(ValueError, match="quote"):
        SpeechScore(**{**MARKS, "quote": ""}, violations=())


def test_a_judge_has_no_field_for_a_winner_or_a_total():
    with pytest.raises(ValueError, match="Extra inputs"):
        SpeechScore(**MARKS, violations=(), winner="pro")


def test_a_rubric_without_rules_finds_no_fouls():
    class Plain(Rubric):
        logic: Annotated[Score, Weight(1)]

    assert Plain(quote="well said", logic=7).fouls() == ()
