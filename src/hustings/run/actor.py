"""Carrying out one call, whatever happens: on record before it is sent, its answer on record before anything else.

    limits → ledger: reserve and mark as sent → model → ledger: answer and settle → the engine's checkpoint

Wire faults are tried again here and nowhere else; waits that are too long for a step are handed
back to the workflow, which sleeps durably.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

import sqlalchemy as sa

from hustings.core.calls import Call
from hustings.core.errors import Unsuitable
from hustings.core.events import TextStreamed
from hustings.core.prompt import Prompt, prompt_of
from hustings.llm.improviser import Improviser
from hustings.llm.model import Model, Request, Response, Usage
from hustings.llm.prices import most_tokens, must_be_known, price, room_for, worst
from hustings.llm.voices import Voice
from hustings.store import ledger
from hustings.store.budget import Account, Sum, account
from hustings.store.caps import MICRO
from hustings.store.leases import Fenced
from hustings.store.ledger import Answered, Broke, Entry, Sent
from hustings.store.writer import Writer

from .clock import instant
from .commission import Commission
from .delivery import Delivery

T = TypeVar("T")

LONGEST_WAIT = 120.0
"""Seconds a step waits in all; beyond that the workflow sleeps."""
TRIES = {"garbled": 3, "timed_out": 2, "unreachable": 3, "overloaded": 5, "rate_limited": 8, "empty": 2, "truncated": 2}
"""How often a call is made at most, by the fault of the last try."""
PUT_OFF = frozenset({"rate_limited", "overloaded", "unreachable"})
"""Faults that a long wait may cure."""
RETRIED = frozenset({*PUT_OFF, "garbled", "timed_out"})
DEADLY = 5
"""A call in which so many workers died may be what they died of."""


class Limits(Protocol):
    async def enter(self, voice: Voice, tokens: int) -> float: ...
    async def leave(self, voice: Voice, taken: int, response: Response | None) -> None: ...


@dataclass(frozen=True)
class Means:
    """What a worker lends to every call."""

    executor_id: str
    writer: Writer
    limits: Limits
    models: Callable[[Voice], Model]
    hear: Callable[[str, TextStreamed], None]
    """Run id and words as they come."""

    async def write(self, work: Callable[[sa.Connection], T]) -> T:
        """Whoever was taken over says no more: not even to the engine that something went wrong."""
        try:
            return await self.writer.write(work)
        except Fenced:
            await asyncio.Event().wait()
            raise


async def carry_out(means: Means, commission: Commission, call: Call) -> Delivery:
    """One call, from asking to an answer on record."""
    voice = commission.model_specs[call.seat.id]
    if told := await inherited(means, commission, call):
        return told
    prompt = prompt_of(call, commission.debate.cast[call.seat.id])
    try:
        model = _Improvised(call, commission.seed or 0) if voice.provider == "improviser" else means.models(voice)
        must_be_known(voice)
    except Unsuitable as error:  # the worker lacks the key, or the price
        return Delivery("auth_failed", instant(), detail=str(error), model=voice.label)
    return await _Errand(means, commission, call, voice, prompt, model).run()


async def inherited(means: Means, commission: Commission, call: Call) -> Delivery | None:
    """What a fork takes over needs no key, no room and no provider."""
    ancestors = commission.ancestors(call)
    if not ancestors:
        return None
    entry = Entry(commission.lineage, call.key, commission.budget_id, means.executor_id, Sum())
    kin = await means.write(lambda db: ledger.inherit(db, entry, ancestors))
    return replace(Delivery.load(kin.answer), inherited=True) if kin else None


class _Improvised:
    """The shipped actor behind the port."""

    def __init__(self, call: Call, seed: int) -> None:
        self._call, self._seed = call, seed

    async def answer(self, request: Request, hear: Callable[[str], None]) -> Response:  # noqa: ARG002
        text = Improviser(self._seed).words(self._call)
        hear(text)
        return Response("ok", text, usage=Usage(0, 0, 0, 0), billed="no", model="improviser")


class _Errand:
    """One call under way."""

    def __init__(
        self, means: Means, commission: Commission, call: Call, voice: Voice, prompt: Prompt, model: Model
    ) -> None:
        self.means, self.commission, self.call, self.voice, self.model = means, commission, call, voice, model
        self.request: Request = Request(
            prompt,
            room_for(call, voice),
            name=f"{commission.lineage}/{call.key}",
            run=commission.lineage,
            seconds=commission.seconds_per_call,
            first_token_seconds=min(60.0, commission.seconds_per_call),
            temperature=voice.temperature,
            seed=commission.seed,
            extra=voice.extra,
        )
        self.tokens = most_tokens(prompt)
        self.asked_at = time.time()
        self.waited = 0.0
        self.tries = 0
        self.faults = Counter[str]()
        """How often it met which fault from here."""
        self.before: int | None = 0
        """What earlier tries cost; None once nobody knows."""

    def entry(self) -> Entry:
        most, commission = self.request.max_tokens, self.commission
        held = Sum(worst(self.voice, self.tokens, most), self.tokens + most)
        return Entry(commission.lineage, self.call.key, commission.budget_id, self.means.executor_id, held)

    def more_room(self) -> int:
        """Twice the room, as far as the voice allows."""
        return min(2 * self.request.max_tokens, self.voice.max_tokens or 2 * self.request.max_tokens)

    async def run(self) -> Delivery:
        """Try until there is an answer, a fault that stays, or a wait that is too long."""
        entry, last = self.entry(), None
        while True:
            wait = await self.means.limits.enter(self.voice, entry.worst.tokens)
            if wait > 0:
                if told := None if last else await self._known():
                    return told
                if not await self._wait(wait):
                    return await self._put_off(entry, wait, last)
                continue
            tried = await self._try(entry, last)
            if isinstance(tried, Delivery):
                return tried
            if (pause := self._pause(tried)) is None:
                return await self._answered(entry, tried)
            if not await self._wait(pause):
                return await self._put_off(entry, pause, tried)
            last = tried
            if tried.kind == "truncated":
                self.request = replace(self.request, max_tokens=self.more_room())
                entry = self.entry()
            elif tried.kind == "empty" and self.request.seed is not None:
                self.request = replace(self.request, seed=self.request.seed + 1)

    async def _try(self, entry: Entry, last: Response | None) -> Response | Delivery:
        """Send it once, if that is needed and there is money for it."""
        response = None
        try:
            sent = await self._send(entry, last)
            if isinstance(sent, Delivery):
                return sent
            self.tries = sent.tries
            if sent.deaths >= DEADLY:
                detail = f"{sent.deaths} workers died in this call: it is not made again"
                return await self._answered(entry, Response("unreachable", detail=detail, billed="no"))
            response = await self.model.answer(self.request, self._hear)
            return response
        finally:
            await self.means.limits.leave(self.voice, entry.worst.tokens, response)

    async def _known(self) -> Delivery | None:
        """Whoever has the answer already need not stand in line for it."""
        lineage, key = self.commission.lineage, self.call.key
        answer = await self.means.write(lambda db: ledger.known(db, lineage, key))
        return Delivery.load(answer) if answer is not None else None

    async def _send(self, entry: Entry, last: Response | None) -> Sent | Delivery:
        """On record as sent, or what there is instead: the answer is known, or there is no money."""
        if last is not None and last.billed == "no":
            return Sent(self.tries + 1)  # what was held for the last try is held for this one
        now, cost = time.time(), None if last is None else self._cost(last)
        if last is not None:
            self.before = None if cost is None or self.before is None else self.before + cost.money

        def work(db: sa.Connection) -> Sent | Delivery:
            match ledger.send(db, entry, now) if last is None else ledger.resend(db, entry, now, cost):
                case Answered(answer):
                    return Delivery.load(answer)
                case Sent() as sent:
                    return sent
                case Broke():
                    return _broke(account(db, entry.budget_id), entry.worst)

        return await self.means.write(work)

    def _pause(self, response: Response) -> float | None:
        """Seconds before the next try; None if there is to be none."""
        kind = response.kind
        self.faults[kind] += 1
        nth, unbilled = self.faults[kind], response.billed == "no" or kind == "overloaded"
        cut_short = (
            kind == "truncated" and not self.call.brief.form.prose and self.more_room() > self.request.max_tokens
        )
        again = kind in RETRIED or kind == "empty" or cut_short
        if not again or (nth >= TRIES[kind] and not (kind in PUT_OFF and unbilled)):
            return None
        if nth >= TRIES[kind]:
            return LONGEST_WAIT + 1
        chance = random.random()  # noqa: S311  keeps workers from coming back all at once, and is no secret
        if response.after is not None:
            return response.after + chance / 4
        return 0.0 if kind in {"empty", "truncated"} else chance * min(20.0, 0.5 * 2**nth)

    async def _wait(self, seconds: float) -> bool:
        """Sleep, if that is not too long for a step."""
        if self.waited + seconds > LONGEST_WAIT:
            return False
        self.waited += seconds
        await asyncio.sleep(seconds)
        return True

    def _cost(self, response: Response) -> Sum | None:
        """What a try cost; None where nobody knows, which counts as the worst."""
        if response.billed == "no":
            return Sum()
        usage = response.usage
        paid = price(self.voice, usage)
        if response.billed == "maybe" or paid is None or usage.input is None or usage.output is None:
            return None
        return Sum(paid, usage.input + usage.output)

    async def _answered(self, entry: Entry, response: Response) -> Delivery:
        """On record with its price; a key that is not accepted is no answer, and the call is still to be made."""
        cost = self._cost(response)
        delivery = Delivery(
            kind=response.kind,
            at=instant(),
            text=response.text if response.kind in {"ok", "truncated", "refused", "filtered", "malformed"} else "",
            detail=response.detail,
            model=response.model or self.voice.label,
            tokens_in=response.usage.input,
            tokens_cached=response.usage.cached,
            tokens_out=response.usage.output,
            latency_ms=round((time.time() - self.asked_at) * 1000),
            price=None if cost is None or self.before is None else self.before + cost.money,
            tries=self.tries,
        )
        record = {
            "new_answered_at": delivery.at,
            "new_kind": delivery.kind,
            "new_model": delivery.model,
            "new_answer": delivery.dump(),
        }
        if delivery.kind == "auth_failed":
            await self.means.write(lambda db: ledger.put_off(db, entry, cost))
        else:
            await self.means.write(lambda db: ledger.answered(db, entry, record, cost))
        return delivery

    async def _put_off(self, entry: Entry, wait: float, last: Response | None) -> Delivery:
        if last is not None:
            cost = self._cost(last)
            await self.means.write(lambda db: ledger.put_off(db, entry, cost))
        return Delivery("put_off", instant(), detail=last.kind if last else "", after=max(wait, 1.0))

    def _hear(self, piece: str) -> None:
        words = TextStreamed(address=self.call.address, attempt=max(self.tries - 1, 0), text=piece)
        self.means.hear(self.commission.run_id, words)


def _broke(stands: Account | None, worst: Sum) -> Delivery:
    """Which cap left no room."""
    assert stands is not None  # noqa: S101 - a run has its budget before it is enqueued
    caps, spent, held = stands.caps, stands.spent, stands.held
    if caps.money is not None and spent.money + held.money + worst.money > caps.money:
        figures = ((spent.money + held.money) / MICRO, caps.money / MICRO, "USD")
    elif caps.tokens is not None and spent.tokens + held.tokens + worst.tokens > caps.tokens:
        figures = (spent.tokens + held.tokens, caps.tokens, "tokens")
    else:
        figures = (stands.calls, caps.calls or 0, "calls")
    return Delivery("broke", instant(), spent=figures[0], cap=figures[1], unit=figures[2])
