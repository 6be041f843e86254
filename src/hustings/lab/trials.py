"""Trials of one model as a judge or an evaluator: their specs, and the reports computed from their answers."""

from __future__ import annotations

from collections.abc import Mapping
from secrets import token_hex

from hustings.db.instants import instant
from hustings.errors import Unsuitable
from hustings.judging.judgement import Judge
from hustings.llm.endpoints import BUILT_IN
from hustings.llm.model_spec import ModelSpec, family, model_spec_of, parse_model_spec
from hustings.llm.prices import must_be_known
from hustings.runs.judging_spec import JudgingRequest, as_judge
from hustings.runs.registry import find_rubric, find_script
from hustings.runs.request import cast_with
from hustings.runs.spec import RunSpec, how_made, new_fence
from hustings.runs.staging import plan, slug
from hustings.script.debate import DebateSpec, Proceedings
from hustings.script.seats import Seat

from .answers_noted import verified_quotes
from .audits.evaluator_trial import Settings
from .audits.probing import Settings as ProbingSettings
from .call_plan import answered
from .evaluator_report import EvaluatorReport, evaluator_report, retest_of
from .judge_report import JudgeReport, judge_report
from .trial_debates import BASES, TOPIC, proceedings_of
from .trial_material import trial_results, trial_versions

SCRIPT = "evaluator_trial"


def probing_spec(model: str, request: JudgingRequest, environment: Mapping[str, str]) -> RunSpec:
    """Build the spec of a trial of one judge, on debates written for that purpose."""
    model_spec = tried_model(model, "a judge", environment)
    base = proceedings_of(BASES[0])
    debate = plan(find_script("probing"), TOPIC, settings=request.settings, judged=base)
    return trial_spec_of(debate.model_copy(update={"rubric": "argument"}), model_spec, request)


def judge_report_of(spec: RunSpec, proceedings: Proceedings) -> JudgeReport:
    """What a trial found about its judge."""
    model_spec, settings = spec.model_specs["judge_1"], ProbingSettings.model_validate(spec.debate.settings)
    about = {"model": model_spec.label, "family": family(model_spec), "date": spec.created_at[:10]}
    return judge_report(proceedings, settings, find_rubric("argument"), **about)


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


def tried_model(model: str, role: str, environment: Mapping[str, str]) -> ModelSpec:
    """The model that is tried as a judge or an evaluator."""
    flag = parse_model_spec(model)
    if flag.provider == "human":
        raise Unsuitable(f"a person can't be tested as {role}", fix="name a model, for example openai/gpt-5-mini")
    model_spec = as_judge(model_spec_of(Seat("judge_1", role="judge"), environment, flag=flag))
    if model_spec.provider not in BUILT_IN:
        must_be_known(model_spec)
    return model_spec


def trial_spec_of(debate: DebateSpec, model_spec: ModelSpec, request: JudgingRequest) -> RunSpec:
    """A trial in which every seat is the model that is tried."""
    model_specs = {seat.id: model_spec for seat in debate.seats}
    run_id = f"audit-{slug(model_spec.label)}-{token_hex(4)}"
    return RunSpec(
        run_id=run_id,
        lineage=run_id,
        debate=cast_with(debate, model_specs),
        model_specs=model_specs,
        created_at=instant(),
        fence=new_fence(),
        caps=request.caps,
        seed=request.seed,
        seconds_per_call=request.seconds_per_call,
        made=how_made([model_spec.provider]),
    )
