"""The durable run: one loop over waves, one step per call. The engine replays it; the script never knows.

Nothing is decided here by a clock, a chance or a row that could read differently on a replay:
what stops a run, and where, is decided once and written down.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Any, Protocol, TypeVar, cast

import sqlalchemy as sa
from pydantic import TypeAdapter

from hustings.core.calls import Call, Reply
from hustings.core.debate import Proceedings
from hustings.core.errors import SeatError
from hustings.core.events import (
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
from hustings.core.forms import schema_of
from hustings.core.judgement import Judgement
from hustings.core.outcome import BudgetStopped, Cancelled, Ending, Failed
from hustings.core.performance import Performance
from hustings.store import budget, ledger, runs
from hustings.store.caps import MICRO
from hustings.store.runs import Progress

from .actor import Means, carry_out, inherited
from .clock import instant
from .commission import DAY, Commission
from .delivery import Delivery, delivery_of
from .judging import judgement_of
from .staging import proceedings_of, set_stage

A = TypeVar("A")
T = TypeVar("T")
Logged = tuple[str, str]
"""Kind and body of an event."""
GLANCE = 0.5
"""Seconds between two looks at a run that is paused."""
PATIENCE = 12
"""How often a provider's faults put a call off before its seat has failed; half an hour or so."""
ENDING: TypeAdapter[Ending] = TypeAdapter(Ending)


class Steps(Protocol):
    """What the loop needs of a durable engine."""

    def step(self, name: str, work: Callable[[A], Coroutine[Any, Any, T]], given: A, /) -> Awaitable[T]: ...
    def words(self, topic: str, seconds: float) -> Awaitable[Mapping[str, Any] | None]: ...
    def sleep(self, seconds: float) -> Awaitable[None]: ...


async def perform(steps: Steps, means: Means, commission: Commission) -> Ending:
    """Carry a debate out, from wherever it stands to its end."""
    return await _Run(steps, means, commission).play()


@dataclass(frozen=True)
class _Stop:
    wave: int
    ending: Ending

    def dump(self) -> str:
        return json.dumps({"wave": self.wave, "ending": self.ending.model_dump(mode="json")})

    @staticmethod
    def load(text: str) -> _Stop:
        value = json.loads(text)
        return _Stop(value["wave"], ENDING.validate_python(value["ending"]))


