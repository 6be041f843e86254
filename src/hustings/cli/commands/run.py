"""`hustings run` and `hustings fork`: hold a debate, or hold one again from a turn on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from hustings.cli.estimate_text import line
from hustings.cli.execute import execute
from hustings.cli.options import CapOptions, Cast, Estimated, Manner, Place, Run
from hustings.cli.terminal import talk
from hustings.config.paths import words_of
from hustings.config.prepare import affordable, estimate_request, must_answer, prepare
from hustings.llm.environment import Environment
from hustings.llm.model_spec import ModelSpec
from hustings.runs.estimate import estimate
from hustings.runs.follow_ups import FollowUps
from hustings.runs.request import DebateRequest, model_specs_for, requested
from hustings.runs.spec import RunSpec

from .db import open_runs
from .judge import have_all


@dataclass(frozen=True)
class Afterwards:
    """Options of the follow-ups: judging and control."""

    judges: Annotated[
        str,
        typer.Option(
            "--judges",
            metavar="MODEL,…",
            envvar="HUSTINGS_JUDGES",
            help="Who judges it: `auto` takes JUDGE_LLM_MODEL, or the debaters' own; `none` leaves it.",
        ),
    ] = "auto"
    with_control: Annotated[
        bool,
        typer.Option(
            "--control", envvar="HUSTINGS_CONTROL", help="Also ask the debaters' models without a debate, and compare."
        ),
    ] = False
    estimate: Estimated = False

    @property
    def follow_ups(self) -> FollowUps:
        return FollowUps.of(self.judges, control=self.with_control)


def run_debate(
    motion: Annotated[str, typer.Argument(metavar="MOTION", help="What to debate; @FILE reads it from a file.")],
    *,
    protocol: Annotated[
        str, typer.Option("--protocol", "-p", envvar="HUSTINGS_PROTOCOL", help="`hustings protocols` lists them.")
    ] = "structured",
    cast: Cast,
    afterwards: Afterwards,
    caps: CapOptions,
    manner: Manner,
    place: Place,
) -> None:
    """Have a debate, and have it judged.

    Exit code: 0 an honest outcome, 1 failed, 2 wrong usage, 3 stopped by a cap or a person, 4 no model or key
    refused, 5 no quorum of judges, 130 paused.
    """
    follow_ups = afterwards.follow_ups
    if follow_ups.control and not follow_ups.judging:
        talk("No control either: without a verdict there is nothing to compare it with.")
    with requested("debate"):
        request = DebateRequest(
            protocol=protocol,
            topic=words_of(motion),
            settings=cast.values,
            retries=manner.retries,
            language=manner.language,
            model=cast.for_all(talk),
            seats=cast.flags,
            caps=caps.given,
            seed=manner.seed,
        )
    if afterwards.estimate:
        from hustings.cli.estimate_text import show_estimate  # noqa: PLC0415  heavy

        return show_estimate(estimate_request(request, follow_ups, cast.known, talk), as_json=place.as_json)
    spec, known = prepare(request, follow_ups, cast.known, talk)
    must_answer(spec)
    told = "" if place.as_json or place.detach else forecast(spec, follow_ups, known)
    raise typer.Exit(have_all(spec, follow_ups, known, place, forecast=told))


def forecast(first: RunSpec, follow_ups: FollowUps, known: Environment) -> str:
    """Estimate of a run and its follow-ups, in one line."""
    after = follow_ups.scripts, follow_ups.judging_request
    return line(estimate(first, audits=after[0], request=after[1], environment=known, bounds=False))


def fork_run(
    run_id: Run,
    *,
    turn: Annotated[str, typer.Option("--from", metavar="TURN", help="The first turn that is held anew.")] = "",
    cast: Cast,
    caps: CapOptions,
    place: Place,
) -> None:
    """Have a debate again from a turn on, with other settings or models; what was said before costs nothing."""
    known = cast.known
    with open_runs(place.database) as runs:
        from hustings.runs.fork import fork  # noqa: PLC0415  heavy

        old = runs.spec(run_id)
        changed = old.caps.model_copy(update=caps.given.model_dump(exclude_none=True))
        model_specs = _model_specs(old, cast, known)
        spec = fork(runs, run_id, turn=turn, settings=cast.values, model_specs=model_specs, caps=changed)
    if model_specs and not turn:
        talk("All that was answered stays, whoever said it: to hear the new models on it, name a turn with --from.")
    spec = affordable(spec, known)
    raise typer.Exit(execute(spec, place, forecast=forecast(spec, FollowUps(None), known)))


def _model_specs(old: RunSpec, cast: Cast, known: Environment) -> dict[str, ModelSpec]:
    """Models of the seats that change in a fork."""
    debate = old.debate
    request = DebateRequest(protocol=debate.protocol, topic=debate.topic, model=cast.model, seats=cast.flags)
    if not cast.model and request.seats.keys() <= {seat.id for seat in debate.seats}:
        debate = debate.model_copy(update={"seats": tuple(seat for seat in debate.seats if seat.id in request.seats)})
    return model_specs_for(debate, request, known)
