"""A stance is a reader's two words; the numbers, and what counts as a move, are ours."""

import pytest

from hustings.lab.bundle import Stance, beliefs, blinded, favoured, mean_beliefs, moved

from .evaluated import BUNDLES, YES_NO, no, yes


@pytest.mark.parametrize(("word", "p"), [("none", 0.5), ("leans", 0.7), ("holds", 0.85), ("certain", 0.95)])
def test_each_word_puts_its_option_so_far_above_chance(word, p):
    assert yes(word) == pytest.approx({"yes": p, "no": 1 - p})


def test_of_four_options_the_other_three_share_the_rest():
    assert beliefs("b", "holds", "abcd") == pytest.approx({"a": 0.075, "b": 0.775, "c": 0.075, "d": 0.075})


@pytest.mark.parametrize("option", ["maybe", None])
def test_an_option_that_was_not_offered_is_no_stance(option):
    assert beliefs(option, "certain", YES_NO) == {"yes": 0.5, "no": 0.5}


def test_several_readers_are_averaged_and_none_at_all_is_no_stance():
    assert mean_beliefs([yes("holds"), no("holds")]) == pytest.approx({"yes": 0.5, "no": 0.5})
    assert mean_beliefs([]) is None


@pytest.mark.parametrize(
    ("before", "after", "deed"),
    [
        (yes("holds"), yes("certain"), "part"),
        (yes("holds"), yes("holds"), "none"),
        (yes("holds"), yes("none"), "part"),
        (yes("holds"), no("leans"), "full"),
        (None, yes("holds"), None),
        (yes("holds"), None, None),
    ],
)
def test_how_far_a_position_moved(before, after, deed):
    assert moved(before, after) == deed


def test_who_is_undecided_favours_nothing():
    assert [favoured(stance) for stance in (yes("leans"), no("holds"), yes("none"), None)] == ["yes", "no", None, None]


def test_published_bundles_name_no_seat():
    shown = blinded(BUNDLES, {"a": "Robin", "b": "Sasha"})
    assert [(bundle.seat, [one.by for one in bundle.critiques]) for bundle in shown] == [
        ("Robin", []),
        ("Sasha", []),
        ("Sasha", ["Robin"]),
        ("Robin", ["Sasha"]),
    ]


def test_a_bundle_takes_no_field_that_it_does_not_know():
    with pytest.raises(ValueError, match="model"):
        Stance.model_validate({"beliefs": {"yes": 1.0}, "model": "x/y"})
