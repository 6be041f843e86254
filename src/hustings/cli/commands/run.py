"""`hustings run` and `hustings fork`: run a debate, or branch one at a turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from hustings.cli.estimate_text import line
from hustings.cli.execute import execute, starting
from hustings.cli.gate import gate_code, gate_for
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
from hustings.config.prepare import affordable, estimate_request, must_answer, prepare, requests
from hustings.llm.environment import Environment
from hustings.llm.model_spec import ModelSpec
from hustings.runs.estimate import estimate
from hustings.runs.follow_ups import FollowUps
from hustings.runs.protocol_files import protocol_fields, with_protocol
from hustings.runs.request import DebateRequest, model_specs_for, models_of_seats, requested
from hustings.runs.spec import RunSpec

from .db import open_runs
from .judge import have_all


@dataclass(frozen=True)
class Afterwards(FollowUpOptions):
    """Options of the follow-ups, and what only one debate has."""

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
    fail_on = afterwards.fail_on
    gate = gate_for(protocol, fail_on, detached=place.detach) if fail_on else None
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

        return show_estimate(estimate_request(request, follow_ups, cast.known, talk), as_json=place.as_json)
    with starting(place.database):
        spec, known = prepare(request, follow_ups, cast.known, talk)
        must_answer(spec)
        told = "" if place.as_json or place.detach else forecast(spec, follow_ups, known)
    with starting(place.database, spec.run_id):
        done = have_all(spec, follow_ups, known, place, forecast=told)
    raise typer.Exit(gate_code(done, spec.run_id, gate, place))


def forecast(first: RunSpec, follow_ups: FollowUps, known: Environment) -> str:
    """Estimate of a run and its follow-ups, in one line."""
    wanted = requests(follow_ups)
    return line(estimate(first, audits=follow_ups.scripts, request=wanted, environment=known, bounds=False))


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
    spec = affordable(spec, known)
    with starting(place.database, spec.run_id):
        code = execute(spec, place, forecast=forecast(spec, FollowUps(None), known))
    raise typer.Exit(code)


def _model_specs(old: RunSpec, cast: Cast, known: Environment) -> dict[str, ModelSpec]:
    """Models of the seats that change in a fork."""
    debate = old.debate
    seats = {seat: model for seat, model in cast.flags.items() if model}
    if not cast.model and seats.keys() <= {seat.id for seat in debate.seats}:
        return models_of_seats(old, seats, known)
    request = DebateRequest(protocol=debate.protocol, topic=debate.topic, model=cast.model, seats=seats)
    return model_specs_for(debate, request, known)
