"""Tries one model as an evaluator, on debates with one planted flaw each and on their clean twins.

The model is asked as in any evaluation and is not told of the trial; its report is computed from its answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import Field

from hustings.errors import Unsuitable
from hustings.lab.flawed_debates import OPTIONS, TOPICS
from hustings.lab.scorers.claim_listing import claims_brief
from hustings.lab.scorers.point_matching import match_brief
from hustings.lab.scorers.reading import READING_RULES, EvaluatorReading, masked_for
from hustings.lab.scorers.stance_reading import stance_brief
from hustings.lab.scorers.turn_sheet import TurnSheet
from hustings.lab.trial_material import TrialVersion, trial_versions
from hustings.script.moves import Ask, or_none
from hustings.script.seats import Seat
from hustings.script.stage import Settings as ProtocolSettings
from hustings.script.stage import Stage

from .evaluation import CLERK_DUTY, DUTY, READER_DUTY, SHEETS

VERSION = 1


class Settings(ProtocolSettings):
    topics: int = Field(default=len(TOPICS), ge=1, le=len(TOPICS))
    """How many of the written topics are used; each has six flaws."""
    repeat: int = Field(default=1, ge=1, le=2)
    """How often the judge is asked the same, to see how well it repeats itself."""
    seed: str = Field(default="", max_length=100)
    """Draws names; the same seed draws the same."""


async def play(stage: Stage[Settings]) -> None:
    if stage.subject is None:
        raise Unsuitable("there is nothing to try an evaluator on", fix="name any debate, for example a written one")
    versions = trial_versions(stage.settings.topics)
    for wave in (first_wave, second_wave, third_wave):
        await stage.together(*(or_none(ask) for version in versions for ask in wave(stage, version)))


def first_wave(stage: Stage[Settings], version: TrialVersion) -> Iterator[Ask[Any]]:
    """Where the turns stand that only this version has, and what they claim."""
    reader, clerk, _ = stage.seats
    transcript, seed = version.debate.transcript, _seed(stage, version)
    blind, hidden = masked_for(transcript, *seed, reader.id), masked_for(transcript, *seed, clerk.id)
    for turn in (turn for turn in transcript.turns if turn.turn_id in version.new_turns):
        yield stage.consult(reader, version.tagged(stance_brief(turn, blind, OPTIONS, reader.id, stage.settings.seed)))
        yield stage.consult(clerk, version.tagged(claims_brief(turn, hidden, clerk=clerk.id)))


def second_wave(stage: Stage[Settings], version: TrialVersion) -> Iterator[Ask[Any]]:
    """What of these turns, and of all after them, was said before."""
    clerk = stage.seats[1]
    hidden = masked_for(version.debate.transcript, *_seed(stage, version), clerk.id)
    material = version.material(stage.recorder.notes)
    for turn in (turn for turn in material.spoken if turn.turn_id in version.matched_turns):
        here, before = material.claims_of(turn.turn_id), material.claims_before(turn.turn_id)
        brief = match_brief(turn, here, before, material.heard[turn.turn_id], hidden, material.sides)
        if brief is not None:
            yield stage.consult(clerk, version.tagged(brief))


def third_wave(stage: Stage[Settings], version: TrialVersion) -> Iterator[Ask[Any]]:
    """What the judge makes of the turn that has the flaw, or would have it."""
    judge = stage.seats[2]
    hidden = masked_for(version.debate.transcript, *_seed(stage, version), judge.id)
    material = version.material(stage.recorder.notes)
    bundles = {bundle.turn_id: bundle for bundle in material.bundles if bundle.claims}
    for number in range(stage.settings.repeat):
        for turn, part in version.questions:
            if turn in bundles:
                sheet = TurnSheet(material, bundles[turn], hidden, EvaluatorReading(judge.id, number))
                yield stage.consult(judge, version.tagged(SHEETS[part](sheet)))


def _seed(stage: Stage[Settings], version: TrialVersion) -> Sequence[str]:
    return stage.settings.seed, version.name


SEATS = (
    Seat("reader", role="clerk", name="Reader", duty=READER_DUTY),
    Seat("clerk", role="clerk", name="Clerk", duty=CLERK_DUTY),
    Seat("judge_1", role="judge", name="Judge 1", duty=DUTY),
)
RULES = READING_RULES
