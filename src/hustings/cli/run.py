"""`hustings run` and `hustings fork`: have a debate, or another one from some turn on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import ValidationError

from hustings.core.errors import Unsuitable
from hustings.core.forms import complaints
from hustings.home.arranging import arrange, imagine
from hustings.home.caution import affordable
from hustings.home.files import words_of
from hustings.llm.environment import Environment
from hustings.llm.voices import Voice
from hustings.run.commission import Commission
from hustings.run.judging import JudgingWish, panel
from hustings.run.wish import Wish, voices_for

from .database import at_desk
from .follow import FINISHED
from .having import have
from .judge import listed, tell, verdict_code
from .options import Caps, Cast, Estimated, Manner, Place, Run
from .terminal import talk

if TYPE_CHECKING:
    from hustings.run.estimate import Audit


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
    def scripts(self) -> tuple[Audit, ...]:
        """What follows the debate, in order; a control is nothing without a verdict to compare it with."""
        control: tuple[Audit, ...] = ("control",) if self.with_control else ()
        return (*control, "judging") if self.wanted else ()

    @property
    def wanted(self) -> bool:
        return self.judges != "none"

    @property
    def panel(self) -> tuple[str, ...]:
        return () if self.judges in {"auto", "none"} else tuple(listed(self.judges))


def run_debate(
    motion: Annotated[str, typer.Argument(metavar="MOTION", help="What to debate; @FILE reads it from a file.")],
    *,
    protocol: Annotated[
        str, typer.Option("--protocol", "-p", envvar="HUSTINGS_PROTOCOL", help="`hustings protocols` lists them.")
    ] = "structured",
    cast: Cast,
    afterwards: Afterwards,
    caps: Caps,
    manner: Manner,
    place: Place,
) -> None:
    """Have a debate, and have it judged.

    Exit code: 0 an honest outcome, 1 failed, 2 wrong usage, 3 stopped by a cap or a person, 4 no model or key
    refused, 5 no quorum of judges, 130 paused.
    """
    if afterwards.with_control and not afterwards.wanted:
        talk("No control either: without a verdict there is nothing to compare it with.")
    try:
        wish = Wish(
            protocol=protocol,
            topic=words_of(motion),
            settings=cast.values,
            retries=manner.retries,
            language=manner.language,
            model=cast.for_all(talk),
            seats=cast.flags,
            purse=caps.purse,
            seed=manner.seed,
        )
    except ValidationError as error:
        raise Unsuitable(f"a debate like that cannot be had: {'; '.join(complaints(error))}") from None
    after = JudgingWish(judges=afterwards.panel)
    if afterwards.estimate:
        return estimated(wish, cast, after, afterwards.scripts, as_json=place.as_json)
    commission, known = arrange(wish, cast.known, talk)
    if afterwards.wanted:
        panel(commission, after, known)  # what is wrong with it is said before anybody is paid
    raise typer.Exit(have_all(commission, after if afterwards.wanted else None, afterwards, known, place))


def have_all(
    first: Commission, judging: JudgingWish | None, afterwards: Afterwards, known: Environment, place: Place
) -> int:
    """One act after the other until one is not played to its end; the exit code of the last.

    What is left to the workers is left to them with all that follows it.
    """
    from hustings.run.programme import Programme, acts  # noqa: PLC0415  heavy

    programme = Programme(judging, control=afterwards.with_control)
    if place.detach:
        return have(first, place, programme=programme)
    code, last = FINISHED, first
    with at_desk(place.database) as desk:
        desk.upgrade()
        told = "" if place.as_json else forecast(first, judging or JudgingWish(), known, programme.scripts)
        for last in acts(desk, first, programme, known, lambda made: affordable(made, known)):
            if code := have(last, place, more=bool(programme.scripts), forecast=told if last is first else ""):
                break
        if last is first or last.debate.protocol != "judging":
            return code
        return verdict_code(code, tell(desk, last.run_id, 2, as_json=place.as_json))


def forecast(first: Commission, judging: JudgingWish, known: Environment, scripts: Sequence[str] = ()) -> str:
    """One line on all that it will take."""
    from hustings.run.estimate import estimate_all  # noqa: PLC0415  heavy

    from .estimate import line  # noqa: PLC0415

    audits: list[Audit] = ["control" if script == "control" else "judging" for script in scripts]
    return line(estimate_all(first, known, judging, audits=audits, bounds=False))


def estimated(wish: Wish, cast: Cast, after: JudgingWish, scripts: Sequence[Audit], *, as_json: bool) -> None:
    from hustings.run.estimate import estimate_all  # noqa: PLC0415  heavy

    from .estimate import show_estimate  # noqa: PLC0415

    commission, known = imagine(wish, cast.known, talk)
    show_estimate(estimate_all(commission, known, after, audits=scripts), as_json=as_json)


def fork_run(
    run_id: Run,
    *,
    turn: Annotated[str, typer.Option("--from", metavar="TURN", help="The first turn that is held anew.")] = "",
    cast: Cast,
    caps: Caps,
    place: Place,
) -> None:
    """Have a debate again from a turn on, with other settings or models; what was said before costs nothing."""
    known = cast.known
    with at_desk(place.database) as desk:
        from hustings.run.forking import fork  # noqa: PLC0415  heavy

        old = desk.commission(run_id)
        more = {name: cap for name, cap in caps.purse if cap is not None}
        purse = old.purse.model_copy(update=more)
        voices = _voices(old, cast, known)
        commission = fork(desk, run_id, turn=turn, settings=cast.values, voices=voices, purse=purse)
    if voices and not turn:
        talk("All that was answered stays, whoever said it: to hear the new models on it, name a turn with --from.")
    commission = affordable(commission, known)
    raise typer.Exit(have(commission, place, forecast=forecast(commission, JudgingWish(), known)))


def _voices(old: Commission, cast: Cast, known: Environment) -> dict[str, Voice]:
    """Of the seats that somebody else takes."""
    flags, debate = cast.flags, old.debate
    wish = Wish(protocol=debate.protocol, topic=debate.topic, model=cast.model, seats=flags)
    if not cast.model and flags.keys() <= {seat.id for seat in debate.seats}:
        debate = debate.model_copy(update={"seats": tuple(seat for seat in debate.seats if seat.id in flags)})
    return voices_for(debate, wish, known)
