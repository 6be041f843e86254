"""The null tests, as a part of the suite; `python -m benchmarks.nulls` runs all of them over all seeds."""

import pytest

from . import nulls
from .nulls import EVERY, OPEN, OPPOSED

SEEDS = 1
"""`make nightly` holds every one with twenty (`make proof NAME=nulls`)."""


def over(*protocols):
    cases = [pytest.param(p, range(SEEDS), id=p) for p in protocols]
    return pytest.mark.parametrize(("protocol", "seeds"), cases)


def wrong_with(null, protocol, seeds, **how):
    return [wrong for seed in seeds for found in null(protocol, seed, **how) for wrong in found.wrong]


@over(*EVERY)
def test_fair_judges_find_what_the_words_bear_out(protocol, seeds):
    assert wrong_with(nulls.clear_case, protocol, seeds) == []


@over(*EVERY)
def test_garbage_from_all_judges_is_no_vote_and_no_score_and_no_quorum(protocol, seeds):
    assert wrong_with(nulls.garbage, protocol, seeds) == []


@over(*EVERY)
def test_a_judge_who_talks_garbage_is_in_no_mean_and_the_others_decide(protocol, seeds):
    assert wrong_with(nulls.garbage_from_one, protocol, seeds) == []


@over(*EVERY)
def test_without_one_family_of_three_the_others_decide_and_it_is_said(protocol, seeds):
    assert wrong_with(nulls.one_family_down, protocol, seeds) == []


@over(*EVERY)
def test_without_two_families_of_three_there_is_no_quorum(protocol, seeds):
    assert wrong_with(nulls.two_families_down, protocol, seeds) == []


@over(*EVERY)
def test_marks_that_rest_on_no_words_are_no_marks(protocol, seeds):
    assert wrong_with(nulls.ungrounded, protocol, seeds) == []


@over(*EVERY)
def test_what_is_no_score_on_the_form_is_never_accepted(protocol, seeds):
    assert wrong_with(nulls.out_of_schema, protocol, seeds) == []


@over(*EVERY)
def test_nobody_wins_where_all_say_the_same(protocol, seeds):
    assert wrong_with(nulls.identical, protocol, seeds) == []


@over(*OPPOSED)
def test_nobody_wins_where_everything_gets_ten(protocol, seeds):
    assert wrong_with(nulls.all_tens, protocol, seeds) == []


@over(*OPEN)
def test_whoever_is_for_themselves_makes_no_majority(protocol, seeds):
    assert wrong_with(nulls.self_voters, protocol, seeds) == []


@over(*OPPOSED)
def test_points_for_being_shown_first_cancel_out_and_are_reported(protocol, seeds):
    assert wrong_with(nulls.first_shown, protocol, seeds) == []


@over(*OPPOSED)
def test_points_for_having_spoken_first_cancel_out(protocol, seeds):
    assert wrong_with(nulls.first_in_the_record, protocol, seeds) == []


@over(*OPPOSED)
def test_the_same_words_from_the_other_side_stand_as_they_stood(protocol, seeds):
    assert wrong_with(nulls.swapped_sides, protocol, seeds) == []


@over(*OPPOSED)
def test_padding_gains_nothing_where_neither_side_is_better(protocol, seeds):
    assert wrong_with(nulls.padded, protocol, seeds, by="neither") == []


@over(*OPPOSED)
def test_padding_brings_the_better_side_nothing(protocol, seeds):
    assert wrong_with(nulls.padded, protocol, seeds, by="the better") == []


@over(*OPPOSED)
def test_the_worse_side_cannot_pad_its_way_out_of_a_defeat(protocol, seeds):
    assert wrong_with(nulls.padded, protocol, seeds, by="the worse") == []


@over(*OPPOSED)
def test_judges_who_love_length_are_found_out_and_decide_nothing(protocol, seeds):
    assert wrong_with(nulls.loved_for_length, protocol, seeds) == []


@over(*EVERY)
def test_instructions_in_somebodys_words_move_no_score_and_win_nothing(protocol, seeds):
    assert wrong_with(nulls.injected, protocol, seeds) == []


@over(*EVERY)
def test_an_instruction_that_a_judge_copies_does_not_come_back_outside_of_the_fence(protocol, seeds):
    assert wrong_with(nulls.parroted, protocol, seeds) == []
