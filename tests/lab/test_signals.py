"""Agreement, common ground and movement have exact figures; an unknown one is left out."""

from dataclasses import replace

import pytest

from hustings.lab.signals import (
    Look,
    alarm,
    divergence,
    drift,
    entropy,
    first_stop,
    gini,
    influence,
    instability,
    movement,
    overlap,
    returns,
    roughness,
    silence,
    stop_after,
)

from .evaluated import no, yes


def look(a, b, grounds_a="", grounds_b="", claims=0, new=0, number=1):
    return Look({"a": a, "b": b}, {"a": frozenset(grounds_a), "b": frozenset(grounds_b)}, claims, new, round=number)


APART = look(yes("holds"), no("holds"), "12", "23", 4, 4)
HOLLOW = look(yes("holds"), yes("leans"), "1", "3", 3, 1, 2)
SOUND = look(yes("holds"), yes("leans"), "2", "2", 3, 2, 2)
ALIKE = look(yes("holds"), yes("holds"), claims=2, new=2)


def stopped(looks, cap=4):
    found = stop_after(looks, cap)
    return found and (found.why, found.agreement)


@pytest.mark.parametrize(
    ("seats", "bits"),
    [
        ([yes("certain"), no("certain")], 0.7136),
        ([yes("holds"), no("holds")], 0.3902),
        ([yes("leans"), no("leans")], 0.1187),
        ([yes("holds"), yes("holds"), no("holds")], 0.3505),
        ([yes("holds")] * 3, 0.0),
    ],
)
def test_divergence(seats, bits):
    assert divergence(seats) == pytest.approx(bits, abs=5e-5)


def test_divergence_of_two_opposed_seats_is_what_one_of_them_is_sure_of():
    assert divergence([yes("certain"), no("certain")]) == pytest.approx(1 - entropy(yes("certain")))


def test_one_seat_agrees_with_nobody():
    assert divergence([yes("holds")]) is None


def test_overlap_counts_pairs_that_both_cite_something():
    found = overlap([frozenset("ab"), frozenset("bc"), frozenset("b"), frozenset()])
    assert found == pytest.approx((1 / 3 + 1 / 2 + 1 / 2) / 3)
    assert overlap([frozenset("a"), frozenset()]) is None


def test_agreement_without_common_ground_sets_off_the_alarm():
    assert alarm(APART, HOLLOW) is True
    assert alarm(APART, SOUND) is False
    assert alarm(APART, look(yes("holds"), yes("leans"))) is None
    assert alarm(Look({"a": yes("holds")}, {}), SOUND) is None


def test_movement_is_that_of_seats_heard_twice():
    assert movement(APART, HOLLOW) == pytest.approx(0.275)
    assert movement(APART, Look({"c": yes("holds")}, {})) is None


def test_when_a_debate_may_end():
    assert stopped([APART]) is None
    assert stopped([APART, SOUND]) == ("agreed", "genuine")
    assert stopped([APART, HOLLOW]) is None
    assert stopped([APART, HOLLOW], cap=2) == ("cap", "hollow")
    assert stopped([APART, replace(APART, claims=5, new_points=1)]) == ("exhausted", "")
    assert stopped([APART, replace(APART, claims=5, new_points=2)]) is None
    assert stopped([ALIKE, ALIKE]) == ("agreed", "from the start")
    assert stopped([APART], cap=1) == ("cap", "")
    assert stopped([], cap=4) is None


def test_the_first_round_after_which_it_could_have_ended_is_named():
    found = first_stop([APART, SOUND, SOUND], 4)
    assert (found.after_round, found.why) == (2, "agreed")
    assert first_stop([APART], 4) is None


def test_returns_are_counted_where_they_were_possible():
    assert returns([["yes", "no", "yes"], ["no", "no", "no"]]) == 0.5
    assert returns([["yes", None, "no", "yes"]]) == 1.0
    assert returns([["yes", "no"]]) is None


@pytest.mark.parametrize(
    ("errors", "found"),
    [([0.1, 0.1, 0.1], 0.0), ([0.1], None), ([0.2, 0.1, 0.2], 1.0), ([0.3, 0.1, 0.2], 2 / 3), ([0.3, 0.2, 0.1], 0.0)],
)
def test_an_error_is_rough_if_it_goes_to_and_fro(errors, found):
    assert roughness(errors) == (found if found is None else pytest.approx(found))


def test_instability_is_the_mean_of_what_is_known():
    assert instability(None, None) is None
    assert instability(None, 2 / 3) == pytest.approx(2 / 3)
    assert instability(1.0, 0.0) == 0.5


def test_drift_counts_changes_without_a_reason():
    first, last = {"a": yes("holds"), "b": no("holds")}, {"a": no("holds"), "b": no("holds")}
    assert drift(first, last, 1, 0) == pytest.approx(0.3902 / 2, abs=5e-5)
    assert drift(first, last, 1, 1) == 0.0
    assert drift(first, first, 0, 0) == 0.0
    assert drift({}, last, 0, 0) is None


def test_influence_is_what_moved_others():
    pairs = [("b", "a"), ("c", "a"), ("a", "a"), ("c", "b")]
    assert influence("abc", pairs) == {"a": 2, "b": 1, "c": 0}


@pytest.mark.parametrize(
    ("values", "found"), [([0, 0, 3], 2 / 3), ([2, 1, 0], 4 / 9), ([1, 1], 0.0), ([0, 0], None), ([5], None)]
)
def test_dominance(values, found):
    assert gini(values) == (found if found is None else pytest.approx(found))


def test_silence_needs_a_challenge():
    assert silence(4, 1) == 0.25
    assert silence(0, 0) is None


def test_names_and_order_of_seats_do_not_matter():
    one = Look(
        {"a": yes("holds"), "b": no("leans"), "c": yes("none")},
        {"a": frozenset("1"), "b": frozenset("12"), "c": frozenset("2")},
    )
    other = Look(
        {"z": yes("none"), "y": no("leans"), "x": yes("holds")},
        {"z": frozenset("2"), "y": frozenset("12"), "x": frozenset("1")},
    )
    assert (one.js, one.ov) == (other.js, other.ov)
