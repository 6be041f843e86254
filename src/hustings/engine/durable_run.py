"""The durable run: a loop over waves with one engine step per call, which the engine can replay.

Nothing here depends on a clock, a random number or a row that could read differently on a replay:
what stops a run, and where, is decided once and stored. The script notices none of this.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import Any, Protocol, TypeVar, cast

import sqlalchemy as sa

from hustings.db import budget, documents, instructions, ledger, run_rows
from hustings.db.caps import MICRO
from hustings.db.instructions import Instruction
from hustings.db.run_rows import Progress
from hustings.errors import SeatError
from hustings.judging.judgement import Judgement
from hustings.runs.call_result import PAUSING, WAITING, CallResult, call_result_of
from hustings.runs.judging_spec import judgement_of
from hustings.runs.spec import DAY, RunSpec, instant
from hustings.runs.staging import proceedings_of, set_stage
from hustings.script.calls import Call, Reply
from hustings.script.debate import Proceedings
from hustings.script.driver import Driver
from hustings.script.forms import schema_of
from hustings.script.stage import Stage
from hustings.transcript.events import (
    BudgetChanged,
    CallPaid,
    Event,
    HumanAwaited,
    OutcomeReached,
    Paused,
    Recovered,
    Resumed,
    TextStreamed,
)
from hustings.transcript.notes import BudgetStopped, Cancelled, Ending, Failed

from .model_call import WorkerContext, carry_out, inherited
from .run_ending import ENDING, Silence, StoppedAt, ending_by

A = TypeVar("A")
T = TypeVar("T")
Logged = tuple[str, str]
"""Kind and body of an event."""
PAUSE_CHECK_SECONDS = 0.5
"""Seconds between two checks of a paused run."""
PATIENCE = 12
"""How often a provider's faults may put a call off before its seat fails; about half an hour."""


class Steps(Protocol):
    """What the loop needs from a durable engine."""

    def step(self, name: str, work: Callable[[A], Coroutine[Any, Any, T]], given: A, /) -> Awaitable[T]: ...
    def words(self, topic: str, seconds: float) -> Awaitable[Mapping[str, Any] | None]: ...
    def sleep(self, seconds: float) -> Awaitable[None]: ...
    def rest(self, seconds: float) -> Awaitable[None]: ...


async def perform(steps: Steps, context: WorkerContext, spec: RunSpec) -> Ending:
    """Execute a run from its current position to its end."""
    run = Performance(steps, context, spec)
    await run.arrive()
    await run.go_on()
    return await run.conclude()


