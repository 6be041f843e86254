"""Having what was commissioned: here and now, shown as it goes on, or by whichever worker is free."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hustings.run.commission import Commission
from hustings.store.caps import MICRO

from .database import at_desk
from .follow import FINISHED, perform
from .options import Place
from .telling import NOBODY
from .terminal import show, show_event, talk

if TYPE_CHECKING:
    from hustings.run.desk import Desk
    from hustings.run.programme import Programme
    from hustings.run.worker import Worker


def have(
    commission: Commission, place: Place, *, more: bool = False, programme: Programme | None = None, forecast: str = ""
) -> int:
    """Have it here and now, or leave it to the workers; the exit code. If `more` follows, what next is not told.

    A programme is for the workers: here, whoever calls this sees to what follows.
    """
    run_id = commission.run_id

    def begin(desk: Desk, worker: Worker) -> None:
        entered = desk.under_budgets(commission)
        desk.enter(entered)
        worker.start(entered)

    if not place.detach:
        introduce(commission, as_json=place.as_json)
        if forecast and not place.as_json:
            talk(forecast)
        return perform(place.database, commission, begin, mode=place.mode, more=more)
    with at_desk(place.database) as desk:
        desk.upgrade()
        entered = desk.under_budgets(commission)
        desk.enter(entered, programme=programme)
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
    money = commission.caps.money
    if as_json:
        cap = None if money is None else money / MICRO
        show_event({"kind": "launched", "run_id": commission.run_id, "models": models, "cap": cap})
        return
    cap = "nothing is paid" if money is None else f"at most {money / MICRO:.2f} USD"
    talk(f"{commission.run_id}: {', '.join(sorted(set(models.values())))}; {cap}. Ctrl-C pauses.")
