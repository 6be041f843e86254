"""A briefing claims no more than its outcome supports, and every sentence of it follows from the findings."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.judging.arguments import QuestionLeftOpen
from hustings.judging.briefing import brief
from hustings.judging.judgement import (
    ArgumentResult,
    Briefing,
    Gap,
    IssueResult,
    Reliability,
    Total,
    Votes,
)
from hustings.judging.quorum import SeatsHeard
from hustings.judging.verdict import Verdict, verdict
from hustings.text.words import count_words
from hustings.transcript.notes import (
    BudgetStopped,
    Cancelled,
    Deadlocked,
    Decided,
    Failed,
    NoQuorum,
    TooClose,
)

from .givens import RUN, Given

FOR_PRO = Decided(what="pro", extent="full", margin=1.6, interval=(0.9, 2.4))
CLOSE = TooClose(margin=0.4, interval=(-0.4, 1.2), reasons=("The sides are less than a point apart",))
STUCK = Deadlocked(issues=("D-1",))
NO_QUORUM = NoQuorum(needed=4, had=2)
BROKE, STOPPED, FAILED = BudgetStopped(spent=1.0, cap=1.0), Cancelled(by="ann"), Failed(code="seat_failed")
REACHED, UNREACHED = [FOR_PRO, CLOSE, STUCK], [NO_QUORUM, BROKE, STOPPED, FAILED]
STANDINGS = ("upheld", "partially_upheld", "refuted", "withdrawn", "uncertain")
RANK = {"upheld": 2, "partially_upheld": 1, "uncertain": 0}
PAIR = ("pro", "con")
ONE_FAMILY = "All judges are one kind of model (alpha)"


def kinds(outcomes):
    return pytest.mark.parametrize("outcome", outcomes, ids=lambda outcome: outcome.kind)


def reliability(word="good", **more):
    return Reliability(**{"word": word, "items": 12, "judges": 3, "observations": 6, "alpha": 0.83, **more})


def traced(claim_id="PRO-1", standing="upheld", **more):
    side = claim_id.split("-")[0].lower()
    return ArgumentResult(
        **{
            "id": claim_id, "seat": side, "side": side, "turn_id": "r1.t0", "claim": f"The claim of {claim_id}.",
            "examined": "Nobody challenged it", "standing": standing, "strength": 0.7,
            "reason": f"Because of {claim_id}.", **more,
        }
    )  # fmt: skip


def briefed(outcome=FOR_PRO, *, reason="It was so.", degraded=(), **more) -> Briefing:
    return brief(Given(**{"reliability": reliability(), **more}), Verdict(outcome, reason, degraded))


def bottom_line(outcome=FOR_PRO, **more) -> str:
    return briefed(outcome, **more).bottom_line


def gap(value, word="lead"):
    return Gap(sides=PAIR, value=value, interval=(value - 0.8, value + 0.8), word=word)


def scored(**scores):
    return tuple(Total(side=side, score=score, scored=3, unscored=0) for side, score in scores.items())


def led(value=1.7, word="lead", **scores):
    """Two sides with a gap between them."""
    return {"pair": PAIR, "gap": gap(value, word), "totals": scored(**(scores or {"pro": 7.1, "con": 5.4}))}


GRANT = IssueResult(id="D-1", question="Is the grant safe?", state="converged", answer="no", moved=("edda",))
BOOKING = IssueResult(id="D-2", question="Is booking fair?", state="deadlocked", says={"ada": "yes", "ben": "no"})
TALLY = Votes(options={"yes": 3, "no": 1}, seats=4, chosen={"a": "yes", "b": "yes", "c": "yes", "d": "no"})

arguments = st.lists(
    st.builds(
        traced,
        st.integers(1, 99).map("PRO-{}".format) | st.integers(1, 99).map("CON-{}".format),
        st.sampled_from(STANDINGS),
        strength=st.none() | st.floats(0, 1),
        score=st.none() | st.floats(1, 10),
        claim=st.text(max_size=80),
    ),
    unique_by=lambda made: made.id,
    max_size=10,
)


# -- bottom line of a decision -----------------------------------------------------------


def test_a_decision_by_points_gives_the_winner_and_both_scores():
    assert bottom_line(**led()) == "Pro (in favour) argued better: 7.1 to 5.4 out of 10."


def test_the_winner_s_score_comes_first_whichever_side_it_is():
    for_con = Decided(what="con", extent="full", margin=1.7)
    told = bottom_line(for_con, **led(-1.7, pro=5.4, con=7.1))
    assert told == "Con (against) argued better: 7.1 to 5.4 out of 10."


def test_a_significant_gap_is_by_far():
    told = bottom_line(**led(3.4, "significant", pro=8.4, con=5.0))
    assert told == "Pro (in favour) argued better by far: 8.4 to 5.0 out of 10."


def test_a_side_has_the_name_people_call_it_by():
    assert bottom_line(**led(), names={"pro": "Ada"}).startswith("Ada (in favour) argued better")


def test_a_decision_in_part_claims_no_better_argued_case():
    why = "Both sides argued about equally well, but what held up speaks for Pro."
    told = bottom_line(Decided(what="pro", extent="partial", margin=0.4), reason=why, **led(0.4, "evenly matched"))
    assert told == f"Pro (in favour) prevailed in part. {why}"


def test_a_decision_because_the_other_side_gave_up_says_that_and_no_scores():
    why = "Con no longer defends its answer to the question as put: it gave it up in its closing."
    assert bottom_line(Decided(what="pro", extent="full"), reason=why, **led()) == (f"Pro (in favour) prevailed. {why}")


def test_a_decision_without_figures_rests_on_its_reason():
    assert bottom_line(pair=PAIR) == "Pro (in favour) prevailed. It was so."


def test_a_decision_by_votes_counts_them():
    voted = Given(votes=TALLY)
    assert brief(voted, verdict(voted)).bottom_line == "3 of 4 speakers say yes."


def test_votes_on_a_condition_are_counted_apart():
    voted = Given(votes=TALLY.model_copy(update={"conditions": {"b": "not on Saturdays", "d": "never"}}))
    assert (
        brief(voted, verdict(voted)).bottom_line
        == "3 of 4 speakers say yes, 1 of them on a condition: not on Saturdays."
    )


def test_a_panel_says_how_many_issues_it_agreed_on_and_each_answer():
    found = briefed(Decided(what="D-1: no; edda moved", extent="partial"), settled=(GRANT, BOOKING))
    assert found.bottom_line == "The panel agreed on 1 of 2 issues."
    assert found.issues == ("Is the grant safe? No.", "Is booking fair? Still disputed.")


def test_an_issue_that_another_took_the_place_of_is_agreed():
    replaced = BOOKING.model_copy(update={"state": "overtaken", "answer": "a lottery"})
    found = briefed(Decided(what="D-2", extent="full"), settled=(replaced,))
    assert (found.bottom_line, found.issues) == ("The panel agreed on 1 of 1 issues.", ("Is booking fair? A lottery.",))


def test_a_panel_that_also_voted_says_both():
    told = bottom_line(Decided(what="yes", extent="partial", margin=2), votes=TALLY, settled=(GRANT, BOOKING))
    assert told == "3 of 4 speakers say yes. The panel agreed on 1 of 2 issues."


# -- bottom line without a decision ------------------------------------------------------


def test_a_close_debate_gives_both_scores_and_is_nothing_to_decide_on():
    told = bottom_line(
        CLOSE, reason="The sides are less than a point apart.", **led(-0.5, "evenly matched", pro=5.2, con=5.7)
    )
    assert told == (
        "No clear winner: Pro 5.2, Con 5.7 out of 10. The sides are less than a point apart. "
        "Don't decide on this debate alone."
    )


def test_a_close_debate_without_scores_gives_its_reason():
    assert bottom_line(CLOSE) == "No clear winner. It was so. Don't decide on this debate alone."


def test_a_vote_without_a_majority_is_counted():
    tied = Votes(options={"yes": 2, "no": 1}, silent=("dora",), void=("eve",), seats=5)
    assert bottom_line(TooClose(margin=1), votes=tied) == (
        "The speakers ended split: 2 at yes; 1 at no; 1 invalid; 1 silent. Don't decide on this debate alone."
    )


def test_a_deadlock_names_the_questions_that_were_not_agreed():
    told = bottom_line(Deadlocked(issues=("D-2",)), settled=(BOOKING,))
    assert told == "No agreement on “Is booking fair?”."


def test_a_deadlock_before_any_exchange_was_read_names_the_issues():
    told = bottom_line(Deadlocked(issues=("D-1", "D-2")))
    assert told == "No agreement on D-1 and D-2."


def test_too_few_judges_can_be_asked_again():
    why = "Too few judges gave usable scores: 2 of 6 readings count, 4 are needed."
    assert bottom_line(NO_QUORUM, reason=why) == (
        "No verdict. Too few judges gave usable scores: 2 of 6 readings count, 4 are needed. "
        f"Judge again: hustings judge {RUN}"
    )


def test_too_few_speakers_are_not_helped_by_judging_again():
    mute = Given(voices=SeatsHeard(needed=3, had=2, why_not="con did not speak in closing"))
    told = brief(mute, verdict(mute)).bottom_line
    assert told == "No verdict. Too few speakers answered: con did not speak in closing."


@pytest.mark.parametrize(
    ("ending", "told"),
    [
        (BROKE, "Stopped at $1.00 before a verdict."),
        (BudgetStopped(spent=3, cap=3, unit="calls"), "Stopped at 3 calls before a verdict."),
        (STOPPED, "Stopped by ann before a verdict."),
        (Failed(code="seat_failed", reason="Nobody was there."), "Broke off before a verdict: Nobody was there."),
        (FAILED, "Broke off before a verdict: seat_failed."),
    ],
    ids=["budget", "calls", "cancelled", "failed", "failed without words"],
)
def test_a_debate_that_was_stopped_can_be_forked(ending, told):
    found = Given().ended(debate=ending)
    assert brief(found, verdict(found)).bottom_line == f"{told} What was said is saved. Reuse it: hustings fork {RUN}"


@pytest.mark.parametrize("ending", [BROKE, STOPPED, FAILED], ids=lambda ending: ending.kind)
def test_a_judging_that_was_stopped_can_be_asked_for_again(ending):
    found = Given().ended(judging=ending)
    assert brief(found, verdict(found)).bottom_line.endswith(f"before a verdict{_why(ending)}. {JUDGE_AGAIN}")


def _why(ending):
    return f": {ending.code}" if isinstance(ending, Failed) else ""


JUDGE_AGAIN = f"Judge again: hustings judge {RUN}"


@pytest.mark.parametrize("where", ["debate", "judging"])
def test_nobody_is_told_to_resume_what_was_cancelled(where):
    found = Given().ended(**{where: STOPPED})
    told = brief(found, verdict(found)).bottom_line
    assert not re.search(r"resume|continue|go on", told, re.IGNORECASE)


@kinds(UNREACHED)
def test_without_a_verdict_nothing_is_said_of_how_sure_it_is_or_what_would_change_it(outcome):
    asked = [QuestionLeftOpen("PRO-1", "Who pays?")]
    found = briefed(outcome, settled=(GRANT,), trace=[traced("PRO-1")], **led(), questions=asked)
    assert (found.sure, found.sure_because, found.would_change) == ("", "", "")
    assert (found.issues, found.strongest, found.check_first) == ((), (), ())


@kinds(UNREACHED)
def test_without_a_verdict_the_arguments_are_still_listed(outcome):
    found = briefed(outcome, trace=[traced("PRO-1"), traced("CON-1", "refuted")])
    assert (len(found.held_up), len(found.refuted)) == (1, 1)


@kinds([*REACHED, *UNREACHED])
def test_every_bottom_line_is_short_and_ends_as_a_sentence_or_a_command(outcome):
    told = bottom_line(outcome, **led())
    assert re.search(rf"(\.|hustings (judge|fork) {RUN})$", told)
    assert count_words(told) <= 40


# -- how sure ----------------------------------------------------------------------------


IN_PART = "The judges' scores agree in part (agreement 0.70 of 1)"


@pytest.mark.parametrize(
    ("found", "degraded", "told"),
    [
        (reliability(), (), ("High", "The judges' scores agree (agreement 0.83 of 1).")),
        (
            reliability(),
            ("Order matters: it did",),
            ("Medium", "The judges' scores agree (agreement 0.83 of 1), but order matters: it did."),
        ),
        (
            reliability("tentative", alpha=0.7),
            (),
            ("Medium", f"{IN_PART}."),
        ),
        (
            reliability("tentative", alpha=0.7),
            ("Order matters: it did", "y"),
            (
                "Low",
                f"{IN_PART}, but order matters: it did, and 1 more limit.",
            ),
        ),
        (
            reliability("tentative", alpha=0.7),
            ("1 of 6 answers was lost", "y", "z"),
            (
                "Low",
                f"{IN_PART}, but 1 of 6 answers was lost, and 2 more limits.",
            ),
        ),
        (
            reliability("do not rely", alpha=-0.2),
            (),
            ("Not reliable", "The judges disagree (agreement −0.20 of 1)."),
        ),
        (
            reliability("do not rely", judges=1, observations=2, alpha=None),
            (ONE_FAMILY,),
            ("Not reliable", "A single judge scored it."),
        ),
        (reliability(alpha=None), (), ("High", "The judges' scores agree.")),
    ],
)
def test_how_sure_is_no_better_than_the_judges(found, degraded, told):
    made = briefed(reliability=found, degraded=degraded, **led())
    assert (made.sure, made.sure_because) == told


def test_judges_of_one_kind_are_not_reliable_however_well_they_agree():
    made = briefed(degraded=(ONE_FAMILY,), independent=False, **led())
    assert (made.sure, made.sure_because) == ("Not reliable", "All judges are one kind of model.")


def test_a_result_that_holds_only_in_part_is_not_high():
    made = briefed(Decided(what="pro", extent="partial", margin=0.4), **led(0.4))
    assert (made.sure, made.sure_because) == (
        "Medium",
        "The judges' scores agree (agreement 0.83 of 1), but the result holds only in part.",
    )


@kinds([CLOSE, STUCK])
def test_what_the_debate_left_open_is_low_at_best(outcome):
    made = briefed(outcome)
    assert (made.sure, made.sure_because) == (
        "Low",
        "The debate left it open. The judges' scores agree (agreement 0.83 of 1).",
    )


def test_a_debate_that_nobody_scored_has_no_measured_certainty():
    made = briefed(reliability=reliability("do not rely", observations=0, judges=0, alpha=None))
    assert (made.sure, made.sure_because) == (
        "Not measured",
        "No judge scored this debate. The result follows from what the speakers said.",
    )


def test_a_limit_that_is_only_a_remark_on_the_judges_does_not_lower_it():
    few = reliability(remarks=("Only 8 scored items (10 are better)",))
    assert briefed(reliability=few, degraded=few.remarks, **led()).sure == "High"


panels = st.builds(
    reliability,
    st.sampled_from(["good", "tentative", "do not rely"]),
    judges=st.integers(0, 5),
    observations=st.integers(0, 10),
    alpha=st.none() | st.floats(-1, 1),
)
reached = st.sampled_from([*REACHED, Decided(what="pro", extent="partial", margin=0.4)])
limits = st.lists(st.sampled_from(["x", "y", "z"]), max_size=3).map(tuple)


@given(panels, reached, limits, st.booleans())
def test_one_judge_or_one_kind_of_judge_is_never_more_than_not_reliable(found, outcome, degraded, independent):
    said = degraded if independent else (ONE_FAMILY, *degraded)
    made = briefed(outcome, reliability=found, degraded=said, independent=independent, **led())
    if found.judges < 2 or not independent:
        assert made.sure in {"Not reliable", "Not measured"}
        assert "α" not in made.sure_because


@given(panels, reached, limits, st.booleans())
def test_high_takes_judges_of_two_kinds_who_agree_on_a_full_decision_without_limits(
    found, outcome, degraded, independent
):
    said = degraded if independent else (ONE_FAMILY, *degraded)
    made = briefed(outcome, reliability=found, degraded=said, independent=independent, **led())
    whole = outcome.kind == "decided" and outcome.extent == "full"
    if made.sure == "High":
        assert (found.word, independent, found.judges > 1, whole, said) == ("good", True, True, True, ())
