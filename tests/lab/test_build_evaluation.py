"""From bundles and answers to every figure, computed by hand; what nobody could tell stays null."""

import json
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hustings.judging.judgement import Judge
from hustings.lab.artefact import Evaluation, evaluation_digest
from hustings.lab.build_evaluation import build_evaluation
from hustings.lab.bundle import Bundle, BundleClaim, Critique, Stance, beliefs
from hustings.lab.evaluation_material import ReadSynthesis, material_of
from hustings.lab.judge_answers import (
    PILLARS,
    ClaimRung,
    CritAnswer,
    CritFailure,
    RcaAnswer,
    StatedPoint,
    SynthesisAnswer,
    T3Answer,
    TracedSentence,
    TurnAnswers,
)
from hustings.lab.phases import phases_of
from hustings.lab.scorers.rca import CONSISTENT, STUBBORN, SYCOPHANTIC
from hustings.lab.signals import divergence
from hustings.transcript.models import AppliedIntervention, ControlState, Intervention
from tests.rig.lanes import examples

from .evaluated import ANSWERS, BUNDLES, THEN, evaluated, levels, material, no, record, yes

FOUND = evaluated()
SUMMARY, OWN = FOUND.run_summary, FOUND.x_hustings


def test_crit_by_hand():
    assert SUMMARY.crit_summary.gamma_mean == pytest.approx((0.85 + 0.70 + 0.70 + 0.8125) / 4)
    assert SUMMARY.crit_summary.threshold_pass is False
    assert OWN.crit.scored == 4


def test_rca_by_hand():
    verdicts = {turn.turn_id: turn.rca_summary.verdict for turn in FOUND.turn_evaluations}
    assert verdicts == {"r1.t0": CONSISTENT, "r1.t1": CONSISTENT, "r2.t0": SYCOPHANTIC, "r2.t1": STUBBORN}
    assert SUMMARY.rca_summary.trace_consistency_rate == 0.5
    assert SUMMARY.rca_summary.blind_verification_pass_rate == 0.25
    assert SUMMARY.rca_summary.verdict == "mixed"


def test_t3_by_hand():
    t3 = SUMMARY.t3_summary
    assert (t3.required_rung, t3.detected_rung, t3.passes) == ("L2", "L1", False)
    assert (OWN.t3.claim, OWN.t3.turn_id, OWN.t3.collapses) == ("3", "r2.t0", 1)


def test_the_table_by_hand():
    assert [look.js for look in OWN.looks] == pytest.approx([0.3902, 0.0236], abs=5e-5)
    assert [look.ov for look in OWN.looks] == pytest.approx([1 / 3, 0.0], abs=1e-6)
    assert [look.movement for look in OWN.looks] == [None, pytest.approx(0.275)]
    assert [look.novelty for look in OWN.looks] == [1.0, 0.0]
    assert [look.alarm for look in OWN.looks] == [None, True]
    assert OWN.stop is None


def test_movement_by_hand():
    assert SUMMARY.raudit_summary.instability_index is None
    assert SUMMARY.pid_summary.instability_index == 0.0
    assert OWN.instability_index == 0.0
    apart = divergence([no("holds"), yes("leans")]) / 2
    assert SUMMARY.raudit_summary.behavioral_drift_score == pytest.approx(apart, abs=1e-6)
    assert [turn.x_hustings.deed for turn in FOUND.turn_evaluations] == [None, None, "full", "none"]


def test_quality_by_hand():
    figures = OWN.metrics
    assert figures.argument_diversity == pytest.approx(16 / 10 / 15, abs=1e-6)
    assert figures.reasoning_depth == pytest.approx(2 / 3, abs=1e-6)
    assert figures.redundancy == 0.25
    assert (figures.decision, figures.decision_confidence) == ("yes", 0.775)
    assert (figures.cost_efficiency, figures.synthesis_quality, figures.dominance) == (None, None, None)


