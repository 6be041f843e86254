"""CallResult: the outcome of one call as plain data, stored by ledger and engine, and turned into a reply."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from hustings.db.caps import OnFailure
from hustings.errors import SeatError, SeatFailed
from hustings.llm.endpoints import COMMAND
from hustings.llm.environment import word_of
from hustings.llm.model import Kind
from hustings.report.failure_text import CALL_FAULTS, pause_reason
from hustings.script.calls import Call, Fault, Reply, Sampling
from hustings.transcript.call_try import CallTry
from hustings.transcript.events import CallPaid

_FAULTS: Mapping[str, Fault | None] = {
    "ok": None,
    "refused": "refused",
    "filtered": "filtered",
    "truncated": "truncated",
    "empty": "empty",
    # The stream was stopped because it repeated itself: its end is missing.
    "malformed": "truncated",
}


PAUSING = frozenset({"auth_failed", "no_credit", "untrusted", "not_an_api"})
"""No call gets through until the user acts: the run pauses, and the call is made again when it is resumed."""
STALLING = frozenset({"timed_out", "garbled", "unreachable", "overloaded", "rate_limited", "too_long"})
"""Time or another model may help: these pause a run that a person watches."""
PLACES = 6
"""Decimal places of a sum of amounts, which are whole millionths of a dollar."""


@dataclass(frozen=True)
class CallResult:
    """`broke`: no room in the budget. `put_off`: the provider demands a long wait. `called_off`: run cancelled.
    `left_out`: the debate goes on without the seat."""

    kind: Kind | Literal["broke", "put_off", "called_off", "left_out"]
    at: str
    text: str = ""
    detail: str = ""
    model: str = ""
    tokens_in: int | None = None
    tokens_cached: int | None = None
    tokens_out: int | None = None
    latency_ms: int | None = None
    tries: tuple[CallTry, ...] = ()
    """All tries, also those of workers before this one; empty for words of people."""
    temperature: float | None = None
    """As sent, like the two below; None if it was not."""
    max_tokens: int | None = None
    seed: int | None = None
    reasoning: str = ""
    """What the model thought, where it was to be kept."""
    inherited: bool = False
    """Taken over from another run, which paid for it."""
    player: str = ""
    """Label of the model that had the seat."""
    after: float = 0.0
    spent: float = 0.0
    cap: float = 0.0
    unit: str = ""
    held: float = 0.0
    held_calls: int = 0
    needed: float = 0.0

    def dump(self) -> str:
        tries = [each.model_dump(exclude_defaults=True) for each in self.tries]
        return json.dumps({**vars(self), "tries": tries}, ensure_ascii=False)

    @staticmethod
    def load(text: str) -> CallResult:
        fields: dict[str, Any] = json.loads(text)
        fields["tries"] = tuple(CallTry(**each) for each in fields["tries"])
        return CallResult(**fields)

    def reply(self, call: Call) -> Reply | SeatError:
        """The reply that the script gets: words, or an error of the seat."""
        if self.kind not in _FAULTS:
            return SeatFailed(f"{call.seat}: {self.why(call.seat.id)}")
        return Reply(
            self.text,
            self.at,
            _FAULTS[self.kind],
            self.model,
            self.tokens_in,
            self.tokens_out,
            self.latency_ms,
            Sampling(self.temperature, self.max_tokens, self.seed),
            self.reasoning,
            self.player,
        )

    @property
    def fault(self) -> str:
        """Kind of what went wrong last; a call that is put off had a fault before."""
        return self.tries[-1].ended if self.kind == "put_off" and self.tries else self.kind

    @property
    def record(self) -> dict[str, Any]:
        """As the ledger records it."""
        return {"answer": self.dump(), "kind": self.kind}

    def stalls(self, on_failure: OnFailure) -> bool:
        """Whether the call is to be made later, when something has changed."""
        return self.kind in PAUSING or (
            on_failure == "pause" and self.kind in STALLING and not self.model.startswith(("tool/", "human"))
        )

    def why(self, seat: str = "") -> str:
        """Why no answer came from a seat, in words, and the setting or command that helps."""
        reason = CALL_FAULTS[self.kind].replace("SEAT", word_of(seat))
        if self.model.startswith("tool/"):
            return self.detail or reason.partition(".")[0]
        if self.model == "human":  # no setting of a model helps
            reason = reason.partition(". ")[0]
        if self.model.startswith(f"{COMMAND}/") and self.kind == "timed_out":
            reason = f"{reason.partition('. ')[0]}. Allow more: seconds in [commands.{self.model.partition('/')[2]}]"
        return reason + (f" ({self.detail})" if self.detail else "")

    def refusal(self, seat: str) -> str:
        """Why a run waits for its user, and what to do."""
        if self.kind in PAUSING:
            if not self.tries:  # nothing was sent: the worker lacks the key, the price or the tool
                return f"{self.detail}. Restart any worker"
            return pause_reason(self.kind, self.model, self.detail)
        reason, _, cure = CALL_FAULTS[self.fault].replace("SEAT", word_of(seat)).partition(". ")
        detail = f" ({self.detail})" if self.detail else ""
        another = f"give it another model (--seat {seat}=MODEL)"
        return (
            f"{seat}: {reason}{detail}. {cure}, or {another}"
            if cure
            else f"{seat}: {reason}{detail}. Wait, or {another}"
        )

    def paid(self, call: Call) -> CallPaid | None:
        """The event about its cost; None if no model was called."""
        if self.kind in {"broke", "called_off"} or self.inherited or self.model in {"", "human"}:
            return None
        booked = sum(each.booked for each in self.tries)
        if self.kind == "put_off" and not booked:
            return None
        prices = [each.price for each in self.tries if each.price is not None]
        return CallPaid(
            address=call.address,
            model=self.model,
            tokens_in=self.tokens_in,
            tokens_cached=self.tokens_cached,
            tokens_out=self.tokens_out,
            price=round(sum(prices), PLACES) if prices and len(prices) == len(self.tries) else None,
            booked=round(booked, PLACES),
            sent_at=self.tries[0].sent_at if self.tries else None,
            answered_at=self.at,
            tries=self.tries,
        )
