"""Data model of a judge's report: how a model judged the trial debates."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

Advice = Literal["use", "not alone", "nothing usable"]


class Measure(BaseModel, frozen=True):
    """One figure and whether it meets its goal; both are None if nothing could be measured."""

    what: str
    value: float | None = None
    unit: Literal["points", "share"] = "points"
    of: int = 0
    """Number of comparisons it rests on."""
    goal: str
    passed: bool | None = None


class JudgeReport(BaseModel, frozen=True):
    """How a model judged the trial debates, and the advice that follows."""

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
    """Whether its marks would have decided between two identical texts."""
    advice: Advice

    @property
    def measures(self) -> list[Measure]:
        return [value for _, value in self if isinstance(value, Measure)]
