"""Totals are the panel's means, and a gap is no gap if another draw of the judges would close it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hustings.judging.marks import Observation
from hustings.judging.totals import gap, item_scores, margin, observed, panel_means, resampled, side_totals
from tests.rig.lanes import examples

from .panels import CON, ONE, PRO, SIDE_OF, WEIGHTS, all_alike, first_shown_wins, panel

SIDES = ("pro", "con")


def gap_of(mark, sides=SIDES, **context):
    return gap(panel(mark, **context), ONE, SIDE_OF, sides, "seed")


def pro_ahead_by(points):
    return lambda judge, order, item: 5.0 + points * (item in PRO)


def test_an_argument_is_the_weighted_sum_of_its_marks():
    seen = Observation("a", 0, {"PRO-1": {"logic": 8, "evidence": 7, "responsiveness": 6, "honesty": 8}})
    assert observed([seen], WEIGHTS)["a", 0] == pytest.approx({"PRO-1": 7.2})


def test_an_observation_totals_only_what_it_scored_in_full():
    seen = Observation("a", 0, {"PRO-1": {"logic": 8, "evidence": 7, "responsiveness": 6}})
    assert observed([seen], WEIGHTS) == {("a", 0): {}}


@pytest.mark.parametrize(("given", "score"), [(3, 7.0), (2, None)])
def test_an_item_needs_half_of_the_observations(given, score):
    seen = panel(lambda judge, order, item: 7.0 if (judge, order) in [("a", 0), ("a", 1), ("b", 0)][:given] else None)
    assert item_scores(panel_means(seen, ONE, ["PRO-1"]), ONE) == {"PRO-1": score}


def test_an_item_needs_every_dimension():
    seen = [Observation("a", 0, {"x": {"logic": 8.0}})]
    means = panel_means(seen, {"logic": 0.5, "evidence": 0.5}, ["x"])
    assert (means, item_scores(means, {"logic": 0.5, "evidence": 0.5})) == ({"x": {"logic": 8.0}}, {"x": None})


def test_a_side_is_the_mean_of_its_items_and_says_how_many_could_not_be_scored():
    marks = {"PRO-1": 8.0, "PRO-2": 5.0, "CON-1": 4.0, "CON-2": 4.0, "CON-3": 7.0}
    pro, con = side_totals(panel(lambda judge, order, item: marks.get(item)), ONE, SIDE_OF, "seed")
    assert (pro.side, pro.score, pro.interval, pro.scored, pro.unscored) == ("pro", 6.5, (6.5, 6.5), 2, 1)
    assert (con.side, con.score, con.interval, con.scored, con.unscored) == ("con", 5.0, (5.0, 5.0), 3, 0)


def test_a_side_of_which_nothing_is_scored_has_no_total():
    pro, _ = side_totals(panel(lambda judge, order, item: None if item in PRO else 5.0), ONE, SIDE_OF, "seed")
    assert (pro.score, pro.interval, pro.scored, pro.unscored) == (None, None, 0, 3)


def test_a_judge_who_gave_nothing_is_in_no_mean():
    seen = [o for o in panel(lambda judge, order, item: 9.0 if judge == "a" else 5.0) if o.judge != "a"]
    assert [total.score for total in side_totals(seen, ONE, SIDE_OF, "seed")] == [5, 5]


def test_the_interval_of_a_total_spans_the_judges():
    pro, _ = side_totals(panel(lambda judge, order, item: {"a": 4.0, "b": 6.0, "c": 8.0}[judge]), ONE, SIDE_OF, "seed")
    assert pro.score == 6
    assert 4 <= pro.interval[0] < 6 < pro.interval[1] <= 8


def test_one_observation_gives_a_total_without_interval():
    assert side_totals(panel(all_alike, "a", 1), ONE, SIDE_OF, "seed")[0].interval is None


@pytest.mark.parametrize(
    ("points", "word"), [(0.9, "evenly matched"), (1.0, "lead"), (3.0, "lead"), (3.1, "significant")]
)
def test_the_words_for_a_gap(points, word):
    found = gap_of(pro_ahead_by(points))
    assert (found.value, found.interval, found.word) == (points, (points, points), word)


def test_an_interval_that_touches_zero_is_no_lead():
    assert margin(4.0, (0.0, 8.0)) == "evenly matched"


def test_a_gap_that_rests_on_one_judge_is_none():
    found = gap_of(lambda judge, order, item: 9.0 if judge == "a" and item in PRO else 5.0)
    assert (found.value, found.word) == (pytest.approx(4 / 3, abs=1e-6), "evenly matched")


def test_judges_who_differ_in_level_but_not_in_their_gap_leave_it_certain():
    found = gap_of(lambda judge, order, item: {"a": 2.0, "b": 4.0, "c": 6.0}[judge] + 2 * (item in PRO))
    assert (found.value, found.interval) == (2, (2, 2))


def test_sides_that_say_the_same_are_evenly_matched():
    found = gap_of(all_alike)
    assert (found.value, found.interval, found.word) == (0, (0, 0), "evenly matched")


def test_a_bonus_for_whoever_is_shown_first_cancels_out():
    found = gap_of(first_shown_wins)
    assert (found.value, found.word) == (0, "evenly matched")
    assert found.interval[0] < 0 < found.interval[1]


def test_one_observation_knows_nothing_of_its_spread():
    found = gap_of(pro_ahead_by(4.0), judges="a", orders=1)
    assert (found.value, found.interval, found.word) == (4, (-5, 9), "evenly matched")


def test_without_a_score_on_one_side_there_is_no_gap():
    assert gap_of(lambda judge, order, item: None if item in CON else 5.0) is None


def test_without_observations_there_is_no_gap():
    assert gap([], ONE, SIDE_OF, SIDES, "seed") is None


def test_a_draw_without_a_score_for_one_side_is_passed_over():
    found = gap_of(lambda judge, order, item: None if item in CON and judge == "a" else 5.0 + 2 * (item in PRO))
    assert (found.value, found.interval) == (2, (2, 2))


def test_each_draw_has_as_many_judges_as_the_panel_and_as_many_orders_as_they_have():
    keys = [("a", 0), ("a", 1), ("b", 0), ("b", 1), ("c", 0), ("c", 1)]
    assert {sum(times) for times in resampled(tuple(keys), "seed")} == {6}


def test_another_seed_is_another_draw():
    keys = [("a", 0), ("b", 0), ("c", 0)]
    assert list(resampled(tuple(keys), "one")) != list(resampled(tuple(keys), "other"))


panels = st.lists(
    st.dictionaries(st.sampled_from(PRO + CON), st.integers(1, 10).map(float)), min_size=1, max_size=6
).map(
    lambda sheets: [
        Observation("abc"[n // 2], n % 2, {i: {"mark": m} for i, m in sheet.items()}) for n, sheet in enumerate(sheets)
    ]
)


@settings(max_examples=examples(40))
@given(panels)
def test_swapping_the_sides_turns_the_gap_round(seen):
    one, other = (gap(seen, ONE, SIDE_OF, sides, "seed") for sides in (SIDES, SIDES[::-1]))
    if one is None:
        assert other is None
    else:
        low, high = one.interval
        assert (other.value, other.interval, other.word) == (-one.value, (-high, -low), one.word)


@settings(max_examples=examples(40))
@given(panels, st.randoms(use_true_random=False))
def test_the_order_of_observations_and_items_changes_nothing(seen, rng):
    sides = {"pro": "pro", "con": "con"} | SIDE_OF  # two items that nobody scored keep the order of the sides
    mixed = dict(list(sides.items())[:2] + rng.sample(list(SIDE_OF.items()), len(SIDE_OF)))
    shuffled = rng.sample(seen, len(seen))
    assert gap(seen, ONE, sides, SIDES, "seed") == gap(shuffled, ONE, mixed, SIDES, "seed")
    assert side_totals(seen, ONE, sides, "seed") == side_totals(shuffled, ONE, mixed, "seed")


@settings(max_examples=examples(40))
@given(panels)
def test_the_gap_is_the_difference_of_the_totals(seen):
    found = gap(seen, ONE, SIDE_OF, SIDES, "seed")
    totals = {total.side: total.score for total in side_totals(seen, ONE, SIDE_OF, "seed")}
    if found is None:
        assert None in totals.values()
    else:
        assert found.value == pytest.approx(totals["pro"] - totals["con"], abs=2e-6)
