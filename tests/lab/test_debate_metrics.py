"""Quality, cost and calibration have the figures of their examples, and none where they are not defined."""

from dataclasses import replace

import pytest

from hustings.lab.bundle import BundleClaim
from hustings.lab.debate_metrics import (
    NEVER,
    Measured,
    argument_diversity,
    brier,
    calibration_error,
    cost_efficiency,
    decision_confidence,
    effective_points,
    gains,
    points_at_length,
    points_of,
    reasoning_depth,
    redundancy,
    threshold,
    wilson,
)
from hustings.lab.evaluation_cost import most_calls, most_tokens

from .evaluated import no, yes

SOME = {"x": 3, "y": 2, "z": 1}


def claim(name, *, grounds=(), limits=()):
    return BundleClaim(id=name, quote="q", point="x", reasons=("r",), grounds=grounds, limits=limits)


def test_diversity_is_how_many_equally_frequent_points_there_are():
    assert effective_points(SOME) == pytest.approx(36 / 14)
    assert argument_diversity(SOME) == pytest.approx(0.1714, abs=5e-5)
    assert argument_diversity({str(n): 1 for n in range(20)}) == 1.0
    assert argument_diversity({}) is None
    assert points_of([claim("a"), claim("b")]) == {"x": 2}


def test_points_at_equal_length():
    assert points_at_length(SOME, 3) == pytest.approx(2.25)
    assert points_at_length(SOME, 6) == pytest.approx(3)
    assert points_at_length(SOME, 7) is None
    assert points_at_length(SOME, 0) is None


def test_depth_is_the_share_of_what_a_claim_can_have():
    claims = [claim("a", grounds=("E1",)), claim("b"), claim("c", grounds=("E1",), limits=("l",))]
    assert reasoning_depth(claims, {"b": True, "c": True}) == pytest.approx((2 / 3 + 1 / 2 + 1) / 3)
    assert reasoning_depth((), {}) is None


def test_confidence_is_the_mean_for_the_favoured_option():
    option, p = decision_confidence([yes("holds"), yes("leans"), no("leans")])
    assert (option, p) == ("yes", pytest.approx(0.6167, abs=5e-5))
    assert decision_confidence([yes("holds"), no("holds")])[0] == "no"
    assert decision_confidence([]) is None


def test_efficiency_is_challenged_points_per_thousand_tokens():
    assert cost_efficiency(7, 22_500) == pytest.approx(0.3111, abs=5e-5)
    assert cost_efficiency(7, 0) is None
    assert cost_efficiency(7, None) is None


def test_redundancy_counts_points_that_another_seat_had_made():
    assert redundancy([[("a", "x")], [("b", "x")], [("a", "x")], [("b", "y")]]) == 0.25
    assert redundancy([]) is None


def test_what_two_seats_say_without_hearing_each_other_is_not_redundant():
    for group in ([("a", "x"), ("a", "x"), ("b", "x")], [("b", "x"), ("a", "x"), ("a", "x")]):
        assert redundancy([group, [("c", "x")]]) == 0.25


def test_calibration():
    known = [(0.9, True), (0.7, True), (0.6, False), (0.8, True)]
    assert brier(known) == pytest.approx(0.125)
    assert calibration_error(known) == pytest.approx(0.30)
    assert (brier([]), calibration_error([])) == (None, None)
    assert calibration_error([(1.0, True)]) == 0.0


def test_an_interval_of_a_share():
    assert wilson(20, 24) == pytest.approx((0.6415, 0.9332), abs=5e-5)
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 24)[0] == 0.0
    assert wilson(24, 24) == pytest.approx((0.8620, 1.0), abs=5e-5)


FIVE = Measured(0.80, {"a": 1, "b": 1, "c": 1, "d": 2, "e": 1}, 0.85, 60_000, 1.25)
THREE = Measured(0.70, {"a": 1, "b": 2}, 0.75, 24_000, 0.50)


def test_three_seats_against_five():
    found = gains(FIVE, THREE)
    assert found.quality_improvement == pytest.approx(0.10)
    assert found.confidence_improvement == pytest.approx(0.10)
    assert found.cost_multiplier == pytest.approx(2.5)
    assert found.token_multiplier == pytest.approx(2.5)
    assert found.gain_per_dollar == pytest.approx(0.1333, abs=5e-5)
    assert found.diversity_gain == pytest.approx((36 / 8 - 9 / 5) / 15)
    assert found.diversity_gain_equal_length == pytest.approx(0.8)


@pytest.mark.parametrize("cost", [None, 0.0])
def test_an_unknown_or_free_debate_has_no_multiple(cost):
    assert gains(FIVE, replace(THREE, cost=cost)).cost_multiplier is None


def test_a_dearer_debate_that_cost_less_has_no_gain_for_a_dollar():
    assert gains(FIVE, replace(THREE, cost=2.0)).gain_per_dollar is None
    assert gains(replace(FIVE, depth=None), THREE).gain_per_dollar is None


def test_the_complexity_from_which_five_seats_pay():
    pairs = [(n / 40, 0.1 if n >= 28 else 0.0, 0.75) for n in range(40)]
    assert threshold(pairs, price=0.05) == pytest.approx((0.70, 12 * (0.1 - 0.0375) / 40))
    assert threshold(pairs[:29], price=0.05) is None
    assert threshold([(0.5, 0.0, 1.0)] * 30, price=0.05) == (NEVER, 0.0)


TURNS = ((6, 0), (9, 0), (4, 0), (10, 2), (19, 1), (40, 0))


def test_what_an_evaluation_takes():
    assert [most_calls(turns, 1, more) for turns, more in TURNS] == [35, 53, 23, 61, 114, 239]
    assert [most_calls(turns, 3, more) for turns, more in TURNS] == [71, 107, 47, 125, 230, 479]
    assert [most_calls(turns, judges, readers=0) for turns in (6, 40) for judges in (1, 3)] == [29, 65, 199, 439]
    assert most_tokens(9, 400, 1) == (61_430, 10_870)
    assert most_tokens(9, 400, 3) == (136_130, 23_830)
