"""Tests one judge on trial debates and their variants: repeated, swapped, padded, or addressed to the judge.

The judge is asked as on any panel and is not told of the trial; its report is computed from its marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import get_args

from pydantic import Field

from hustings.errors import Unsuitable
from hustings.judging.arguments import argued
from hustings.judging.audits.judging import DUTY
from hustings.judging.audits.judging import RULES as RULES_OF_A_PANEL
from hustings.judging.sheets import ARGUED, JudgeReading, Material, sheets
from hustings.lab.trial_debates import BASES, VARIANTS, TrialDebate, Variant, proceedings_of
from hustings.script.moves import Brief, or_none
from hustings.script.rubric import Rubric, Sheet
from hustings.script.seats import Seat
from hustings.script.stage import Settings as ProtocolSettings
from hustings.script.stage import Stage
from hustings.transcript.notes import Remark

VERSION = 1
RUBRIC = "argument"


class Settings(ProtocolSettings):
    bases: int = Field(default=len(BASES), ge=1, le=len(BASES))
    """How many of the written debates are used; the first has a better side, the second has none."""
    variants: tuple[Variant, ...] = Field(default=get_args(Variant), max_length=len(VARIANTS))
    """What is done to them; the plain debate is always among these."""
    seed: str = Field(default="", max_length=100)
    """Draws names and orders; the same seed draws the same."""


async def play(stage: Stage[Settings]) -> None:
    if stage.subject is None:
        raise Unsuitable("there is nothing to try a judge on", fix="name any debate, for example a written one")
    (judge,) = stage.seats
    await stage.together(
        *(
            or_none(stage.consult(judge, brief))
            for probe in probes(stage.settings)
            for brief in probe.asked(judge.id, stage.settings.seed, stage.subject.rubrics)
        )
    )


@dataclass(frozen=True)
class Probe:
    """A trial debate, and the variant of it that is shown."""

    base: TrialDebate
    variant: Variant

    @property
    def trial(self) -> TrialDebate:
        return VARIANTS[self.variant](self.base)

    def asked(self, judge: str, seed: str, rubrics: Mapping[str, type[Rubric]]) -> Iterator[Brief[Sheet[Rubric]]]:
        """The sheet of arguments, in both orders; all variants of a debate share a seed, so that their marks pair."""
        judged = proceedings_of(self.trial)
        material = Material(judged, argued(judged), {name: rubrics[name] for name in ARGUED})
        for order in range(ORDERS):
            for brief in sheets(material, JudgeReading(judge, order, f"{seed}/{self.base.name}"), most=ITEMS):
                if brief.name == "argument marks":
                    yield self._tagged(brief)

    def _tagged(self, brief: Brief[Sheet[Rubric]]) -> Brief[Sheet[Rubric]]:
        def kept(sheet: Sheet[Rubric]) -> Iterable[Remark]:
            given = sum(mark.score is not None for row in sheet.marks for mark in row.marks().values())
            for remark in (remark for observer in brief.observers for remark in observer(sheet)):
                tag = {"base": self.base.name, "variant": self.variant, "given": given}
                yield Remark(remark.kind, {**remark.body, **tag})

        return replace(brief, observers=(kept,))


def probes(settings: Settings) -> list[Probe]:
    variants: list[Variant] = [name for name in VARIANTS if name == "plain" or name in settings.variants]
    return [Probe(base, variant) for base in BASES[: settings.bases] for variant in variants]


SEATS = (Seat("judge_1", role="judge", name="Judge 1", duty=DUTY),)
ORDERS, ITEMS = 2, 6
RULES = RULES_OF_A_PANEL
