"""`hustings run` and `hustings fork`: run a debate, or branch one at a turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from hustings.cli.estimate_text import line
from hustings.cli.execute import execute, starting
from hustings.cli.gate import FailOn, gate_code, must_have_a_verdict
from hustings.cli.options import (
    CapOptions,
    Cast,
    Estimated,
    FollowUpOptions,
    Manner,
    MotionOptions,
    Place,
    ProtocolOption,
    Run,
)
from hustings.cli.terminal import talk
from hustings.config.plan_run import RunPlan, estimate_plan, plan_fork, plan_run
from hustings.llm.environment import Environment
from hustings.llm.model_spec import ModelSpec
from hustings.runs.protocol_files import protocol_fields, with_protocol
from hustings.runs.request import DebateRequest, model_specs_for, models_of_seats, requested
from hustings.runs.spec import RunSpec

from .db import open_runs
from .judge import have_all


@dataclass(frozen=True)
class Afterwards(FollowUpOptions):
    """Options of the follow-ups, and what only one debate has."""

    fail_on: Annotated[
        FailOn | None,
        typer.Option(
            "--fail-on", help="Of `critique`: exit with 6 if the verdict is this or stricter, with 5 if there is none."
        ),
    ] = None
    estimate: Estimated = False


def run_debate(
    *,
    subject: MotionOptions,
    protocol: ProtocolOption = "structured",
    cast: Cast,
    afterwards: Afterwards,
    caps: CapOptions,
    manner: Manner,
    place: Place,
) -> None:
    """Run a debate and judge it.

    Exit code: 0 finished, 1 failed, 2 wrong usage, 3 stopped by a limit or a person, 4 no model or key
    refused, 5 too few judges, 6 a verdict that --fail-on names, 130 paused.
    """
    must_have_a_verdict(protocol, afterwards.fail_on, detached=place.detach)
    follow_ups, given = afterwards.follow_ups, subject.told(talk)
    if follow_ups.control and not follow_ups.judging:
        talk("Skipping --control: without judging there is no verdict to compare.")
    with requested("debate"):
        request = DebateRequest(
            **protocol_fields(protocol),
            topic=given.question,
            background=given.background,
            documents=given.documents,
            settings={**cast.values, **manner.panelists},
            personas=manner.manners,
            model=cast.for_all(talk),
            seats=cast.flags,
            caps=caps.given,
            **manner.request_fields,
            **subject.request_fields,
            **subject.offers(cast.known, talk),
        )
    if afterwards.estimate:
        from hustings.cli.estimate_text import show_estimate  # noqa: PLC0415  heavy

        plan = plan_run(request, cast.known, follow_ups, for_estimate=True)
        tell(plan)
        return show_estimate(estimate_plan(plan), as_json=place.as_json)
    with starting(place.database):
        plan = plan_run(request, cast.known, follow_ups)
        tell(plan)
        expected = "" if place.as_json or place.detach else forecast(plan)
    run_id = plan.spec.run_id
    with starting(place.database, run_id):
        done = have_all(plan.spec, follow_ups, plan.environment, place, forecast=expected)
    raise typer.Exit(gate_code(done, run_id, afterwards.fail_on, place))


def tell(plan: RunPlan) -> None:
    for remark in plan.remarks:
        talk(remark)


def forecast(plan: RunPlan) -> str:
    """Estimate of a run and its follow-ups, in one line."""
    return line(estimate_plan(plan, bounds=False))


def fork_run(
    run_id: Run,
    *,
    turn: Annotated[str, typer.Option("--from", metavar="TURN", help="First turn to run again.")] = "",
    cast: Cast,
    caps: CapOptions,
    place: Place,
) -> None:
    """Branch a debate at a turn, with other settings or models. Earlier turns are reused at no cost."""
    known = cast.known
    with open_runs(place.database) as runs:
        from hustings.runs.fork import fork  # noqa: PLC0415  heavy

        old = runs.spec(run_id)
        changed = old.caps.model_copy(update=caps.given.model_dump(exclude_none=True))
        model_specs = _model_specs(old, cast, known)
        settings = cast.values
        spec = fork(
            runs, run_id, turn=turn, settings=settings, model_specs=model_specs, caps=changed, load=with_protocol
        )
    if model_specs and not turn:
        talk("Finished answers are reused, also those of the replaced models. To ask the new models, add --from TURN.")
    plan = plan_fork(old, spec, known, settings=settings)
    with starting(place.database, spec.run_id):
        code = execute(plan.spec, place, forecast=forecast(plan))
    raise typer.Exit(code)


def _model_specs(old: RunSpec, cast: Cast, known: Environment) -> dict[str, ModelSpec]:
    """Models of the seats that change in a fork."""
    debate = old.debate
    seats = {seat: model for seat, model in cast.flags.items() if model}
    if not cast.model and seats.keys() <= {seat.id for seat in debate.seats}:
        return models_of_seats(old, seats, known)
    request = DebateRequest(protocol=debate.protocol, topic=debate.topic, model=cast.model, seats=seats)
    return model_specs_for(debate, request, known)
