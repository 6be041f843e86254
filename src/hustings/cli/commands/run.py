"""`hustings run` and `hustings fork`: run a debate, or branch one at a turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import typer

from hustings.cli.estimate_text import line
from hustings.cli.execute import execute, starting
from hustings.cli.gate import gate_code, gate_for
from hustings.cli.options import Estimated, Place, Run
from hustings.cli.request_options import JudgedDebateOptions, LimitOptions, ModelOptions, QuestionOptions
from hustings.cli.terminal import talk
from hustings.config.plan_run import RunPlan, estimate_plan, plan_fork, plan_run
from hustings.llm.environment import Environment
from hustings.llm.model_spec import ModelSpec
from hustings.runs.protocol_files import with_protocol
from hustings.runs.request import DebateRequest, model_specs_for, models_of_seats
from hustings.runs.spec import RunSpec

from .db import open_runs
from .judge import have_all


@dataclass(frozen=True)
class SingleDebateOptions:
    """What only one debate has."""

    fail_on: Annotated[
        str | None,
        typer.Option(
            "--fail-on",
            metavar="VERDICT",
            help="Of a protocol with a verdict of its own, such as `critique` (revise, reject): exit with 6 if it is "
            "this or stricter, with 5 if there is none.",
        ),
    ] = None
    estimate: Estimated = False


def run_debate(
    *,
    subject: QuestionOptions,
    how: JudgedDebateOptions,
    this: SingleDebateOptions,
    place: Place,
) -> None:
    """Run a debate and judge it.

    Exit code: 0 finished, 1 failed, 2 wrong usage, 3 stopped by a limit or a person, 4 no model or key
    refused, 5 too few judges, 6 a verdict that --fail-on names, 130 paused.
    """
    fail_on = this.fail_on
    gate = gate_for(how.values()["protocol"], fail_on, detached=place.detach) if fail_on else None
    request = subject.request(how)
    if this.estimate:
        from hustings.cli.estimate_text import show_estimate  # noqa: PLC0415  heavy

        plan = plan_run(request, how.environment, for_estimate=True)
        tell(plan)
        return show_estimate(estimate_plan(plan), as_json=place.as_json)
    with starting(place.database):
        plan = plan_run(request, how.environment)
        tell(plan)
        expected = "" if place.as_json or place.detach else forecast(plan)
    run_id = plan.spec.run_id
    with starting(place.database, run_id):
        done = have_all(plan.spec, plan.follow_ups, plan.environment, place, forecast=expected)
    raise typer.Exit(gate_code(done, run_id, gate, place))


def tell(plan: RunPlan) -> None:
    """Tell a person what a plan remarks."""
    for remark in plan.remarks:
        talk(remark)
    if plan.follow_ups.control and not plan.follow_ups.judging:
        talk("Skipping --control: without judging there is no verdict to compare.")


def forecast(plan: RunPlan) -> str:
    """Estimate of a run and its follow-ups, in one line."""
    return line(estimate_plan(plan, bounds=False))


def fork_run(
    run_id: Run,
    *,
    turn: Annotated[str, typer.Option("--from", metavar="TURN", help="First turn to run again.")] = "",
    models: ModelOptions,
    limits: LimitOptions,
    place: Place,
) -> None:
    """Branch a debate at a turn, with other settings or models. Earlier turns are reused at no cost."""
    environment, change = models.environment, models.request_fields()
    settings = change["settings"]
    with open_runs(place.database) as runs:
        from hustings.runs.fork import fork  # noqa: PLC0415  heavy

        old = runs.spec(run_id)
        caps = old.caps.model_copy(update=limits.caps.model_dump(exclude_none=True))
        model_specs = _model_specs(old, change["model"], change["seats"], environment)
        spec = fork(runs, run_id, turn=turn, settings=settings, model_specs=model_specs, caps=caps, load=with_protocol)
    if model_specs and not turn:
        talk("Finished answers are reused, also those of the replaced models. To ask the new models, add --from TURN.")
    plan = plan_fork(old, spec, environment, settings=settings)
    with starting(place.database, spec.run_id):
        code = execute(plan.spec, place, forecast=forecast(plan))
    raise typer.Exit(code)


def _model_specs(old: RunSpec, model: str, seats: Mapping[str, str], environment: Environment) -> dict[str, ModelSpec]:
    """Models of the seats that change in a fork."""
    debate = old.debate
    if not model and seats.keys() <= {seat.id for seat in debate.seats}:
        return models_of_seats(old, seats, environment)
    request = DebateRequest(protocol=debate.protocol, question=debate.topic, model=model, seats=seats)
    return model_specs_for(debate, request, environment)
