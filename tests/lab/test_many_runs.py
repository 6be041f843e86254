"""Figures over many debates: nothing is told that so few of them cannot say."""

from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.lab.artefact import SeatFigures
from hustings.lab.coordination import challenges_answered, gini_of_words, idle_share
from hustings.lab.many_runs import ORIGINS, PRICE, RunFigures, over_runs, statistics_of
from hustings.llm.improviser import Improviser
from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan, rehearse


def run(n=0, *, extent="", complexity=None, decision=None, happened=None, protocol="roundtable", **figures):
    groups = {"protocol": protocol, "task": protocol, "model": "improviser", "extent": extent}
    return RunFigures(
        run_id=f"run-{n}",
        question=f"Is it {n}?",
        groups=groups,
        figures=figures,
        outcome="too close",
        evaluated="reasoning_depth" in figures,
        complexity=complexity,
        decision=decision,
        happened=happened,
    )


# -- medians -------------------------------------------------------------------------------


def test_nine_debates_have_a_number_and_no_median():
    (found,) = statistics_of([run(n, rating=4.0) for n in range(9)]).whole.figures.values()
    assert (found.runs, found.median, found.low, found.high) == (9, None, None, None)


def test_ten_debates_have_a_median_and_its_interval():
    found = statistics_of([run(n, rating=n) for n in range(10)]).whole.figures["rating"]
    assert (found.runs, found.median, found.low, found.high) == (10, 4.5, 1, 8)


@given(st.integers(10, 400))
def test_the_interval_holds_the_median_in_ninety_five_of_a_hundred_samples(n):
    found = over_runs(range(n), "transcript")
    below = int(found.low)
    missed = 2 * sum(comb(n, k) for k in range(below + 1)) / 2**n
    assert missed <= 0.05
    assert found.low + found.high == n - 1


def test_a_figure_that_no_debate_has_is_absent():
    assert set(statistics_of([run(rating=3.0)]).whole.figures) == {"rating"}


def test_every_figure_says_where_it_comes_from():
    found = statistics_of([run(**dict.fromkeys(ORIGINS, 0.5))]).whole.figures
    assert {name: figure.origin for name, figure in found.items()} == ORIGINS


def test_no_debates_are_no_figures():
    found = statistics_of([], "protocol")
    assert (found.whole.runs, found.whole.figures, found.groups) == (0, {}, ())


# -- groups --------------------------------------------------------------------------------


def test_groups_stand_with_the_largest_first_and_debates_without_one_are_counted():
    runs = [run(1, extent="extended"), run(2, extent="standard"), run(3, extent="standard"), run(4)]
    found = statistics_of(runs, "extent")
    assert [(group.value, group.runs) for group in found.groups] == [("standard", 2), ("extended", 1)]
    assert found.ungrouped == 1


def test_cost_is_told_for_each_kind_of_decision():
    found = statistics_of([run(n, dollars=n / 10) for n in range(11)]).whole.dollars_by_outcome["too close"]
    assert (found.runs, found.median, found.origin) == (11, 0.5, "budget")


# -- calibration and threshold ---------------------------------------------------------------


def forecasts(count):
    return [
        run(n, decision="yes", happened="YES " if n % 4 else "no", decision_confidence=0.75)
        for n in range(1, count + 1)
    ]


def test_calibration_waits_for_thirty_known_outcomes():
    found = statistics_of(forecasts(29)).whole.calibration
    assert (found.outcomes, found.brier, found.error, found.right) == (29, None, None, None)


def test_confidence_that_comes_true_is_calibrated():
    found = statistics_of(forecasts(40)).whole.calibration
    assert (found.outcomes, found.right, found.brier, found.error) == (40, 0.75, 0.1875, 0.0)


def test_a_debate_without_a_decision_or_an_outcome_forecasts_nothing():
    runs = [run(1, happened="yes"), run(2, decision="yes"), run(3, decision="yes", happened="no")]
    assert statistics_of(runs).whole.calibration.outcomes == 0


def pair(n, complexity, gain, dollars=0.0):
    short = run(n, extent="standard", complexity=complexity, reasoning_depth=0.5, dollars=0.0)
    long = run(n, extent="extended", complexity=complexity, reasoning_depth=0.5 + gain, dollars=dollars)
    return [long, short]


def test_a_threshold_waits_for_thirty_questions_held_both_ways():
    found = statistics_of([one for n in range(29) for one in pair(n, 0.5, 0.1)]).threshold
    assert (found.pairs, found.complexity, found.gain) == (29, None, None)


def test_the_threshold_is_where_all_seats_begin_to_pay():
    runs = [one for n in range(30) for one in pair(n, 0.3 if n < 15 else 0.8, -0.1 if n < 15 else 0.1)]
    found = statistics_of(runs).threshold
    assert (found.pairs, found.complexity, found.gain) == (30, 0.8, 0.05)


def test_what_costs_more_than_it_is_worth_never_pays():
    runs = [one for n in range(30) for one in pair(n, 0.8, 0.1, dollars=0.2 / PRICE)]
    assert statistics_of(runs).threshold.complexity > 1


def test_a_question_held_twice_one_way_makes_one_pair():
    short = run(1, extent="standard", complexity=0.5, reasoning_depth=0.5, dollars=0.0)
    assert statistics_of([short, *pair(1, 0.5, 0.1)]).threshold.pairs == 1


# -- coordination --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("calls", "share"),
    [
        ([], None),
        ([(5.0, 5.0)], None),
        ([(0.0, 10.0)], 0.0),
        ([(0.0, 4.0), (6.0, 10.0)], 0.2),
        ([(0.0, 10.0), (2.0, 4.0)], 0.0),
        ([(0.0, 5.0), (3.0, 8.0), (9.0, 10.0)], 0.1),
    ],
)
def test_the_idle_share_is_the_time_without_a_call_under_way(calls, share):
    assert idle_share(calls) == pytest.approx(share)


def test_challenges_of_all_seats_count_together():
    assert challenges_answered({}) is None
    seats = {"a": SeatFigures(challenges=3, unanswered=1), "b": SeatFigures(challenges=1, unanswered=0)}
    assert challenges_answered(seats) == 0.75


def test_words_of_those_who_lead_and_judge_do_not_count():
    played = rehearse(plan(find_protocol("competition"), "Is it so?", model="improviser"), Improviser())
    assert 0 <= gini_of_words(played.proceedings.transcript) < 0.5


def both_ways(count, **figures):
    return [run(n, extent=way, **figures) for n in range(count) for way in ("standard", "extended")]


def test_the_targets_of_the_source_stand_beside_what_was_measured():
    runs = both_ways(10, gamma_mean=0.82, reasoning_depth=0.5, argument_diversity=0.3, dollars=0.02)
    found = {one.figure: (one.standard, one.extended, one.reached) for one in statistics_of(runs).targets}
    assert found == {
        "gamma_mean": (0.82, 0.82, True),
        "decision_confidence": (None, None, None),
        "argument_diversity": (0.3, 0.3, False),
        "dollars": (0.02, 0.02, True),
    }


def test_below_ten_extended_debates_no_target_is_told():
    assert statistics_of(both_ways(9, gamma_mean=0.82, dollars=0.02)).targets == ()
