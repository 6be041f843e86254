"""`hustings run` and `hustings fork`: have a debate, or another one from some turn on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from hustings.home.arranging import estimate_request, must_answer, prepare
from hustings.home.caution import affordable
from hustings.home.files import words_of
from hustings.llm.environment import Environment
from hustings.llm.voices import Voice
from hustings.run.commission import Commission
from hustings.run.programme import Programme
from hustings.run.wish import Wish, requested, voices_for

from .database import open_runs
from .execute import execute
from .judge import have_all
from .options import CapOptions, Cast, Estimated, Manner, Place, Run
from .terminal import talk


@dataclass(frozen=True)
class Afterwards:
    """What is done with a debate when it is over."""

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
    def follow_ups(self) -> Programme:
        return Programme.of(self.judges, control=self.with_control)


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
        wish = Wish(
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
        from .estimate import show_estimate  # noqa: PLC0415  heavy

        return show_estimate(estimate_request(wish, follow_ups, cast.known, talk), as_json=place.as_json)
    commission, known = prepare(wish, follow_ups, cast.known, talk)
    must_answer(commission)
    told = "" if place.as_json or place.detach else forecast(commission, follow_ups, known)
    raise typer.Exit(have_all(commission, follow_ups, known, place, forecast=told))


def forecast(first: Commission, follow_ups: Programme, known: Environment) -> str:
    """One line on all that it will take."""
    from hustings.run.estimate import estimate  # noqa: PLC0415  heavy

    from .estimate import line  # noqa: PLC0415

    after = follow_ups.scripts, follow_ups.judging_wish
    return line(estimate(first, audits=after[0], wish=after[1], environment=known, bounds=False))


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
        from hustings.run.forking import fork  # noqa: PLC0415  heavy

        old = runs.commission(run_id)
        changed = old.caps.model_copy(update=caps.given.model_dump(exclude_none=True))
        voices = _voices(old, cast, known)
        commission = fork(runs, run_id, turn=turn, settings=cast.values, voices=voices, caps=changed)
    if voices and not turn:
        talk("All that was answered stays, whoever said it: to hear the new models on it, name a turn with --from.")
    commission = affordable(commission, known)
    raise typer.Exit(execute(commission, place, forecast=forecast(commission, Programme(None), known)))


def _voices(old: Commission, cast: Cast, known: Environment) -> dict[str, Voice]:
    """Of the seats that somebody else takes."""
    debate = old.debate
    wish = Wish(protocol=debate.protocol, topic=debate.topic, model=cast.model, seats=cast.flags)
    if not cast.model and wish.seats.keys() <= {seat.id for seat in debate.seats}:
        debate = debate.model_copy(update={"seats": tuple(seat for seat in debate.seats if seat.id in wish.seats)})
    return voices_for(debate, wish, known)