class _Run:
    def __init__(self, steps: Steps, means: Means, commission: Commission) -> None:
        self.steps, self.means, self.commission = steps, means, commission
        self.performance: Performance[Any]
        self.progress: Progress
        """How the run stood when this worker came to it."""
        self.published = 0
        self.paid: list[CallPaid] = []
        self.waited: list[HumanAwaited] = []

    async def play(self) -> Ending:
        commission = self.commission
        self.progress = await self.means.write(self._arrive)
        self.performance, stage = set_stage(
            commission.debate, commission.run_id, commission.created_at, commission.metadata
        )
        wave = 0
        while calls := self.performance.calls:
            self.waited = [_awaited(call) for call in calls if self._human(call)]
            if ending := await self._gate(wave):
                self.performance.stop(ending)
                break
            replies, last = await self._answer(calls)
            self._go_on(replies, last)
            wave += 1
        proceedings, events = proceedings_of(self.performance, stage), self._fresh_events()
        # Thousands of panels are redrawn for it: not on the loop that others wait for.
        judgement = await asyncio.to_thread(judgement_of, commission.debate, proceedings)
        if judgement:
            events.append(logged(OutcomeReached(outcome=judgement.outcome)))
        await self.means.write(lambda db: self._conclude(db, proceedings, judgement, events))
        return proceedings.ending

    # -- a wave ------------------------------------------------------------------------

    async def _answer(self, calls: Sequence[Call]) -> tuple[list[Reply | SeatError], Ending | None]:
        """Have every call of a wave carried out side by side."""
        told = {call.key: await self._told_before(call) for call in calls if self._human(call)}
        deliveries = [told.get(call.key) for call in calls]
        waiting, stopped, patience = [n for n, delivery in enumerate(deliveries) if delivery is None], None, PATIENCE
        for nth in count():
            answers = await _all(self._deliver(calls[n], nth) for n in waiting)
            deliveries = [answers.pop(0) if n in waiting else delivery for n, delivery in enumerate(deliveries)]
            waiting = [n for n, d in enumerate(deliveries) if d and d.kind in {"put_off", "auth_failed"}]
            again = [d for n in waiting if (d := deliveries[n])]
            patience -= any(d.kind == "put_off" and d.detail for d in again)  # whoever waits in line has not failed
            if not again or not patience:
                break
            if stopped := await self._come_back(again, f"{calls[waiting[0]].key} put off {nth + 1}"):
                break
        found = [(call, d) for call, d in zip(calls, deliveries, strict=True) if d]
        await self._record_failures([(call, d) for call, d in found if d.kind in {"put_off", "auth_failed"}])
        self.paid = [paid for call, d in found if (paid := d.paid(call))]
        last = _last([d for _, d in found], of_an_audit=bool(self.commission.debate.judged))
        return [d.reply(call) for call, d in found], stopped or last

    def _go_on(self, replies: Sequence[Reply | SeatError], last: Ending | None) -> None:
        """Hand the replies to the script; one that cannot take them ends the debate, and what was said is kept."""
        try:
            self.performance.resume(replies, last=last)
        except Exception as error:  # noqa: BLE001  a protocol may be anybody's
            self.performance.stop(Failed(code=type(error).__name__, reason=str(error)))

    async def _deliver(self, call: Call, nth: int) -> Delivery:
        """One step of the engine: a call, or a person's words. Never two: a replay counts steps as they start."""
        if not self._human(call):
            name = call.key if not nth else f"{call.key} again {nth}"
            return delivery_of(await self.steps.step(name, self._carried, call))
        message = await self.steps.words(call.key, self.commission.days_for_people * DAY)
        match message:
            case {"key": call.key, "called_off": by}:
                return Delivery("called_off", self.commission.created_at, detail=by)
            case {"key": call.key, "at": at, "text": text}:
                return Delivery("ok", at, text, model="human")
            case _:
                return await self._too_late(call)

    async def _too_late(self, call: Call) -> Delivery:
        """Nobody spoke in time: that is on record from now on, and words that come later find it there."""
        nobody = Delivery("timed_out", self.commission.created_at, detail="nobody spoke for this seat", model="human")
        lineage, record = self.commission.lineage, {"answer": nobody.dump(), "kind": nobody.kind}

        def work(db: sa.Connection) -> str | None:
            ledger.enter(db, lineage, call.key, record, self.means.executor_id)
            return ledger.known(db, lineage, call.key)

        return Delivery.load(await self.means.write(work) or nobody.dump())

    async def _carried(self, call: Call) -> dict[str, Any]:
        return (await carry_out(self._means(), self.commission, call)).fields()

    def _means(self) -> Means:
        """Whoever was asked beside a person may not be heard by them before they have spoken: so nobody hears it."""
        beside_a_person = any(map(self._human, self.performance.calls))
        return replace(self.means, hear=_unheard) if beside_a_person else self.means

    async def _told_before(self, call: Call) -> Delivery | None:
        """A person's words that a fork takes over."""
        if not self.commission.ancestors(call):
            return None
        found = await self.steps.step(f"{call.key} inherited", self._inherited, call)
        return delivery_of(found) if found else None

    async def _inherited(self, call: Call) -> dict[str, Any] | None:
        found = await inherited(self.means, self.commission, call)
        return found.fields() if found else None

    async def _record_failures(self, failed: Sequence[tuple[Call, Delivery]]) -> None:
        """Calls that are not made any more: whoever tells the run again must know how they ended."""
        lineage = self.commission.lineage
        if failed:
            records = {call.key: {"answer": d.dump(), "kind": d.kind} for call, d in failed}
            await self.means.write(lambda db: ledger.give_up(db, lineage, records, self.means.executor_id))

    async def _come_back(self, deliveries: Sequence[Delivery], name: str) -> Ending | None:
        """Wait durably: for the provider, or for somebody to mend the key. Whether to go on is decided once."""
        refused = [d for d in deliveries if d.kind == "auth_failed"]
        if refused:
            why = f" ({refused[0].detail})" if refused[0].detail else ""
            reason = (
                f"the provider does not accept the key of {refused[0].model}, or there is none{why}: "
                "mend it, restart the worker if there is one, then resume the run"
            )
            await self.steps.step(f"{name} paused", self._pause_for, reason)
            await self._wait_while_paused()
        else:
            await self.steps.sleep(max(d.after for d in deliveries))
        ending = await self.steps.step(f"{name} over", self._stopped_meanwhile, self.commission.caps.seconds)
        return ENDING.validate_python(ending) if ending else None

    async def _stopped_meanwhile(self, most: float | None) -> dict[str, Any] | None:
        stood = await self.means.write(lambda db: runs.progress(db, self.commission.run_id))
        if stood.control == "cancel":
            return Cancelled(by=stood.control_by).model_dump(mode="json")
        if most is not None and stood.age > most:
            return BudgetStopped(spent=round(stood.age, 3), cap=most, unit="seconds").model_dump(mode="json")
        return None

    async def _pause_for(self, reason: str) -> bool:
        run_id = self.commission.run_id

        def work(db: sa.Connection) -> bool:
            return runs.steer(db, run_id, "pause", "hustings", reason=reason)

        return await self.means.write(work)

    def _human(self, call: Call) -> bool:
        return self.commission.debate.cast[call.seat.id].model == "human"

    # -- between waves -----------------------------------------------------------------

    async def _gate(self, wave: int) -> Ending | None:
        """Enter what led here, once, and hear whether to go on. A replay passes what it has passed before."""
        events = self._fresh_events()
        if wave < self.progress.waves - 1:
            return None
        if wave < self.progress.waves:
            stood = await self.means.write(lambda db: runs.progress(db, self.commission.run_id))
        else:
            stood = await self.means.write(lambda db: self._begin(db, wave, events))
        if stood.control == "pause" and stood.stopped is None:
            stood = await self._wait_while_paused()
        if stood.control == "cancel" and stood.stopped is None:
            stood = await self.means.write(lambda db: self._stop(db, wave, Cancelled(by=stood.control_by)))
        return _Stop.load(stood.stopped).ending if stood.stopped else None

    def _begin(self, db: sa.Connection, wave: int, events: Sequence[Logged]) -> Progress:
        run_id, most = self.commission.run_id, self.commission.caps.seconds
        stood = runs.begin_wave(db, run_id, wave, events, self.means.executor_id) or runs.progress(db, run_id)
        if stood.stopped is None and stood.control == "cancel":
            return self._stop(db, wave, Cancelled(by=stood.control_by))
        if stood.stopped is None and most is not None and stood.age > most:
            return self._stop(db, wave, BudgetStopped(spent=round(stood.age, 3), cap=most, unit="seconds"))
        return stood

    def _stop(self, db: sa.Connection, wave: int, ending: Ending) -> Progress:
        runs.stop(db, self.commission.run_id, _Stop(wave, ending).dump())
        return runs.progress(db, self.commission.run_id)

    async def _wait_while_paused(self) -> Progress:
        """Waiting decides nothing, so it is no step."""
        run_id = self.commission.run_id

        def look(db: sa.Connection) -> Progress:
            stood = runs.progress(db, run_id)
            if stood.control == "pause" and stood.state != "paused":
                runs.note_event(db, run_id, logged(Paused(by=stood.control_by)))
                runs.mark(db, run_id, "paused", reason=stood.reason)
            if stood.control != "pause" and stood.state == "paused":
                runs.note_event(db, run_id, logged(Resumed(by=stood.control_by)))
                runs.mark(db, run_id, "running")
            return stood

        while (stood := await self.means.write(look)).control == "pause":  # noqa: ASYNC110  others resume it
            await asyncio.sleep(GLANCE)
        return stood

    def _fresh_events(self) -> list[Logged]:
        """What has happened since this was last asked: payments, then the record, then who is waited for."""
        record = self.performance.events[self.published :]
        self.published = len(self.performance.events)
        paid, waited = self.paid, self.waited
        self.paid, self.waited = [], []
        return [logged(event) for event in (*paid, *record, *waited)]

    # -- beginning and end -------------------------------------------------------------

    def _arrive(self, db: sa.Connection) -> Progress:
        run_id = self.commission.run_id
        stood = runs.progress(db, run_id)
        if stood.waves and stood.state != "ended" and stood.executor_id != self.means.executor_id:
            runs.note_event(db, run_id, logged(Recovered(by=self.means.executor_id)))
            runs.hand_over(db, run_id, self.means.executor_id)
        if stood.state == "paused" and stood.control != "pause":
            runs.note_event(db, run_id, logged(Resumed(by=stood.control_by)))
            runs.mark(db, run_id, "running")
        return stood

    def _conclude(
        self, db: sa.Connection, proceedings: Proceedings, judgement: Judgement | None, events: Sequence[Logged]
    ) -> None:
        """Keep what remains, and let go of the money that was held; once."""
        commission = self.commission
        ledger.settle_lost(db, commission.lineage, commission.budget_id)
        stands = budget.account(db, commission.budget_id)
        spent = stands.spent.money if stands else 0
        cap = commission.caps.money or 0
        final = BudgetChanged(spent=spent / MICRO, held=0.0, cap=cap / MICRO)
        kept = {
            "ending": proceedings.ending.model_dump_json(),
            "proceedings": proceedings.model_dump_json(),
            "judgement": judgement and judgement.model_dump_json(),
            "ended_at": instant(),
        }
        if runs.end(db, commission.run_id, kept, [*events, logged(final)]):
            budget.discharge(db, commission.above, cap, spent)


