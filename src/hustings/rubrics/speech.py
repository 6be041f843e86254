"""Rubric for a speech in a competition: how it was given, not whether it is right. Also all penalties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from hustings.script.forms import Form, Quote
from hustings.script.rubric import Penalty, ReasonedMark, Rubric, Unit, Weight

LOGIC = Weight(
    0.25,
    (
        "assertions only",
        "reasons that do not support the point",
        "a gap that matters",
        "gaps that do not matter",
        "every step follows and the obvious objection is met",
    ),
)
PERSUASION = Weight(
    0.25,
    (
        "moves nobody",
        "moves only those who agree",
        "makes the undecided think",
        "moves many of them",
        "would make an opponent think again",
    ),
)
EXPRESSION = Weight(
    0.20,
    (
        "cannot be followed",
        "can be followed with effort",
        "clear, but clumsy or wordy",
        "clear and well ordered",
        "nothing could be cut",
    ),
)
TEAMWORK = Weight(
    0.15,
    (
        "contradicts the team",
        "ignores it",
        "fits its case",
        "builds on it",
        "repairs what a teammate left open",
    ),
)
RULE_COMPLIANCE = Weight(
    0.15,
    (
        "not what the stage asks for",
        "breaks its main rule",
        "a lapse that matters",
        "a lapse that does not matter",
        "exactly what the stage asks for",
    ),
)


class Violation(Form):
    kind: Literal[
        "counter_question", "not_direct_answer", "attacker_answered", "off_topic", "scripted_summary", "personal_attack"
    ] = Field(
        description="in answers: counter_question, asks back; not_direct_answer, does not answer what was asked. In "
        "questions: attacker_answered, answers or argues while asking. In a summary: scripted_summary, sums up what "
        "was prepared, not what was said. In any speech: off_topic, far from the motion; personal_attack, speaks "
        "about a person"
    )
    quote: Quote = Field(min_length=1, max_length=200, description="the words that break the rule")


class SpeechScore(Rubric):
    per: ClassVar[Unit] = "speech"
    ask: ClassVar[str] = (
        "Mark each speech on how it was given, whatever you think of its side. Then list the rules it broke that you "
        "can quote; none is normal."
    )
    penalties: ClassVar[Mapping[str, Penalty]] = {
        "overtime": Penalty(individual=-2, team=-3),
        "counter_question": Penalty(individual=-2),
        "attacker_answered": Penalty(individual=-2),
        "consecutive_team": Penalty(individual=0, team=-3),
    }
    binds: ClassVar[Mapping[str, str]] = {
        "counter_question": "answers",
        "not_direct_answer": "answers",
        "attacker_answered": "questions",
        "scripted_summary": "summary",
    }

    logic: Annotated[ReasonedMark, LOGIC] = Field(description="does the reasoning hold, step by step?")
    persuasion: Annotated[ReasonedMark, PERSUASION] = Field(description="would it move an undecided listener?")
    expression: Annotated[ReasonedMark, EXPRESSION] = Field(description="is it clear and well put?")
    teamwork: Annotated[ReasonedMark, TEAMWORK] = Field(description="does it carry on what the team has built?")
    rule_compliance: Annotated[ReasonedMark, RULE_COMPLIANCE] = Field(
        description="does it keep the rules of its stage?"
    )
    violations: tuple[Violation, ...] = Field(max_length=6, description="rules it broke; none if it broke none")

    def flags(self) -> Sequence[tuple[str, str]]:
        return [(flag.kind, flag.quote) for flag in self.violations]
