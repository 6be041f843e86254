"""A speech in a competition, marked on how it was given and not on whether it is right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from hustings.core.forms import Form, Quote
from hustings.core.rubric import Penalty, Rubric, Score, Weight


class Violation(Form):
    rule: Literal[
        "counter_question", "not_direct_answer", "attacker_answered", "off_topic", "scripted_summary", "personal_attack"
    ] = Field(
        description="counter_question: whoever answers asks back; not_direct_answer: does not answer what was asked; "
        "attacker_answered: whoever asks also answers; off_topic: far from the motion; scripted_summary: sums up what "
        "was prepared, not what was said; personal_attack: speaks about a person"
    )
    quote: Quote = Field(min_length=1, max_length=200, description="the words that break the rule")


class SpeechScore(Rubric):
    penalties: ClassVar[Mapping[str, Penalty]] = {
        "overtime": Penalty(individual=-2, team=-3),
        "counter_question": Penalty(individual=-2),
        "attacker_answered": Penalty(individual=-2),
        "consecutive_team": Penalty(individual=0, team=-3),
    }

    logic: Annotated[Score, Weight(0.25)] = Field(description="does the reasoning hold, step by step?")
    persuasion: Annotated[Score, Weight(0.25)] = Field(description="would it move an undecided listener?")
    expression: Annotated[Score, Weight(0.20)] = Field(description="is it clear and well put?")
    teamwork: Annotated[Score, Weight(0.15)] = Field(description="does it carry on what the team has built?")
    rule_compliance: Annotated[Score, Weight(0.15)] = Field(description="does it keep the rules of its stage?")
    violations: tuple[Violation, ...] = Field(max_length=6, description="rules it broke; none if it broke none")

    def fouls(self) -> Sequence[str]:
        return list(dict.fromkeys(violation.rule for violation in self.violations))
