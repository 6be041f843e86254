"""A briefing names the strongest arguments, what to check first, and what happened to each argument."""

import pytest
from hypothesis import given

from hustings.judging.arguments import QuestionLeftOpen
from hustings.judging.briefing import CAVEAT, FIRST, MOST_UNRESOLVED
from hustings.judging.judgement import Control, Votes
from hustings.text.words import count_words

from .test_briefing import (
    FOR_PRO,
    PAIR,
    RANK,
    REACHED,
    TALLY,
    UNREACHED,
    arguments,
    briefed,
    kinds,
    traced,
)

# -- the strongest on each side ----------------------------------------------------------


def points(trace, outcome=FOR_PRO, **more):
    return [(point.side, point.id) for point in briefed(outcome, trace=trace, **more).strongest]


def test_the_strongest_of_each_side_is_told_with_what_happened_to_it():
    first, second = briefed(
        trace=[traced("PRO-1", examined="Con challenged it, answered"), traced("CON-1", "partially_upheld")], pair=PAIR
    ).strongest
    assert (first.side, first.id, first.claim, first.standing, first.happened) == (
        "Pro", "PRO-1", "The claim of PRO-1.", "upheld", "Con challenged it, answered",
    )  # fmt: skip
    assert (second.side, second.id, second.standing) == ("Con", "CON-1", "partially_upheld")


def test_an_upheld_argument_comes_before_a_stronger_one_upheld_in_part():
    trace = [traced("PRO-1", "partially_upheld", strength=0.9, score=9.0), traced("PRO-2", strength=0.61, score=4.0)]
    assert points(trace, pair=PAIR) == [("Pro", "PRO-2")]


@pytest.mark.parametrize("standing", ["refuted", "withdrawn"])
def test_a_side_of_which_nothing_held_up_has_no_strongest(standing):
    assert points([traced("PRO-1", standing, strength=0.9)], pair=PAIR) == []


def test_without_sides_there_is_one_for_each_answer():
    trace = [traced("A-1", seat="a"), traced("D-1", seat="d"), traced("B-1", seat="b", strength=0.9)]
    assert points(trace, votes=TALLY) == [("speakers at yes", "B-1"), ("speakers at no", "D-1")]


def test_where_all_ended_at_one_answer_the_best_of_two_speakers_are_told():
    votes = Votes(options={"yes": 3, "no": 0}, seats=3, chosen=dict.fromkeys("abc", "yes"))
    trace = [traced(f"{seat.upper()}-1", seat=seat, strength=n / 10) for n, seat in enumerate("abc", 5)]
    assert points(trace, votes=votes, names={"c": "Chi"}) == [("Chi", "C-1"), ("B", "B-1")]


def test_where_nothing_was_argued_nothing_is_the_strongest():
    assert points([], pair=PAIR) == points([]) == []


def weight(row):
    return RANK[row.standing], row.strength or 0.0, row.score or 0.0


@given(arguments)
def test_nothing_stronger_of_the_same_side_is_left_out(trace):
    told = {point.side: point.id for point in briefed(trace=trace, pair=PAIR).strongest}
    for side, label in (("pro", "Pro"), ("con", "Con")):
        live = [row for row in trace if row.side == side and row.standing in RANK]
        assert (label in told) == bool(live)
        if live:
            best = next(row for row in live if row.id == told[label])
            assert weight(best) == max(map(weight, live))


# -- what to check -----------------------------------------------------------------------


def test_a_question_is_asked_once_however_often_it_was_put():
    asked = [("PRO-1", "Who pays?"), ("CON-1", "who  pays?"), ("PRO-1", " "), ("PRO-2", "When?")]
    told = ("Unanswered (PRO-1): Who pays?", "Unanswered (PRO-2): When?")
    found = briefed(questions=[QuestionLeftOpen(*one) for one in asked])
    assert (found.unresolved, found.check_first) == (told, told)


def test_a_question_that_was_answered_in_vain_is_still_open_and_not_called_unanswered():
    found = briefed(questions=[QuestionLeftOpen("PRO-1", "Who pays?", answered=True)])
    assert found.unresolved == ("Still open (PRO-1): Who pays?",)


def test_questions_about_what_held_up_come_first_and_about_what_fell_last():
    trace = [traced("PRO-1", "refuted"), traced("PRO-2", "uncertain"), traced("PRO-3")]
    asked = [("PRO-1", "Who pays?"), ("CON-1", "When?"), ("PRO-3", "How much?")]
    assert briefed(trace=trace, questions=[QuestionLeftOpen(*one) for one in asked]).unresolved == (
        "Unanswered (PRO-3): How much?",
        "PRO-2 (Pro): The claim of PRO-2. Because of PRO-2.",
        "Unanswered (PRO-1): Who pays?",
        "Unanswered (CON-1): When?",
    )


@pytest.mark.parametrize(("guards", "word"), [(("unexamined",), "Untested"), ((), "Unsettled")])
def test_an_open_argument_is_told_in_short_among_what_to_check_first(guards, word):
    trace = [traced("PRO-1", "uncertain", guards=guards)]
    assert briefed(trace=trace).check_first == (f"{word} (PRO-1): The claim of PRO-1.",)


def test_three_are_to_be_checked_first():
    found = briefed(questions=[QuestionLeftOpen("PRO-1", f"Question {n}?") for n in range(20)])
    assert found.check_first == found.unresolved[:FIRST]
    assert len(found.check_first) == 3


def test_what_is_left_out_is_counted():
    told = briefed(questions=[QuestionLeftOpen("PRO-1", f"Question {n}?") for n in range(20)]).unresolved
    assert len(told) == MOST_UNRESOLVED
    assert told[-1] == "and 9 more in the transcript"


# -- lists -------------------------------------------------------------------------------


def test_a_line_names_who_said_what_and_why_it_has_its_status():
    assert briefed(trace=[traced("PRO-1")]).held_up == ("PRO-1 (Pro): The claim of PRO-1. Because of PRO-1.",)


def test_what_was_upheld_comes_before_what_was_partly_upheld():
    trace = [traced("PRO-1", "partially_upheld"), traced("CON-1")]
    assert [line[:5] for line in briefed(trace=trace).held_up] == ["CON-1", "PRO-1"]


def test_what_its_own_side_took_back_is_listed_apart():
    found = briefed(trace=(traced("PRO-1", "withdrawn"), traced("CON-1", "refuted")))
    assert [len(lines) for lines in (found.held_up, found.refuted, found.withdrawn)] == [0, 1, 1]


@given(arguments)
def test_every_argument_is_in_one_list_and_in_one_alone(trace):
    told = briefed(trace=trace)
    lines = [*told.held_up, *told.refuted, *told.withdrawn, *told.unresolved]
    assert sorted(line.split(" ")[0] for line in lines) == sorted(made.id for made in trace)


def test_a_long_claim_is_shortened():
    told = briefed(trace=[traced(claim="word " * 200, reason="", standing="upheld")])
    assert all(count_words(line) <= 43 for line in told.held_up)


def test_what_was_answered_without_a_debate_is_told():
    control = Control(comparable=True, said="Without debate: yes (2 of 3 models). The debate says no.")
    assert briefed(control=control).without_debate == control.said


@kinds([*REACHED, *UNREACHED])
def test_the_caveat_says_what_is_measured_and_what_to_do_whatever_came_of_it(outcome):
    assert briefed(outcome).caveat == CAVEAT
    assert all(said in CAVEAT for said in ("argued better, not who is right", "read the transcript"))