def test_seats_by_hand():
    seat = OWN.seats["b"]
    assert (seat.challenges, seat.unanswered, seat.silence, seat.changes) == (1, 1, 1.0, 1)
    assert (seat.reasoned_changes, seat.influence, seat.concessions) == (0, None, 0)


def test_a_reasoned_change_is_the_influence_of_the_seat_that_it_names():
    words = RcaAnswer(judge="judge_1", accepts="full", reason="yes", new="no", moved_by="critique-1")
    told = evaluated(answers={**ANSWERS, "r2.t0": ANSWERS["r2.t0"].model_copy(update={"rca": (words,)})}).x_hustings
    assert {seat: figures.influence for seat, figures in told.seats.items()} == {"a": 1, "b": 0}
    assert told.metrics.dominance == 0.5
    assert told.seats["b"].concessions == 1


def test_if_every_answer_was_lost_there_is_no_figure():
    found = evaluated(bundles=[b.model_copy(update={"claims": (), "stance": None}) for b in BUNDLES], answers={})
    summary, own = found.run_summary, found.x_hustings
    assert {*summary.crit_summary.model_dump().values(), *summary.rca_summary.model_dump().values()} == {None}
    assert {*summary.t3_summary.model_dump().values()} == {None}
    assert summary.raudit_summary.behavioral_drift_score is None
    assert summary.pid_summary.instability_index is None
    figures = own.metrics.model_dump(exclude={"claims", "points"})
    assert set(figures.values()) == {None}
    assert {value for look in own.looks for value in (look.js, look.ov, look.rho, look.alarm, look.novelty)} == {None}
    assert own.stop is None


def test_a_change_whose_reason_nobody_could_tell_is_no_drift():
    silent = {turn: answers.model_copy(update={"rca": ()}) for turn, answers in ANSWERS.items()}
    assert evaluated(answers=silent).run_summary.raudit_summary.behavioral_drift_score is None


def test_one_family_passes_nothing_and_its_badge_stands_first():
    found = evaluated(debater_families=("llama",))
    summary = found.run_summary
    words = (summary.crit_summary.threshold_pass, summary.rca_summary.verdict, summary.t3_summary.passes)
    assert words == (None, None, None)
    assert {turn.crit_summary.threshold_pass for turn in found.turn_evaluations} == {None}
    assert {turn.t3_summary.passes for turn in found.turn_evaluations} == {None}
    assert found.x_hustings.badges[0] == "judged by its own family"
    assert summary.crit_summary.gamma_mean == pytest.approx(0.765625)


def test_an_open_question_has_no_stance_and_the_rest_stands():
    found = evaluated(bundles=[bundle.model_copy(update={"stance": None}) for bundle in BUNDLES])
    assert [look.js for look in found.x_hustings.looks] == [None, None]
    assert found.x_hustings.metrics.decision_confidence is None
    assert found.run_summary.crit_summary.gamma_mean == pytest.approx(0.765625)
    assert found.x_hustings.metrics.reasoning_depth == pytest.approx(2 / 3, abs=1e-6)


def test_one_round_has_no_movement():
    found = evaluated(bundles=BUNDLES[:2])
    summary = found.run_summary
    assert (summary.pid_summary.instability_index, summary.raudit_summary.instability_index) == (None, None)
    assert summary.raudit_summary.behavioral_drift_score is None
    assert [look.alarm for look in found.x_hustings.looks] == [None]


def test_seats_that_all_say_the_same_agreed_from_the_start():
    same = [bundle.model_copy(update={"stance": Stance(beliefs=yes("holds"))}) for bundle in BUNDLES]
    own = evaluated(bundles=same).x_hustings
    assert [look.js for look in own.looks] == [0.0, 0.0]
    assert (own.stop.why, own.stop.agreement, own.stop.after_round) == ("agreed", "from the start", 2)


