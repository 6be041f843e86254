"""Judges evaluate a finished debate turn by turn: reasoning, words against deeds, causes.

A blind reader finds where each turn stands, a clerk lists its claims and grounds, and judges answer small questions
with quotes. Every figure is computed from these answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, get_args

from pydantic import Field

from hustings.errors import Unsuitable
from hustings.lab.build_bundles import DebateMaterial
from hustings.lab.scorers.claim_listing import claims_brief
from hustings.lab.scorers.crit_sheet import crit_brief
from hustings.lab.scorers.point_matching import match_brief
from hustings.lab.scorers.rca_sheet import rca_brief
from hustings.lab.scorers.reading import MOST_ITEMS, READING_RULES, EvaluatorReading, masked_for
from hustings.lab.scorers.stance_reading import stance_brief
from hustings.lab.scorers.synthesis_sheet import syntheses_of, synthesis_brief
from hustings.lab.scorers.t3_sheet import t3_brief
from hustings.lab.scorers.turn_sheet import TurnSheet
from hustings.runs.evaluation_spec import ScorerPart
from hustings.script.moves import Ask, Brief, or_none
from hustings.script.protocol import SeatingContext
from hustings.script.seats import Player, Seat
from hustings.script.stage import AuditSubject, Stage
from hustings.script.stage import Settings as ProtocolSettings
from hustings.transcript.models import Rung

VERSION = 1
PROMPT_VERSIONS = {"reader": "1", "clerk": "1", "crit": "1", "rca": "1", "t3": "1", "synthesis": "1"}
"""A prompt that changes gets a new version, and with it every figure that rests on it."""

Family = Annotated[str, Field(max_length=60)]


class Settings(ProtocolSettings):
    judges: int = Field(default=3, ge=1, le=5)
    """How many judges there are."""
    orders: int = Field(default=1, ge=1, le=2)
    """In how many orders each reads the lists of claims; the second mirrors the first."""
    repeat: int = Field(default=1, ge=1, le=3)
    """How often each judge is asked the same."""
    parts: tuple[ScorerPart, ...] = Field(default=get_args(ScorerPart), min_length=1, max_length=4)
    """What the judges are asked about: crit, rca, t3, synthesis."""
    options: tuple[Annotated[str, Field(min_length=1, max_length=40)], ...] = Field(default=("yes", "no"), max_length=6)
    """Answers between which a turn may stand; none for an open question, which has no stances."""
    rung: Rung | None = None
    """How far up the ladder of causes an answer must reach."""
    families: tuple[Family, ...] = Field(default=(), max_length=5)
    """Of which family of models each judge is, in order."""
    debaters: tuple[Family, ...] = Field(default=(), max_length=40)
    """Families of models that took part in the debate."""
    seed: str = Field(default="", max_length=100)
    """Draws names and orders; the same seed draws the same."""
    claims_per_turn: int = Field(default=MOST_ITEMS, ge=1, le=MOST_ITEMS)
    """Most claims listed from a long turn; a short turn has fewer."""

    @property
    def offered(self) -> tuple[str, ...]:
        """Options between which there is something to choose."""
        different = tuple(dict.fromkeys(self.options))
        return different if len(different) > 1 else ()

    @property
    def readings(self) -> list[tuple[int, bool]]:
        """Number of each reading of a judge, and whether its lists run backwards."""
        return [(n, n % self.orders == 1) for n in range(self.orders * self.repeat)]


async def play(stage: Stage[Settings]) -> None:
    subject, settings = must_have(stage), stage.settings
    material = DebateMaterial(subject.judged, options=settings.offered)
    await stage.together(*(or_none(ask) for ask in first_wave(stage, material)))
    if not material.on_forms:
        material = DebateMaterial(subject.judged, tuple(stage.recorder.notes), settings.offered)
        await stage.together(*(or_none(ask) for ask in second_wave(stage, material)))
    material = DebateMaterial(subject.judged, tuple(stage.recorder.notes), settings.offered)
    await stage.together(*(or_none(ask) for ask in third_wave(stage, material)))


def must_have(stage: Stage[Settings]) -> AuditSubject:
    if stage.subject is None:
        raise Unsuitable("there is nothing to evaluate", fix="name a debate that is over: hustings evaluate RUN")
    return stage.subject


def first_wave(stage: Stage[Settings], material: DebateMaterial) -> Iterator[Ask[Any]]:
    """Where each turn stands, and what it claims."""
    transcript, seed = material.judged.transcript, _seed(stage, material)
    reader, clerk = stage.seats[:2]
    blind = masked_for(transcript, seed, reader.id)
    for turn in material.read_turns:
        yield stage.consult(reader, stance_brief(turn, blind, stage.settings.offered, reader.id, seed))
    if not material.on_forms:
        hidden = masked_for(transcript, seed, clerk.id)
        for turn in material.spoken:
            yield stage.consult(clerk, claims_brief(turn, hidden, stage.settings.claims_per_turn, clerk.id))


def second_wave(stage: Stage[Settings], material: DebateMaterial) -> Iterator[Ask[Any]]:
    """What of each turn was said before, and whom it answers."""
    clerk = stage.seats[1]
    hidden = masked_for(material.judged.transcript, _seed(stage, material), clerk.id)
    for turn in material.spoken:
        here, before = material.claims_of(turn.turn_id), material.claims_before(turn.turn_id)
        brief = match_brief(turn, here, before, material.heard[turn.turn_id], hidden, material.sides)
        if brief is not None:
            yield stage.consult(clerk, brief)


def third_wave(stage: Stage[Settings], material: DebateMaterial) -> Iterator[Ask[Any]]:
    """What every judge is asked about every turn that claims something, and about every synthesis."""
    for judge in stage.seats[2:]:
        for number, mirror in stage.settings.readings:
            reading = EvaluatorReading(judge.id, number, mirror)
            yield from (stage.consult(judge, brief) for brief in asked_of(reading, material, stage))


def asked_of(reading: EvaluatorReading, material: DebateMaterial, stage: Stage[Settings]) -> Iterator[Brief[Any]]:
    parts = stage.settings.parts
    hidden = masked_for(material.judged.transcript, _seed(stage, material), reading.judge, reading.mirror)
    for bundle in material.bundles:
        if bundle.claims:
            sheet = TurnSheet(material, bundle, hidden, reading)
            yield from (SHEETS[part](sheet) for part in parts if part in SHEETS)
    if "synthesis" in parts:
        for synthesis in syntheses_of(material):
            if brief := synthesis_brief(material, synthesis, hidden, reading):
                yield brief


def _seed(stage: Stage[Settings], material: DebateMaterial) -> str:
    return f"{stage.settings.seed}/{material.judged.transcript.run_id}"


def seating(context: SeatingContext[Settings]) -> Mapping[Seat, Player]:
    judges = (
        Seat(f"judge_{n}", role="judge", name=f"Judge {n}", duty=DUTY) for n in range(1, context.settings.judges + 1)
    )
    reader = Seat("reader", role="clerk", name="Reader", duty=READER_DUTY)
    clerk = Seat("clerk", role="clerk", name="Clerk", duty=CLERK_DUTY)
    return {seat: Player() for seat in (reader, clerk, *judges)}


SHEETS: Mapping[str, Any] = {"crit": crit_brief, "rca": rca_brief, "t3": t3_brief}
DUTY = "You say small things about one turn that its words can prove, and nothing beyond them."
READER_DUTY = "You read one turn by itself and say where it stands."
CLERK_DUTY = "You list what was claimed, as it was claimed. You judge nothing and add nothing."
RULES = READING_RULES
