"""Judges all finished debates of a batch: queues the judgings that are missing, each once, and waits for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlalchemy.exc import IntegrityError

from hustings.config.plan_run import affordable
from hustings.db.caps import MICRO, Caps
from hustings.errors import Unsuitable
from hustings.runs.batch_judging import BatchJudging, costing, missing, typical_cost
from hustings.runs.batch_summary import read_batch, summary_of
from hustings.runs.estimate import estimate
from hustings.runs.estimate_tokens import total
from hustings.runs.spec import RunSpec

from .batch_summary_text import lines_of_batch
from .commands.batch import FollowedBatch, same_command, see_through
from .commands.db import open_service
from .estimate_text import budget_for, capped_at, in_dollars, money, short
from .execute import FINISHED
from .options import Place
from .state_text import NOBODY
from .terminal import show_event, show_json, show_line, talk

if TYPE_CHECKING:
    from hustings.engine.service import RunService


def judge_batch(wanted: BatchJudging, place: Place) -> int:
    """Queue what is missing, in one transaction, and see it through; return the exit code."""
    batch = wanted.batch
    with open_service(place.database) as service:
        service.upgrade()
        try:
            new, before = _enter(service, wanted)
        except IntegrityError:  # another process entered them since we looked: now they are on record
            new, before = _enter(service, wanted)
        cap = sum(spec.caps.money or 0 for spec in new)
        paid = f", at most {capped_at(cap)} in all" if cap else ""
        talk(f"{len(new)} judgings of {batch!r} were queued{paid}; {before} were there before.")
        if place.detach:
            show_event({"kind": "enqueued", "batch": batch, "runs": len(new)}) if place.as_json else show_line(batch)
            talk(("" if service.runs.workers() else f"{NOBODY}. ") + f"Look: hustings show --batch {batch}")
            return FINISHED
        go_on = same_command("judge", "--batch", batch, place=place)
        followed = FollowedBatch(service.runs, batch, len(new) + before, place.mode, go_on, audits=True)
        code = see_through(followed, place, wanted.known)
        if not place.as_json:
            for line in lines_of_batch(summary_of(batch, read_batch(service.runs, batch))):
                show_line(line)
        return code


def estimate_batch(wanted: BatchJudging, place: Place) -> None:
    """Say what judging would take. No call is made, and nothing is entered."""
    with open_service(place.database) as service:
        new = missing(service.runs, wanted, Caps()).new
    expected = total(estimate(spec, bounds=False, environment=wanted.known).expected for spec in new)
    if place.as_json:
        show_json({"batch": wanted.batch, "judgings": len(new), "expected": expected.model_dump(mode="json")})
    else:
        cost = money(expected, "about ") if costing(new) else "free"
        tokens = f"about {short(expected.tokens)} tokens"
        show_line(f"{len(new)} judgings · about {expected.calls} calls · {tokens} · {cost}")


def _enter(service: RunService, wanted: BatchJudging) -> tuple[Sequence[RunSpec], int]:
    found = missing(service.runs, wanted, wanted.request.caps)
    _must_be_paid_for(found.new, wanted)
    new = [affordable(spec, wanted.known) for spec in found.new]
    service.control.enter(*service.budgets.apply_all(new))
    for run_id in found.waiting:
        service.control.allow_time(run_id, wanted.known)
        service.control.resume(run_id)
    return new, len(found.before)


def _must_be_paid_for(new: Sequence[RunSpec], wanted: BatchJudging) -> None:
    """A batch that costs money has no usual budget: the person who pays names it."""
    paid = costing(new)
    if not paid or wanted.request.caps.money is not None:
        return
    typical = typical_cost(paid, wanted.known)
    raise Unsuitable(
        f"{len(paid)} judgings cost money, and no budget was named for them",
        why=f"typically {in_dollars(typical)} in all" if typical else "their cost is not known",
        fix=f"hustings judge --batch {wanted.batch} --budget {budget_for(max(typical, MICRO // 10))}",
    )
