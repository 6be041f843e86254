"""Chance that anybody can repeat."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.judging.rng import Rng


def test_the_same_seed_draws_the_same():
    one, other = (Rng("judge", 1) for _ in range(2))
    assert [one.below(1000) for _ in range(20)] == [other.below(1000) for _ in range(20)]


@pytest.mark.parametrize("seed", [("judge", 2), ("judge1",), ("judge", "1", ""), ()])
def test_another_seed_draws_otherwise(seed):
    one, other = Rng("judge", 1), Rng(*seed)
    assert [one.below(1000) for _ in range(20)] != [other.below(1000) for _ in range(20)]


def test_it_draws_what_splitmix64_draws_elsewhere():
    rng = Rng()
    rng._state = 1234567
    drawn = [rng.below(1 << 64) for _ in range(3)]
    assert drawn == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_a_seed_of_words_is_the_same_on_every_machine():
    assert Rng("order", "seed/run", "judge_1").shuffled("abcdefgh") == list("baehgcdf")


@given(st.integers(1, 1 << 40), st.text())
def test_what_is_drawn_lies_below_its_bound(bound, seed):
    rng = Rng(seed)
    assert all(0 <= rng.below(bound) < bound for _ in range(5))


@given(st.lists(st.integers()), st.text())
def test_shuffling_loses_and_adds_nothing(items, seed):
    mixed = Rng(seed).shuffled(items)
    assert Counter(mixed) == Counter(items)


def test_every_order_comes_about_equally_often():
    seen = Counter("".join(Rng("orders", n).shuffled("abc")) for n in range(6000))
    assert len(seen) == 6
    assert all(900 < times < 1100 for times in seen.values())


def test_every_option_is_chosen_about_equally_often():
    rng = Rng("options")
    seen = Counter(rng.choice("abcd") for _ in range(8000))
    assert all(1850 < seen[option] < 2150 for option in "abcd")
