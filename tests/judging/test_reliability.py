"""Agreement has the published figures, and nothing that is undefined is given one."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hustings.judging.marks import Observation
from hustings.judging.reliability import (
    alpha_interval,
    by_order,
    doublings,
    icc_agreement,
    kendall_w,
    krippendorff_alpha,
    length_slope,
    mean_difference,
    order_flip_rate,
    reliability,
)
from hustings.judging.totals import observed

from .panels import CON, ONE, PRO, SIDE_OF, all_alike, first_shown_wins, panel

REFERENCE = [
    [9, 10, 10, 9], [2, 4, 2, 2], [8, 8, 7, 7], [2, 7, 4, 3], [6, 7, 5, 4], [6, 6, 7, 6], [3, 5, 3, 2],
    [6, 7, 6, 5], [5, 3, 6, 5], [9, 10, 10, 10], [4, 6, 7, 7], [3, 6, 6, 5], [7, 5, 6, 4], [6, 6, 5, 3],
    [6, 6, 5, 5], [6, 6, 5, 4], [8, 6, 6, 6], [6, 7, 5, 4], [7, 9, 8, 7], [5, 7, 6, 6],
]  # fmt: skip
"""20 items, 4 judges."""
GAPS = {(0, 0), (1, 0), (2, 0), (7, 2)}

marks = st.integers(1, 10)
full_tables = st.integers(1, 5).flatmap(lambda k: st.lists(st.lists(marks, min_size=k, max_size=k), max_size=8))
tables = st.integers(1, 5).flatmap(lambda k: st.lists(st.lists(st.none() | marks, min_size=k, max_size=k), max_size=8))


def judged(mark, words=None, **context):
    seen = panel(mark, **context)
    return reliability(seen, observed(seen, ONE), words or {}, SIDE_OF, "seed")


# -- published figures -------------------------------------------------------------------


def test_alpha_of_the_reference_table():
    assert krippendorff_alpha(REFERENCE) == pytest.approx(0.6834538026, abs=1e-10)


def test_alpha_of_the_reference_table_with_four_gaps():
    table = [[None if (i, j) in GAPS else mark for j, mark in enumerate(row)] for i, row in enumerate(REFERENCE)]
    assert krippendorff_alpha(table) == pytest.approx(0.6525721055, abs=1e-10)


def test_icc_of_the_reference_table():
    assert icc_agreement(REFERENCE) == pytest.approx((0.696619, 0.901814), abs=5e-7)


def test_w_of_the_reference_table():
    assert kendall_w(REFERENCE) == pytest.approx(0.731729, abs=5e-7)


# -- independent formulae ----------------------------------------------------------------


@given(tables)
def test_alpha_is_that_of_the_coincidence_matrix(table):
    coincidences = Counter()
    for row in table:
        unit = [mark for mark in row if mark is not None]
        for a, b in permutations(unit, 2):
            coincidences[a, b] += Fraction(1, len(unit) - 1)
    margins = Counter()
    for (a, _), n in coincidences.items():
        margins[a] += n
    total = sum(margins.values())
    apart = sum(n * (a - b) ** 2 for (a, b), n in coincidences.items())
    by_rng = sum(margins[a] * margins[b] * (a - b) ** 2 for a in margins for b in margins)
    expected = float(1 - (total - 1) * apart / by_rng) if by_rng else None
    assert krippendorff_alpha(table) == (None if expected is None else pytest.approx(expected, abs=1e-9))


@given(full_tables)
def test_w_is_friedmans_chi_square_over_judges_and_items_less_one(table):
    n, k = len(table), len(table[0]) if table else 0
    ranked = []
    for judge in range(k):
        ordered = sorted(row[judge] for row in table)
        ranked.append([ordered.index(row[judge]) + Fraction(ordered.count(row[judge]) + 1, 2) for row in table])
    spread = sum(r * r for ranks in ranked for r in ranks) - Fraction(k * n * (n + 1) ** 2, 4)
    between = sum((sum(ranks) - Fraction(k * (n + 1), 2)) ** 2 for ranks in zip(*ranked, strict=True))
    defined = n > 1 and k > 1 and spread
    friedman = (n - 1) * between / spread if defined else None
    assert kendall_w(table) == (pytest.approx(float(friedman / (k * (n - 1)))) if defined else None)


@given(full_tables)
def test_icc_is_the_share_of_the_items_in_the_variance(table):
    n, k = len(table), len(table[0]) if table else 0
    if n < 2 or k < 2:
        assert icc_agreement(table) == (None, None)
        return
    cells = [Fraction(mark) for row in table for mark in row]
    correction = sum(cells) ** 2 / (n * k)
    rows = sum(Fraction(sum(row)) ** 2 for row in table) / k - correction
    columns = sum(Fraction(sum(column)) ** 2 for column in zip(*table, strict=True)) / n - correction
    error = (sum(c * c for c in cells) - correction - rows - columns) / ((n - 1) * (k - 1))
    items, judges = (rows / (n - 1) - error) / k, (columns / (k - 1) - error) / n
    for found, noise in zip(icc_agreement(table), (1, k), strict=True):
        whole = items + (judges + error) / noise
        assert found == (pytest.approx(float(items / whole), abs=1e-9) if whole > 0 else None)


# -- what is undefined -------------------------------------------------------------------


@pytest.mark.parametrize(
    "table", [[], [[]], [[5]], [[5], [6]], [[7, 7], [7, 7]], [[None, None]], [[5, None], [None, 6]]]
)
def test_nothing_undefined_has_a_figure(table):
    assert (krippendorff_alpha(table), alpha_interval(table, "seed"), *icc_agreement(table), kendall_w(table)) == (
        (None,) * 5
    )


def test_a_panel_that_only_contradicts_itself_has_no_variance_to_share():
    assert icc_agreement([[1, 2], [2, 1]]) == (None, None)


def test_one_judge_has_no_difference_between_judges():
    assert mean_difference([[5], [6]]) is None


def test_lengths_that_are_alike_have_no_slope():
    assert length_slope([(100, 5.0), (100, 7.0)]) is None


def test_alphas_interval_lies_around_it_and_is_the_same_again():
    low, high = alpha_interval(REFERENCE, "seed")
    assert low < 0.683454 < high < 1
    assert alpha_interval(REFERENCE, "seed") == (low, high)


# -- biases ------------------------------------------------------------------------------


def test_a_sign_that_changes_is_a_flip_and_a_zero_half_a_flip():
    assert order_flip_rate([(1, 2), (1, -1), (0, 2), (-3, -1)]) == 0.375


def test_a_tie_in_both_orders_is_no_flip():
    assert order_flip_rate([(0, 0)]) == 0


def test_every_pair_of_sides_can_flip():
    totals = {("a", 0): {"x": 5.0, "y": 6.0, "z": 7.0}, ("a", 1): {"x": 5.0, "y": 6.0, "z": 4.0}}
    assert by_order(totals, {item: item for item in "xyz"}) == [(-1, -1), (-2, 1), (-1, 2)]


def test_an_item_scored_in_one_order_alone_is_no_flip():
    totals = {("a", 0): {"x": 9.0, "w": 1.0, "y": 6.0}, ("a", 1): {"x": 9.0, "y": 6.0}}
    assert by_order(totals, {"x": "pro", "w": "pro", "y": "con"}) == [(-3, -3)]


def test_a_judge_of_whoever_is_first_is_found_out():
    found = judged(first_shown_wins)
    assert (found.position_bias, found.order_flip_rate) == (2, 1)
    assert "Order matters: arguments read first scored 2.0 points higher" in found.remarks


def test_position_is_that_of_the_side_however_its_items_were_mixed():
    sides = {"p1": "pro", "p2": "pro", "p3": "pro", "c1": "con"}
    shown = [("p1", "p2", "p3", "c1"), ("c1", "p3", "p2", "p1")]
    seen = [
        Observation(
            "a", order, {i: {"mark": 8.0 if (sides[i] == "pro") == (order == 0) else 6.0} for i in sides}, where
        )
        for order, where in enumerate(shown)
    ]
    assert reliability(seen, observed(seen, ONE), {}, sides, "seed").position_bias == 2


def test_items_shown_at_the_same_place_in_both_orders_say_nothing_of_position():
    seen = [Observation("a", order, {"PRO-1": {"mark": 5.0 + order}}, ("PRO-1",)) for order in range(2)]
    assert reliability(seen, observed(seen, ONE), {}, SIDE_OF, "seed").position_bias is None


def test_a_point_per_doubling_is_a_slope_of_one():
    assert length_slope([(100, 5.0), (200, 6.0), (400, 7.0), (800, 8.0), (1600, 9.0)]) == pytest.approx(1)


@pytest.mark.parametrize("lengths", [[(100, 2.0), (400, 9.0)], [(100, 2.0), (101, 9.0), (102, 1.0)] * 3])
def test_few_things_or_things_of_one_length_have_no_slope(lengths):
    assert length_slope(lengths) is None


def test_a_lover_of_length_is_found_out():
    words = {item: 50 * 2**n for n, item in enumerate(PRO + CON)}
    found = judged(lambda judge, order, item: 2.0 + (PRO + CON).index(item), words)
    assert found.length_slope == 1
    assert "Longer arguments scored higher, 1.0 points for twice the length: read scores with care" in found.remarks


def test_a_side_three_times_as_long_is_longer_by_log2_of_three_doublings():
    words = {item: 300 if item in PRO else 100 for item in SIDE_OF}
    assert doublings(words, SIDE_OF, ("pro", "con")) == pytest.approx(1.584963)


def test_a_side_without_words_is_not_longer_or_shorter():
    assert doublings({"PRO-1": 100}, SIDE_OF, ("pro", "con")) == 0


# -- the block ---------------------------------------------------------------------------


def table_judged(table):
    totals = {(f"j{j}", 0): {f"i{i}": float(row[j]) for i, row in enumerate(table)} for j in range(len(table[0]))}
    return reliability([], totals, {}, {}, "seed")


def test_the_block_rounds_what_the_formulae_give():
    found = table_judged(REFERENCE)
    assert (found.alpha, found.icc_single, found.icc_panel, found.kendall_w) == (0.683454, 0.696619, 0.901814, 0.731729)
    assert (found.word, found.items, found.judges, found.observations, found.remarks) == ("tentative", 20, 4, 4, ())


def test_the_orders_of_a_judge_count_as_their_mean():
    found = judged(lambda judge, order, item: 5.0 + order if judge == "a" else 5.5 + (item in PRO))
    assert found.mean_difference == pytest.approx(1 / 3)


def test_judges_who_agree_are_good():
    assert judged(lambda judge, order, item: 3.0 + (PRO + CON).index(item)).word == "good"


def test_judges_who_disagree_are_not_relied_on():
    assert judged(lambda judge, order, item: 3.0 + 4 * ((judge == "a") == (item in PRO))).word == "do not rely"


def test_one_judge_is_not_relied_on():
    found = judged(first_shown_wins, judges="a")
    assert (found.word, found.alpha) == ("do not rely", None)
    assert "A single judge has nobody to agree with" in found.remarks


def test_judges_who_scored_nothing_in_common_are_not_relied_on():
    found = judged(lambda judge, order, item: 5.0 if (judge == "a") == (item in PRO) else None, judges="ab")
    assert (found.word, found.remarks[0]) == ("do not rely", "No item was scored by two judges")


def test_scores_that_are_all_alike_are_good_and_it_is_said_that_they_are():
    found = judged(all_alike)
    assert (found.word, found.alpha) == ("good", None)
    assert "All scores are the same, so agreement has no figure" in found.remarks


def test_no_score_at_all_is_not_relied_on():
    found = judged(lambda judge, order, item: None)
    assert (found.word, found.items, found.judges, found.observations) == ("do not rely", 0, 0, 0)


@pytest.mark.parametrize(("items", "few"), [(9, True), (10, False)])
def test_fewer_than_ten_items_are_few(items, few):
    told = f"Only {items} scored items (10 are better)"
    assert (told in table_judged(REFERENCE[:items]).remarks) is few


def test_sums_that_differ_in_their_last_bit_alone_are_alike():
    seen = [
        Observation("a", 0, {"x": {"p": 0.1, "q": 0.2, "r": 0.3}, "y": {"p": 0.1, "q": 0.2, "r": 0.3}}),
        Observation("b", 0, {"x": {"p": 0.6, "q": 0.0, "r": 0.0}, "y": {"p": 0.6, "q": 0.0, "r": 0.0}}),
    ]
    assert reliability(seen, observed(seen, {"p": 1, "q": 1, "r": 1}), {}, {}, "seed").alpha is None


@settings(max_examples=20)
@given(tables, st.randoms(use_true_random=False))
def test_the_order_of_the_input_changes_nothing(table, rng):
    sides = {f"i{i}": "pro" if i % 2 else "con" for i in range(len(table))}
    words = {item: 40 + 7 * n for n, item in enumerate(sides)}
    seen = [
        Observation(
            f"j{j}",
            order,
            {f"i{i}": {"mark": float(row[j] + order)} for i, row in enumerate(table) if row[j] is not None},
            tuple(sorted(sides, reverse=bool(order))),
        )
        for j in range(len(table[0]) if table else 0)
        for order in range(2)
    ]
    mixed = rng.sample(seen, len(seen))
    found = [reliability(some, observed(some, ONE), words, sides, "seed") for some in (seen, mixed)]
    assert found[0] == found[1]
