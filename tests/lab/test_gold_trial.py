"""A judge tried on gold debates is compared with the readers, argument by argument."""

from hustings.lab.gold_trial import chosen, gold_trial, gold_trial_spec
from hustings.llm.environment import Environment
from hustings.llm.improviser import Improviser
from hustings.runs.judging_spec import JudgingRequest
from hustings.runs.staging import rehearse


def test_only_debates_with_numbered_arguments_are_chosen():
    assert [gold.protocol for gold in chosen(3)] == ["structured"] * 3
    assert {gold.protocol for gold in chosen(99)} == {"structured"}


def test_a_trial_seats_one_judge_and_counts_every_argument_once():
    (gold,) = chosen(1)
    spec = gold_trial_spec(gold, "improviser", JudgingRequest(), Environment({}))
    found = gold_trial(gold, spec, rehearse(spec.debate, Improviser()).proceedings)
    assert (spec.judged, [seat.id for seat in spec.debate.seats]) == ("", ["clerk", "judge_1"])
    assert found is not None
    assert found.arguments == len(gold.readings[0].standings)
    assert found.right + found.off_by_more <= found.arguments


def test_a_run_that_judges_nothing_is_no_trial():
    (gold,) = chosen(1)
    spec = gold_trial_spec(gold, "improviser", JudgingRequest(), Environment({}))
    other = spec.debate.model_copy(update={"protocol": "structured"})
    assert (
        gold_trial(gold, spec.model_copy(update={"debate": other}), rehearse(spec.debate, Improviser()).proceedings)
        is None
    )
