"""CallResult: the outcome of one call as plain data, stored by ledger and engine, and turned into a reply."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from hustings.db.caps import MICRO
from hustings.errors import SeatError, SeatFailed
from hustings.llm.model import Kind
from hustings.script.calls import Call, Fault, Reply
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


@dataclass(frozen=True)
class CallResult:
    """`broke`: no room in the budget. `put_off`: the provider demands a long wait. `called_off`: run cancelled."""

    kind: Kind | Literal["broke", "put_off", "called_off"]
    at: str
    text: str = ""
    detail: str = ""
    model: str = ""
    tokens_in: int | None = None
    tokens_cached: int | None = None
    tokens_out: int | None = None
    latency_ms: int | None = None
    price: int | None = None
    """In millionths of a dollar, over all tries; None is unknown."""
    tries: int = 1
    inherited: bool = False
    """Taken over from another run, which paid for it."""
    after: float = 0.0
    spent: float = 0.0
    cap: float = 0.0
    unit: str = ""

    def fields(self) -> dict[str, Any]:
        return dict(vars(self))

    def dump(self) -> str:
        return json.dumps(vars(self), ensure_ascii=False)

    @staticmethod
    def load(text: str) -> CallResult:
        return CallResult(**json.loads(text))

    def reply(self, call: Call) -> Reply | SeatError:
        """The reply that the script gets: words, or an error of the seat."""
        if self.kind not in _FAULTS:
            return SeatFailed(f"{call.seat}: {self.why}")
        return Reply(
            self.text, self.at, _FAULTS[self.kind], self.model, self.tokens_in, self.tokens_out, self.latency_ms
        )

    @property
    def why(self) -> str:
        """Why no answer came, in words, and the setting or command that helps."""
        reason = _REASONS[self.kind]
        if self.model == "human":  # no setting of a model helps
            reason = reason.partition(";")[0]
        return reason + (f" ({self.detail})" if self.detail else "")

    def paid(self, call: Call) -> CallPaid | None:
        """The event about its cost; None if no model was called."""
        if self.kind in {"broke", "put_off", "called_off"} or self.inherited or self.model in {"", "human"}:
            return None
        return CallPaid(
            address=call.address,
            model=self.model,
            tokens_in=self.tokens_in,
            tokens_cached=self.tokens_cached,
            tokens_out=self.tokens_out,
            price=None if self.price is None else self.price / MICRO,
        )


_REASONS: Mapping[str, str] = {
    "garbled": "the provider's answers could not be read; see that base_url is its API: hustings doctor",
    "overloaded": "the provider had no room for it; send it less at a time: at_once (LLM_AT_ONCE)",
    "timed_out": "no answer in time; allow more: timeout, first_token_timeout (LLM_TIMEOUT, LLM_FIRST_TOKEN_TIMEOUT)",
    "unreachable": "the provider could not be reached; see that it runs at base_url (LLM_BASE_URL): hustings doctor",
    "rate_limited": "the provider's limit did not allow it; keep to it: requests_per_minute, tokens_per_minute "
    "(LLM_RPM, LLM_TPM)",
    "too_long": "the debate has outgrown the model's window; seat a model with a larger one",
    "auth_failed": "the provider did not accept the key; set another: hustings keys set PROVIDER",
    "rejected": "the provider rejected the request; see that it has this model and takes its settings: hustings doctor",
    "broke": "the budget is spent; allow more: --budget, --max-tokens-total, --max-calls",
    "put_off": "the provider was away for too long; when it is back: hustings fork RUN",
    "called_off": "the debate was called off",
}


def call_result_of(value: Mapping[str, Any]) -> CallResult:
    return CallResult(**value)
