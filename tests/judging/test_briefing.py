"""A briefing recommends no more than its outcome bears, and every sentence of it follows from the findings."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.judging.briefing import brief
from hustings.judging.judgement import ArgumentResult, Control, Flip, Gap, Reliability, Total, Votes
from hustings.judging.verdict import Verdict
from hustings.text.words import count_words
from hustings.transcript.notes import BudgetStopped, Cancelled, Deadlocked, Decided, Failed, NoQuorum, TooClose

from .givens import Given

FOR_PRO = Decided(what="pro", extent="full", margin=1.6, interval=(0.9, 2.4))
CLOSE = TooClose(margin=0.4, interval=(-0.4, 1.2), reasons=("the judges disagree",))
NO_VERDICT = [
    NoQuorum(needed=4, had=2),
    BudgetStopped(spent=1.0, cap=1.0),
    Cancelled(by="ann"),
    Failed(code="seat_failed"),
]
STANDINGS = ("upheld", "partially_upheld", "refuted", "uncertain")


def reliability(word="good", **more):
    return Reliability(**{"word": word, "items": 8, "judges": 3, "observations": 6, "alpha": 0.83, **more})


def traced(claim_id="PRO-1", standing="upheld", **more):
    side = claim_id.split("-")[0].lower()
    return ArgumentResult(
        **{
            "id": claim_id, "seat": side, "side": side, "turn_id": "r1.t0", "claim": f"The claim of {claim_id}.",
            "examined": "not examined", "standing": standing, "strength": 0.7, "reason": f"Because of {claim_id}.",
            **more,
        }
    )  # fmt: skip


def briefed(outcome=FOR_PRO, *, reason="It was so.", degraded=(), **more):
    return brief(Given(**{"reliability": reliability(), **more}), Verdict(outcome, reason, degraded))


def gap(value, word):
    return Gap(sides=("pro", "con"), value=value, interval=(value - 0.8, value + 0.8), word=word)


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


# -- recommendation ----------------------------------------------------------------------


def test_a_decision_says_what_it_rests_on():
    trace = [
        traced("PRO-1"),
        traced("PRO-2", "refuted"),
        traced("CON-1", "refuted"),
        traced("CON-2", "partially_upheld"),
    ]
    assert briefed(gap=gap(1.6, "lead"), trace=trace).recommendation == (
        "The debate favours pro: it was argued better, by 1.6 points of 10; "
        "1 of its 2 arguments survived against 1 of the other 2."
    )


def test_a_significant_gap_is_called_so():
    assert "argued significantly better, by 3.4 points" in briefed(gap=gap(3.4, "significant")).recommendation


def test_a_gap_that_speaks_for_the_other_side_is_no_ground():
    assert "argued better" not in briefed(gap=gap(-1.6, "lead")).recommendation


def test_a_decision_by_votes_counts_them():
    yes = Decided(what="yes", extent="partial")
    votes = Votes(options={"yes": 3, "no": 1}, seats=4)
    assert briefed(yes, votes=votes).recommendation == "The debate favours yes in part: 3 of 4 seats ended there."


def test_without_a_gap_the_totals_are_compared():
    totals = [Total(side=side, score=score, scored=3, unscored=0) for side, score in (("con", 6.9), ("pro", 7.4))]
    assert "it was argued at 7.4 of 10, con at 6.9 of 10." in briefed(totals=totals).recommendation


def test_a_decision_without_figures_rests_on_its_reason():
    assert briefed().recommendation == "The debate favours pro: It was so."


def test_what_was_agreed_and_what_was_not_are_told_apart():
    issues = {"D-1": "converged", "D-2": "deadlocked", "D-3": "converged"}
    partly = Decided(what="D-1, D-3 converged", extent="partial")
    assert briefed(partly, issues_in_words=issues).recommendation == (
        "The seats agreed on D-1 and D-3: take that as the debate's answer. Still yours to decide: D-2 (deadlocked)."
    )


def test_full_agreement_leaves_nothing_to_decide():
    told = briefed(Decided(what="D-1 converged", extent="full"), issues_in_words={"D-1": "converged"}).recommendation
    assert told == "The seats agreed on D-1: take that as the debate's answer."


def test_a_close_debate_is_nothing_to_decide_on():
    trace = [traced("PRO-1"), traced("CON-1", "uncertain")]
    assert briefed(CLOSE, gap=gap(-0.4, "evenly matched"), trace=trace).recommendation == (
        "Do not decide on this debate alone: pro and con were evenly matched, 0.4 points of 10 apart. "
        "Weigh what survived (PRO-1) yourself, and first go through what is left to check."
    )


def test_a_gap_that_may_not_count_gives_the_reason_why():
    told = briefed(CLOSE, gap=gap(1.6, "lead")).recommendation
    assert told.startswith("Do not decide on this debate alone: the judges disagree.")


def test_a_vote_without_a_majority_is_too_close():
    tied = Votes(options={"yes": 2, "no": 2}, seats=4)
    assert "no answer has more than half of the 4 seats." in briefed(TooClose(margin=0), votes=tied).recommendation


def test_a_deadlock_names_what_the_seats_are_apart_on():
    told = briefed(Deadlocked(issues=("D-1", "D-2"))).recommendation
    assert told.startswith("No recommendation: the seats stayed apart on D-1 and D-2. Read the arguments yourself")


def test_of_many_survivors_some_are_named():
    trace = [traced(f"PRO-{n}") for n in range(1, 9)]
    told = briefed(CLOSE, trace=trace).recommendation
    assert "(PRO-1, PRO-2, PRO-3, PRO-4, PRO-5, PRO-6 and others)" in told


@pytest.mark.parametrize("outcome", NO_VERDICT, ids=lambda outcome: outcome.kind)
def test_without_a_verdict_there_is_no_recommendation_but_a_next_step(outcome):
    told = briefed(outcome).recommendation
    assert told.startswith("No recommendation: ")
    assert re.search(r"\. (Judge|Go on|Mend) ", told)


# -- insight -----------------------------------------------------------------------------


def test_the_strongest_argument_left_is_told_with_what_would_change_it():
    flip = Flip(what="effectiveness of con's challenge", now=5.0, then=6.5, standing="partially_upheld")
    assert briefed(trace=[traced("PRO-1", strength=0.77, score=7.2, flip=flip)]).insight == (
        "The strongest argument left is PRO-1 (pro): “The claim of PRO-1.” — upheld, strength 0.77 of 1, "
        "argued at 7.2 of 10. "
        "It would be partially upheld if the effectiveness of con's challenge were 6.5 instead of 5.0."
    )


def test_an_argument_that_no_score_can_move_is_told_so():
    assert briefed(trace=[traced()]).insight.endswith("No change of one score alone would alter that.")


def test_an_upheld_argument_comes_before_a_stronger_one_upheld_in_part():
    trace = [traced("PRO-1", "partially_upheld", strength=0.9, score=9.0), traced("PRO-2", strength=0.61, score=4.0)]
    assert "PRO-2 (pro)" in briefed(trace=trace).insight


def test_the_strongest_argument_may_speak_against_the_outcome():
    trace = [traced("PRO-1", strength=0.7), traced("CON-1", strength=0.9)]
    assert "CON-1 (con, against the outcome)" in briefed(trace=trace).insight


def test_an_outcome_that_is_no_side_has_nobody_against_it():
    assert "against" not in briefed(Decided(what="yes", extent="full"), trace=[traced("CON-1")]).insight


def test_if_nothing_survived_that_is_the_insight():
    trace = [traced("PRO-1", "refuted"), traced("PRO-2", "uncertain"), traced("CON-1", "refuted")]
    assert briefed(trace=trace).insight == "No argument survived: 2 refuted, 1 uncertain."


def test_if_nothing_was_judged_that_is_the_insight():
    assert briefed().insight == "No single argument was judged."


@given(arguments)
def test_no_argument_left_is_both_stronger_and_better_argued_than_the_one_told(trace):
    told = re.match(r"The strongest argument left is (\w+-\d+)", briefed(trace=trace).insight)
    if told:
        best = next(made for made in trace if made.id == told[1])
        rivals = [made for made in trace if made.standing == best.standing and None not in (made.strength, made.score)]
        known = None not in (best.strength, best.score)
        assert not (known and any(r.strength > best.strength and r.score > best.score for r in rivals))
    else:
        assert not {made.standing for made in trace} & {"upheld", "partially_upheld"}


# -- what survived, what was refuted, what is unresolved ---------------------------------


def test_a_line_names_who_said_what_and_why_it_stands():
    assert briefed(trace=[traced("PRO-1")]).survived == ("PRO-1 (pro): The claim of PRO-1. — Because of PRO-1.",)


def test_what_was_upheld_comes_before_what_was_upheld_in_part():
    trace = [traced("PRO-1", "partially_upheld"), traced("CON-1")]
    assert [line[:5] for line in briefed(trace=trace).survived] == ["CON-1", "PRO-1"]


@given(arguments)
def test_every_argument_is_in_one_list_and_in_one_alone(trace):
    told = briefed(trace=trace)
    lines = [*told.survived, *told.refuted, *told.unresolved]
    assert sorted(line.split(" ")[0] for line in lines) == sorted(made.id for made in trace)


def test_a_long_claim_is_shortened():
    told = briefed(trace=[traced(claim="word " * 200, reason="")])
    assert all(count_words(line) <= 40 for line in told.survived)
    assert count_words(told.insight) <= 60


def test_a_question_is_asked_once_however_often_it_was_put():
    questions = [("PRO-1", "Who pays?"), ("CON-1", "who  pays?"), ("PRO-1", " "), ("PRO-2", "When?")]
    assert briefed(questions=questions).unresolved == ("PRO-1, still open: Who pays?", "PRO-2, still open: When?")


def test_questions_about_what_was_refuted_come_last():
    trace = [traced("PRO-1", "refuted"), traced("PRO-2", "uncertain")]
    told = briefed(trace=trace, questions=[("PRO-1", "Who pays?"), ("CON-1", "When?")]).unresolved
    assert [line.split(" ")[0] for line in told] == ["PRO-2", "CON-1,", "PRO-1,"]


def test_what_is_left_out_is_counted():
    told = briefed(questions=[("PRO-1", f"Question {n}?") for n in range(20)]).unresolved
    assert len(told) == 12
    assert told[-1] == "and 9 more in the transcript"


# -- confidence, control, caveat ---------------------------------------------------------


@pytest.mark.parametrize(
    ("found", "degraded", "told"),
    [
        (reliability(), (), "Good, for judges that are models: they agreed well (α 0.83; 1 is perfect)."),
        (
            reliability(),
            ("x",),
            "Moderate: the judges agreed well (α 0.83; 1 is perfect), but 1 thing weakens the verdict.",
        ),
        (reliability("tentative"), (), "Moderate: the judges agreed in part (α 0.83; 1 is perfect)."),
        (
            reliability("tentative", alpha=0.7),
            ("x", "y"),
            "Low: the judges agreed in part (α 0.70; 1 is perfect), and 2 things weaken the verdict.",
        ),
        (
            reliability("do not rely", alpha=-0.2),
            (),
            "Do not rely on the scores: the judges did not agree enough (α −0.20; 1 is perfect).",
        ),
        (
            reliability("do not rely", judges=1, alpha=None),
            ("x",),
            "Do not rely on the scores: one judge alone gave them, and 1 thing weakens the verdict.",
        ),
        (reliability(alpha=None), (), "Good, for judges that are models: they agreed well (all scores alike)."),
        (
            reliability("do not rely", alpha=None),
            (),
            "Do not rely on the scores: the judges did not agree enough (it could not be measured).",
        ),
    ],
)
def test_confidence_is_no_better_than_the_panel(found, degraded, told):
    assert briefed(reliability=found, degraded=degraded).confidence == told


@pytest.mark.parametrize("outcome", NO_VERDICT, ids=lambda outcome: outcome.kind)
def test_there_is_no_confidence_in_no_verdict(outcome):
    assert briefed(outcome).confidence == "None: there is no verdict to rely on."


def test_a_debate_that_nobody_scored_has_no_measured_confidence():
    assert briefed(reliability=reliability("do not rely", observations=0)).confidence.startswith("Not measured")


@given(st.builds(reliability, st.sampled_from(["good", "tentative", "do not rely"]), judges=st.integers(0, 5)))
def test_no_panel_makes_anything_certain(found):
    assert not re.search(r"\b(certain|sure|high)\b", briefed(reliability=found).confidence.lower())


def test_what_was_answered_without_a_debate_is_told():
    control = Control(comparable=True, said="without debate: yes; the debate changed nothing")
    assert briefed(control=control).without_debate == "without debate: yes; the debate changed nothing"


def test_the_caveat_is_two_sentences_that_say_what_is_measured_and_by_whom():
    caveat = briefed().caveat
    assert caveat.count(".") == 2
    assert all(said in caveat for said in ("not who is right", "judges are models", "read the transcript"))
