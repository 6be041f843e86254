"""Rubric for a response to an argument: how much it does against it, or for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar

from pydantic import Field

from hustings.script.forms import ItemId, Quote
from hustings.script.rubric import ReasonedMark, Rubric, Unit, Weight

EFFECTIVENESS = Weight(
    1.0,
    (
        "misses the argument, or answers what was not said",
        "a side issue",
        "a weakness the argument can live with, or a reason it could do without",
        "a weakness its author must answer, or a reason that carries weight",
        "if it is right, nothing of the argument is left, or no doubt about it",
    ),
)


class ChallengeScore(Rubric):
    per: ClassVar[Unit] = "challenge"
    ask: ClassVar[str] = (
        "Mark each response by this: if it is right, how much of the argument is left? Judge it before any defence. A "
        "supporting response is marked by what it adds."
    )

    binds: ClassVar[Mapping[str, str]] = {"new_argument": "cross-examination"}

    effectiveness: Annotated[ReasonedMark, EFFECTIVENESS] = Field(description="how much does it do to its target?")
    same_point_as: ItemId | None = Field(
        description="another response to the same argument that makes the same point, or null"
    )

    new_argument: Quote = Field(
        max_length=200,
        description="in a cross-examination: its words that raise an argument not made before, exactly; else empty",
    )

    def flags(self) -> Sequence[tuple[str, str]]:
        return [("new_argument", self.new_argument)] if self.new_argument else []

    def same_as(self) -> str | None:
        return self.same_point_as
