"""Rubric for an argument: how well it was made and held, not whether it is right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from hustings.script.forms import Form, Quote
from hustings.script.rubric import Mark, Rubric, Weight

LOGIC = Weight(
    0.30,
    (
        "no reasoning, or it goes in a circle",
        "a step is missing without which nothing follows",
        "follows in the main, with a gap or a word in two senses",
        "follows, with a gap that does not matter",
        "every step follows and nothing is smuggled in",
    ),
)
EVIDENCE = Weight(
    0.30,
    (
        "none",
        "vague, or beside the claim",
        "to the point, but nobody could check it",
        "specific, and could be checked",
        "specific, checkable, and enough for all that is claimed",
    ),
)
RESPONSIVENESS = Weight(
    0.25,
    (
        "what was said against it is ignored",
        "named, but evaded",
        "answered in part",
        "answered point by point",
        "answered so that nothing of the objection is left",
    ),
)
HONESTY = Weight(
    0.15,
    (
        "distorts, invents or overstates in the main thing",
        "overstates, or hides what speaks against it",
        "plain, but silent about its limits",
        "says where its limits are",
        "says its limits and concedes what must be conceded",
    ),
)


class Fallacy(Form):
    kind: Literal[
        "straw_man",
        "appeal_to_authority",
        "slippery_slope",
        "false_dilemma",
        "anecdotal_evidence",
        "circular_reasoning",
        "ad_hominem",
    ] = Field(
        description="straw_man: attacks what nobody said; appeal_to_authority: a name instead of a reason; "
        "slippery_slope: one step is said to lead to the last; false_dilemma: two ways where there are more; "
        "anecdotal_evidence: a single case for a rule; circular_reasoning: rests on itself; ad_hominem: speaks about "
        "the person"
    )
    quote: Quote = Field(min_length=1, max_length=200, description="the words that show it")


class ArgumentScore(Rubric):
    ask: ClassVar[str] = (
        "Mark each argument on how well it was made and held: its logic, its evidence, how its author answered what "
        "was said against it, and how honest it is. Name fallacies only where you can quote them."
    )

    logic: Annotated[Mark, LOGIC] = Field(description="does it follow, without gaps, circles or double meanings?")
    evidence: Annotated[Mark, EVIDENCE] = Field(description="is it specific, checkable and to the point?")
    responsiveness: Annotated[Mark, RESPONSIVENESS] = Field(
        description="did its author answer what was said against it? The score is null if nothing was"
    )
    honesty: Annotated[Mark, HONESTY] = Field(description="is it fair, and does it concede what it must?")
    fallacies: tuple[Fallacy, ...] = Field(max_length=7, description="none if you see none")

    def flags(self) -> Sequence[tuple[str, str]]:
        return [(flag.kind, flag.quote) for flag in self.fallacies]
