"""Two seats, two rounds, one judge: a debate whose every figure can be computed by hand."""

from hustings.judging.judgement import Judge
from hustings.lab.build_evaluation import build_evaluation
from hustings.lab.bundle import Bundle, BundleClaim, Critique, EvaluationTask, Stance, beliefs
from hustings.lab.evaluation_material import EvaluationMaterial
from hustings.lab.judge_answers import (
    PILLARS,
    ClaimRung,
    CritAnswer,
    CritFailure,
    RcaAnswer,
    T3Answer,
    TurnAnswers,
)
from hustings.transcript.models import (
    Attempt,
    DebateMetadata,
    Participant,
    Round,
    RunMetadata,
    Transcript,
    Turn,
    TurnMetadata,
)

THEN = "2026-01-01T00:00:00.000Z"
YES_NO = ("yes", "no")
BOTH = ("critique", "revision")


def yes(firmness):
    return beliefs("yes", firmness, YES_NO)


def no(firmness):
    return beliefs("no", firmness, YES_NO)


def claim(name, point, *grounds, reasons=1):
    return BundleClaim(id=name, quote="q", point=point, reasons=("because",) * reasons, grounds=grounds)


def levels(level, *failures, judge="judge_1", fit=None):
    """A judge who gives every pillar the same level."""
    return CritAnswer(
        judge=judge,
        levels=dict.fromkeys(PILLARS, level),
        fit=level if fit is None else fit,
        failures=tuple(CritFailure(kind=kind, quote="words") for kind in failures),
    )


def rungs(*found, judge="judge_1"):
    return T3Answer(judge=judge, rungs=tuple(ClaimRung(claim=c, asserts=a, shows=s) for c, a, s in found))


def record(bundles, **changes):
    """A transcript that holds the turns of these bundles."""
    seats = list(dict.fromkeys(bundle.seat for bundle in bundles))
    rounds = [
        Round(
            round_index=number,
            turns=[
                Turn(
                    turn_id=bundle.turn_id,
                    round_index=number,
                    turn_index_in_round=n,
                    speaker_id=bundle.seat,
                    attempts=[Attempt(attempt_index=0, timestamp=THEN, status="ok", content="Words. " * 20)],
                    metadata=TurnMetadata(kind="contribution"),
                )
                for n, bundle in enumerate(one for one in bundles if one.round == number)
            ],
        )
        for number in sorted({bundle.round for bundle in bundles})
    ]
    fields = {
        "schema_version": "2.0.0",
        "debate_id": "d",
        "run_id": "r",
        "mode": "posthoc",
        "created_at": THEN,
        "run_metadata": RunMetadata(protocol="roundtable/1"),
        "debate_metadata": DebateMetadata(topic="Tea?"),
        "participants": [Participant(agent_id=seat) for seat in seats],
        "rounds": rounds,
    }
    return Transcript(**{**fields, **changes})


BUNDLES = (
    Bundle(
        turn_id="r1.t0",
        seat="a",
        round=1,
        phases=("opening",),
        claims=(claim("1", "P1", "E1", "E2"),),
        stance=Stance(beliefs=yes("holds")),
    ),
    Bundle(
        turn_id="r1.t1",
        seat="b",
        round=1,
        phases=("opening",),
        claims=(claim("2", "P2", "E2", "E3"),),
        stance=Stance(beliefs=no("holds")),
    ),
    Bundle(
        turn_id="r2.t0",
        seat="b",
        round=2,
        phases=BOTH,
        claims=(claim("3", "P1", "E3"),),
        critiques=(Critique(label="critique-1", by="a", quote="q"),),
        stance=Stance(beliefs=yes("leans")),
    ),
    Bundle(
        turn_id="r2.t1",
        seat="a",
        round=2,
        phases=BOTH,
        claims=(claim("4", "P1", "E1"),),
        critiques=(Critique(label="critique-1", by="b", quote="q"),),
        stance=Stance(beliefs=yes("holds")),
    ),
)
ANSWERS = {
    "r1.t0": TurnAnswers(
        crit=(levels(5),), rca=(RcaAnswer(judge="judge_1", follows="yes"),), t3=(rungs(("1", "L2", "L2")),)
    ),
    "r1.t1": TurnAnswers(
        crit=(levels(4),), rca=(RcaAnswer(judge="judge_1", follows="yes"),), t3=(rungs(("2", "L1", "L1")),)
    ),
    "r2.t0": TurnAnswers(
        crit=(levels(4),),
        rca=(RcaAnswer(judge="judge_1", accepts="none", reason="no", new="no"),),
        t3=(rungs(("3", "L2", "L1")),),
    ),
    "r2.t1": TurnAnswers(
        crit=(levels(5, "ignored_critique"),),
        rca=(RcaAnswer(judge="judge_1", accepts="none", reason="yes", new="no"),),
        t3=(rungs(("4", "L2", "L2")),),
    ),
}
ONE_JUDGE = (Judge(seat="judge_1", model="x/llama", family="llama", asked=12, accepted=12),)


def material(bundles=BUNDLES, answers=ANSWERS, **changes):
    fields = {
        "transcript": record(bundles),
        "transcript_digest": "ab" * 32,
        "task": EvaluationTask(question="Tea?", options=YES_NO),
        "bundles": bundles,
        "answers": answers,
        "evaluated_at": THEN,
        "evaluator_version": "1",
        "judges": ONE_JUDGE,
        "debater_families": ("qwen",),
    }
    return EvaluationMaterial(**{**fields, **changes})


def evaluated(**changes):
    return build_evaluation(material(**changes))
