"""A rubric sums itself, and refuses to be summed wrongly."""

import json
from typing import Annotated, ClassVar

import pytest

from hustings.rubrics.answer import AnswerScore
from hustings.rubrics.argument import ArgumentScore
from hustings.rubrics.challenge import ChallengeScore
from hustings.rubrics.speech import SpeechScore
from hustings.script.checks import grounded
from hustings.script.forms import Unfit, contract, parse
from hustings.script.rubric import Mark, Rubric, Weight, sheet_of

WORDS = "the town gained a quiet square and lost nothing"
ANY = ("none", "little", "some", "much", "all")


def mark(score=7, quote="a quiet square"):
    return Mark(score=score, quote=quote)


def speech(violations=(), **scores):
    given = {"logic": 8, "persuasion": 7, "expression": 6, "teamwork": 8, "rule_compliance": 10, **scores}
    return {"about": "Birch-ko", **{name: mark(score) for name, score in given.items()}, "violations": violations}


def argument(*scores):
    names = ("logic", "evidence", "responsiveness", "honesty")
    return ArgumentScore(about="a", fallacies=(), **dict(zip(names, map(mark, scores), strict=True)))


def test_a_rubric_adds_up_its_own_marks():
    assert SpeechScore(**speech()).total == pytest.approx(0.25 * 8 + 0.25 * 7 + 0.2 * 6 + 0.15 * 8 + 0.15 * 10)


def test_the_argument_rubric_weighs_as_published():
    assert argument(8, 7, 6, 8).total == pytest.approx(7.2)


def test_without_one_of_its_scores_there_is_no_total():
    assert argument(8, 7, None, 8).total is None


def test_a_rubric_whose_weights_do_not_add_up_is_refused():
    with pytest.raises(TypeError, match=r"add up to 0\.5, not to 1"):

        class Half(Rubric):
            ask: ClassVar[str] = "Mark it."
            logic: Annotated[Mark, Weight(0.5, ANY)]


def test_a_rubric_that_asks_nothing_is_refused():
    with pytest.raises(TypeError, match="asks nothing"):

        class Mute(Rubric):
            logic: Annotated[Mark, Weight(1.0, ANY)]


@pytest.mark.parametrize("rubric", [ArgumentScore, SpeechScore, ChallengeScore, AnswerScore])
def test_every_mark_of_a_rubric_is_described_at_five_points(rubric):
    for name in rubric.weights():
        line = next(line for line in rubric.scale().splitlines() if line.startswith(f"- {name.replace('_', ' ')}: "))
        assert [part.split()[0] for part in line.split(": ", 1)[1].split("; ")] == ["1", "3", "5", "7", "10"]


@pytest.mark.parametrize("rubric", [ArgumentScore, SpeechScore, ChallengeScore, AnswerScore])
def test_what_a_mark_asks_is_in_the_contract(rubric):
    for name in rubric.weights():
        assert str(rubric.model_fields[name].description) in contract(sheet_of(rubric))


def test_flags_are_the_kind_and_the_words_that_show_it():
    flagged = [{"kind": "off_topic", "quote": "by the way"}, {"kind": "off_topic", "quote": "that reminds me"}]
    given = SpeechScore.model_validate({**speech(), "violations": flagged}, strict=False)
    assert given.flags() == [("off_topic", "by the way"), ("off_topic", "that reminds me")]


def test_fallacies_of_an_argument_are_flags():
    given = {"about": "a", **{name: mark() for name in ArgumentScore.weights()}}
    flagged = [{"kind": "straw_man", "quote": "nobody wants a town at all"}]
    found = ArgumentScore.model_validate({**given, "fallacies": flagged}, strict=False)
    assert found.flags() == [("straw_man", "nobody wants a town at all")]


def test_a_rubric_without_hints_has_no_flags():
    assert AnswerScore(about="a", adequacy=mark()).flags() == ()


def test_only_a_challenge_can_make_the_same_point_as_another():
    assert AnswerScore(about="a", adequacy=mark()).same_as() is None
    assert ChallengeScore(about="a", effectiveness=mark(), same_point_as="b").same_as() == "b"


@pytest.mark.parametrize("quote", ["", "a loud square, they said"])
def test_no_score_without_words_that_were_said(quote):
    given = AnswerScore(about="a", adequacy=mark(7, quote))
    assert grounded([WORDS])(given)


def test_a_score_left_out_needs_no_quote():
    assert not grounded([WORDS])(AnswerScore(about="a", adequacy=mark(None, "")))


@pytest.mark.parametrize("score", ["11", "0", "true", '"7"', "7.0", "7.5", "NaN", "1e1", "[7]"])
def test_a_score_outside_of_the_scale_cannot_be_given(score):
    with pytest.raises(Unfit):
        parse(AnswerScore, f'{{"about": "a", "adequacy": {{"score": {score}, "quote": "a quiet square"}}}}')


@pytest.mark.parametrize("extra", ["winner", "total", "standing"])
def test_a_judge_has_no_field_for_a_winner_a_total_or_a_standing(extra):
    sheet = {"marks": [{"about": "a", "adequacy": {"score": 7, "quote": "a quiet square"}}]}
    assert parse(sheet_of(AnswerScore), json.dumps(sheet))
    with pytest.raises(Unfit, match="Extra inputs"):
        parse(sheet_of(AnswerScore), json.dumps({**sheet, extra: "pro"}))
    with pytest.raises(Unfit, match="Extra inputs"):
        parse(sheet_of(AnswerScore), json.dumps({"marks": [{**sheet["marks"][0], extra: "pro"}]}))
