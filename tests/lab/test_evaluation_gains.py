"""What one evaluated debate has over another, and what one pair of debates cannot say."""

import pytest

from hustings.lab.artefact import (
    DebateFigures,
    EvalMetadata,
    Evaluation,
    EvaluationSummary,
    OwnFigures,
)
from hustings.lab.bundle import EvaluationTask
from hustings.lab.evaluation_gains import evaluated_pair


def evaluation(prompts="1", **figures):
    own = OwnFigures(
        transcript_digest="d",
        evaluation_run_id="e",
        task=EvaluationTask(question="Is it so?"),
        metrics=DebateFigures(**figures),
        prompt_versions={"crit": prompts},
    )
    return Evaluation(
        debate_id="d",
        run_id="r",
        evaluation_mode="posthoc",
        evaluated_at="2026-01-01T00:00:00.000Z",
        eval_metadata=EvalMetadata(evaluator_version="1"),
        run_summary=EvaluationSummary(),
        x_hustings=own,
    )


STANDARD = {
    "reasoning_depth": 0.5,
    "points": {"a": 3, "b": 2, "c": 1},
    "argument_diversity": 0.171,
    "decision_confidence": 0.6,
    "tokens": 20_000,
    "cost": 0.5,
}
EXTENDED = {
    "reasoning_depth": 0.65,
    "points": {"a": 3, "b": 3, "c": 3, "d": 3},
    "argument_diversity": 0.267,
    "decision_confidence": 0.7,
    "tokens": 50_000,
    "cost": 1.25,
}


def test_the_second_is_held_against_the_first():
    gains = evaluated_pair(evaluation(**STANDARD), evaluation(**EXTENDED)).gains
    assert gains.quality_improvement == pytest.approx(0.15)
    assert gains.diversity_gain == pytest.approx(4 / 15 - 36 / 14 / 15)
    assert gains.confidence_improvement == pytest.approx(0.1)
    assert (gains.cost_multiplier, gains.token_multiplier) == (2.5, 2.5)
    assert gains.gain_per_dollar == pytest.approx(0.2)


def test_points_are_compared_at_the_length_of_the_shorter_debate():
    pair = evaluated_pair(evaluation(**STANDARD), evaluation(**EXTENDED))
    assert pair.points_at_equal_length[0] == 3
    assert pair.gains.diversity_gain_equal_length == pytest.approx(pair.points_at_equal_length[1] - 3)


@pytest.mark.parametrize("cost", [None, 0.0])
def test_a_cost_that_is_unknown_or_nothing_multiplies_nothing(cost):
    first, second = evaluation(**STANDARD), evaluation(**{**EXTENDED, "cost": cost})
    for pair in (evaluated_pair(first, second), evaluated_pair(second, first)):
        assert (pair.gains.cost_multiplier, pair.gains.gain_per_dollar) == (None, None)


def test_what_one_of_them_lacks_is_not_compared():
    gains = evaluated_pair(evaluation(**STANDARD), evaluation()).gains
    assert set(vars(gains).values()) == {None}


def test_one_pair_proves_nothing_and_other_judging_proves_less():
    assert evaluated_pair(evaluation(), evaluation()).caveats == ("one pair proves nothing",)
    told = evaluated_pair(evaluation("1"), evaluation("2")).caveats
    assert told == ("one pair proves nothing", "the judges were asked in different words")
