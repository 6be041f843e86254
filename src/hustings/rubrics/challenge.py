"""Rubric for a response to an argument: how much it does against it, or for it."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from hustings.script.forms import ItemId
from hustings.script.rubric import Mark, Rubric, Unit, Weight

EFFECTIVENESS = Weight(
    1.0,
    (
        "misses the argument, or speaks to what was not said",
        "touches it at the edge",
        "shows a weakness that it can live with, or adds a reason that it could do without",
        "shows a weakness that its author must answer, or adds a reason that carries weight",
        "if it is right, nothing of the argument is left, or nothing of the doubt about it",
    ),
)


class ChallengeScore(Rubric):
    per: ClassVar[Unit] = "challenge"
    ask: ClassVar[str] = (
        "Mark each response on how much it does against the argument it answers, or for it if it supports it: taken "
        "by itself, before any defence, and whatever you think of the argument."
    )

    effectiveness: Annotated[Mark, EFFECTIVENESS] = Field(description="how much does it do to its target?")
    same_point_as: ItemId | None = Field(
        description="another response to the same argument that makes the same point, or null"
    )

    def same_as(self) -> str | None:
        return self.same_point_as
