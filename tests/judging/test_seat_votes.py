"""A majority is of all seats, and nobody elects themselves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.judging.quorum import by_votes, tally
from hustings.transcript.notes import Decided, NoQuorum, TooClose

SEATS = ("ada", "ben", "chi", "dora")
OPTIONS = ("yes", "no")


def outcome(*choices, options=OPTIONS, seats=SEATS):
    return by_votes(tally(seats, dict(zip(seats, choices, strict=False)), options))


def test_all_seats_for_one_option_decide_in_full():
    assert outcome("yes", "yes", "yes", "yes") == Decided(what="yes", extent="full", margin=4)


def test_more_than_half_of_the_seats_decide_in_part():
    assert outcome("yes", "no", "yes", "yes") == Decided(what="yes", extent="partial", margin=2)


def test_an_abstention_counts_against_unanimity():
    assert outcome("yes", "yes", "yes", None) == Decided(what="yes", extent="partial", margin=3)


def test_half_of_the_seats_are_no_majority_even_of_the_votes_given():
    found = outcome("yes", "yes", "no", None)
    assert (found.kind, found.margin) == ("too_close", 1)


def test_a_tie_is_too_close():
    assert outcome("yes", "no", "yes", "no") == TooClose(
        margin=0, reasons=("yes and no tie at 2 of 4 votes, and a majority is 3",)
    )


def test_half_of_the_seats_voting_is_no_quorum():
    assert outcome("yes", "yes") == NoQuorum(needed=3, had=2, abstentions=2)


def test_seats_that_vote_for_themselves_elect_nobody():
    assert outcome(*SEATS, options=SEATS) == NoQuorum(needed=3, had=0, abstentions=4)


def test_two_who_vote_for_themselves_are_no_majority():
    assert outcome("ada", "ben", seats=("ada", "ben"), options=("ada", "ben")).kind == "no_quorum"


def test_one_seat_alone_is_no_quorum():
    assert outcome("yes", seats=("ada",)).kind == "no_quorum"


def test_a_choice_that_is_not_on_offer_is_void():
    votes = tally(SEATS, {"ada": "perhaps", "ben": "yes"}, OPTIONS)
    assert (votes.void, votes.silent, votes.options) == (("ada",), ("chi", "dora"), {"yes": 1, "no": 0})


def test_a_ballot_of_somebody_without_a_seat_is_none():
    assert tally(SEATS, {"moderator": "yes"}, OPTIONS).options == {"yes": 0, "no": 0}


ballots = st.dictionaries(st.sampled_from(SEATS), st.none() | st.sampled_from((*OPTIONS, *SEATS, "else")))


@given(ballots)
def test_every_seat_is_counted_once(given_):
    votes = tally(SEATS, given_, (*OPTIONS, "ben"))
    assert sum(votes.options.values()) + len(votes.void) + len(votes.silent) == votes.seats == 4


@given(ballots)
def test_whatever_is_decided_has_more_than_half_of_the_seats(given_):
    votes = tally(SEATS, given_, OPTIONS)
    found = by_votes(votes)
    assert (found.kind == "decided") == any(2 * count > 4 for count in votes.options.values())


@given(ballots, st.permutations(SEATS))
def test_the_order_of_the_seats_changes_nothing(given_, seats):
    assert by_votes(tally(seats, given_, OPTIONS)) == by_votes(tally(SEATS, given_, OPTIONS))


@pytest.mark.parametrize("seats", [(), ("ada",)])
def test_an_empty_table_is_no_quorum(seats):
    assert by_votes(tally(seats, {}, ())).kind == "no_quorum"
