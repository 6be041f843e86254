"""WhatFollows: enters a run and what follows it, one after the other, for a worker of this process or for the queue."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hustings.db.caps import OVER
from hustings.runs.follow_ups import FollowUps, next_run, on_record, script_after
from hustings.runs.spec import RunSpec

from .service import RunService


@dataclass(frozen=True)
class WhatFollows:
    service: RunService
    environment: Mapping[str, str]
    prepare: Callable[[RunSpec], RunSpec]
    """Completes a run that was drawn up."""
    executor_id: str = ""
    """The worker of this process that executes what is entered; empty: it goes to the queue."""

    def begin(self, first: RunSpec, follow_ups: FollowUps, *, paused: bool = False) -> RunSpec:
        """Enter a run with what follows it, for this process; one that is on record keeps what was asked for."""
        runs, control = self.service.runs, self.service.control
        if not runs.exists(first.run_id):
            first = self.service.budgets.apply(first)
            control.enter_here(first, self.executor_id, paused=paused, follow_ups=follow_ups)
        elif runs.read(first.run_id).state not in OVER:
            control.see_to_following(first.run_id, self.executor_id)
        return first

    def after(self, last: RunSpec, follow_ups: FollowUps, *, paused: bool = False) -> RunSpec | None:
        """Enter the run that follows one that is over, unless another process was faster: then it is theirs."""
        runs, control = self.service.runs, self.service.control
        act = next_run(runs, last, follow_ups, self.environment, self.prepare)
        held = act and self.service.budgets.apply(act)
        entered = control.enter_next(last.run_id, held, follow_ups, self.executor_id, paused=paused)
        if held is None or entered or runs.exists(held.run_id):
            return held
        return on_record(runs, last, script_after(runs, last, follow_ups))