def give_up(db: sa.Connection, run_id: str, why: str) -> None:
    """A run that cannot go on as it is: said so, and what it held above is given back. A fork may go on."""
    row = runs.read(db, run_id)
    try:
        commission = Commission.model_validate_json(row["commission"] if row else "")
    except ValueError:  # what it holds above stays held: better too little is spent than too much
        runs.mark(db, run_id, "broken", reason=why)
        return
    ledger.settle_lost(db, commission.lineage, commission.budget_id)
    stands = budget.account(db, commission.budget_id)
    if runs.mark(db, commission.run_id, "broken", reason=why):
        budget.discharge(db, commission.above, commission.caps.money or 0, stands.spent.money if stands else 0)


async def _all(works: Iterable[Awaitable[T]]) -> list[T]:
    """All of them to their end, also if one fails: what runs on alone would be paid for and lost."""
    done = await asyncio.gather(*works, return_exceptions=True)
    for result in done:
        if isinstance(result, BaseException):
            raise result
    return cast("list[T]", done)


def _unheard(run_id: str, piece: TextStreamed) -> None:
    """Words that nobody hears before they are on record."""


def logged(event: Event) -> Logged:
    """An event as the log keeps it; its number is the log's."""
    return event.kind, event.model_dump_json(exclude={"seq"}, exclude_none=True)


def _awaited(call: Call) -> HumanAwaited:
    brief = call.brief
    form = None if brief.form.prose else dict(schema_of(brief.form))
    return HumanAwaited(address=call.address, seat=call.seat.id, key=call.key, task=brief.text, form=form)


def _last(deliveries: Sequence[Delivery], *, of_an_audit: bool) -> Ending | None:
    """An end that the answers of a wave bring with them; a judge whose model is refused abstains instead."""
    for d in deliveries:
        if d.kind == "called_off":
            return Cancelled(by=d.detail)
        if d.kind == "broke":
            return BudgetStopped(spent=d.spent, cap=d.cap, unit=d.unit)
        if d.kind == "rejected" and not of_an_audit:
            return Failed(code="rejected", reason=d.why)
    return None
