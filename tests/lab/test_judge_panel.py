"""Only an independent panel that agrees may say pass or fail; readers are told first what weakens the figures."""

import pytest

from hustings.judging.judgement import Judge
from hustings.lab.artefact import JudgeAgreement
from hustings.lab.judge_panel import (
    NO_AGREEMENT,
    ONE_FAMILY,
    ONE_JUDGE,
    OWN_FAMILY,
    UNKNOWN_DEBATERS,
    badges,
    disagree,
    is_independent,
    judge_agreement,
)


def judges(*families, accepted=5):
    return [
        Judge(seat=f"judge_{n}", model="m", family=family, asked=5, accepted=accepted)
        for n, family in enumerate(families)
    ]


@pytest.mark.parametrize(
    ("families", "debaters", "independent"),
    [
        (["llama"], ["qwen"], True),
        (["qwen"], ["qwen"], False),
        (["llama", "qwen"], ["qwen"], True),
        (["llama", "llama"], ["qwen"], False),
        (["qwen", "llama"], ["qwen", "llama"], False),
        ([], ["qwen"], False),
        (["llama", "qwen"], ["unknown"], False),
        (["llama"], [], True),
    ],
)
def test_who_is_independent(families, debaters, independent):
    assert is_independent(judges(*families), debaters) is independent


def test_a_judge_who_never_answered_makes_no_panel_independent():
    assert not is_independent([*judges("qwen"), *judges("llama", accepted=0)], ["qwen"])


def test_badges_name_what_weakens_the_figures_the_gravest_first():
    bad = JudgeAgreement(alpha=0.4, turns=12)
    assert badges(judges("qwen"), ["qwen"], bad) == (OWN_FAMILY, NO_AGREEMENT, ONE_JUDGE)
    assert badges(judges("llama", "llama"), ["qwen"], JudgeAgreement()) == (ONE_FAMILY,)
    assert badges(judges("llama", "gpt"), ["unknown"], JudgeAgreement()) == (UNKNOWN_DEBATERS,)
    assert badges(judges("llama", "gpt"), ["qwen"], JudgeAgreement()) == ()


def test_disagreement_counts_from_ten_turns_on():
    assert disagree(JudgeAgreement(alpha=0.66, turns=10))
    assert not disagree(JudgeAgreement(alpha=0.66, turns=9))
    assert not disagree(JudgeAgreement(alpha=0.67, turns=10))
    assert not disagree(JudgeAgreement(turns=10))


def test_agreement_does_not_hang_on_the_order_of_turns_or_judges():
    turns = [{"x": 0.5, "y": 0.6}, {"x": 0.8, "y": 0.85}, {"x": 0.7}, {"x": 0.4, "y": 0.4}]
    found = judge_agreement(turns)
    assert (found.turns, found.word) == (3, "good")
    renamed = [{{"x": "b", "y": "a"}[judge]: rho for judge, rho in turn.items()} for turn in reversed(turns)]
    assert judge_agreement(renamed) == found


def test_a_single_judge_has_no_agreement():
    found = judge_agreement([{"x": 0.5}, {"x": 0.6}])
    assert (found.alpha, found.interval, found.turns, found.word) == (None, None, 0, "do not rely")
