"""Rests: what a run waits for between two calls of a wave, and how it leaves its worker until then."""

from __future__ import annotations

import time
from collections.abc import Container, Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from hustings.db import ledger, run_rests, run_rows
from hustings.db.instants import instant, seconds_of
from hustings.db.run_rows import Progress
from hustings.report.delay_text import times
from hustings.runs.call_result import CallResult
from hustings.runs.spec import RunSpec
from hustings.script.calls import Call
from hustings.transcript.events import HumanAwaited, Paused, logged

from .model_call import WorkerContext

PATIENCE = 12
"""Waits for a provider in a row, about half an hour, before the run is paused or its seat fails."""


@dataclass(frozen=True)
class Waits:
    """What the calls of a wave wait for. With nothing in it, the run is only paused."""

    people: tuple[Call, ...] = ()
    """Questions to people, or to the host, without an answer."""
    put_off: tuple[tuple[Call, CallResult], ...] = ()
    """Calls that a provider or a limit puts off."""
    refused: tuple[tuple[Call, CallResult], ...] = ()
    """Calls that cannot be made until something changes."""
    unusable: tuple[tuple[Call, CallResult, Sequence[str]], ...] = ()
    """Answers that cannot be used, with complaints, of seats that have no further attempt."""
    for_host: bool = False
    without_protocol: str = ""
    """Why the run can't be played by this worker, with the cure."""

    @staticmethod
    def among(
        calls: Sequence[Call], results: Sequence[CallResult | None], spec: RunSpec, on_record: Container[str]
    ) -> Waits | None:
        """What these calls wait for; None if all are answered for good, as those whose keys are on record."""
        made = [pair for pair in zip(calls, results, strict=True) if pair[0].key not in on_record]
        people = tuple(call for call, result in made if result is None)
        put_off = tuple((call, result) for call, result in made if result and result.kind == "put_off")
        refused = tuple((call, result) for call, result in made if result and result.stalls(spec.on_failure))
        if not (people or put_off or refused):
            return None
        for_host = any(spec.debate.cast[call.seat.id].hosted for call in people) or (spec.hosted and bool(people))
        return Waits(people, put_off, refused, for_host=for_host)

    @property
    def seconds(self) -> float:
        """How long the provider or the limit wants us to wait."""
        return max((result.after for _, result in self.put_off), default=0.0)

    @property
    def hopeless(self) -> bool:
        """Whether no wait can help: every prompt that could not be answered is too long for its model."""
        return bool(self.refused) and all(result.kind == "too_long" for _, result in self.refused)

    @property
    def provider_failed(self) -> bool:
        """Whether a provider put a call off; one that only queues behind a limit has not failed."""
        return any(result.detail for _, result in self.put_off)


