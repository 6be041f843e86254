"""`hustings run` and `hustings fork`: have a debate, or another one from some turn on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer
from pydantic import ValidationError

from hustings.core.errors import Unsuitable
from hustings.core.forms import complaints
from hustings.llm.voices import Voice
from hustings.run.commission import Commission
from hustings.run.judging import JudgingWish, panel
from hustings.run.wish import Wish, draw_up, voices_for

from .database import at_desk
from .environment import Variables, variables, words_of
from .follow import FINISHED
from .having import affordable, have
from .judge import WithControl, commission_of_control, judge, left_after, listed
from .options import Budget, Caps, Cast, Manner, Place, Run, micro
from .terminal import talk


@dataclass(frozen=True)
class Afterwards:
    """What is done with a debate when it is over."""

    judges: Annotated[
        str,
        typer.Option(
            "--judges", metavar="MODEL,…", help="Judge it as well; `auto` takes JUDGE_LLM_MODEL, or the debaters' own."
        ),
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
    commission = last = affordable(draw_up(wish, known.all), known)
    after = JudgingWish(judges=afterwards.panel)
    if afterwards.wanted:
        panel(commission, after, known.all)  # what is wrong with it is said before anybody is paid
    code = have(commission, place)
    if afterwards.with_control and code == FINISHED:
        last = commission_of_control(commission.run_id, with_the_rest(after, last, place), place, known)
        code = have(last, place)
    if afterwards.wanted and code == FINISHED:
        code = judge(commission.run_id, with_the_rest(after, last, place), 2, place, known)
    raise typer.Exit(code)


def with_the_rest(wish: JudgingWish, last: Commission, place: Place) -> JudgingWish:
    return wish.model_copy(update={"purse": left_after(last, place)})


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
