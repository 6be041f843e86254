"""From a finished debate and the notes of its evaluation to the evaluation itself; pure, and without a call."""

from __future__ import annotations

from dataclasses import dataclass

from hustings.judging.judgement import Judge
from hustings.script.debate import DebateSpec, Proceedings
from hustings.transcript.canonical import digest

from .answers_noted import answers_noted, syntheses_noted
from .artefact import Evaluation
from .audits.evaluation import PROMPT_VERSIONS, Settings
from .build_bundles import DebateMaterial
from .build_evaluation import build_evaluation
from .bundle import BundleProvenance, Bundles, EvaluationTask
from .call_plan import answered, call_plan
from .evaluation_material import EvaluationMaterial, ReadSynthesis
from .scorers.synthesis_sheet import points_that_mattered, sentence_counts


@dataclass(frozen=True)
class DebateCost:
    """What the debate itself took; None where it is not known."""

    tokens: int | None = None
    dollars: float | None = None


@dataclass(frozen=True)
class EvaluatedRun:
    """One evaluation: its spec, the debate it is about, and what its script left."""

    debate: DebateSpec
    """Of the evaluating run; it holds the record that is evaluated."""
    proceedings: Proceedings
    run_id: str
    began_at: str
    cost: DebateCost = DebateCost()

    @property
    def judged(self) -> Proceedings:
        assert self.debate.judged is not None, "an evaluation is about a debate"  # noqa: S101
        return self.debate.judged

    @property
    def settings(self) -> Settings:
        return Settings.model_validate(self.debate.settings)

    @property
    def material(self) -> DebateMaterial:
        return DebateMaterial(self.judged, self.proceedings.notes, self.settings.offered)

    def task(self) -> EvaluationTask:
        transcript, settings = self.judged.transcript, self.settings
        rung = settings.rung
        question = transcript.debate_metadata.topic or ""
        return EvaluationTask(question=question, options=settings.offered, required_rung=rung)

    def panel(self, asked: int) -> tuple[Judge, ...]:
        """The judges, each with how many of its questions it answered."""
        counted, settings = answered(self.proceedings.notes), self.settings
        seats = [seat.id for seat in self.debate.seats[2:]]
        families = dict(zip(seats, (*settings.families, *[""] * len(seats)), strict=False))
        return tuple(
            Judge(
                seat=seat,
                model=self.debate.cast[seat].model,
                family=families[seat],
                asked=asked * len(settings.readings),
                accepted=counted.get(seat, 0),
                kin=families[seat] in settings.debaters,
            )
            for seat in seats
        )


def evaluation_from(run: EvaluatedRun) -> Evaluation:
    """The evaluation of a run; the same notes give the same bytes."""
    material, settings, transcript = run.material, run.settings, run.judged.transcript
    plan = call_plan(material, settings.parts, settings.judges * len(settings.readings))
    return build_evaluation(
        EvaluationMaterial(
            transcript=transcript,
            transcript_digest=digest(transcript.document()),
            task=run.task(),
            bundles=material.bundles,
            answers=answers_noted(run.proceedings.notes),
            evaluated_at=run.began_at,
            evaluator_version=f"{run.debate.protocol}/{run.debate.version}",
            judges=run.panel(plan.judged),
            debater_families=settings.debaters,
            syntheses=read_syntheses(material, run),
            evaluation_run_id=run.run_id,
            prompt_versions=PROMPT_VERSIONS,
            calls=plan.calls,
            abstentions=plan.calls - sum(answered(run.proceedings.notes).values()),
            tokens=run.cost.tokens,
            cost=run.cost.dollars,
        )
    )


def read_syntheses(material: DebateMaterial, run: EvaluatedRun) -> list[ReadSynthesis]:
    """Syntheses with the points that they had to state, and by which side these were made."""
    answers = syntheses_noted(run.proceedings.notes)
    return [
        ReadSynthesis(
            name,
            {point: material.sides[claim.seat] for point, claim in points_that_mattered(material, name).items()},
            count,
            answers.get(name, ()),
        )
        for name, count in sentence_counts(material).items()
    ]


def bundles_from(run: EvaluatedRun) -> Bundles:
    """What any scorer can be run on, as one file."""
    provenance = BundleProvenance(
        run_id=run.judged.transcript.run_id,
        transcript_digest=digest(run.judged.transcript.document()),
        evaluation_run_id=run.run_id,
        prompt_versions=PROMPT_VERSIONS,
    )
    return Bundles(task=run.task(), provenance=provenance, bundles=run.material.bundles)
