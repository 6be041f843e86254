"""A debate with a hand-made evaluation, so that displays can be tried without judges."""

from functools import cache

from hustings.judging.judgement import Judge
from hustings.lab.artefact import (
    CritDetails,
    CritSummary,
    DebateFigures,
    EvalMetadata,
    Evaluation,
    EvaluationSummary,
    JudgeAgreement,
    LookFigures,
    MajorityRung,
    OwnFigures,
    PidSummary,
    RauditSummary,
    RcaDetails,
    RcaSummary,
    SeatFigures,
    StopReading,
    SynthesisFigures,
    T3Details,
    T3Summary,
    TurnDetails,
    TurnEvaluation,
    TurnVerdict,
    sealed_evaluation,
)  # fmt: skip
from hustings.lab.bundle import Bundle, BundleClaim, EvaluationTask, Stance, beliefs
from hustings.lab.judge_answers import (
    PILLARS,
    ClaimRung,
    CritAnswer,
    CritFailure,
    RcaAnswer,
    T3Answer,
    Trap,
    TurnAnswers,
)  # fmt: skip
from hustings.lab.judge_panel import OWN_FAMILY
from hustings.lab.section import EvaluationSection
from tests.judging.judgings import debated
from tests.report.dossiers import unjudged

OPTIONS = ("yes", "no")
VERDICTS = ("CONSISTENT", "INCONSISTENT_SYCOPHANTIC", "INCONSISTENT_STUBBORN", "CONSISTENT", None)


@cache
def evaluated(protocol="roundtable", *, one_family=False, empty=False, word="", rounds=0):
    """The dossier of an improvised debate and its evaluation; `word` stands wherever a judge or speaker could write."""
    plain = unjudged(protocol)
    if rounds:
        plain = plain.model_copy(update={"proceedings": debated(protocol, rounds=rounds).proceedings})
    made = evaluation(plain.proceedings.transcript, one_family=one_family, empty=empty, word=word)
    return plain.model_copy(update={"sections": (EvaluationSection(made, plain.proceedings.transcript),)})


