"""Debates are compared by what they share, and what cannot be compared is said."""

import pytest

from hustings.judging.comparison import DebateFacts, side_by_side
from hustings.judging.dossier import Dossier, Expense
from hustings.transcript.notes import Decided, TooClose
from tests.report.judged import DECIDED, TOO_CLOSE, judged, traced

from .judgings import debated, judgement, judgement_of
from .records import renamed

PLAYED = debated("structured")
FOUND = judgement_of("structured")


def held(name="a", found=FOUND, played=PLAYED, expenses=(), **settings):
    return DebateFacts(name, Dossier(proceedings=played.proceedings, judgement=found, expenses=expenses), settings)


def with_trace(*arguments):
    return FOUND.model_copy(update={"trace": arguments})


def compared(first, second):
    """Two judgements of one debate, side by side."""
    return side_by_side(held(found=first), held("b", found=second))


def test_a_debate_agrees_with_itself():
    found = compared(FOUND, FOUND)
    assert (found.comparable, found.agreement, found.same_outcome, found.alone) == (True, 1.0, True, (0, 0))


def test_agreement_is_the_share_of_the_same_standings():
    ours = [traced("PRO-1", "Tea.", "upheld", 0.9), traced("PRO-2", "Milk.", "upheld", 0.9)]
    theirs = [traced("PRO-1", "Tea.", "refuted", 0.2), traced("PRO-2", "Milk.", "upheld", 0.8)]
    assert compared(with_trace(*ours), with_trace(*theirs)).agreement == 0.5


def test_the_same_claim_is_the_same_argument_under_another_name():
    found = compared(
        with_trace(traced("PRO-1", "Tea is warm.", "upheld", 0.9)),
        with_trace(traced("CON-3", "tea  is WARM", "upheld", 0.9)),
    )
    assert [argument.ids for argument in found.matched] == [("PRO-1", "CON-3")]


def test_the_same_name_in_another_debate_is_another_argument():
    other = held("b", with_trace(traced("PRO-1", "Coffee.", "upheld", 0.9, turn_id="r2.t1")))
    found = side_by_side(held(found=with_trace(traced("PRO-1", "Tea.", "upheld", 0.9))), other)
    assert (found.matched, found.alone, found.agreement) == ((), (1, 1), None)


def test_the_same_name_in_a_turn_that_says_the_same_is_the_same_argument():
    found = compared(
        with_trace(traced("r1.t0-1", "Tea warms.", "upheld", 0.9)),
        with_trace(traced("r1.t0-1", "It warms.", "upheld", 0.9)),
    )
    assert len(found.matched) == 1


def test_a_claim_that_is_made_twice_is_matched_once():
    twice = [traced("PRO-1", "Tea.", "upheld", 0.9), traced("PRO-2", "Tea.", "refuted", 0.1)]
    found = compared(with_trace(*twice), with_trace(twice[1]))
    assert ([argument.ids for argument in found.matched], found.alone) == ([("PRO-2", "PRO-2")], (1, 0))


def test_another_question_is_not_comparable():
    other = DebateFacts("b", Dossier(proceedings=renamed(PLAYED), judgement=FOUND), {})
    found = side_by_side(held(), other)
    assert (found.comparable, found.caveats[0]) == (False, "they are about different questions")


def test_another_protocol_is_not_comparable():
    other = debated("roundtable")
    found = side_by_side(held(), held("b", judgement(other), other))
    assert (found.comparable, "different protocols" in found.caveats[0]) == (False, True)


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [(FOUND, None, "only one of them was judged"), (None, None, "neither was judged")],
)
def test_what_was_not_judged_is_told(first, second, told):
    found = compared(first, second)
    assert (found.caveats, found.same_outcome, found.agreement) == ((told,), None, None)


def test_unjudged_debates_are_matched_by_what_their_forms_number():
    found = compared(None, None)
    assert [argument.ids[0] for argument in found.matched] == [traced.id for traced in FOUND.trace]


def test_few_arguments_in_common_are_said_to_say_little():
    one = with_trace(traced("PRO-1", "Tea.", "upheld", 0.9))
    assert "1 arguments in common say little" in compared(one, one).caveats


def test_other_rules_of_judging_are_told():
    other = FOUND.model_copy(update={"policy": "other"})
    assert "they were judged by different rules" in compared(FOUND, other).caveats


@pytest.mark.parametrize(
    ("outcome", "same"),
    [
        (Decided(what="con", extent="full"), True),
        (Decided(what="con", extent="partial"), True),
        (Decided(what="pro", extent="full"), False),
        (TooClose(margin=0.1), False),
    ],
)
def test_outcomes_are_the_same_if_they_decide_the_same(outcome, same):
    assert compared(DECIDED, DECIDED.model_copy(update={"outcome": outcome})).same_outcome is same


def test_only_settings_that_differ_are_told():
    found = side_by_side(held(rounds=2, words=100), held("b", rounds=3, words=100, regime="free"))
    assert found.settings == {"rounds": (2, 3), "regime": (None, "free")}


def test_another_panel_differs_in_its_judges():
    assert set(compared(DECIDED, judged(**{**DECIDED.__dict__, "panel": TOO_CLOSE.panel[:1]})).settings) == {"judges"}


def test_totals_and_cost_stand_side_by_side():
    bills = [Expense(what=what, run_id="a", calls=2, tokens=10, spent=0.5) for what in ("debate", "judging")]
    found = side_by_side(held(found=DECIDED, expenses=tuple(bills)), held("b", TOO_CLOSE))
    assert found.totals == {"pro": (6.0, 6.4), "con": (7.5, 6.0)}
    assert (found.took[0].calls, found.took[0].spent, found.took[1].tokens) == (4, 1.0, 0)


def test_who_spoke_is_counted():
    found = side_by_side(held(), held("b", None, debated("roundtable"))).spoke
    assert (found["pro"][0].turns, found["pro"][1], found["ada"][0]) == (3, None, None)
