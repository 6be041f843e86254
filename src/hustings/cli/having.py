"""Having what was commissioned: here and now, told line by line, or by whichever worker is free."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hustings.run.commission import Commission

from .database import at_desk
from .environment import Variables
from .follow import FINISHED, perform
from .options import MICRO, Place, micro
from .telling import NOBODY
from .terminal import show, show_event, talk

if TYPE_CHECKING:
    from hustings.run.desk import Desk
    from hustings.run.worker import Worker

USUAL_BUDGET = 1.0
"""US dollars, where nothing was said and something is paid."""


def have(commission: Commission, place: Place) -> int:
    """Have a debate here and now, or leave it to the workers; the exit code."""
    run_id = commission.run_id

    def begin(desk: Desk, worker: Worker) -> None:
        entered = desk.under_budgets(commission)
        desk.enter(entered)
        worker.start(entered)

    if not place.detach:
        introduce(commission, as_json=place.as_json)
        return perform(place.database, commission, begin, as_json=place.as_json)
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
    return FINISHED


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
