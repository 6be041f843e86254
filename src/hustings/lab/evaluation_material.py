"""All that an evaluation is computed from: the record, its bundles, and what judges answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hustings.judging.judgement import Judge
from hustings.transcript.models import Transcript

from .artefact import Evaluation
from .bundle import Bundle, EvaluationTask
from .judge_answers import SynthesisAnswer, TurnAnswers


@dataclass(frozen=True)
class ReadSynthesis:
    """A synthesis, the points that it had to state, and what judges found in it."""

    id: str
    mattered: Mapping[str, str]
    """Point to the side or seat that made it."""
    sentences: int
    answers: tuple[SynthesisAnswer, ...] = ()


@dataclass(frozen=True)
class EvaluationMaterial:
    """All that an evaluation is computed from."""

    transcript: Transcript
    transcript_digest: str
    task: EvaluationTask
    bundles: Sequence[Bundle]
    """In order of the record."""
    answers: Mapping[str, TurnAnswers]
    """By turn."""
    evaluated_at: str
    evaluator_version: str
    judges: tuple[Judge, ...] = ()
    """`accepted` counts a judge's answers: one with none was not heard."""
    debater_families: tuple[str, ...] = ()
    """Empty if the debaters' models are not known."""
    syntheses: Sequence[ReadSynthesis] = ()
    evaluation_run_id: str = ""
    prompt_versions: Mapping[str, str] = field(default_factory=dict[str, str])
    calls: int = 0
    abstentions: int = 0
    tokens: int | None = None
    """Of the debate, in and out."""
    cost: float | None = None
    """Of the debate, in dollars."""
    cap: int = 4
    """Rounds after which the stop rule ends any debate."""


def material_of(evaluation: Evaluation, transcript: Transcript) -> EvaluationMaterial:
    """What an evaluation was computed from, read back from its file and its transcript."""
    own, turns = evaluation.x_hustings, evaluation.turn_evaluations
    return EvaluationMaterial(
        transcript=transcript,
        transcript_digest=own.transcript_digest,
        task=own.task,
        bundles=[turn.x_hustings.bundle for turn in turns],
        answers={turn.turn_id: turn.x_hustings.answers for turn in turns},
        evaluated_at=evaluation.evaluated_at,
        evaluator_version=evaluation.eval_metadata.evaluator_version,
        judges=own.judges,
        debater_families=own.debater_families,
        syntheses=[ReadSynthesis(one.id, one.mattered, one.sentences, one.answers) for one in own.syntheses],
        evaluation_run_id=own.evaluation_run_id,
        prompt_versions=own.prompt_versions,
        calls=own.calls,
        abstentions=own.abstentions,
        tokens=own.metrics.tokens,
        cost=own.metrics.cost,
        cap=own.cap,
    )
