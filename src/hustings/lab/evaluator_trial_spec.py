"""The spec of a trial of one evaluator, and the report that is computed from its answers."""

from __future__ import annotations

from collections.abc import Mapping

from hustings.judging.judgement import Judge
from hustings.llm.model_spec import family
from hustings.runs.judging_spec import JudgingRequest, trial_spec_of, tried_model
from hustings.runs.registry import find_script
from hustings.runs.spec import RunSpec
from hustings.runs.staging import plan
from hustings.script.debate import Proceedings

from .answers_noted import verified_quotes
from .audits.evaluator_trial import Settings
from .call_plan import answered
from .evaluator_report import EvaluatorReport, evaluator_report, retest_of
from .trial_material import trial_results, trial_versions

SCRIPT = "evaluator_trial"


def evaluator_trial_spec(model: str, request: JudgingRequest, environment: Mapping[str, str]) -> RunSpec:
    """Build the spec of a trial of one evaluator: reader, clerk and judge are this model."""
    model_spec = tried_model(model, "an evaluator", environment)
    first = trial_versions(1)[0]
    debate = plan(find_script(SCRIPT), first.debate.topic.question, settings=request.settings, judged=first.judged)
    return trial_spec_of(debate, model_spec, request)


def evaluator_report_of(spec: RunSpec, proceedings: Proceedings) -> EvaluatorReport:
    """What a trial found about its evaluator."""
    model_spec, settings = spec.model_specs["judge_1"], Settings.model_validate(spec.debate.settings)
    notes, kin = proceedings.notes, family(model_spec)
    counted = answered(notes)
    judge = Judge(
        seat="judge_1", model=model_spec.label, family=kin, asked=1, accepted=min(1, counted.get("judge_1", 0))
    )
    versions = trial_versions(settings.topics)
    pairs = [
        (version.evaluation(notes, [judge], 0), version.evaluation(notes, [judge], 1))
        for version in versions
        if settings.repeat > 1
    ]
    failed = sum(note.kind == "failure" for note in notes)
    good = sum(counted.values())
    return evaluator_report(
        trial_results(notes, [judge], settings.topics),
        model=model_spec.label,
        family=kin,
        date=spec.created_at[:10],
        calls=(good + failed, good),
        quotes=verified_quotes(notes),
        retest=retest_of(pairs) if pairs else None,
    )
