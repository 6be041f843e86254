"""Rubric for an argument: how well it was made and held, not whether it is right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from hustings.script.forms import Form, Quote
from hustings.script.rubric import ReasonedMark, Rubric, Weight

LOGIC = Weight(
    0.30,
    (
        "no reasoning, or circular",
        "a step is missing on which all depends",
        "one real gap, or a word in two senses",
        "gaps that do not matter",
        "every step is stated and follows",
    ),
)
EVIDENCE = Weight(
    0.30,
    (
        "none, or not what its source says",
        "vague, or beside the point",
        "relevant, but not checkable, or honest general knowledge",
        "specific and checkable",
        "also enough for everything that is claimed",
    ),
)
RESPONSIVENESS = Weight(
    0.25,
    (
        "objections are ignored: quote one of them",
        "evaded, or only admitted",
        "answered in part",
        "answered point by point",
        "nothing of the objections is left",
    ),
)
HONESTY = Weight(
    0.15,
    (
        "distorts or invents something central",
        "overstates, or hides what speaks against it",
        "plain, but silent about its limits",
        "states its limits",
        "also concedes what it must",
    ),
)


BEARING = Weight(
    0.0,
    (
        "beside the question as put",
        "a detail of it",
        "one reason among several",
        "a strong reason that others could still outweigh",
        "alone enough to answer the question as put",
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
        "appeal_to_popularity",
        "misquotation",
    ] = Field(
        description="straw_man: answers a claim that was not made, usually a cruder one (“they want to shut the "
        "library” about closing on Mondays; a fair paraphrase is none); appeal_to_authority: a name instead of a "
        "reason (“the capital does it, so we should”; citing findings is evidence); slippery_slope: a first step is "
        "said to lead to a far one, with no steps between (with the steps argued, it is a forecast); false_dilemma: "
        "two options as the only ones while others are plain (“Sundays or decline”); anecdotal_evidence: a case or "
        "two carry a general claim (a case may illustrate); circular_reasoning: the conclusion is among the reasons "
        "(“needed because we cannot do without it”); ad_hominem: attacks a person or motive, not the point; "
        "appeal_to_popularity: right because many think so; misquotation: gives words as a source's that it does not "
        "have, or turns their meaning"
    )
    quote: Quote = Field(min_length=1, max_length=200, description="the words that show it")


class ArgumentScore(Rubric):
    ask: ClassVar[str] = (
        "Mark each argument on how well it was made and held: logic, evidence and honesty as it was first made, "
        "responsiveness by what its author said later. Check what it quotes against its source where you can see it. "
        "Name fallacies only where you can quote them; none is normal."
    )

    logic: Annotated[ReasonedMark, LOGIC] = Field(
        description="does it follow, without gaps, circles or double meanings?"
    )
    evidence: Annotated[ReasonedMark, EVIDENCE] = Field(description="is it specific, checkable and to the point?")
    responsiveness: Annotated[ReasonedMark, RESPONSIVENESS] = Field(
        description="did its author answer what was said against it? Null, with an empty quote, if nothing was"
    )
    honesty: Annotated[ReasonedMark, HONESTY] = Field(description="is it fair, and does it concede what it must?")
    bearing: Annotated[ReasonedMark, BEARING] = Field(
        description="suppose it stands in full: how much does it say to the question exactly as put?"
    )
    fallacies: tuple[Fallacy, ...] = Field(max_length=9, description="none if you see none")

    def flags(self) -> Sequence[tuple[str, str]]:
        return [(flag.kind, flag.quote) for flag in self.fallacies]
