"""The docket of a panel: where each issue stands follows from the readings, and from nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.protocols.moderated import MOST_ISSUES, Docket, IssueReading
from hustings.report.remarks import docket_line

PAIR = Docket.of({"D-1": {"a": "yes", "b": "no"}})
START = Docket.of({"D-1": {"a": "yes", "b": "no"}, "D-2": {"b": "yes", "c": "no"}})
HOLDS = IssueReading("holds", "yes")
NEWS = IssueReading("holds", "yes", news=True)


def gives_in(now="yes", **more):
    return IssueReading("gives_in", now, **more)


def narrows(words="on weekends", same_as="", **more):
    return IssueReading("narrows", "between", words, same_as, **more)


def opening(parties, many=1):
    return IssueReading("holds", "yes", opens=[parties] * many)


def after(docket, *exchanges, issue="D-1"):
    """Seat and reading, one after the other."""
    for seat, reading in exchanges:
        docket = docket.after(issue, seat, reading)
    return docket


def ended(docket, issue="D-1"):
    body = docket.body()[issue]
    return body["state"], body["answer"], body["moved"]


# -- giving in ---------------------------------------------------------------------------


def test_giving_in_takes_the_answer_of_the_other_side():
    assert ended(after(PAIR, ("a", gives_in("no")))) == ("converged", "no", ["a"])


@pytest.mark.parametrize("now", ["yes", "between"])
def test_giving_in_counts_even_if_the_reading_gives_another_answer(now):
    assert ended(after(PAIR, ("a", gives_in(now)))) == ("converged", "no", ["a"])


def test_an_answer_can_give_in_and_bring_news():
    docket = after(PAIR, ("a", gives_in("no", news=True)))
    assert (docket.state("D-1"), docket.waiting) == ("converged", {("D-1", "b")})


def test_three_agree_when_the_one_on_the_other_side_gives_in():
    three = Docket.of({"D-1": {"a": "yes", "b": "no", "c": "no"}})
    assert after(three, ("a", gives_in("no"))).state("D-1") == "converged"


def test_three_do_not_agree_when_one_of_two_changes_sides():
    three = Docket.of({"D-1": {"a": "yes", "b": "no", "c": "no"}})
    assert after(three, ("b", gives_in("yes"))).state("D-1") == "open"


def test_two_who_change_sides_have_not_agreed():
    three = Docket.of({"D-1": {"a": "yes", "b": "no", "c": "no"}})
    swapped = after(three, ("b", gives_in("yes")), ("a", gives_in("no")))
    assert (swapped.state("D-1"), swapped.now["D-1"]) == ("open", {"a": "no", "b": "yes", "c": "no"})


def test_both_giving_in_is_no_agreement():
    assert after(PAIR, ("a", gives_in("no")), ("b", gives_in("yes"))).state("D-1") == "open"


def test_where_two_are_against_it_the_reading_says_to_which_a_seat_gives_in():
    three = Docket.of({"D-1": {"a": "yes", "b": "no", "c": "no"}})
    between = after(three, ("b", narrows()))
    assert after(between, ("b", gives_in("no"))).now["D-1"]["b"] == "no"


# -- narrowing ---------------------------------------------------------------------------


def test_two_who_narrow_to_the_same_answer_converge():
    docket = after(PAIR, ("a", narrows("on weekends")), ("b", narrows("saturdays, sundays", "a")))
    assert ended(docket) == ("converged", "on weekends", ["a", "b"])


@pytest.mark.parametrize("same_as", ["", "b", "c"])
def test_two_who_narrow_to_answers_of_their_own_stay_apart(same_as):
    docket = after(PAIR, ("a", narrows("on weekends")), ("b", narrows("at night", same_as)))
    assert docket.body()["D-1"] == {
        "state": "open",
        "answer": "",
        "says": {"a": "on weekends", "b": "at night"},
        "moved": ["a", "b"],
    }


def test_narrowing_to_the_answer_of_the_other_side_converges():
    assert ended(after(PAIR, ("a", IssueReading("narrows", "no")))) == ("converged", "no", ["a"])


def test_giving_in_to_an_answer_in_between_takes_it_over():
    docket = after(PAIR, ("a", narrows("on weekends")), ("b", gives_in("between")))
    assert ended(docket) == ("converged", "on weekends", ["a", "b"])


def test_an_answer_in_between_without_words_is_still_told():
    docket = after(PAIR, ("a", narrows("")), ("b", narrows("", "a")))
    assert ended(docket) == ("converged", "something in between", ["a", "b"])


def test_an_answer_that_two_share_is_told_in_the_words_of_the_one_who_gave_some():
    docket = after(PAIR, ("a", narrows("")), ("b", narrows("at night", "a")))
    assert docket.body()["D-1"]["says"] == {"a": "at night", "b": "at night"}


def test_a_seat_that_moves_on_leaves_those_who_shared_its_answer_behind():
    shared = after(PAIR, ("a", narrows("on weekends")), ("b", narrows("on weekends", "a")))
    assert after(shared, ("a", narrows("at night"))).body()["D-1"]["says"] == {"a": "at night", "b": "on weekends"}


# -- holding on --------------------------------------------------------------------------


def test_an_issue_is_deadlocked_when_both_hold_and_neither_owes_an_answer():
    assert after(PAIR, ("a", HOLDS), ("b", HOLDS)).state("D-1") == "deadlocked"


def test_an_issue_on_which_one_has_not_been_heard_is_open():
    assert after(PAIR, ("a", HOLDS), ("a", HOLDS)).state("D-1") == "open"


def test_something_new_opens_a_deadlock_until_it_is_answered():
    docket = after(PAIR, ("a", HOLDS), ("b", HOLDS), ("a", NEWS))
    assert [docket.state("D-1"), after(docket, ("b", HOLDS)).state("D-1")] == ["open", "deadlocked"]


def test_a_seat_that_moves_has_to_be_answered_anew():
    docket = after(PAIR, ("a", HOLDS), ("b", HOLDS), ("a", narrows()))
    assert (docket.state("D-1"), docket.held, docket.waiting) == ("open", frozenset(), {("D-1", "b")})


def test_a_deadlock_ends_the_debate_only_after_two_exchanges_without_news():
    fresh = after(PAIR, ("a", HOLDS), ("b", HOLDS), ("a", NEWS), ("b", HOLDS))
    assert [fresh.settled, after(fresh, ("b", HOLDS)).settled] == [False, True]


def test_agreement_ends_the_debate_at_once():
    assert after(PAIR, ("a", gives_in("no"))).settled


def test_an_exchange_without_an_answer_counts_and_brings_nothing():
    docket = after(PAIR, ("a", NEWS)).unanswered()
    assert (docket.exchanges, docket.stale, docket.state("D-1")) == (2, 1, "open")


# -- seats from outside -------------------------------------------------------------------


@pytest.mark.parametrize("reading", [HOLDS, gives_in("no"), narrows()])
def test_a_seat_from_outside_can_neither_settle_nor_block_an_issue(reading):
    docket = after(PAIR, ("c", reading))
    assert (docket.state("D-1"), docket.now, docket.stale) == ("open", PAIR.now, 1)


def test_a_seat_from_outside_can_bring_news_to_both_sides():
    assert after(PAIR, ("c", NEWS)).waiting == {("D-1", "a"), ("D-1", "b")}


# -- issues that come and go --------------------------------------------------------------


def test_a_settled_issue_can_be_taken_up_again():
    docket = after(PAIR, ("a", gives_in("no")), ("b", narrows("at night")))
    assert (docket.state("D-1"), docket.settled) == ("open", False)


def test_an_issue_can_be_opened_later():
    docket = after(START, ("a", opening({"a": "yes", "c": "no"})))
    assert (docket.issues["D-3"], docket.state("D-3"), docket.stale) == ({"a": "yes", "c": "no"}, "open", 0)


def test_an_issue_that_was_opened_later_is_settled_like_the_others():
    docket = after(PAIR, ("a", gives_in("no", opens=[{"a": "yes", "c": "no"}])))
    assert [docket.settled, docket.after("D-2", "c", gives_in("yes")).settled] == [False, True]


def test_there_are_never_more_issues_than_a_panel_can_treat():
    docket = START
    for _ in range(3):
        docket = after(docket, ("a", opening({"a": "yes", "c": "no"}, many=3)))
    assert list(docket.issues) == [f"D-{n}" for n in range(1, MOST_ISSUES + 1)]


def test_an_issue_that_is_opened_takes_the_place_of_no_other():
    docket = Docket.of({"D-2": {"a": "yes", "b": "no"}, "D-3": {"b": "yes", "c": "no"}})
    assert len(after(docket, ("a", opening({"a": "yes", "c": "no"})), issue="D-2").issues) == 3


def test_an_issue_is_overtaken_by_an_alternative():
    docket = after(START, ("a", IssueReading("holds", "yes", overtakes={"D-2": "a free bus for all"})))
    assert ended(docket, "D-2") == ("overtaken", "a free bus for all", [])


def test_an_overtaken_issue_counts_as_converged():
    docket = after(PAIR, ("a", IssueReading("holds", "yes", overtakes={"D-1": "a free bus for all"})))
    assert (docket.status, docket.settled) == ("converged", True)


# -- what is told of it -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("docket", "status"),
    [
        (Docket.of({}), "converged"),
        (START, "open"),
        (after(START, ("a", gives_in("no"))), "open"),
        (after(PAIR, ("a", gives_in("no"))), "converged"),
        (after(PAIR, ("a", HOLDS), ("b", HOLDS)), "deadlocked"),
        (
            after(after(START, ("a", gives_in("no"))), ("b", HOLDS), ("c", HOLDS), issue="D-2"),
            "partially converged",
        ),
    ],
)
def test_the_status_sums_up_all_issues(docket, status):
    assert docket.status == status


def test_the_body_tells_state_answer_who_says_what_and_who_moved():
    docket = after(START, ("a", gives_in("no")))
    assert docket.body() == {
        "D-1": {"state": "converged", "answer": "no", "says": {"a": "no", "b": "no"}, "moved": ["a"]},
        "D-2": {"state": "open", "answer": "", "says": {"b": "yes", "c": "no"}, "moved": []},
    }


def test_the_moderator_is_told_states_answers_and_who_owes_one():
    docket = after(START, ("a", narrows("on weekends")))
    assert docket.told() == "D-1 open (a between, b no and owes an answer); D-2 open (b yes, c no)"


def test_without_an_issue_the_moderator_is_told_so():
    assert Docket.of({}).told() == "no issue"


# -- laws ----------------------------------------------------------------------------------

WORDS = "Zyzzyva"
READINGS = st.builds(
    IssueReading,
    st.sampled_from(["holds", "gives_in", "narrows"]),
    st.sampled_from(["yes", "no", "between"]),
    st.sampled_from(["", WORDS]),
    st.sampled_from(["", "a", "b", "c"]),
    news=st.booleans(),
)
EXCHANGES = st.lists(st.tuples(st.sampled_from(["D-1", "D-2"]), st.sampled_from("abc"), READINGS), max_size=20)


def heard(exchanges):
    docket = START
    for exchange in exchanges:
        docket = docket.after(*exchange)
    return docket


@given(EXCHANGES)
def test_a_settled_docket_has_nothing_open(exchanges):
    docket = heard(exchanges)
    if docket.settled:
        assert docket.unsettled == ()


@given(EXCHANGES)
def test_where_two_stay_apart_it_ends_only_after_two_exchanges_without_news(exchanges):
    docket = heard(exchanges)
    if docket.settled and "deadlocked" in map(docket.state, docket.issues):
        assert [reading.news for _, _, reading in exchanges[-2:]] == [False, False]


@given(EXCHANGES, st.sampled_from(["D-1", "D-2"]), st.sampled_from("abc"))
def test_something_new_on_an_issue_without_agreement_keeps_the_debate_going(exchanges, issue, seat):
    docket = heard(exchanges)
    if docket.state(issue) != "converged":
        assert not docket.after(issue, seat, NEWS).settled


@given(EXCHANGES)
def test_what_happens_on_one_issue_does_not_move_the_other(exchanges):
    only = [exchange for exchange in exchanges if exchange[0] == "D-1"]
    assert heard(exchanges).body()["D-1"] == heard(only).body()["D-1"]


@given(EXCHANGES)
def test_an_issue_has_an_answer_exactly_if_all_say_the_same(exchanges):
    for issue in heard(exchanges).body().values():
        assert bool(issue["answer"]) == (issue["state"] == "converged")


@given(EXCHANGES)
def test_the_moderator_is_told_no_words_of_a_speaker(exchanges):
    assert WORDS not in heard(exchanges).told()


# -- told in a line ------------------------------------------------------------------------


def test_a_line_tells_each_issue_with_its_answer():
    docket = after(START, ("b", gives_in()))
    assert docket_line(docket.body()) == "D-1 converged: yes, D-2 open"


def test_an_older_docket_of_states_alone_is_told_too():
    assert docket_line({"D-1": "converged", "D-2": "open"}) == "D-1 converged, D-2 open"