class Performance:
    """A run that is being executed: `arrive`, then `go_on` until its script ends, then `conclude`."""

    def __init__(self, steps: Steps, context: WorkerContext, spec: RunSpec) -> None:
        self.steps, self.context, self.spec = steps, context, spec
        self.driver: Driver[Any]
        self.stage: Stage[Any]
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
        self.waited = [_awaited(call) for call in self.driver.calls if self._human(call)]
        return await self._gate(self.wave)

    async def conclude(self) -> Ending:
        proceedings, events = proceedings_of(self.driver, self.stage), self._fresh_events()
        # It resamples thousands of panels, so it must not block the event loop.
        judgement = await asyncio.to_thread(judgement_of, self.spec.debate, proceedings)
        if judgement:
            events.append(logged(OutcomeReached(outcome=judgement.outcome)))
        await self.context.write(lambda db: self._conclude(db, proceedings, judgement, events))
        return proceedings.ending

    async def _with_texts(self) -> RunSpec:
        """The spec with the texts of its documents; a text that was changed since stops the run."""
        spec = self.spec
        if spec.debate.documents is None:
            return spec
        return spec.with_texts(await self.context.write(lambda db: documents.texts_of(db, spec.run_id)))

    # -- a wave ------------------------------------------------------------------------

    async def _answer(self, calls: Sequence[Call]) -> tuple[list[Reply | SeatError], Ending | None]:
        """Carry out all calls of a wave concurrently."""
        told = {call.key: await self._told_before(call) for call in calls if self._in_words(call)}
        call_results = [told.get(call.key) for call in calls]
        waiting, stopped, patience = (
            [n for n, call_result in enumerate(call_results) if call_result is None],
            None,
            PATIENCE,
        )
        for nth in count():
            answers = await _all(self._deliver(calls[n], nth) for n in waiting)
            call_results = [
                answers.pop(0) if n in waiting else call_result for n, call_result in enumerate(call_results)
            ]
            waiting = [n for n, d in enumerate(call_results) if d and d.kind in WAITING]
            again = [d for n in waiting if (d := call_results[n])]
            patience -= any(d.kind == "put_off" and d.detail for d in again)  # a call in the queue has not failed
            if not again or not patience:
                break
            if stopped := await self._come_back(again, f"{calls[waiting[0]].key} put off {nth + 1}"):
                break
        found = [(call, d) for call, d in zip(calls, call_results, strict=True) if d]
        await self._record_failures([(call, d) for call, d in found if d.kind in WAITING])
        self.paid = [paid for call, d in found if (paid := d.paid(call))]
        last = ending_by([d for _, d in found], of_an_audit=bool(self.spec.debate.judged)) or self.silence.after(found)
        return [d.reply(call) for call, d in found], stopped or last

    def _resume(self, replies: Sequence[Reply | SeatError], last: Ending | None) -> None:
        """Give the replies to the script. A script that fails on them ends the debate; the record is kept."""
        try:
            self.driver.resume(replies, last=last)
        except Exception as error:  # noqa: BLE001  protocols may come from anyone
            self.driver.stop(Failed(code=type(error).__name__, reason=str(error)))

    async def _deliver(self, call: Call, nth: int) -> CallResult:
        """One engine step: a call, or words that come by hand. Never two, as a replay counts steps as they start."""
        if not self._in_words(call):
            name = call.key if not nth else f"{call.key} again {nth}"
            return call_result_of(await self.steps.step(name, self._carried, call))
        message = await self.steps.words(call.key, self.spec.days_for_people * DAY)
        match message:
            case {"key": call.key, "called_off": by}:
                return CallResult("called_off", self.spec.created_at, detail=by)
            case {"key": call.key, "at": at, "text": text}:
                return CallResult("ok", at, text, model=self.spec.debate.cast[call.seat.id].model)
            case _:
                return await self._too_late(call)

    async def _too_late(self, call: Call) -> CallResult:
        """Record that a person did not answer in time, so that a later answer finds the question closed."""
        nobody = CallResult("timed_out", self.spec.created_at, detail="nobody spoke for this seat", model="human")
        lineage, record = self.spec.lineage, {"answer": nobody.dump(), "kind": nobody.kind}

        def work(db: sa.Connection) -> str | None:
            ledger.enter(db, lineage, call.key, record, self.context.executor_id)
            return ledger.known(db, lineage, call.key)

        return CallResult.load(await self.context.write(work) or nobody.dump())

    async def _carried(self, call: Call) -> dict[str, Any]:
        return (await carry_out(self._context(), self.spec, call)).fields()

    def _context(self) -> WorkerContext:
        """Drop live text in a wave with a person or a host, who must not read concurrent answers before speaking."""
        beside_others = any(map(self._in_words, self.driver.calls))
        return replace(self.context, on_text=_unheard) if beside_others else self.context

    async def _told_before(self, call: Call) -> CallResult | None:
        """Words of a person or a host that a fork inherits."""
        if not self.spec.ancestors(call):
            return None
        found = await self.steps.step(f"{call.key} inherited", self._inherited, call)
        return call_result_of(found) if found else None

    async def _inherited(self, call: Call) -> dict[str, Any] | None:
        found = await inherited(self.context, self.spec, call)
        return found.fields() if found else None

    async def _record_failures(self, failed: Sequence[tuple[Call, CallResult]]) -> None:
        """Record how calls ended that will not be made any more: replaying the run from the ledger needs it."""
        lineage = self.spec.lineage
        if failed:
            records = {call.key: {"answer": d.dump(), "kind": d.kind} for call, d in failed}
            await self.context.write(lambda db: ledger.give_up(db, lineage, records, self.context.executor_id))

    async def _come_back(self, call_results: Sequence[CallResult], name: str) -> Ending | None:
        """Wait durably, for the provider or until the user fixes the key. Whether to go on is decided once."""
        refused = [d for d in call_results if d.kind in PAUSING]
        if refused:
            await self.steps.step(f"{name} paused", self._pause_for, refused[0].refusal)
            await self._wait_while_paused()
        else:
            await self.steps.sleep(max(d.after for d in call_results))
        ending = await self.steps.step(f"{name} over", self._stopped_meanwhile, self.spec.caps.seconds)
        return ENDING.validate_python(ending) if ending else None

    async def _stopped_meanwhile(self, most: float | None) -> dict[str, Any] | None:
        stood = await self.context.write(lambda db: run_rows.progress(db, self.spec.run_id))
        if stood.control == "cancel":
            return Cancelled(by=stood.control_by).model_dump(mode="json")
        if most is not None and stood.age > most:
            return BudgetStopped(spent=round(stood.age, 3), cap=most, unit="seconds").model_dump(mode="json")
        return None

    async def _pause_for(self, reason: str) -> bool:
        run_id = self.spec.run_id

        def work(db: sa.Connection) -> bool:
            return run_rows.steer(db, run_id, "pause", "hustings", reason=reason)

        return await self.context.write(work)

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
            stood = await self._wait_while_paused()
        if stood.control == "cancel" and stood.stopped is None:
            stood = await self.context.write(lambda db: self._stop(db, wave, Cancelled(by=stood.control_by)))
        return StoppedAt.load(stood.stopped).ending if stood.stopped else None

    def _begin(self, db: sa.Connection, wave: int, events: Sequence[Logged]) -> Progress:
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

    async def _wait_while_paused(self) -> Progress:
        """Wait until the run is resumed. Not an engine step, because waiting decides nothing."""
        run_id = self.spec.run_id

        def look(db: sa.Connection) -> Progress:
            stood = run_rows.progress(db, run_id)
            if stood.control == "pause" and stood.state != "paused":
                run_rows.note_event(db, run_id, logged(Paused(by=stood.control_by)))
                run_rows.mark(db, run_id, "paused", reason=stood.reason)
            if stood.control != "pause" and stood.state == "paused":
                run_rows.note_event(db, run_id, logged(Resumed(by=stood.control_by)))
                run_rows.mark(db, run_id, "running")
            return stood

        while (stood := await self.context.write(look)).control == "pause":
            await self.steps.rest(PAUSE_CHECK_SECONDS)
        return stood

    def _fresh_events(self) -> list[Logged]:
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
        if stood.waves and stood.state != "ended" and self._takes_over(stood.executor_id):
            run_rows.note_event(db, run_id, logged(Recovered(by=self.context.executor_id)))
            run_rows.hand_over(db, run_id, self.context.executor_id)
        if stood.state == "paused" and stood.control != "pause":
            run_rows.note_event(db, run_id, logged(Resumed(by=stood.control_by)))
            run_rows.mark(db, run_id, "running")
        return stood

    def _takes_over(self, holder: str) -> bool:
        """Whether another worker had the run. A hosted run has none: each command is a process of its own."""
        return not self.spec.hosted and holder != self.context.executor_id

    def _conclude(
        self, db: sa.Connection, proceedings: Proceedings, judgement: Judgement | None, events: Sequence[Logged]
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


def logged(event: Event) -> Logged:
    """Serialise an event for the log, which numbers it."""
    return event.kind, event.model_dump_json(exclude={"seq"}, exclude_none=True)


def _awaited(call: Call) -> HumanAwaited:
    brief = call.brief
    form = None if brief.form.prose else dict(schema_of(brief.form))
    return HumanAwaited(address=call.address, seat=call.seat.id, key=call.key, task=brief.text, form=form)
