"""Votes of people beside the panel."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.judging.audience import Vote, tally
from hustings.judging.dossier import Dossier
from hustings.transcript.notes import Decided, NoQuorum
from tests.report.judged import DECIDED, TOO_CLOSE

from .judgings import debated

PLAYED = debated("structured").proceedings
CAST = st.builds(
    Vote,
    winner=st.sampled_from(["pro", "con", None]),
    standings=st.dictionaries(
        st.sampled_from(["PRO-1", "CON-1", "X-9"]), st.sampled_from(["upheld", "refuted", "uncertain"]), max_size=3
    ),
)


def counted(*votes, judgement=DECIDED):
    cast = {str(n): vote.model_dump_json() for n, vote in enumerate(votes)}
    return tally(Dossier(proceedings=PLAYED, judgement=judgement), cast, "0")


def test_votes_are_counted_by_winner_and_a_tie_has_no_name():
    assert counted(Vote(winner="pro"), Vote(winner="con"), Vote(winner="con"), Vote(winner=None)).winners == {
        "pro": 1, "con": 2, "": 1,
    }  # fmt: skip


def test_agreement_is_the_share_that_says_what_the_panel_says():
    found = counted(Vote(winner="con"), Vote(winner="pro"), Vote(winner="con"), Vote(winner=None))
    assert (found.panel, found.agree_on_winner) == ("con", 0.5)


def test_a_panel_that_favours_nobody_agrees_with_those_who_do_not_either():
    found = counted(Vote(winner=None), Vote(winner="pro"), judgement=TOO_CLOSE)
    assert (found.panel, found.agree_on_winner) == (None, 0.5)


@pytest.mark.parametrize(
    "judgement",
    [
        None,
        DECIDED.model_copy(update={"outcome": NoQuorum(needed=2, had=1)}),
        DECIDED.model_copy(update={"outcome": Decided(what="1 of 2 issues converged", extent="partial")}),
    ],
)
def test_nobody_agrees_with_a_panel_that_says_nothing_one_can_vote_on(judgement):
    found = counted(Vote(winner="con"), judgement=judgement)
    assert (found.panel, found.agree_on_winner) == (None, None)


def test_standings_agree_argument_by_argument():
    mine = Vote(winner=None, standings={"PRO-2": "refuted", "CON-1": "refuted", "PRO-9": "upheld"})
    found = counted(mine, Vote(winner=None, standings={"CON-1": "upheld"}))
    assert (found.agree_on_standings, found.standings["CON-1"]) == (2 / 3, {"refuted": 1, "upheld": 1})


def test_whoever_voted_sees_their_own_vote():
    assert counted(Vote(winner="pro", sure=80, remark="Well.")).mine == Vote(winner="pro", sure=80, remark="Well.")


def test_a_tally_can_be_sent():
    sent = json.loads(counted(Vote(winner=None, standings={"PRO-1": "upheld"})).model_dump_json())
    assert (sent["winners"], sent["standings"]) == ({"": 1}, {"PRO-1": {"upheld": 1}})


@given(st.lists(CAST, min_size=1, max_size=6), st.randoms(use_true_random=False))
def test_the_order_of_votes_changes_nothing_but_whose_is_mine(votes, rng):
    others = rng.sample(votes[1:], len(votes) - 1)
    assert counted(votes[0], *others) == counted(*votes)


@given(st.lists(CAST, min_size=1, max_size=6))
def test_every_vote_is_counted_once(votes):
    found = counted(*votes)
    assert sum(found.winners.values()) == found.votes == len(votes)
    assert sum(sum(each.values()) for each in found.standings.values()) == sum(len(vote.standings) for vote in votes)