def test_stances_of_readers_and_of_seats_themselves_are_never_mixed():
    mixed = [
        bundle.model_copy(update={"stance": bundle.stance.model_copy(update={"source": "elicited"})})
        if bundle.seat == "a"
        else bundle
        for bundle in BUNDLES
    ]
    assert [look.js for look in evaluated(bundles=mixed).x_hustings.looks] == [None, None]
    alone = [b.model_copy(update={"stance": b.stance.model_copy(update={"source": "elicited"})}) for b in BUNDLES]
    assert evaluated(bundles=alone).x_hustings.looks[0].js == pytest.approx(0.3902, abs=5e-5)


def test_judges_who_disagree_over_ten_turns_say_no_word():
    bundles = [Bundle(turn_id=f"r1.t{n}", seat=f"s{n}", round=1, phases=("opening",), claims=()) for n in range(10)]
    answers = {
        bundle.turn_id: TurnAnswers(crit=(levels(6 - n % 7), levels(n % 7, judge="judge_2")))
        for n, bundle in enumerate(bundles)
    }
    judges = [Judge(seat=f"judge_{n}", model="m", family=f"f{n}", asked=10, accepted=10) for n in (1, 2)]
    found = evaluated(bundles=bundles, answers=answers, judges=tuple(judges))
    assert found.x_hustings.agreement.alpha < 0
    assert found.run_summary.crit_summary.threshold_pass is None
    assert found.x_hustings.badges == ("the judges do not agree",)


def test_a_synthesis_has_its_figures():
    answer = SynthesisAnswer(
        judge="judge_1",
        points=(StatedPoint(about="P1", stated=True),),
        sentences=(TracedSentence(number=1, source="P1", fair=True), TracedSentence(number=2)),
    )
    read = ReadSynthesis("r3.t0", {"P1": "a", "P2": "b"}, 2, (answer,))
    own = evaluated(syntheses=(read,)).x_hustings
    assert (own.syntheses[0].coverage, own.metrics.synthesis_quality, own.metrics.balance) == (0.5, 0.5, 0.0)


def test_cost_is_told_where_it_is_known():
    put = BUNDLES[2].model_copy(update={"critiques": (Critique(label="c", by="a", quote="q", claim="2"),)})
    own = evaluated(bundles=(*BUNDLES[:2], put, BUNDLES[3]), tokens=2000, cost=0.5).x_hustings
    assert (own.metrics.cost_efficiency, own.metrics.tokens, own.metrics.cost) == (0.5, 2000, 0.5)


def test_what_instructions_did():
    log = [
        Intervention(
            intervention_id="i1", timestamp=THEN, scope="round", trigger="human_override", instruction_sent="x"
        )
    ]
    transcript = record(BUNDLES, mode="in_loop", intervention_log=log)
    for turn in transcript.turns[2:]:
        turn.attempts[0].interventions_applied = [AppliedIntervention(intervention_id="i1")]
    found = evaluated(transcript=transcript)
    assert found.x_hustings.loop.paranoia_rate == 0.0
    assert found.x_hustings.loop.recovery_rate is None
    assert found.run_summary.raudit_summary.audit_strength == 2
    assert found.run_summary.pid_summary.intervention_count_total == 1


@pytest.mark.parametrize(("trigger", "strength"), [("pid_escalation", 1), ("human_override", 2), (None, 0)])
def test_words_of_a_person_are_the_firmest_instruction(trigger, strength):
    entry = {"intervention_id": "i1", "timestamp": THEN, "scope": "global", "instruction_sent": "x"}
    log = [Intervention(**entry, trigger=trigger)] if trigger else None
    found = evaluated(transcript=record(BUNDLES, mode="in_loop", intervention_log=log))
    assert found.run_summary.raudit_summary.audit_strength == strength


def test_a_record_without_control_has_no_trace_of_it():
    assert FOUND.control_trace is None


def test_control_that_a_record_tells_of_stands_in_the_file_turn_by_turn():
    transcript = record(BUNDLES, mode="in_loop")
    transcript.turns[2].attempts[-1].control_state = ControlState(e_t=0.1, u_t=0.08, k_p=0.8)
    (step,) = evaluated(transcript=transcript).control_trace
    assert (step.turn_id, step.round_index) == ("r2.t0", 2)
    assert (step.state.e_t, step.state.u_t, step.state.k_p, step.state.k_i) == (0.1, 0.08, 0.8, None)