def evaluation(transcript, *, one_family=False, empty=False, word=""):
    turns = [] if empty else [turn for turn in transcript.turns if turn.said]
    found = tuple(turn_evaluation(turn, n, one_family=one_family, word=word) for n, turn in enumerate(turns))
    rounds = sorted({turn.round_index for turn in turns})
    own = OwnFigures(
        transcript_digest="0" * 64,
        evaluation_run_id="ev-1",
        badges=(OWN_FAMILY, *filter(None, [word])) if one_family else (),
        independent=not one_family,
        judges=tuple(Judge(seat=j, model=f"acme/{j}", family="acme", asked=9, accepted=8) for j in ("j1", "j2")),
        prompt_versions={"crit": "1"},
        calls=107,
        abstentions=2,
        task=EvaluationTask(question=transcript.debate_metadata.topic or "", options=OPTIONS),
        agreement=JudgeAgreement(alpha=None if empty else 0.71, turns=9, word="tentative"),
        crit=CritDetails(turns=len(turns), scored=len(turns), spread=None if empty else 0.05),
        rca=RcaDetails(judged=len(turns), consistent=len(turns) // 2, sycophantic=2, stubborn=1),
        t3=T3Details(claim="C1", turn_id=turns[0].turn_id if turns else None, claims=9, collapses=1),
        looks=tuple(look(n, index) for n, index in enumerate(rounds)),
        stop=None if empty else StopReading(after_round=2, why="agreed", agreement="hollow"),
        seats={} if empty else {turns[0].speaker_id: SeatFigures(challenges=4, unanswered=1, changes=2)},
        syntheses=() if empty else (SynthesisFigures(id="n1", quality=0.816, coverage=0.8),),
        metrics=DebateFigures() if empty else DebateFigures(argument_diversity=0.171, decision="no", redundancy=0.25),
    )
    return sealed_evaluation(
        Evaluation(
            debate_id=transcript.debate_id,
            run_id=transcript.run_id,
            evaluation_mode=transcript.mode,
            evaluated_at="2026-01-01T00:00:00Z",
            eval_metadata=EvalMetadata(evaluator_version="1"),
            run_summary=EvaluationSummary() if empty else summary(one_family=one_family),
            turn_evaluations=found,
            x_hustings=own,
        )
    )


def summary(*, one_family):
    return EvaluationSummary(
        crit_summary=CritSummary(gamma_mean=0.76, theta_mean=0.7, threshold_pass=None if one_family else False),
        rca_summary=RcaSummary(trace_consistency_rate=0.5, verdict=None if one_family else "mixed"),
        t3_summary=T3Summary(
            required_rung="L2", detected_rung="L1", trap_detected="T7", passes=None if one_family else False
        ),
        pid_summary=PidSummary(instability_index=0.4),
        raudit_summary=RauditSummary(behavioral_drift_score=0.1),
    )


def look(n, index):
    return LookFigures(
        round_index=index,
        js=(0.39, 0.21, 0.04)[n % 3],
        ov=(0.33, None, 0.11)[n % 3],
        novelty=0.5,
        alarm=(None, False, True)[n % 3],
        rho=(0.8, 0.73, 0.75)[n % 3],
        spread=0.05,
        claims=3,
    )


def turn_evaluation(turn, n, *, one_family, word):
    verdict = VERDICTS[n % len(VERDICTS)]
    rho = None if verdict is None else 0.7 + 0.05 * (n % 4)
    quote = word or " ".join(turn.said.split()[2:9])
    other = word or " ".join(turn.said.split()[5:14])
    rung = MajorityRung(claim="C1", asserts="L2", shows="L1" if n % 2 else "L2", open_trap="T7" if n % 2 else None)
    causal = bool(n % 3)
    return TurnEvaluation(
        turn_id=turn.turn_id,
        round_index=turn.round_index,
        speaker_id=turn.speaker_id,
        crit_summary=CritSummary(gamma_mean=rho, theta_mean=rho, threshold_pass=None if one_family else False),
        rca_summary=TurnVerdict(verdict=verdict),
        t3_summary=T3Summary(
            required_rung=rung.asserts, detected_rung=rung.shows, trap_detected=rung.open_trap, passes=None
        ) if causal else T3Summary(),
        x_hustings=TurnDetails(
            phases=("critique", "revision") if turn.round_index > 1 else ("opening",),
            pillars={} if rho is None else dict(zip(PILLARS[: 4 - n % 2], (0.85, 0.7, 0.4, 1.0), strict=False)),
            spread=0.04,
            failures=(CritFailure(kind="causal_overreach", quote=quote),),
            failures_by_judges={"causal_overreach": 2, "contradiction": 1},
            deed="part",
            reasoned=bool(n % 2),
            rungs=(rung,) if causal else (),
            bundle=Bundle(
                turn_id=turn.turn_id, seat=turn.speaker_id, round=turn.round_index, phases=("opening",),
                claims=(BundleClaim(id="C1", quote=quote, point="P1", claim=word or "A claim.", grounds=("E1",)),),
                stance=Stance(beliefs=beliefs("no", "holds", OPTIONS), quote=other),
            ),
            answers=answers(quote, other, word),
        ),
    )  # fmt: skip


def answers(quote, other, word):
    levels = dict(zip(PILLARS, (5, 4, None, 6), strict=True))
    failure = CritFailure(kind="causal_overreach", quote=quote)
    rung = ClaimRung(claim="C1", asserts="L2", shows="L1", asserts_quote=quote, traps=(Trap(code="T7", quote=other),))
    return TurnAnswers(
        crit=tuple(
            CritAnswer(judge=judge, levels=levels, fit=4, failures=(failure,), quotes={"logical_validity": other})
            for judge in ("j1", "j2")
        ),
        rca=(RcaAnswer(judge="j1", accepts="full", reason="no", new="no", quote=other),),
        t3=(T3Answer(judge="j2", rungs=(rung,)),),
        speaks_to_reader=(word,) if word else (),
    )
