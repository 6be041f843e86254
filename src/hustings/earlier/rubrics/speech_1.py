"""Rubric for a speech in a competition, as version 1 of the competition used it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from hustings.script.forms import Form, Quote
from hustings.script.rubric import Penalty, Rubric, Score, Unit, Weight

LOGIC = Weight(
    0.25,
    (
        "assertions without reasons",
        "reasons that do not carry what they should",
        "holds in the main, with a gap that matters",
        "holds, with gaps that do not matter",
        "every step follows and the obvious objection is met",
    ),
)
PERSUASION = Weight(
    0.25,
    (
        "would move nobody",
        "would move those who agree already",
        "gives an undecided listener something to think about",
        "would move many undecided listeners",
        "would make an opponent think again",
    ),
)
EXPRESSION = Weight(
    0.20,
    (
        "cannot be followed",
        "can be followed with effort",
        "clear enough, if clumsy or wordy",
        "clear and well ordered",
        "not a word could go, and the main thing cannot be missed",
    ),
)
TEAMWORK = Weight(
    0.15,
    (
        "contradicts the team",
        "ignores what the team has said",
        "fits the team's case without carrying it on",
        "carries the team's case on",
        "mends or sharpens what a teammate left open",
    ),
)
RULE_COMPLIANCE = Weight(
    0.15,
    (
        "is not what this stage asks for",
        "breaks a rule of its stage in the main",
        "keeps the rules with a lapse that matters",
        "keeps the rules with a lapse that does not matter",
        "does exactly what its stage asks for",
    ),
)


class Mark(Form):
    score: Score | None
    quote: Quote = Field(max_length=200, description="the exact words it rests on; no words, no score")

    @property
    def why(self) -> str:
        return ""


class Violation(Form):
    kind: Literal[
        "counter_question", "not_direct_answer", "attacker_answered", "off_topic", "scripted_summary", "personal_attack"
    ] = Field(
        description="counter_question: whoever answers asks back; not_direct_answer: does not answer what was asked; "
        "attacker_answered: whoever asks also answers; off_topic: far from the motion; scripted_summary: sums up what "
        "was prepared, not what was said; personal_attack: speaks about a person"
    )
    quote: Quote = Field(min_length=1, max_length=200, description="the words that break the rule")


class SpeechScore(Rubric):
    per: ClassVar[Unit] = "speech"
    ask: ClassVar[str] = (
        "Mark each speech on how it was given: its logic, its power to persuade, its expression, how it works with "
        "its team, how it keeps the rules of its stage. Name the rules it broke, if it broke any."
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

    logic: Annotated[Mark, LOGIC] = Field(description="does the reasoning hold, step by step?")
    persuasion: Annotated[Mark, PERSUASION] = Field(description="would it move an undecided listener?")
    expression: Annotated[Mark, EXPRESSION] = Field(description="is it clear and well put?")
    teamwork: Annotated[Mark, TEAMWORK] = Field(description="does it carry on what the team has built?")
    rule_compliance: Annotated[Mark, RULE_COMPLIANCE] = Field(description="does it keep the rules of its stage?")
    violations: tuple[Violation, ...] = Field(max_length=6, description="rules it broke; none if it broke none")

    def flags(self) -> Sequence[tuple[str, str]]:
        return [(flag.kind, flag.quote) for flag in self.violations]
