"""Reads which calls of running debates are delayed now, from their logs."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from hustings.db import run_rows
from hustings.db.instants import seconds_of
from hustings.report.delay_text import delay_words, endpoint_line
from hustings.transcript.events import CallDelayed, wave_of

if TYPE_CHECKING:
    from .queries import RunQueries


def open_delays(runs: RunQueries, run_id: str) -> list[CallDelayed]:
    """The latest delay of each call that the run waits for, in the order of the calls."""
    row = runs.light_row(run_id)
    if row["state"] != "running":
        return []
    answered = {call.key.rpartition(" #")[0] for call in runs.calls_of_wave(run_id) if call.state == "answered"}
    latest = {delay.address: delay for delay in _delays(runs, [run_id])}
    now = (delay for delay in latest.values() if wave_of(delay.address) >= row["waves"] - 1)
    return sorted((delay for delay in now if delay.address not in answered), key=lambda delay: delay.address)


def delays_of_batch(runs: RunQueries, batch: str) -> list[CallDelayed]:
    """All delays of those debates of a batch that run now, in the order in which they began."""
    with runs.scoped.reading() as db:
        running = run_rows.running_of(db, batch, runs.owner)
    return sorted(_delays(runs, running), key=lambda delay: delay.at)


def state_lines(delays: Iterable[CallDelayed]) -> Iterator[str]:
    """What a running debate waits for: a line for each call, and one for each endpoint with an open breaker."""
    told: set[str] = set()
    for delay in delays:
        yield f"{delay.seat} · {delay_words(delay, seconds_left(delay))}"
        if delay.reason == "breaker" and delay.endpoint not in told:
            told.add(delay.endpoint)
            yield endpoint_line(delay)


def seconds_left(delay: CallDelayed, now: float | None = None) -> float | None:
    """Seconds until the next try, by this machine's clock; None if nobody knows."""
    if delay.wait is None:
        return None
    return max(0.0, seconds_of(delay.at) + delay.wait - (time.time() if now is None else now))


def _delays(runs: RunQueries, run_ids: list[str]) -> list[CallDelayed]:
    with runs.scoped.reading() as db:
        bodies = run_rows.events_of_kind(db, run_ids, "call_delayed")
    return [CallDelayed.model_validate(json.loads(body)) for body in bodies]
