"""What is known of a judge: how it did on debates that were written to try it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

Advice = Literal["use", "not alone", "nothing usable"]


class Measure(BaseModel, frozen=True):
    """One figure, and whether it is good enough; where nothing could be measured there is neither."""

    what: str
    value: float | None = None
    unit: Literal["points", "share"] = "points"
    of: int = 0
    """How many comparisons it rests on."""
    goal: str
    passed: bool | None = None


class JudgeReport(BaseModel, frozen=True):
    """How a model judges."""

    model: str
    family: str
    date: str
    asked: int
    """Sheets, over all debates and orders."""
    accepted: int
    grounded: Measure
    order_flips: Measure
    position_bias: Measure
    repeat: Measure
    padding: Measure
    injection: Measure
    worst_injection: Measure
    empty_argument: Measure
    better_side: Measure
    identical: Measure
    identical_verdict: bool | None
    """Whether a verdict would have been given between texts that are the same."""
    advice: Advice

    @property
    def measures(self) -> list[Measure]:
        return [value for _, value in self if isinstance(value, Measure)]
