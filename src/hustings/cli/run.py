"""`hustings run` and `hustings fork`: have a debate, or another one from some turn on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from pydantic import ValidationError

from hustings.core.errors import Unsuitable
from hustings.core.forms import complaints
from hustings.llm.voices import Voice
from hustings.run.commission import Commission
from hustings.run.wish import Wish, draw_up, voices_for

from .database import at_desk
from .environment import Variables, variables, words_of
from .follow import perform
from .options import MICRO, Budget, Caps, Cast, Manner, Place, Run, micro
from .telling import NOBODY
from .terminal import show, show_event, talk

if TYPE_CHECKING:
    from hustings.run.desk import Desk
    from hustings.run.worker import Worker

USUAL_BUDGET = 1.0
"""US dollars, where nothing was said and something is paid."""


def run_debate(
    protocol: Annotated[str, typer.Argument(help="Name of a protocol; `hustings protocols` lists them.")],
    topic: Annotated[str, typer.Argument(help="What to debate; @FILE reads it from a file.")],
    *,
    cast: Cast,
    caps: Caps,
    manner: Manner,
    place: Place,
) -> None:
    """Have a debate. Exit code: 0 played, 1 failed, 2 wrong usage, 3 stopped, 4 key refused, 130 paused."""
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
    have(affordable(draw_up(wish, known.all), known), place)


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
    have(affordable(commission, known), place)


def _voices(old: Commission, cast: Cast, known: Variables) -> dict[str, Voice]:
    """Of the seats that somebody else takes."""
    flags, debate = cast.flags, old.debate
    wish = Wish(protocol=debate.protocol, topic=debate.topic, model=cast.model, seats=flags)
    if not cast.model and flags.keys() <= {seat.id for seat in debate.seats}:
        debate = debate.model_copy(update={"seats": tuple(seat for seat in debate.seats if seat.id in flags)})
    return voices_for(debate, wish, known.all)


def have(commission: Commission, place: Place) -> None:
    """Have a debate here and now, or leave it to the workers."""
    run_id = commission.run_id

    def begin(desk: Desk, worker: Worker) -> None:
        entered = desk.under_budgets(commission)
        desk.enter(entered)
        worker.start(entered)

    if not place.detach:
        introduce(commission, as_json=place.as_json)
        raise typer.Exit(perform(place.database, commission, begin, as_json=place.as_json))
    with at_desk(place.database) as desk:
        desk.upgrade()
        entered = desk.under_budgets(commission)
        desk.enter(entered)
        desk.enqueue(entered)
        lonely = not desk.workers()
    if place.as_json:
        show_event({"kind": "enqueued", "run_id": run_id})
    else:
        show(run_id)
    talk((f"{NOBODY}. " if lonely else "") + f"Look: hustings show {run_id}")


def introduce(commission: Commission, *, as_json: bool) -> None:
    models = {seat: player.model for seat, player in commission.debate.cast.items()}
    money = commission.purse.money
    if as_json:
        cap = None if money is None else money / MICRO
        show_event({"kind": "launched", "run_id": commission.run_id, "models": models, "cap": cap})
        return
    cap = "nothing is paid" if money is None else f"at most {money / MICRO:.2f} USD"
    talk(f"{commission.run_id}: {', '.join(sorted(set(models.values())))}; {cap}. Ctrl-C pauses.")


def affordable(commission: Commission, known: Variables) -> Commission:
    """With a cap if it costs money, and no key for an address that somebody else chose."""
    for voice in commission.voices.values():
        known.must_not_divert(voice)
    purse = commission.purse
    if purse.money is not None or all(voice.free for voice in commission.voices.values()):
        return commission
    return commission.model_copy(update={"purse": purse.model_copy(update={"money": micro(USUAL_BUDGET)})})
