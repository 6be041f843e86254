"""`hustings run` and `hustings fork`: have a debate, or another one from some turn on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer
from pydantic import ValidationError

from hustings.core.errors import Unsuitable
from hustings.core.forms import complaints
from hustings.llm.voices import Voice
from hustings.run.commission import Commission, Purse
from hustings.run.judging import JudgingWish
from hustings.run.wish import Wish, draw_up, voices_for

from .database import at_desk
from .environment import Variables, variables, words_of
from .follow import FINISHED
from .having import affordable, have
from .judge import WithControl, control, judge, listed
from .options import Budget, Caps, Cast, Manner, Place, Run, micro
from .terminal import talk


@dataclass(frozen=True)
class Afterwards:
    """What is done with a debate when it is over."""

    judges: Annotated[
        str,
        typer.Option("--judges", metavar="MODEL,…", help="Judge it as well; `auto` takes the debaters' own models."),
    ] = ""
    with_control: WithControl = False

    @property
    def wanted(self) -> bool:
        return bool(self.judges) or self.with_control

    @property
    def panel(self) -> tuple[str, ...]:
        return () if self.judges == "auto" else tuple(listed(self.judges))


def run_debate(
    protocol: Annotated[str, typer.Argument(help="Name of a protocol; `hustings protocols` lists them.")],
    topic: Annotated[str, typer.Argument(help="What to debate; @FILE reads it from a file.")],
    *,
    cast: Cast,
    afterwards: Afterwards,
    caps: Caps,
    manner: Manner,
    place: Place,
) -> None:
    """Have a debate. Exit code: 0 played, 1 failed, 2 wrong usage, 3 stopped, 4 key refused, 130 paused."""
    if afterwards.wanted and place.detach:
        raise Unsuitable("judging begins when the debate is over: leave --judges out, and judge it later by its id")
    known = variables()
    try:
        wish = Wish(
            protocol=protocol,
            topic=words_of(topic),
            settings=cast.values,
            retries=manner.retries,
            language=manner.language,
            model=cast.model,
            seats=cast.flags,
            purse=caps.purse,
            seed=manner.seed,
        )
    except ValidationError as error:
        raise Unsuitable(f"a debate like that cannot be had: {'; '.join(complaints(error))}") from None
    commission = affordable(draw_up(wish, known.all), known)
    code = have(commission, place)
    if afterwards.with_control and code == FINISHED:
        left = JudgingWish(judges=afterwards.panel, purse=what_is_left(commission, place))
        code = control(commission.run_id, left, place, known)
    if afterwards.wanted and code == FINISHED:
        left = JudgingWish(judges=afterwards.panel, purse=what_is_left(commission, place))
        code = judge(commission.run_id, left, 2, place, known)
    raise typer.Exit(code)


def what_is_left(commission: Commission, place: Place) -> Purse:
    """Of the caps of a debate, for what follows it: a cap holds for all that one command does."""
    purse, run_id = commission.purse, commission.run_id
    with at_desk(place.database) as desk:
        runs = [run_id, *desk.audits(run_id, "control")]
        reports = [desk.report(run) for run in runs]
    money, tokens, calls = (
        sum(figures) for figures in zip(*((r.spent, r.tokens, r.calls) for r in reports), strict=True)
    )
    return purse.model_copy(
        update={
            "money": None if purse.money is None else max(0, purse.money - (micro(money) or 0)),
            "tokens": None if purse.tokens is None else max(0, purse.tokens - int(tokens)),
            "calls": None if purse.calls is None else max(0, purse.calls - int(calls)),
        }
    )


def fork_run(
    run_id: Run,
    *,
    turn: Annotated[str, typer.Option("--from", metavar="TURN", help="The first turn that is held anew.")] = "",
    cast: Cast,
    budget: Budget = None,
    place: Place,
) -> None:
    """Have a debate again from a turn on, with other settings or models; what was said before costs nothing."""
    known = variables()
    with at_desk(place.database) as desk:
        from hustings.run.forking import fork  # noqa: PLC0415  heavy

        old = desk.commission(run_id)
        purse = old.purse if budget is None else old.purse.model_copy(update={"money": micro(budget)})
        voices = _voices(old, cast, known)
        commission = fork(desk, run_id, turn=turn, settings=cast.values, voices=voices, purse=purse)
    if voices and not turn:
        talk("All that was answered stays, whoever said it: to hear the new models on it, name a turn with --from.")
    raise typer.Exit(have(affordable(commission, known), place))


def _voices(old: Commission, cast: Cast, known: Variables) -> dict[str, Voice]:
    """Of the seats that somebody else takes."""
    flags, debate = cast.flags, old.debate
    wish = Wish(protocol=debate.protocol, topic=debate.topic, model=cast.model, seats=flags)
    if not cast.model and flags.keys() <= {seat.id for seat in debate.seats}:
        debate = debate.model_copy(update={"seats": tuple(seat for seat in debate.seats if seat.id in flags)})
    return voices_for(debate, wish, known.all)
