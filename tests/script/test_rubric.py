"""A rubric sums itself, and refuses to be summed wrongly."""

import json
from typing import Annotated, ClassVar

import pytest

from hustings.rubrics.answer import AnswerScore
from hustings.rubrics.argument import ArgumentScore
from hustings.rubrics.challenge import ChallengeScore
from hustings.rubrics.speech import SpeechScore
from hustings.script.checks import grounded
from hustings.script.complaints import Unfit
from hustings.script.forms import contract, parse, read
from hustings.script.rubric import Mark, ReasonedMark, Rubric, Weight, sheet_of

WORDS = "the town gained a quiet square and lost nothing"
ANY = ("none", "little", "some", "much", "all")
WHY = '"quote": "a quiet square", "reason": "it names what was gained"'


def mark(score=7, quote="a quiet square"):
    return Mark(score=score, quote=quote)


def reasoned(score=7, quote="a quiet square"):
    return ReasonedMark(score=score, quote=quote, reason="it names what was gained")


class Beside(Rubric):
    """One mark makes up the total, another stands beside it."""

    ask: ClassVar[str] = "Mark it."
    logic: Annotated[ReasonedMark, Weight(1.0, ANY)]
    bearing: Annotated[ReasonedMark, Weight(0.0, ANY)]


def beside(logic=8, bearing=3):
    return Beside(about="a", logic=reasoned(logic), bearing=reasoned(bearing))


def speech(violations=(), **scores):
    given = {"logic": 8, "persuasion": 7, "expression": 6, "teamwork": 8, "rule_compliance": 10, **scores}
    return {"about": "Birch-ko", **{name: reasoned(score) for name, score in given.items()}, "violations": violations}


def argument(*scores, fallacies=()):
    names = ("logic", "evidence", "responsiveness", "honesty", "bearing")
    marks = dict(zip(names, map(reasoned, scores), strict=True))
    return ArgumentScore.model_validate({"about": "a", "fallacies": fallacies, **marks}, strict=False)


def test_a_rubric_adds_up_its_own_marks():
    assert SpeechScore(**speech()).total == pytest.approx(0.25 * 8 + 0.25 * 7 + 0.2 * 6 + 0.15 * 8 + 0.15 * 10)


def test_the_argument_rubric_weighs_as_published():
    assert argument(8, 7, 6, 8, 1).total == pytest.approx(7.2)


def test_without_one_of_its_scores_there_is_no_total():
    assert argument(8, 7, None, 8, 5).total is None


def test_a_mark_without_a_share_stands_beside_the_total():
    assert beside(8, 3).total == beside(8, 10).total == 8


def test_a_total_does_not_need_the_mark_that_stands_beside_it():
    assert beside(8, None).total == 8


def test_a_mark_without_a_share_is_still_given():
    assert {name: given.score for name, given in beside(8, 3).marks().items()} == {"logic": 8, "bearing": 3}


def test_a_mark_without_a_share_is_not_weighed():
    assert Beside.weights() == {"logic": 1.0}


def test_a_mark_without_a_share_is_described_like_the_others():
    assert "- bearing: 1 none; 3 little; 5 some; 7 much; 10 all" in Beside.scale().splitlines()


def test_how_much_an_argument_bears_on_the_question_is_no_part_of_its_total():
    assert "bearing" in argument(8, 7, 6, 8, 1).marks()
    assert "bearing" not in ArgumentScore.weights()


# -- reasons -------------------------------------------------------------------------------


def test_a_mark_can_have_a_reason():
    assert (reasoned().why, mark().why) == ("it names what was gained", "")


def test_words_and_reason_are_asked_for_before_the_score():
    fields = [line.split(":")[0].strip() for line in contract(ReasonedMark).splitlines()[1:]]
    assert fields == ["quote", "reason", "score"]


def test_a_mark_with_a_reason_needs_one():
    with pytest.raises(Unfit, match="reason: missing"):
        parse(ReasonedMark, '{"score": 7, "quote": "a quiet square"}')


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
    flagged = [{"kind": "straw_man", "quote": "nobody wants a town at all"}]
    assert argument(8, 7, 6, 8, 5, fallacies=flagged).flags() == [("straw_man", "nobody wants a town at all")]


def test_a_rubric_without_hints_has_no_flags():
    assert AnswerScore(about="a", adequacy=reasoned()).flags() == ()


def test_only_a_challenge_can_make_the_same_point_as_another():
    assert AnswerScore(about="a", adequacy=reasoned()).same_as() is None
    assert challenge(same_point_as="b").same_as() == "b"


def challenge(**more):
    given = {"same_point_as": None, "new_argument": "", **more}
    return ChallengeScore(about="a", effectiveness=reasoned(), **given)


def test_a_new_argument_is_a_flag_that_binds_the_cross_examination():
    assert challenge().flags() == []
    assert challenge(new_argument="and besides, it is loud").flags() == [("new_argument", "and besides, it is loud")]
    assert [ChallengeScore.can_break("new_argument", kind) for kind in ("cross-examination", "answer")] == [True, False]


@pytest.mark.parametrize("quote", ["", "a loud square, they said"])
def test_no_score_without_words_that_were_said(quote):
    given = AnswerScore(about="a", adequacy=reasoned(7, quote))
    assert grounded([WORDS])(given)


def test_a_score_left_out_needs_no_quote():
    assert not grounded([WORDS])(AnswerScore(about="a", adequacy=reasoned(None, "")))


def test_a_score_on_the_scale_can_be_given():
    assert parse(AnswerScore, f'{{"about": "a", "adequacy": {{{WHY}, "score": 7}}}}').total == 7


@pytest.mark.parametrize("score", ["11", "0", "true", '"7"', "7.0", "7.5", "Infinity", "1e1", "[7]"])
def test_a_score_outside_of_the_scale_cannot_be_given(score):
    with pytest.raises(Unfit):
        parse(AnswerScore, f'{{"about": "a", "adequacy": {{{WHY}, "score": {score}}}}}')


@pytest.mark.parametrize("extra", ["winner", "total", "standing"])
def test_a_judge_has_no_field_for_a_winner_a_total_or_a_standing(extra):
    sheet = {"marks": [{"about": "a", "adequacy": json.loads(f'{{{WHY}, "score": 7}}')}]}
    for said in ({**sheet, extra: "pro"}, {"marks": [{**sheet["marks"][0], extra: "pro"}]}):
        reading = read(sheet_of(AnswerScore), json.dumps(said))
        assert extra not in str(reading.answer.model_dump())
        assert reading.left_out[0].endswith(f"{extra}: no such field")