# -- invariance --------------------------------------------------------------------------

SEATS = {"a": "zoe", "b": "yan"}


def renamed(bundle):
    critiques = tuple(one.model_copy(update={"by": SEATS[one.by]}) for one in bundle.critiques)
    return bundle.model_copy(update={"seat": SEATS[bundle.seat], "critiques": critiques})


def without_ids(evaluation, names):
    """The file as text with the names put back, without digests."""
    document = evaluation.document()
    document["x_hustings"]["integrity"] = None
    text = json.dumps(document)
    for new, old in names.items():
        text = text.replace(f'"{new}"', f'"{old}"')
    return json.loads(text)


def test_renamed_seats_have_the_same_figures():
    other = evaluated(bundles=[renamed(bundle) for bundle in BUNDLES])
    assert without_ids(other, {new: old for old, new in SEATS.items()}) == without_ids(FOUND, {})


def test_reordered_judges_give_the_same_bytes():
    answers = {
        turn: given.model_copy(update={"crit": (*given.crit, levels(3, "contradiction", judge="judge_2"))})
        for turn, given in ANSWERS.items()
    }
    other = {turn: given.model_copy(update={"crit": given.crit[::-1]}) for turn, given in answers.items()}
    assert evaluated(answers=answers) == evaluated(answers=other)


def test_isolated_turns_in_another_order_have_the_same_figures():
    swap = {"r1.t0": "r1.t1", "r1.t1": "r1.t0"}
    first, second = (b.model_copy(update={"turn_id": swap[b.turn_id]}) for b in BUNDLES[:2])
    bundles = (second, first, *BUNDLES[2:])
    answers = {swap.get(turn, turn): given for turn, given in ANSWERS.items()}
    one, other = record(BUNDLES), record(bundles)
    for transcript in (one, other):
        transcript.rounds[0].transcript_visibility = "isolated"
    given, moved = evaluated(transcript=one), evaluated(bundles=bundles, answers=answers, transcript=other)
    assert moved.run_summary == given.run_summary
    assert moved.x_hustings.model_copy(update={"integrity": None, "t3": None}) == given.x_hustings.model_copy(
        update={"integrity": None, "t3": None}
    )


# -- anything ----------------------------------------------------------------------------

WORDS = ("yes", "no", "unclear")
AMOUNTS = ("none", "part", "full", "unclear")


def debate(rnd):
    """A debate with anything that judges may answer: drawn in Python, since it has too many values to draw singly."""
    bundles, answers, spoken = [], {}, Counter()
    seats = rnd.randint(1, 5)
    for number in range(1, rnd.randint(1, 4) + 1):
        for seat in range(seats):
            if rnd.random() < 0.15:
                continue
            turn = f"r{number}.t{seat}"
            claims = tuple(some_claim(rnd, f"{turn}-{n}") for n in range(rnd.randint(0, 3)))
            firmness = rnd.choice(("none", "leans", "holds", "certain"))
            stance = None if rnd.random() < 0.2 else Stance(beliefs=beliefs(rnd.choice("abc"), firmness, "abc"))
            phases = phases_of("roundtable", "contribution", spoken[seat])
            spoken[seat] += 1
            bundles.append(
                Bundle(turn_id=turn, seat=f"s{seat}", round=number, phases=phases, claims=claims, stance=stance)
            )
            answers[turn] = some_answers(rnd, [f"judge_{n}" for n in range(rnd.randint(0, 3))], claims)
    return material(bundles, answers)


def some_claim(rnd, name):
    grounds = tuple(rnd.choice(("E1", "E2", "E3")) for _ in range(rnd.randint(0, 2)))
    return BundleClaim(
        id=name, quote="q", point=rnd.choice(("P1", "P2", "P3")), reasons=("r",) * rnd.randint(0, 1), grounds=grounds
    )


