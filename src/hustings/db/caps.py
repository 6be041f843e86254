"""States of a run and caps on its spending. Light to import, because commands use them as options."""

from __future__ import annotations

from math import inf
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, Field

from hustings.errors import Unsuitable
from hustings.text.figures import limit_in_dollars

State = Literal["waiting", "running", "paused", "ended", "broken"]
OPEN: frozenset[str] = frozenset({"waiting", "running", "paused"})
"""The run may still continue."""
OVER: frozenset[str] = frozenset({"ended", "broken"})


OnFailure = Literal["pause", "go-on"]
"""What a run does when a seat gives no usable answer: wait for its user, or go on without the answer."""


MICRO = 1_000_000
"""Millionths of a dollar in a dollar."""
MOST = 2**53
"""No cap is larger: every number up to it can be stored, and read anywhere as it is."""


def _countable(amount: int) -> int:
    if amount > MOST:
        raise ValueError("too large a number")
    return amount


Amount = Annotated[int, Field(ge=0), AfterValidator(_countable)]


class Caps(BaseModel, frozen=True, defer_build=True):
    """Hard caps; None means no cap of that kind."""

    money: Amount | None = None
    """In millionths of a dollar."""
    tokens: Amount | None = None
    calls: Amount | None = None
    seconds: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """From the first call on. Calls that began in time are finished."""

    @classmethod
    def of(
        cls,
        *,
        dollars: float | None = None,
        tokens: int | None = None,
        calls: int | None = None,
        minutes: float | None = None,
    ) -> Caps:
        """Build caps from the units that people use."""
        seconds = None if minutes is None else minutes * 60
        return cls(money=micro(dollars), tokens=tokens, calls=calls, seconds=seconds)

    def after(self, *, money: int, tokens: int, calls: int) -> Caps:
        """What remains for the follow-ups: a cap covers everything that one request leads to."""
        taken = {"money": money, "tokens": tokens, "calls": calls}
        left = {kind: max(0, cap - taken[kind]) for kind in taken if (cap := getattr(self, kind)) is not None}
        return self.model_copy(update=left)


def micro(dollars: float | None) -> int | None:
    if dollars is not None and not -inf < dollars < MOST / MICRO:
        raise Unsuitable(f"{dollars} is no amount of money", fix="write it like 0.50")
    return None if dollars is None else round(dollars * MICRO)


def usd(amount: int) -> str:
    """An amount in millionths of a dollar, whole: `5.00 USD`, `0.004 USD`."""
    return f"{limit_in_dollars(amount / MICRO)} USD"
