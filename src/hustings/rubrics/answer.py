"""Rubric for an answer to a challenge: how much of the challenge is left."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from hustings.script.rubric import ReasonedMark, Rubric, Unit, Weight

ADEQUACY = Weight(
    1.0,
    (
        "all of the objection is left: ignored, evaded or admitted",
        "most of it is left",
        "about half of it is left",
        "a small part of it is left",
        "nothing of it is left",
    ),
)


class AnswerScore(Rubric):
    per: ClassVar[Unit] = "answer"
    ask: ClassVar[str] = (
        "Mark each answer on how much of the objection it meets is left after it. Admitting the objection, or taking "
        "back what was objected to, is honest and leaves the objection standing: it scores low here."
    )

    adequacy: Annotated[ReasonedMark, ADEQUACY] = Field(
        description="how much of the objection is left after this answer? 1 all, 10 nothing"
    )