def some_answers(rnd, judges, claims):
    return TurnAnswers(
        crit=tuple(some_levels(rnd, judge) for judge in judges),
        rca=tuple(
            RcaAnswer(
                judge=judge,
                accepts=rnd.choice(AMOUNTS),
                changed=rnd.choice(AMOUNTS),
                **{word: rnd.choice(WORDS) for word in ("follows", "specific", "reason", "new")},
            )
            for judge in judges
        ),
        t3=tuple(T3Answer(judge=judge, rungs=tuple(some_rung(rnd, claim.id) for claim in claims)) for judge in judges),
    )


def some_levels(rnd, judge):
    kinds = [rnd.choice(("contradiction", "causal_overreach")) for _ in range(rnd.randint(0, 4))]
    return CritAnswer(
        judge=judge,
        levels={pillar: rnd.choice((None, *range(7))) for pillar in PILLARS},
        fit=rnd.choice((None, *range(7))),
        failures=tuple(CritFailure(kind=kind) for kind in kinds),
    )


def some_rung(rnd, name):
    ladder = (None, "L1", "L2", "L3")
    return ClaimRung(claim=name, asserts=rnd.choice(ladder), shows=rnd.choice(ladder))


debates = st.randoms(use_true_random=True).map(debate)


@settings(max_examples=20)
@given(debates)
def test_the_same_debate_is_evaluated_the_same_twice_and_again_from_its_file(given_):
    found = build_evaluation(given_)
    assert found == build_evaluation(given_)
    assert found == build_evaluation(material_of(found, given_.transcript))


@settings(max_examples=examples(300))
@given(debates)
def test_every_figure_of_any_debate_is_in_its_range_or_null(given_):
    found = build_evaluation(given_)
    document = found.document()
    assert document["x_hustings"]["integrity"]["digest"] == evaluation_digest(document)
    assert Evaluation.model_validate(document) == found
    metrics = found.x_hustings.metrics.model_dump(exclude={"points", "claims", "effective_points"})
    shares = [*metrics.values(), found.x_hustings.instability_index]
    shares += [value for part in found.run_summary.model_dump().values() for value in part.values()]
    assert all(0 <= value <= 1 for value in shares if isinstance(value, float))


def disguised(given_, names):
    """The same debate with other names of seats, and judges who answered in another order."""
    bundles = [
        bundle.model_copy(
            update={
                "seat": names[bundle.seat],
                "critiques": tuple(one.model_copy(update={"by": names[one.by]}) for one in bundle.critiques),
            }
        )
        for bundle in given_.bundles
    ]
    answers = {
        turn: TurnAnswers(crit=some.crit[::-1], rca=some.rca[::-1], t3=some.t3[::-1])
        for turn, some in given_.answers.items()
    }
    return material(bundles, answers)


@settings(max_examples=examples(200))
@given(debates)
def test_any_debate_with_seats_renamed_and_judges_reordered_has_the_same_figures(given_):
    names = {f"s{n}": f"seat-{9 - n}" for n in range(5)}
    found, other = build_evaluation(given_), build_evaluation(disguised(given_, names))
    assert without_ids(other, {new: old for old, new in names.items()}) == without_ids(found, {})


@settings(max_examples=examples(100))
@given(debates)
def test_any_debate_has_the_same_figures_whatever_the_order_of_turns_that_did_not_hear_each_other(given_):
    numbers = sorted({bundle.round for bundle in given_.bundles})
    turned = [bundle for number in numbers for bundle in reversed(given_.bundles) if bundle.round == number]
    records = [record(bundles) for bundles in (given_.bundles, turned)]
    for transcript in records:
        for round_ in transcript.rounds:
            round_.transcript_visibility = "isolated"
    found = build_evaluation(replace(given_, transcript=records[0]))
    other = build_evaluation(replace(given_, transcript=records[1], bundles=turned))
    assert other.run_summary == found.run_summary
    names = {"integrity": None, "t3": None}
    assert other.x_hustings.model_copy(update=names) == found.x_hustings.model_copy(update=names)
