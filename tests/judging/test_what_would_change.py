"""What would change a verdict is told by its smallest step, and taking that step really changes it."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hustings.judging.judgement import IssueResult, Reliability, Votes
from hustings.judging.lean import CLEAR, lean
from hustings.judging.marks import Observation
from hustings.judging.quorum import Sheets, by_votes
from hustings.judging.totals import LEAD, gap, side_totals
from hustings.judging.verdict import verdict
from hustings.judging.what_would_change import NOTHING, what_would_change
from hustings.text.words import count_words
from hustings.transcript.notes import BudgetStopped, Cancelled, Deadlocked, Decided, Failed, NoQuorum, TooClose
from tests.rig.lanes import examples

from .givens import Given
from .panels import CON, ONE, PRO, SIDE_OF, panel
from .test_briefing import PAIR, reliability, scored, traced
from .test_briefing import gap as gap_of

ROWS = tuple(traced(item, claim=f"What {item} says.") for item in (*PRO, *CON))


def found_by(marks, items=(*PRO, *CON), **more):
    """Findings of two sides from the mark that every judge gives each item."""
    seen = panel(lambda judge, order, item: marks[item], judges="ab", orders=1, items=items)
    sides = {item: SIDE_OF[item] for item in items}
    return Given(
        **{
            "pair": PAIR,
            "trace": tuple(row for row in ROWS if row.id in items),
            "seen": seen,
            "measured": (seen, ONE, sides, {}),
            "totals": side_totals(seen, ONE, sides, "seed"),
            "gap": gap(seen, ONE, sides, PAIR, "seed"),
            "reliability": reliability(),
            "sheets": {(one.judge, one.order): Sheets(1, 1) for one in seen},
            **more,
        }
    )


def told(found):
    return what_would_change(found, verdict(found).outcome)


def marks(*numbers):
    return dict(zip((*PRO, *CON), map(float, numbers), strict=True))


# -- two sides -----------------------------------------------------------------------------


def test_the_argument_that_the_lead_depends_on_is_named_with_its_claim_and_the_lead_left():
    assert told(found_by(marks(10, 6, 5, 5, 5, 5))) == (
        "If PRO-1 fell (“What PRO-1 says.”), the lead would shrink from 2.00 to 0.50 points: too close."
    )


def test_the_losing_side_s_arguments_are_not_what_it_depends_on():
    assert "CON" not in told(found_by(marks(10, 6, 6, 5, 5, 1)))


def test_where_no_single_argument_decides_that_is_said():
    assert told(found_by(marks(9, 9, 9, 5, 5, 5))) == NOTHING


def test_a_side_with_one_argument_would_have_no_case_without_it():
    items = ("PRO-1", *CON)
    assert told(found_by(marks(9, 1, 1, 5, 5, 5), items)) == NOTHING


def test_a_competition_s_lead_is_told_a_speech():
    assert told(found_by(marks(9, 9, 9, 5, 5, 5), by_speech=True)) == (
        "A lead below 1.0 point a speech would be too close. Now it is 4.0."
    )


whole = st.lists(st.integers(1, 10), min_size=6, max_size=6).map(lambda numbers: marks(*numbers))


def lead_without(given_marks, what, item):
    """Every judge gives the same mark, so the mean of a side is that of its marks."""
    left = {
        side: [mark for other, mark in given_marks.items() if SIDE_OF[other] == side and other != item] for side in PAIR
    }
    pro, con = (sum(left[side]) / len(left[side]) for side in PAIR)
    return round((pro - con) * (1 if what == "pro" else -1), 6)


@settings(max_examples=examples(60), deadline=None)
@given(whole)
def test_without_the_argument_it_names_less_than_a_point_of_lead_is_left(given_marks):
    found = found_by(given_marks)
    outcome = verdict(found).outcome
    named = re.match(r"If (\w+-\d) fell", what_would_change(found, outcome))
    if named:
        assert SIDE_OF[named[1]] == outcome.what
        assert lead_without(given_marks, outcome.what, named[1]) < LEAD


@settings(max_examples=examples(60), deadline=None)
@given(whole)
def test_no_argument_of_the_winner_leaves_less_than_the_one_it_names(given_marks):
    found = found_by(given_marks)
    outcome = verdict(found).outcome
    if outcome.kind == "decided":
        own = [item for item, side in SIDE_OF.items() if side == outcome.what]
        least = min(own, key=lambda item: lead_without(given_marks, outcome.what, item))
        left = lead_without(given_marks, outcome.what, least)
        named = re.match(r"If (\w+-\d) fell", what_would_change(found, outcome))
        assert bool(named) == (left < LEAD)
        assert not named or lead_without(given_marks, outcome.what, named[1]) == pytest.approx(left)


def test_a_lead_of_exactly_a_point_is_none_that_would_be_too_close():
    """6.1 − 5.1 is less than 1 in binary: what is left is rounded as the verdict rounds it."""
    items = ("PRO-1", "PRO-2", "CON-1")
    seen = panel(lambda judge, order, item: {"PRO-1": 8.1, "PRO-2": 6.1}.get(item, 5.1), items=items)
    sides = {"PRO-1": "pro", "PRO-2": "pro", "CON-1": "con"}
    found = Given(pair=PAIR, trace=ROWS, measured=(seen, ONE, sides, {}), gap=gap(seen, ONE, sides, PAIR, "seed"))
    assert what_would_change(found, Decided(what="pro", extent="full", margin=2)) == NOTHING


# -- what held up, where the scores do not decide ------------------------------------------


def leaning(bearing, strength=0.8, value=0.4):
    """A close gap, and a decision by what held up: argument to how much it bears on the question."""
    seen = [Observation(judge, 0, {item: {"bearing": mark} for item, mark in bearing.items()}) for judge in "ab"]
    trace = tuple(row.model_copy(update={"strength": strength}) for row in ROWS if row.id in bearing)
    return Given(
        pair=PAIR,
        seen=seen,
        trace=trace,
        gap=gap_of(value, "evenly matched"),
        lean=lean(trace, seen, PAIR),
        reliability=reliability(),
        totals=scored(pro=6.0, con=5.6),
    )


def test_the_arguments_that_what_held_up_depends_on_are_named():
    found = leaning({"PRO-1": 9.0, "PRO-2": 2.0, "CON-1": 3.0})
    assert re.fullmatch(r"If PRO-1 fell \(“.*”\), it would be too close to call\.", told(found))


def test_where_what_held_up_has_several_legs_none_is_named():
    found = leaning({"PRO-1": 9.0, "PRO-2": 9.0, "CON-1": 2.0})
    assert told(found) == NOTHING


@settings(max_examples=examples(150))
@given(st.fixed_dictionaries({item: st.integers(1, 10).map(float) for item in (*PRO, *CON)}), st.floats(0.1, 1))
def test_without_any_argument_it_names_what_held_up_speaks_clearly_for_nobody(bearing, strength):
    found = leaning(bearing, strength)
    outcome = verdict(found).outcome
    if outcome.kind != "decided":
        return
    named = re.findall(r"If (\w+-\d) fell", what_would_change(found, outcome))
    sign = 1 if outcome.what == "pro" else -1
    for item in named:
        rest = lean([row for row in found.trace if row.id != item], found.seen, PAIR)
        assert rest is None or sign * rest.value < CLEAR
    assert len({item for item in named if item in {row.id for row in found.trace}}) <= 1


@pytest.mark.parametrize("value", [2.0, -2.0])
def test_a_decision_by_what_held_up_does_not_depend_on_a_lead_that_could_be_chance(value):
    """The gap is wide, but its range contains zero: points decide nothing, whichever side they speak for."""
    found = leaning({"PRO-1": 9.0, "PRO-2": 2.0, "CON-1": 3.0}, value=value)
    assert verdict(found).outcome.what == "pro"
    assert re.fullmatch(r"If PRO-1 fell \(“.*”\), it would be too close to call\.", told(found))


def test_a_leaning_without_marks_names_nothing():
    found = Given(pair=PAIR, gap=gap_of(0.4, "evenly matched"), lean=None, trace=ROWS)
    assert what_would_change(found, Decided(what="pro", extent="partial", margin=0.4)) == NOTHING


# -- a side that gave up -------------------------------------------------------------------


def test_a_decision_by_a_side_s_own_last_words_says_so_and_what_the_scores_say():
    found = Given(pair=PAIR, totals=scored(pro=5.2, con=6.0), gap=gap_of(-0.8, "evenly matched"))
    assert what_would_change(found, Decided(what="pro", extent="full")) == (
        "Decided by Con's own concession, not by scores. "
        "By scores alone it would be too close: Pro 5.2, Con 6.0 out of 10."
    )


def test_without_scores_only_the_last_words_are_named():
    found = Given(pair=PAIR, totals=scored(pro=5.2))
    assert (
        what_would_change(found, Decided(what="con", extent="full")).strip()
        == "Decided by Pro's own concession, not by scores."
    )


# -- too close -----------------------------------------------------------------------------


def test_a_small_gap_needs_a_point():
    assert what_would_change(Given(gap=gap_of(-0.4, "evenly matched")), TooClose(margin=0.4)) == (
        "A verdict needs a lead of 1.0 point. Now it is 0.4."
    )


def test_a_lead_that_does_not_count_needs_judges_who_agree():
    found = found_by(marks(7, 7, 7, 5, 5, 5), reliability=reliability("do not rely", alpha=0.2))
    assert verdict(found).outcome.kind == "too_close"
    assert told(found) == "The lead of 2.0 points would count if the judges agreed more."


def test_a_lead_that_length_explains_does_not_need_judges_who_agree():
    sloped = Reliability(word="good", items=6, judges=3, observations=6, alpha=0.9, length_slope=2.0)
    found = found_by(marks(7, 7, 7, 5, 5, 5), reliability=sloped, doublings=1.0)
    assert verdict(found).outcome.reasons == ("The difference in length explains the gap",)
    assert "agreed more" not in told(found)


def test_where_neither_side_defends_its_answer_no_lead_would_help():
    stances = {"pro": {"says": "no", "condition": "", "why": "w"}, "con": {"says": "yes", "condition": "", "why": "w"}}
    found = found_by(marks(5, 5, 5, 5, 5, 5), stances=stances)
    assert verdict(found).outcome.reasons == ("Neither side still defends its answer to the question as put",)
    assert "needs a lead" not in told(found)


def test_without_anything_to_compare_nothing_is_said():
    assert what_would_change(Given(), TooClose(margin=0)) == ""


# -- votes ---------------------------------------------------------------------------------


def ballots(yes, no, silent=0):
    seats = [f"s{n}" for n in range(yes + no + silent)]
    chosen = {seat: "yes" if n < yes else "no" for n, seat in enumerate(seats[: yes + no])}
    return Votes(options={"yes": yes, "no": no}, seats=len(seats), silent=tuple(seats[yes + no :]), chosen=chosen)


counts = st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 3)).filter(lambda n: sum(n) > 1)


def moved(counted, n):
    """The outcome if n speakers change from yes to no."""
    yes, no, silent = counted
    return by_votes(ballots(yes - n, no + n, silent))


@given(counts)
def test_as_many_speakers_as_it_says_undo_a_majority_and_one_fewer_does_not(counted):
    outcome = by_votes(ballots(*counted))
    if outcome.kind != "decided" or outcome.what != "yes":
        return
    told = what_would_change(Given(votes=ballots(*counted)), outcome)
    many = 1 if told.startswith("One speaker ") else int(told.split(" ")[0])
    undone, kept = moved(counted, many), moved(counted, many - 1)
    assert not (undone.kind == "decided" and undone.what == "yes")
    assert (kept.kind, kept.what) == ("decided", "yes")


@given(counts)
def test_as_many_speakers_as_it_says_would_make_a_majority_and_one_fewer_would_not(counted):
    votes = ballots(*counted)
    outcome = by_votes(votes)
    if outcome.kind != "too_close":
        return
    told = what_would_change(Given(votes=votes), outcome)
    many = 1 if told.startswith("One speaker ") else int(told.split(" ")[0])
    most = max(votes.options.values())
    assert 2 * (most + many) > votes.seats >= 2 * (most + many - 1)
    assert all((option in told) == (count == most) for option, count in votes.options.items())


@pytest.mark.parametrize(("at_yes", "who"), [(1, "One speaker"), (2, "All 2")])
def test_the_conditions_of_a_split_are_told(at_yes, who):
    conditions = {f"s{n}": "not on Saturdays" for n in range(at_yes)}
    votes = ballots(at_yes, at_yes).model_copy(update={"conditions": conditions})
    told = what_would_change(Given(votes=votes), TooClose(margin=0))
    assert told.endswith(f"would make a majority. {who} said “yes” on a condition: not on Saturdays.")


def test_a_condition_that_the_bottom_line_tells_is_not_told_again():
    votes = ballots(3, 1).model_copy(update={"conditions": {"s1": "not on Saturdays", "s3": "never"}})
    told = what_would_change(Given(votes=votes), Decided(what="yes", extent="partial", margin=2))
    assert told == "One speaker changing their answer would undo the majority."


# -- issues --------------------------------------------------------------------------------

FAIR = IssueResult(
    id="D-2", question="Is booking fair?", state="deadlocked", says={"ada": "yes", "ben": "no, it is not"}
)
SAFE = IssueResult(id="D-1", question="Is the grant safe?", state="converged", answer="no")


def test_a_deadlock_says_who_says_what_and_that_one_must_give_way():
    assert what_would_change(Given(settled=(SAFE, FAIR)), Deadlocked(issues=("D-2",))) == (
        "Is booking fair? Ada: “yes” and Ben: “no, it is not”. One of them giving way would settle it."
    )


def test_what_was_agreed_in_part_says_the_same_of_what_was_not():
    found = Given(settled=(SAFE, FAIR), issues={"D-1": "converged", "D-2": "deadlocked"})
    assert what_would_change(found, Decided(what="D-1", extent="partial")).startswith("Is booking fair? Ada: “yes”")


def test_what_was_agreed_in_full_holds_until_somebody_goes_back_on_it():
    found = Given(settled=(SAFE,), issues={"D-1": "converged"})
    assert what_would_change(found, Decided(what="D-1", extent="full")) == "A speaker going back on an agreed answer."


def test_an_open_issue_on_which_nobody_said_anything_has_no_empty_sentence():
    silent = FAIR.model_copy(update={"says": {}})
    assert "? ." not in what_would_change(Given(settled=(silent,)), Deadlocked(issues=("D-2",)))


@pytest.mark.parametrize(
    "outcome",
    [NoQuorum(needed=2, had=1), BudgetStopped(spent=1, cap=1), Cancelled(by="ann"), Failed(code="x")],
    ids=lambda outcome: outcome.kind,
)
def test_without_a_verdict_nothing_would_change_it(outcome):
    assert what_would_change(Given(gap=gap_of(2.0), votes=ballots(2, 1)), outcome) == ""


def test_it_stays_short_however_long_the_words_are():
    long = FAIR.model_copy(update={"question": "why " * 200, "says": {"ada": "yes " * 200, "ben": "no " * 200}})
    assert count_words(what_would_change(Given(settled=(long,)), Deadlocked(issues=("D-2",)))) < 100
