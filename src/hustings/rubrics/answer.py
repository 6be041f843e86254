"""Rubric for an answer to a challenge: how much of the challenge is left."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from hustings.script.rubric import Mark, Rubric, Unit, Weight

ADEQUACY = Weight(
    1.0,
    (
        "no answer to what was asked",
        "speaks to it and evades it",
        "answers a part",
        "answers it in the main",
        "answers all of it, and nothing is left to ask",
    ),
)


class AnswerScore(Rubric):
    per: ClassVar[Unit] = "answer"
    ask: ClassVar[str] = "Mark each answer on how fully it deals with the challenge and the questions it answers."

    adequacy: Annotated[Mark, ADEQUACY] = Field(description="does it deal with what was put to it?")
