"""Carry out one model call and its retries, with the waits between: on record before it is sent.

    limits → ledger: reserve and mark as sent → model → ledger: answer and settle → the engine's checkpoint

Connection faults are retried here and nowhere else. Waits that are too long for a step are returned
to the workflow, which sleeps durably.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from typing import Protocol, TypeVar

import sqlalchemy as sa

from hustings.db import ledger
from hustings.db.budget import Account, Sum, account
from hustings.db.caps import MICRO
from hustings.db.instants import instant
from hustings.db.leases import Fenced
from hustings.db.ledger import LedgerEntry, Reservation
from hustings.db.rate_limits import Health
from hustings.errors import NotFound, Unsuitable
from hustings.llm import librarian
from hustings.llm.endpoints import SILENT
from hustings.llm.improviser import Improviser
from hustings.llm.model import LlmRequest, LlmResponse, Model, Usage
from hustings.llm.model_spec import ModelSpec
from hustings.llm.patience import patience_of
from hustings.llm.prices import most_tokens, must_be_known, room_for, worst
from hustings.runs.call_result import CallResult
from hustings.runs.open_calls import TRIES
from hustings.runs.spec import RunSpec
from hustings.script.calls import Call
from hustings.script.prompt import Prompt, prompt_of
from hustings.transcript.events import CallTry, TextStreamed

from .booking import ChargedResponse, book, charge
from .delay_log import DelayLog
from .leaving import Leaving, Left
from .tool_calls import FetchingModel, asked_of, charge_tool, held_for, is_tool, without_result

T = TypeVar("T")
log = logging.getLogger(__name__)

LONGEST_WAIT = 120.0
"""Seconds that a step waits in total; beyond that the workflow sleeps."""
PUT_OFF = frozenset({"rate_limited", "overloaded", "unreachable"})
"""Faults that a long wait may cure."""
RETRIED = frozenset({*PUT_OFF, "garbled", "timed_out"})
DEADLY = 5
"""If this many workers died during a call, the call may be the cause."""


class CallLimits(Protocol):
    async def enter(self, model_spec: ModelSpec, tokens: int) -> float: ...
    async def leave(self, model_spec: ModelSpec, taken: int, response: LlmResponse | None) -> None: ...
    def health(self, model_spec: ModelSpec) -> Health: ...


class WorkWriter(Protocol):
    async def write(self, work: Callable[[sa.Connection], T], /) -> T: ...


@dataclass(frozen=True)
class WorkerContext:
    """What a worker provides for every call."""

    executor_id: str
    writer: WorkWriter
    limits: CallLimits
    models: Callable[[ModelSpec], Model]
    on_text: Callable[[str, TextStreamed], None]
    """Gets the run id and live text."""
    takes: bool = True
    """Takes runs from the queue, so that one at rest need not stay with it."""
    leaving: Leaving = field(default_factory=Leaving)

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        """Write in a transaction. A worker that lost its lease waits here for ever and reports not even a failure."""
        try:
            return await self.writer.write(work)
        except Fenced:
            await asyncio.Event().wait()
            raise


async def carry_out(context: WorkerContext, spec: RunSpec, call: Call) -> CallResult:
    """Carry out one call, until its answer is on record."""
    model_spec = spec.model_specs[call.seat.id]
    if told := await inherited(context, spec, call):
        return told
    if model_spec.provider == SILENT:
        return await _left_out(context, spec, call)
    prompt = prompt_of(call, spec.debate.cast[call.seat.id])
    try:
        model = _built_in(call, spec, model_spec) or context.models(model_spec)
        model = FetchingModel(model, call) if is_tool(model_spec) else model
        must_be_known(model_spec)
    except (Unsuitable, NotFound) as error:  # the worker lacks the key, the price or the tool
        return CallResult("auth_failed", instant(), detail=str(error), model=model_spec.label)
    return await _CallAttempt(context, spec, call, model_spec, prompt, model).run()


async def _left_out(context: WorkerContext, spec: RunSpec, call: Call) -> CallResult:
    """The answer of a seat without which the debate goes on."""
    result = CallResult("left_out", instant())
    records = {call.key: result.record}
    await context.write(lambda db: ledger.give_up(db, spec.lineage, records, context.executor_id))
    return result


async def inherited(context: WorkerContext, spec: RunSpec, call: Call) -> CallResult | None:
    """The inherited answer of a fork, which needs no key, no room in the budget and no provider."""
    ancestors = spec.ancestors(call)
    if not ancestors:
        return None
    entry = LedgerEntry(spec.lineage, call.key, spec.budget_id, context.executor_id, Sum())
    answer = await context.write(lambda db: ledger.inherit(db, entry, ancestors))
    return replace(CallResult.load(answer), inherited=True) if answer else None


def _built_in(call: Call, spec: RunSpec, model_spec: ModelSpec) -> Model | None:
    """What answers without a model, if that is so."""
    if model_spec.provider == "improviser":
        return _Improvised(call, spec.seed or 0)
    return _Librarian(call) if model_spec.provider == "librarian" else None


class _Librarian:
    """The librarian behind the `Model` interface."""

    def __init__(self, call: Call) -> None:
        self._call = call

    async def answer(self, request: LlmRequest, on_text: Callable[[str], None]) -> LlmResponse:  # noqa: ARG002
        # Indexing a book takes seconds, and the event loop serves other debates.
        text = await asyncio.to_thread(librarian.found_for, self._call)
        return LlmResponse("ok", text, usage=Usage(0, 0, 0, 0), billed="no", model="librarian")


class _Improvised:
    """The improviser behind the `Model` interface."""

    def __init__(self, call: Call, seed: int) -> None:
        self._call, self._seed = call, seed

    async def answer(self, request: LlmRequest, on_text: Callable[[str], None]) -> LlmResponse:  # noqa: ARG002
        text = Improviser(self._seed).words(self._call)
        on_text(text)
        return LlmResponse("ok", text, usage=Usage(0, 0, 0, 0), billed="no", model="improviser")


class _CallAttempt:
    """One call in progress, with its retries."""

    def __init__(
        self, context: WorkerContext, spec: RunSpec, call: Call, model_spec: ModelSpec, prompt: Prompt, model: Model
    ) -> None:
        self.context, self.spec, self.call, self.model_spec, self.model = context, spec, call, model_spec, model
        patience = patience_of(model_spec, spec.seconds_per_call)
        self.request: LlmRequest = LlmRequest(
            prompt,
            room_for(call, model_spec),
            name=f"{spec.lineage}/{call.key}",
            run=spec.lineage,
            seconds=patience.whole,
            first_token_seconds=patience.first_word,
            temperature=model_spec.temperature,
            seed=spec.seed,
            keep_reasoning=spec.keep_reasoning,
            extra=asked_of(call) if is_tool(model_spec) else model_spec.extra,
        )
        self.tokens = most_tokens(prompt)
        self.asked_at = time.time()
        self.waited = 0.0
        self.faults = Counter[str]()
        """How often each fault occurred here."""
        self.tries: tuple[CallTry, ...] = ()
        """All tries that are over, also those of workers before this one."""
        self.sent_at = 0.0
        self.delays = DelayLog(context.write, context.limits.health, spec, call, model_spec)

    def entry(self) -> LedgerEntry:
        most, spec = self.request.max_tokens, self.spec
        held = Sum(worst(self.model_spec, self.tokens, most), self.tokens + most)
        if self.model_spec.provider == "librarian":  # it reads and writes no tokens
            held = Sum()
        elif is_tool(self.model_spec):
            held = held_for(self.model_spec)
        return LedgerEntry(spec.lineage, self.call.key, spec.budget_id, self.context.executor_id, held)

    def more_room(self) -> int:
        """Twice the room, as far as the model spec allows."""
        return min(2 * self.request.max_tokens, self.model_spec.max_tokens or 2 * self.request.max_tokens)

    async def run(self) -> CallResult:
        """Try until there is an answer, a permanent fault, or a wait that is too long."""
        entry, last = self.entry(), None
        while True:
            wait = await self.context.limits.enter(self.model_spec, entry.worst.tokens)
            if wait > 0:
                if told := None if last else await self._known():
                    return told
                await self.delays.held_back(self.tries, wait)
                if not await self._wait(wait):
                    return await self._put_off(entry, wait, last)
                continue
            found = await self._under_way(entry, last)
            if isinstance(found, CallResult):
                return found
            last, pause = found
            if not await self._wait(pause):
                return await self._put_off(entry, pause, last)
            kind = last.response.kind
            if kind == "truncated":
                self.request = replace(self.request, max_tokens=self.more_room())
                entry = self.entry()
            elif kind == "empty" and self.request.seed is not None:
                self.request = replace(self.request, seed=self.request.seed + 1)

    async def _under_way(
        self, entry: LedgerEntry, last: ChargedResponse | None
    ) -> CallResult | tuple[ChargedResponse, float]:
        """Try once and record the answer; otherwise return the try, and the seconds until the next."""
        leaving = self.context.leaving
        if not leaving.begin_call():
            await self.context.limits.leave(self.model_spec, entry.worst.tokens, None)
            return await self._put_off(entry, 0.0, last)
        try:
            charged = await self._try(entry, last)
            if isinstance(charged, CallResult):
                return charged
            response = charged.response
            pause = self._pause(response)
            most = 0 if response.kind in PUT_OFF else TRIES.get(response.kind, 0)
            await self.delays.failed(self.request, response, self.tries, pause, most=most)
            return await self._answered(entry, response) if pause is None else (charged, pause)
        except asyncio.CancelledError:
            leaving.cut += 1
            raise
        finally:
            leaving.end_call()

    async def _try(self, entry: LedgerEntry, last: ChargedResponse | None) -> ChargedResponse | CallResult:
        """Send the call once, if that is needed and there is money for it."""
        charged = None
        tool = is_tool(self.model_spec)
        try:
            sent = await self._send(entry, last)
            if isinstance(sent, CallResult):
                return sent
            if sent.deaths >= DEADLY:
                detail = f"{sent.deaths} workers crashed during this call, so it is not repeated"
                unsent = book(LlmResponse("unreachable", detail=detail, billed="no"), self.sent_at, cost=0)
                self.tries = (*self.tries, unsent.call_try)
                return await self._answered(entry, unsent.response)
            response = await self.model.answer(self.request, self._on_text)
            charged = (
                charge_tool(self.model_spec, response, self.sent_at)
                if tool
                else charge(self.model_spec, self.request, response, entry.worst, self.sent_at)
            )
            self.tries = (*self.tries, charged.call_try)
            return charged
        finally:
            # A debate goes on without a tool that fails, so nothing waits for it to recover.
            learned = charged.response if charged and not tool else None
            await self.context.limits.leave(self.model_spec, entry.worst.tokens, learned)

    async def _known(self) -> CallResult | None:
        """The recorded answer, if any: a call that is already answered need not queue."""
        lineage, key = self.spec.lineage, self.call.key
        answer = await self.context.write(lambda db: ledger.known(db, lineage, key))
        return CallResult.load(answer) if answer is not None else None

    async def _send(self, entry: LedgerEntry, last: ChargedResponse | None) -> Reservation | CallResult:
        """Record the call as sent. Otherwise return the known answer, or that the budget has no room."""
        self.sent_at = now = time.time()
        tries = self.tries
        if last is not None and last.response.billed == "no":
            await self.context.write(lambda db: ledger.try_again(db, entry, now, tries))
            return Reservation(entry.key, "sent", tries, sent_at=now)

        def work(db: sa.Connection) -> Reservation | CallResult:
            sent = ledger.send(db, entry, now) if last is None else ledger.resend(db, entry, now, tries)
            if sent.answer is not None:
                return CallResult.load(sent.answer)
            if sent.state == "waiting":
                held = ledger.held(db, [entry.lineage]).get(entry.lineage, ledger.HeldMoney())
                return _broke(account(db, entry.budget_id), entry.worst, held)
            return sent

        sent = await self.context.write(work)
        if isinstance(sent, Reservation):
            self.tries = sent.tries
        return sent

    def _pause(self, response: LlmResponse) -> float | None:
        """Seconds before the next try; None if the call is not tried again."""
        kind = response.kind
        self.faults[kind] += 1
        nth, unbilled = self.faults[kind], response.billed == "no" or kind == "overloaded"
        cut_short = (
            kind == "truncated" and not self.call.brief.form.prose and self.more_room() > self.request.max_tokens
        )
        again = kind in RETRIED or kind == "empty" or cut_short
        waits = kind in PUT_OFF and unbilled and not is_tool(self.model_spec)
        if not again or (nth >= TRIES[kind] and not waits):
            return None
        if nth >= TRIES[kind]:
            return LONGEST_WAIT + 1
        rng = random.random()  # noqa: S311  keeps workers from retrying all at once, and is no secret
        if response.after is not None:
            return response.after + rng / 4
        return 0.0 if kind in {"empty", "truncated"} else rng * min(20.0, 0.5 * 2**nth)

    async def _wait(self, seconds: float) -> bool:
        """Sleep, unless that is too long for a step or the worker leaves; then return False."""
        if self.waited + seconds > LONGEST_WAIT:
            return False
        self.waited += seconds
        return await self.context.leaving.sleep(seconds)

    async def _answered(self, entry: LedgerEntry, response: LlmResponse) -> CallResult:
        """Record the answer with its price. What pauses a run is no answer: the call is put off and made later."""
        # Neither the answer nor its detail: a server chooses both.
        place = {"run_id": self.spec.run_id, "address": self.call.address}
        log.info("%s: answered: %s", self.spec.run_id, response.kind, extra=place)
        tries = self.tries
        if is_tool(self.model_spec) and response.kind != "ok":
            response = without_result(response)
        call_result = CallResult(
            kind=response.kind,
            at=instant(),
            text=response.text if response.kind in {"ok", "truncated", "refused", "filtered", "malformed"} else "",
            detail=response.detail,
            model=response.model or self.model_spec.label,
            tokens_in=response.usage.input,
            tokens_cached=response.usage.cached,
            tokens_out=response.usage.output,
            latency_ms=round((time.time() - self.asked_at) * 1000),
            tries=tries,
            reasoning=response.reasoning,
            player=self.model_spec.label,
            **asdict(response.sampling),
        )
        record = {
            "new_answered_at": call_result.at,
            "new_kind": call_result.kind,
            "new_model": call_result.model,
            "new_answer": call_result.dump(),
        }
        if call_result.stalls(self.spec.on_failure):
            await self.context.write(lambda db: ledger.put_off(db, entry, tries))
        else:
            await self.context.write(lambda db: ledger.answered(db, entry, record, tries[-1]))
        return call_result

    async def _put_off(self, entry: LedgerEntry, wait: float, last: ChargedResponse | None) -> CallResult:
        """Book the tries so far, and let the run rest. If the worker leaves, the next one goes on without a rest."""
        tries = self.tries
        if last is not None:
            await self.context.write(lambda db: ledger.put_off(db, entry, tries))
        if self.context.leaving.begun:
            raise Left
        kind, place = (
            last.response.kind if last else "limit",
            {"run_id": self.spec.run_id, "address": self.call.address},
        )
        log.info("put off for %.0f seconds: %s", wait, kind, extra=place)
        why = (last.response.detail or kind) if last else ""
        model = self.model_spec.label
        return CallResult("put_off", instant(), detail=why, model=model, tries=tries, after=max(wait, 1.0))

    def _on_text(self, piece: str) -> None:
        words = TextStreamed(address=self.call.address, attempt=len(self.tries), text=piece)
        self.context.on_text(self.spec.run_id, words)


def _broke(stands: Account | None, worst: Sum, lost: ledger.HeldMoney) -> CallResult:
    """Which cap left no room."""
    assert stands is not None  # noqa: S101 - a run has its budget before it is enqueued
    caps, spent, held = stands.caps, stands.spent, stands.held
    if caps.money is not None and spent.money + held.money + worst.money > caps.money:
        sure, needed = (spent.money + held.money - lost.money) / MICRO, worst.money / MICRO
        return CallResult(
            "broke",
            instant(),
            spent=sure,
            cap=caps.money / MICRO,
            unit="USD",
            held=lost.money / MICRO,
            held_calls=lost.calls,
            needed=needed,
        )
    if caps.tokens is not None and spent.tokens + held.tokens + worst.tokens > caps.tokens:
        used = spent.tokens + held.tokens
        return CallResult("broke", instant(), spent=used, cap=caps.tokens, unit="tokens", needed=worst.tokens)
    return CallResult("broke", instant(), spent=stands.calls, cap=caps.calls or 0, unit="calls")
