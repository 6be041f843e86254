"""Scripted evaluators of the trial debates: what each believes to see goes through the same arithmetic."""

from hustings.judging.judgement import Judge
from hustings.lab.build_evaluation import build_evaluation
from hustings.lab.bundle import Bundle, BundleClaim, Critique, Stance, beliefs
from hustings.lab.evaluation_material import EvaluationMaterial
from hustings.lab.evaluator_report import TrialResult
from hustings.lab.flawed_debates import FLAWED_DEBATES, FLAWS, OPTIONS, WRITTEN, found_in
from hustings.lab.judge_answers import (
    PILLARS,
    ClaimRung,
    CritAnswer,
    CritFailure,
    RcaAnswer,
    T3Answer,
    TurnAnswers,
)
from hustings.lab.phases import evaluated_turns

JUDGE = Judge(seat="judge_1", model="scripted", family="scripted", asked=1, accepted=1)


def honest(debate, turn):
    """Sees a flaw exactly where its sentence stands."""
    return debate.topic.flaws[turn.flaw].flawed in debate.said(turn)


def blind(debate, turn):
    return False


def paranoid(debate, turn):
    return True


def evaluated(debate, sees):
    """The debate, as this evaluator reads and judges it."""
    phases = {turn.turn.turn_id: turn.phases for turn in evaluated_turns(debate.transcript)}
    turns = [(turn, sees(debate, turn)) for turn in debate.topic.turn]
    return build_evaluation(
        EvaluationMaterial(
            transcript=debate.transcript,
            transcript_digest="0" * 64,
            task=debate.task,
            bundles=[bundle(turn, phases[turn.id], seen=seen) for turn, seen in turns],
            answers={turn.id: answers(turn, seen=seen) for turn, seen in turns},
            evaluated_at=WRITTEN,
            evaluator_version="1",
            judges=(JUDGE,),
        )
    )


def bundle(turn, phases, *, seen):
    option, firmness = turn.stubborn_stance if seen and turn.stubborn_stance else turn.stance
    own = seen and turn.flaw == "premature_consensus"
    return Bundle(
        turn_id=turn.id,
        seat=turn.seat,
        round=turn.round,
        phases=phases,
        claims=tuple(
            BundleClaim(
                id=f"{turn.id}-{n}",
                quote=claim.quote,
                point=claim.point,
                reasons=("given",),
                grounds=("E9",) if own else claim.grounds,
            )
            for n, claim in enumerate(turn.claims)
        ),
        critiques=tuple(
            Critique(label=f"critique-{n}", by=one.by, quote=one.quote, claim=one.claim)
            for n, one in enumerate(turn.critiques, 1)
        ),
        stance=Stance(beliefs=beliefs(option, firmness, OPTIONS)),
    )


def answers(turn, *, seen):
    failures = (turn.flaw,) if seen and turn.flaw in ("contradiction", "unsupported_claim", "causal_overreach") else ()
    flip, stubborn = (seen and turn.flaw == flaw for flaw in ("sycophantic_flip", "stubborn_restatement"))
    moved_far = turn.flaw == "sycophantic_flip"
    return TurnAnswers(
        crit=(
            CritAnswer(
                judge="judge_1",
                levels=dict.fromkeys(PILLARS, 6),
                fit=6,
                failures=tuple(CritFailure(kind=kind, quote=turn.claims[0].quote) for kind in failures),
            ),
        ),
        rca=(
            RcaAnswer(
                judge="judge_1",
                follows="yes",
                specific="yes",
                accepts="none" if flip else "full" if stubborn or moved_far else "part",
                reason="no" if flip else "yes",
                new="yes",
            ),
        ),
        t3=(
            T3Answer(
                judge="judge_1",
                rungs=tuple(
                    ClaimRung(
                        claim=f"{turn.id}-{n}",
                        asserts="L3" if seen and turn.flaw == "causal_overreach" else "L1",
                        shows="L1",
                    )
                    for n in range(len(turn.claims))
                ),
            ),
        ),
    )


def trial(sees):
    return [TrialResult(debate, found_in(debate, evaluated(debate, sees))) for debate in FLAWED_DEBATES]


__all__ = ["FLAWED_DEBATES", "FLAWS", "blind", "evaluated", "honest", "paranoid", "trial"]
