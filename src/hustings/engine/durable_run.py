"""The durable run: waves of calls, each carried out once, replayed from the ledger wherever a run is taken up again.

A run that must wait (paused, for a person, for a provider) holds no place: it rests, its workflow ends, and it is
queued again later. So nothing here depends on a clock, a random number or a row that could read differently on a
replay: what stops a run, and where, is decided once and stored. The script notices none of this.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar, cast

import sqlalchemy as sa

from hustings.db import budget, documents, instructions, ledger, run_rows
from hustings.db.caps import MICRO
from hustings.db.instants import instant
from hustings.db.instructions import Instruction
from hustings.db.run_rows import Progress
from hustings.errors import SeatError
from hustings.judging.judgement import Judgement
from hustings.runs.call_result import CallResult
from hustings.runs.judging_spec import judgement_of
from hustings.runs.spec import DAY, RunSpec
from hustings.runs.staging import proceedings_of, set_stage
from hustings.script.calls import Call, Reply
from hustings.script.debate import Proceedings
from hustings.script.driver import Driver
from hustings.script.forms import schema_of
from hustings.script.stage import Stage
from hustings.transcript.events import (
    BudgetChanged,
    CallPaid,
    HumanAwaited,
    OutcomeReached,
    Resumed,
    TextStreamed,
    logged,
)
from hustings.transcript.notes import BudgetStopped, Cancelled, Ending, Failed

from .model_call import WorkerContext, carry_out, inherited
from .rests import Rest, Waits
from .run_ending import Silence, StoppedAt, ending_by

T = TypeVar("T")


class AwaitsHost(BaseException):
    """A question to the program that calls hustings has no answer. No `Exception`: no policy for seats takes it."""


class Rests(BaseException):
    """The run rests; for a provider, `seconds` tells how long."""

    def __init__(self, seconds: float = 0.0) -> None:
        super().__init__()
        self.seconds = seconds


async def perform(context: WorkerContext, spec: RunSpec) -> Ending:
    """Execute a run from its current position to its end. Raises `Rests` if it has to wait."""
    run = Performance(context, spec)
    await run.arrive()
    await run.go_on()
    return await run.conclude()


class Performance:
    """A run that is being executed: `arrive`, then `go_on` until its script ends, then `conclude`."""

    def __init__(self, context: WorkerContext, spec: RunSpec) -> None:
        self.context, self.spec = context, spec
        self.driver: Driver[Any]
        self.stage: Stage[Any]
        self.answers: Mapping[str, str] = {}
        """Key and answer of the calls that were answered before."""
        self.wave = self.begun = 0
        """The wave that is being carried out, and how many have begun here."""
        self.progress: Progress
        """State of the run when this worker started on it."""
        self.told: Sequence[Instruction] = ()
        """What people told seats in waves that a worker before this one reached."""
        self.published = 0
        self.paid: list[CallPaid] = []
        self.waited: list[HumanAwaited] = []
        self.silence = Silence(spec.debate)

    async def arrive(self) -> None:
        spec = self.spec
        self.progress = await self.context.write(self._arrive)
        self.told = await self.context.write(lambda db: instructions.taken(db, spec.run_id))
        if self.progress.waves:
            await self._recall()
        texts = (await self._with_texts()).texts
        self.driver, self.stage = set_stage(
            spec.debate, spec.run_id, spec.created_at, spec.metadata, fence=spec.fence, texts=texts
        )

    async def go_on(self) -> None:
        """Carry out wave after wave. What stops it between the calls of a wave leaves it ready to go on there."""
        while self.driver.ending is None:
            if self.begun == self.wave:
                if ending := await self._begin_wave():
                    self.driver.stop(ending)
                    break
                self.begun += 1
            replies, last = await self._answer(self.driver.calls)
            self._resume(replies, last)
            self.wave += 1

    async def _begin_wave(self) -> Ending | None:
        await self._instruct(self.wave)
        self.waited = [self._question(call) for call in self.driver.calls if self._human(call)]
        return await self._gate(self.wave)

    async def conclude(self) -> Ending:
        proceedings, events = proceedings_of(self.driver, self.stage), self._fresh_events()
        # It resamples thousands of panels, so it must not block the event loop.
        judgement = await asyncio.to_thread(judgement_of, self.spec.debate, proceedings)
        if judgement:
            events.append(logged(OutcomeReached(outcome=judgement.outcome)))
        await self.context.write(lambda db: self._conclude(db, proceedings, judgement, events))
        return proceedings.ending

    async def _recall(self) -> None:
        self.answers = await self.context.write(lambda db: ledger.answers(db, self.spec.lineage))

    async def _with_texts(self) -> RunSpec:
        """The spec with the texts of its documents; a text that was changed since stops the run."""
        spec = self.spec
        if spec.debate.documents is None:
            return spec
        return spec.with_texts(await self.context.write(lambda db: documents.texts_of(db, spec.run_id)))

    # -- a wave ------------------------------------------------------------------------

    async def _answer(self, calls: Sequence[Call]) -> tuple[list[Reply | SeatError], Ending | None]:
        """Carry out all calls of a wave concurrently. If one of them has to wait, the run rests."""
        while True:
            results = await _all(self._deliver(call) for call in calls)
            waits = Waits.among(calls, results, self.spec, self.answers)
            found = [(call, result) for call, result in zip(calls, results, strict=True) if result]
            if waits is None:
                replies = [result.reply(call) for call, result in found]
                waits = self._unusable(found, replies)
                if waits is None or not await self._rest(waits):
                    self.paid = [paid for call, result in found if (paid := result.paid(call))]
                    last = ending_by([result for _, result in found], of_an_audit=bool(self.spec.debate.judged))
                    return replies, last or self.silence.after(found)
            if waits.for_host:
                raise AwaitsHost
            if waits.hopeless and self.silence.after(found):
                await self._give_up(waits)
            else:
                await self._rest(waits)
            await self._recall()  # something else happened meanwhile: a person answered, or the run was cancelled

    async def _give_up(self, waits: Waits) -> None:
        """Record how the calls that cannot be made have failed."""
        records = {call.key: result.record for call, result in waits.refused}
        await self.context.write(lambda db: ledger.give_up(db, self.spec.lineage, records, self.context.executor_id))

    async def _rest(self, waits: Waits) -> bool:
        """Rest, which ends this part of the run. Return False if there is nothing to wait for any more."""
        if await self.context.write(Rest(self.spec, waits, self.context).begin):
            raise Rests(waits.seconds)
        return False

    def _unusable(self, found: Sequence[tuple[Call, CallResult]], replies: Sequence[Reply | SeatError]) -> Waits | None:
        """What to wait for if an answer cannot be used, and its seat has no further attempt."""
        if self.spec.on_failure != "pause":
            return None
        complaints = self.driver.unusable(replies)
        bad = [(call, result, complaints[call.key]) for call, result in found if call.key in complaints]
        bad = [row for row in bad if not self._in_words(row[0])]
        return Waits(unusable=tuple(bad)) if bad else None

    def _resume(self, replies: Sequence[Reply | SeatError], last: Ending | None) -> None:
        """Give the replies to the script. A script that fails on them ends the debate; the record is kept."""
        try:
            self.driver.resume(replies, last=last)
        except Exception as error:  # noqa: BLE001  protocols may come from anyone
            self.driver.stop(Failed(code=type(error).__name__, reason=str(error)))

    async def _deliver(self, call: Call) -> CallResult | None:
        """The answer to a call, from the record or its model. None if a person or the host has not answered."""
        if (known := self.answers.get(call.key)) is not None:
            return CallResult.load(known)
        if self._in_words(call):
            return await inherited(self.context, self.spec, call)
        return await carry_out(self._context(), self.spec, call)

    def _context(self) -> WorkerContext:
        """Drop live text in a wave with a person or a host, who must not read concurrent answers before speaking."""
        beside_others = any(map(self._in_words, self.driver.calls))
        return replace(self.context, on_text=_unheard) if beside_others else self.context

    def _question(self, call: Call) -> HumanAwaited:
        """The event that a person is asked, with the moment until which the seat waits."""
        brief = call.brief
        return HumanAwaited(
            address=call.address,
            seat=call.seat.id,
            until=instant(time.time() + self.spec.days_for_people * DAY),
            key=call.key,
            task=brief.text,
            form=None if brief.form.prose else dict(schema_of(brief.form)),
        )

    def _human(self, call: Call) -> bool:
        return self.spec.debate.cast[call.seat.id].model == "human"

    def _in_words(self, call: Call) -> bool:
        """Whether a person or the host answers, and no model is called."""
        return self._human(call) or self.spec.debate.cast[call.seat.id].hosted

    # -- between waves -----------------------------------------------------------------

    async def _instruct(self, wave: int) -> None:
        """Tell seats what people told them meanwhile. What a wave has taken before it began stays the same."""
        if wave < self.progress.waves:
            told = [each for each in self.told if each.wave == wave]
        else:
            told = await self.context.write(lambda db: instructions.take(db, self.spec.run_id, wave))
        for each in told:
            self.driver.intervene(each.seat, each.text)

    async def _gate(self, wave: int) -> Ending | None:
        """Append the events so far, once, and check whether to go on. A replay passes the waves it passed before."""
        events = self._fresh_events()
        if wave < self.progress.waves - 1:
            return None
        if wave < self.progress.waves:
            stood = await self.context.write(lambda db: run_rows.progress(db, self.spec.run_id))
        else:
            stood = await self.context.write(lambda db: self._begin(db, wave, events))
        if stood.control == "pause" and stood.stopped is None:
            await self._rest(Waits())
            stood = await self.context.write(lambda db: run_rows.progress(db, self.spec.run_id))
        if stood.control == "cancel" and stood.stopped is None:
            stood = await self.context.write(lambda db: self._cancel(db, wave, stood.control_by))
        return StoppedAt.load(stood.stopped).ending if stood.stopped else None

    def _cancel(self, db: sa.Connection, wave: int, by: str) -> Progress:
        """Stop before this wave, or call off what is left of it: answers that are paid stay on record."""
        calls = self.driver.calls
        if wave >= self.progress.waves and not any(call.complaints for call in calls):
            return self._stop(db, wave, Cancelled(by=by))
        answers, called_off = ledger.answers(db, self.spec.lineage), CallResult("called_off", instant(), detail=by)
        left = {call.key: called_off for call in calls if call.key not in answers}
        records = {key: result.record for key, result in left.items()}
        ledger.give_up(db, self.spec.lineage, records, self.context.executor_id)
        self.answers = {**answers, **{key: result.dump() for key, result in left.items()}}
        return run_rows.progress(db, self.spec.run_id)

    def _begin(self, db: sa.Connection, wave: int, events: Sequence[tuple[str, str]]) -> Progress:
        run_id, most = self.spec.run_id, self.spec.caps.seconds
        stood = run_rows.begin_wave(db, run_id, wave, events, self.context.executor_id) or run_rows.progress(db, run_id)
        if stood.stopped is None and stood.control == "cancel":
            return self._stop(db, wave, Cancelled(by=stood.control_by))
        if stood.stopped is None and most is not None and stood.age > most:
            return self._stop(db, wave, BudgetStopped(spent=round(stood.age, 3), cap=most, unit="seconds"))
        return stood

    def _stop(self, db: sa.Connection, wave: int, ending: Ending) -> Progress:
        run_rows.stop(db, self.spec.run_id, StoppedAt(wave, ending).dump())
        return run_rows.progress(db, self.spec.run_id)

    def _fresh_events(self) -> list[tuple[str, str]]:
        """Events since the last call: payments, then the record, then the people awaited."""
        record = self.driver.events[self.published :]
        self.published = len(self.driver.events)
        paid, waited = self.paid, self.waited
        self.paid, self.waited = [], []
        return [logged(event) for event in (*paid, *record, *waited)]

    # -- beginning and end -------------------------------------------------------------

    def _arrive(self, db: sa.Connection) -> Progress:
        run_id = self.spec.run_id
        stood = run_rows.progress(db, run_id)
        if stood.state == "paused" and stood.control != "pause":
            run_rows.note_event(db, run_id, logged(Resumed(by=stood.control_by)))
            run_rows.mark(db, run_id, "running")
        return stood

    def _conclude(
        self,
        db: sa.Connection,
        proceedings: Proceedings,
        judgement: Judgement | None,
        events: Sequence[tuple[str, str]],
    ) -> None:
        """Store the result and release the money that was held; once."""
        spec = self.spec
        ledger.settle_lost(db, spec.lineage, spec.budget_id)
        stands = budget.account(db, spec.budget_id)
        spent = stands.spent.money if stands else 0
        cap = spec.caps.money or 0
        final = BudgetChanged(spent=spent / MICRO, held=0.0, cap=cap / MICRO)
        kept = {
            "ending": proceedings.ending.model_dump_json(),
            "proceedings": proceedings.model_dump_json(),
            "judgement": judgement and judgement.model_dump_json(),
            "ended_at": instant(),
        }
        if run_rows.end(db, spec.run_id, kept, [*events, logged(final)]):
            budget.discharge(db, spec.above, cap, spent)


def give_up(db: sa.Connection, run_id: str, why: str) -> None:
    """Mark a run that cannot go on as broken, and release what it held in the budgets above. A fork may go on."""
    row = run_rows.read(db, run_id)
    try:
        spec = RunSpec.model_validate_json(row["spec"] if row else "")
    except ValueError:  # the spec is unreadable, so the amount stays held: better to spend too little than too much
        run_rows.mark(db, run_id, "broken", reason=why)
        return
    ledger.settle_lost(db, spec.lineage, spec.budget_id)
    stands = budget.account(db, spec.budget_id)
    if run_rows.mark(db, spec.run_id, "broken", reason=why):
        budget.discharge(db, spec.above, spec.caps.money or 0, stands.spent.money if stands else 0)


async def _all(works: Iterable[Awaitable[T]]) -> list[T]:
    """Finish all of them even if one fails: a call that goes on alone would be paid for and lost."""
    done = await asyncio.gather(*works, return_exceptions=True)
    for result in done:
        if isinstance(result, BaseException):
            raise result
    return cast("list[T]", done)


def _unheard(run_id: str, piece: TextStreamed) -> None:
    """Drop live text: it is shown only once it is on record."""