@dataclass(frozen=True)
class Rest:
    """A rest that a run is about to begin."""

    spec: RunSpec
    waits: Waits
    context: WorkerContext

    def begin(self, db: sa.Connection) -> bool:
        """Begin the rest; all of it is one transaction. Return False if there is nothing to wait for any more."""
        run_id, waits = self.spec.run_id, self.waits
        run_rests.lock(db, run_id)
        progress = run_rows.progress(db, run_id)
        if progress.control == "cancel":
            return self._end_calls(db, CallResult("called_off", instant(), detail=progress.control_by))
        if self._is_late(progress):
            seconds, cap = round(progress.age, 3), self.spec.caps.seconds or 0.0
            return self._end_calls(db, CallResult("broke", instant(), spent=seconds, cap=cap, unit="seconds"))
        if progress.control == "pause":
            return self._pause(db, progress.control_by, progress.reason)
        if waits.without_protocol:
            return self._pause(db, "hustings", waits.without_protocol)
        if waits.unusable:
            return self._reopen(db)
        if waits.refused:
            call, result = waits.refused[0]
            return self._pause(db, "hustings", result.refusal(call.seat.id))
        put_offs = progress.put_offs + waits.provider_failed
        if put_offs >= PATIENCE:
            return self._lose_patience(db)
        return self._wait(db, put_offs) if waits.people or waits.put_off else False

    def _is_late(self, progress: Progress) -> bool:
        most = self.spec.caps.seconds
        return most is not None and progress.age > most and bool(self.waits.put_off)

    def _pause(self, db: sa.Connection, by: str, reason: str) -> bool:
        run_id = self.spec.run_id
        run_rows.steer(db, run_id, "pause", by, reason=reason)
        if run_rows.mark(db, run_id, "paused", reason=reason):
            run_rows.note_event(db, run_id, logged(Paused(by=by)))
        return self._rest(db, None, 0)

    def _reopen(self, db: sa.Connection) -> bool:
        """Pause, and have the calls made again when the run is resumed."""
        for call, result, _ in self.waits.unusable:
            ledger.reopen(db, self.spec.lineage, call.key, result.tries)
        call, _, complaints = self.waits.unusable[0]
        return self._pause(db, "hustings", unusable_text(call, complaints, self.spec))

    def _lose_patience(self, db: sa.Connection) -> bool:
        failed = [(call, result) for call, result in self.waits.put_off if result.detail]
        if self.spec.on_failure == "pause":
            call, result = failed[0]
            return self._pause(db, "hustings", result.refusal(call.seat.id))
        records = {call.key: result.record for call, result in failed}
        ledger.give_up(db, self.spec.lineage, records, self.context.executor_id)
        return False

    def _wait(self, db: sa.Connection, put_offs: int) -> bool:
        answers = ledger.answers(db, self.spec.lineage) if self.waits.people else {}
        if any(call.key in answers for call in self.waits.people):
            return False
        until = self._deadlines(db) if self.waits.people else {}
        now = time.time()
        if late := [key for key, end in until.items() if end <= now]:
            nobody = CallResult("timed_out", instant(), detail="nobody spoke for this seat", model="human")
            records = dict.fromkeys(late, nobody.record)
            ledger.give_up(db, self.spec.lineage, records, self.context.executor_id)
            return False
        seconds = [end - now for end in until.values()] + ([self.waits.seconds] if self.waits.put_off else [])
        return self._rest(db, min(seconds, default=None), put_offs)

    def _deadlines(self, db: sa.Connection) -> dict[str, float]:
        """Until when each person has time, as they were told when they were asked."""
        bodies = run_rows.events_of_kind(db, [self.spec.run_id], "human_awaited")
        asked = map(HumanAwaited.model_validate_json, bodies)
        keys = {call.key for call in self.waits.people}
        return {event.key: seconds_of(event.until) for event in asked if event.key in keys and event.until}

    def _end_calls(self, db: sa.Connection, result: CallResult) -> bool:
        """Answer the calls that wait with how the run ends."""
        waits = self.waits
        calls = [*waits.people, *(call for call, _ in (*waits.put_off, *waits.refused))]
        records = {call.key: result.record for call in calls}
        ledger.give_up(db, self.spec.lineage, records, self.context.executor_id)
        return False

    def _rest(self, db: sa.Connection, seconds: float | None, put_offs: int) -> bool:
        """A run whose seats the caller plays is in no queue; all others are woken when it is time."""
        if not self.spec.hosted:
            holder = "" if self.context.takes else self.context.executor_id
            run_rests.rest(db, self.spec.run_id, seconds, put_offs, holder)
        return True


def unusable_text(call: Call, complaints: Sequence[str], spec: RunSpec) -> str:
    """Why a run pauses for an answer that cannot be used, and what to do."""
    seat, tries = call.seat.id, spec.debate.retries + 1
    often = f" {times(tries)}" if tries > 1 else ""
    return (
        f"{seat}'s model ({spec.model_specs[seat].label}) did not keep the form{often}: {_sentence(complaints)} "
        f"Go on with another: hustings resume {spec.run_id} --seat {seat}=MODEL, or without it: --without {seat}"
    )


def _sentence(complaints: Sequence[str]) -> str:
    text = "; ".join(complaints[:2])
    return text if text.endswith((".", "?", "!")) else f"{text}."
