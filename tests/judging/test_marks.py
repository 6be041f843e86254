"""What the panel said, read back from its notes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.judging.arguments import Argumentation, Claim, ClaimResponse
from hustings.judging.marks import accepted, ballots, flags, observations, without_answers
from hustings.judging.totals import observed

from .judges import fair, judge, mumbling, unreachable
from .judgings import calls, debated, judged, marks, note, noted

FAMILY = {"judge_1": "alpha", "judge_2": "alpha", "judge_3": "beta"}
WEIGHTS = {"logic": 0.30, "evidence": 0.30, "responsiveness": 0.25, "honesty": 0.15}
KEYS = [(judge, order) for judge in FAMILY for order in (0, 1)]


def stances(judge, order, **read):
    return note("stances", {"judge": judge, "order": order, "stances": read})


# -- observations ------------------------------------------------------------------------


def test_all_sheets_of_a_judge_in_one_order_are_one_observation():
    notes = [
        marks("judge_1", 0, {"PRO-1": {"logic": 7}}, sheet=0),
        marks("judge_1", 0, {"CON-1": {"logic": 5}}, sheet=1),
        marks("judge_1", 1, {"PRO-1": {"logic": 6}}),
    ]
    first, second = observations(notes)
    assert (first.judge, first.order, first.shown) == ("judge_1", 0, ("PRO-1", "CON-1"))
    assert first.scores == {"PRO-1": {"logic": 7.0}, "CON-1": {"logic": 5.0}}
    assert second.scores == {"PRO-1": {"logic": 6.0}}


def test_a_score_that_was_not_given_is_absent_and_no_zero():
    (seen,) = observations([marks("judge_1", 0, {"PRO-1": {"logic": None, "honesty": 4}})])
    assert seen.scores == {"PRO-1": {"honesty": 4.0}}


def test_a_sheet_that_had_to_be_mended_was_shown_where_it_was_planned():
    notes = [marks("judge_1", 0, {"b": {"logic": 5}}, sheet=1), marks("judge_1", 0, {"a": {"logic": 5}}, sheet=0)]
    assert observations(notes)[0].shown == ("a", "b")


def test_the_same_point_is_kept_by_observation():
    (seen,) = observations([marks("judge_1", 0, {"r2": {"effectiveness": 5}, "r1": {"effectiveness": 5}}, same="r1")])
    assert seen.same_point == {"r2": "r1"}


def test_notes_of_another_kind_are_no_marks():
    assert observations([note("marks", {"of": "somebody else"}), note("docket", {"judge": "judge_1"})]) == []


@pytest.mark.parametrize("silent", [unreachable, mumbling])
def test_a_judge_that_abstains_has_no_observation(silent):
    sat = judged(debated("structured"), lambda call: (silent if call.seat.id == "judge_2" else judge(fair))(call))
    assert {seen.judge for seen in observations(sat.proceedings.notes)} == {"judge_1", "judge_3"}
    assert set(accepted(sat.proceedings.notes)) == {(name, n) for name in ("judge_1", "judge_3") for n in (0, 1)}


def test_every_sheet_that_was_accepted_is_counted():
    sat = judged(debated("roundtable"), judge(fair))
    given = accepted(sat.proceedings.notes)
    asked = [call for call in calls(sat) if call.seat.role == "judge"]
    assert sum(given.values()) == len(asked) == len(noted(sat, "marks")) + len(noted(sat, "stances"))


# -- hints -------------------------------------------------------------------------------


def test_hints_of_one_kind_about_one_thing_are_one_with_all_families():
    hint = {"kind": "straw_man", "quote": "nobody said it"}
    notes = [marks(name, 0, {"PRO-1": {"logic": 7}}, flags=[hint]) for name in FAMILY]
    (found,) = flags(notes, FAMILY, {"PRO-1": "pro"})
    assert (found.kind, found.about, found.seat, found.families) == ("straw_man", "PRO-1", "pro", ("alpha", "beta"))
    assert found.word == "flagged"


def test_two_judges_of_one_family_only_raise_a_suspicion():
    hint = {"kind": "straw_man", "quote": "nobody said it"}
    notes = [marks(name, 0, {"PRO-1": {"logic": 7}}, flags=[hint]) for name in ("judge_1", "judge_2")]
    assert [found.word for found in flags(notes, FAMILY, {"PRO-1": "pro"})] == ["suspected"]


def test_hints_of_two_kinds_stay_apart():
    hints = [{"kind": kind, "quote": "nobody said it"} for kind in ("straw_man", "ad_hominem", "straw_man")]
    notes = [marks("judge_1", 0, {"PRO-1": {"logic": 7}}, flags=hints)]
    assert [found.kind for found in flags(notes, FAMILY, {"PRO-1": "pro"})] == ["ad_hominem", "straw_man"]


# -- where the seats ended ---------------------------------------------------------------


def test_a_seat_votes_as_most_readings_of_its_last_words_say():
    read = ["yes", "yes", "yes", "yes", "no", None]
    notes = [stances(*key, ada=option) for key, option in zip(KEYS, read, strict=True)]
    assert ballots(notes, ["ada"], KEYS) == {"ada": "yes"}


@pytest.mark.parametrize("read", [["yes"] * 3 + ["no"] * 3, ["yes"] * 3 + [None] * 3, [None] * 6, ["yes"] * 3])
def test_half_of_the_readings_are_no_vote(read):
    notes = [stances(*key, ada=option) for key, option in zip(KEYS, read, strict=False)]
    assert ballots(notes, ["ada"], KEYS) == {"ada": None}


def test_whoever_gave_no_such_sheet_counts_against_and_who_was_not_heard_counts_nothing():
    notes = [stances("judge_1", 0, ada="yes"), stances("judge_1", 1, ada="yes")]
    assert ballots(notes, ["ada"], KEYS) == {"ada": None}
    assert ballots(notes, ["ada"], [("judge_1", 0), ("judge_1", 1), ("judge_3", 0)]) == {"ada": "yes"}


def test_a_seat_that_nobody_read_has_no_vote():
    assert ballots([stances("judge_1", 0, ada="yes")], ["ben"], KEYS[:1]) == {"ben": None}
    assert ballots([], ["ben"], []) == {"ben": None}


def test_an_answer_without_words_that_were_said_is_no_reading():
    sat = judged(debated("roundtable"), judge(fair, quote=lambda shown: "as nobody has ever put it here"))
    assert {option for body in noted(sat, "stances") for option in body["stances"].values()} == {None}


# -- what nobody spoke against -----------------------------------------------------------


def claim(name):
    return Claim(name, "pro", "pro", "r1.t0", "it is so", "it is so")


def case(*kinds):
    """Two claims, of which the first was answered by these."""
    said = [ClaimResponse(f"r{n}", kind, "PRO-1", "con", "con", "r2.t0", "so") for n, kind in enumerate(kinds)]
    return Argumentation((claim("PRO-1"), claim("PRO-2")), tuple(said))


def panel(**scores):
    return observations([marks("judge_1", 0, {"PRO-1": scores, "PRO-2": scores})])


THREE = {"logic": 8, "evidence": 6, "honesty": 4, "responsiveness": None}


@given(st.integers(1, 10), st.integers(1, 10), st.integers(1, 10))
def test_an_unexamined_claim_is_not_harmed_by_the_answer_that_nobody_owed(logic, evidence, honesty):
    seen = panel(logic=logic, evidence=evidence, honesty=honesty, responsiveness=None)
    total = observed(without_answers(seen, case(), WEIGHTS), WEIGHTS)["judge_1", 0]["PRO-1"]
    assert total == pytest.approx((0.30 * logic + 0.30 * evidence + 0.15 * honesty) / 0.75)


def test_what_a_judge_gives_for_an_answer_that_nobody_owed_counts_for_nothing():
    one, other = (without_answers(panel(**{**THREE, "responsiveness": n}), case(), WEIGHTS) for n in (1, 10))
    assert one == other


@pytest.mark.parametrize("kind", ["support", "concede"])
def test_a_claim_that_was_only_supported_or_conceded_owes_no_answer(kind):
    (seen,) = without_answers(panel(**THREE), case(kind), WEIGHTS)
    assert "responsiveness" in seen.scores["PRO-1"]


@pytest.mark.parametrize("kind", ["refute", "challenge", "partial"])
def test_a_claim_that_was_objected_to_keeps_its_marks_as_they_are(kind):
    (seen,) = without_answers(panel(**THREE), case(kind), WEIGHTS)
    assert "responsiveness" not in seen.scores["PRO-1"]
    assert "responsiveness" in seen.scores["PRO-2"]


def test_a_claim_that_lacks_another_mark_stays_unscored():
    (seen,) = without_answers(panel(logic=8, evidence=None, honesty=4), case(), WEIGHTS)
    assert seen.scores["PRO-1"] == {"logic": 8.0, "honesty": 4.0}


def test_a_rubric_that_asks_for_no_answers_is_left_alone():
    seen = panel(need=8, plan=6)
    assert without_answers(seen, case(), {"need": 0.6, "plan": 0.4}) == seen


def test_where_everything_was_examined_nothing_changes():
    seen = panel(**THREE)
    assert without_answers(seen, Argumentation((claim("PRO-1"),), case("refute").responses), WEIGHTS) == seen
