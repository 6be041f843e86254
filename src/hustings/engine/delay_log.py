"""DelayLog: write into a run's log that a try of a call failed or that the call waits, and why."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Literal
from urllib.parse import urlsplit

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from hustings.db import run_rows
from hustings.db.instants import instant, seconds_of
from hustings.db.rate_limits import Health
from hustings.llm.model import LlmRequest, LlmResponse
from hustings.llm.model_spec import ModelSpec
from hustings.report.delay_text import fault_words
from hustings.runs.spec import RunSpec
from hustings.script.calls import Call
from hustings.transcript.events import CallDelayed, CallTry, logged

Reason = Literal["fault", "limit", "breaker"]
Write = Callable[[Callable[[sa.Connection], None]], Coroutine[Any, Any, None]]
SHORT_WAIT = 2.0
"""Seconds that a call may be held back without a word about it."""
NO_ANSWER = frozenset({"garbled", "timed_out", "unreachable", "overloaded", "rate_limited"})
"""Faults that are worth a word even if the call is not made again. Others are answers, and stand in the log as such."""
log = logging.getLogger(__name__)


class DelayLog:
    """Of one call. What it writes belongs to the run: a replay repeats it only where a try really happens again."""

    def __init__(
        self, write: Write, health: Callable[[ModelSpec], Health], spec: RunSpec, call: Call, model_spec: ModelSpec
    ) -> None:
        self._write, self._health = write, health
        self._run_id, self._model_spec, self._call = spec.run_id, model_spec, call
        self._fault = self._words = ""
        """Of the last try that failed."""
        self._waits_for = ""
        """Reason of the wait that goes on and was written down."""
        self._held = 0.0
        """Seconds that this wait has lasted so far."""

    async def failed(
        self, request: LlmRequest, response: LlmResponse, tries: Sequence[CallTry], pause: float | None, *, most: int
    ) -> None:
        """A try is over. One that failed is written down, with the seconds until the next."""
        self._waits_for, self._held = "", 0.0
        kind = response.kind
        if pause is None and kind not in NO_ANSWER:
            return
        last, begun = tries[-1], bool(response.text)
        allowed = request.seconds if begun else request.first_token_seconds
        took = min(allowed, seconds_of(last.answered_at or last.sent_at) - seconds_of(last.sent_at))
        self._fault, self._words = kind, fault_words(kind, response.detail, took, begun=begun)
        times = sum(each.ended == kind for each in tries)
        await self._note("fault", len(tries) - 1, pause, times=times, most=most)

    async def held_back(self, tries: Sequence[CallTry], wait: float) -> None:
        """The call may not be sent yet. Written down when it becomes a real wait, and when its reason changes."""
        health = self._health(self._model_spec)
        reason = "breaker" if health.breaking else "limit"
        self._held += wait
        if reason == self._waits_for or self._held < SHORT_WAIT:
            return
        self._waits_for = reason
        if reason == "breaker":
            await self._note("breaker", len(tries), None, times=health.faults)
        else:
            await self._note("limit", len(tries), health.hold or None)

    async def _note(self, reason: Reason, attempt: int, wait: float | None, *, times: int = 0, most: int = 0) -> None:
        event = CallDelayed(
            address=self._call.address,
            seat=self._call.seat.id,
            model=self._model_spec.label,
            endpoint=endpoint_name(self._model_spec),
            at=instant(),
            reason=reason,
            attempt=attempt,
            fault=self._fault,
            words=self._words,
            times=times,
            most=most,
            wait=None if wait is None else round(wait, 3),
        )

        def append(db: sa.Connection) -> None:
            if run_rows.is_open(db, self._run_id):
                run_rows.note_event(db, self._run_id, logged(event))

        try:
            await self._write(append)
        except SQLAlchemyError:
            log.warning("a delayed call is missing in the log of events", extra={"run_id": self._run_id})


def endpoint_name(model_spec: ModelSpec) -> str:
    """Host and port; the provider where it has its usual address."""
    return urlsplit(model_spec.base_url).netloc or model_spec.provider
