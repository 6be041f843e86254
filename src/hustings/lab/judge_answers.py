"""What evaluating judges answered, turn by turn, after their quotes were checked. Marks and verdicts follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from hustings.transcript.models import Rung

from .bundle import Amount

Pillar = Literal["logical_validity", "evidential_support", "alternative_consideration", "causal_alignment"]
FailureKind = Literal[
    "contradiction",
    "conclusion_drift",
    "unsupported_claim",
    "premature_certainty",
    "ignored_critique",
    "causal_overreach",
]
Level = Annotated[int, Field(ge=0, le=6)]
YesNo = Literal["yes", "no", "unclear"]
PILLARS: tuple[Pillar, ...] = get_args(Pillar)


class _Answer(BaseModel, defer_build=True):
    model_config = ConfigDict(frozen=True)


class CritFailure(_Answer):
    """A failure of reasoning, with the words that show it; one whose quote was not found is left out."""

    kind: FailureKind
    quote: str = ""


class CritAnswer(_Answer):
    """CRIT: levels of one judge for one turn, and the failures it quoted."""

    judge: str
    levels: Mapping[Pillar, Level | None] = {}
    """None, or absent, where the turn gives nothing to judge the pillar by."""
    fit: Level | None = None
    """How well certainty fits the grounds."""
    failures: tuple[CritFailure, ...] = ()
    quotes: Mapping[str, str] = {}
    """Pillar, or `fit`, to the words that decided its level."""


class RcaAnswer(_Answer):
    """RCA: the words of one judge for one turn. Fields that its phase does not ask for are None."""

    judge: str
    follows: YesNo | None = None
    """Opening: whether the position follows from the reasons."""
    specific: YesNo | None = None
    """Critique: whether an objection names a flaw of the claim it meets."""
    accepts: Amount | Literal["unclear"] | None = None
    """Revision: how much of the critiques is accepted in words."""
    reason: YesNo | None = None
    """Revision: whether an argument is named for what is given up or taken over."""
    new: YesNo | None = None
    """Critique and revision: whether anything is said that was not said before."""
    changed: Amount | Literal["unclear"] | None = None
    """Revision: how far the position moved. Counts only where no stance could be read."""
    weighs: YesNo | None = None
    """Synthesis: whether a reason is given for what is taken from each side."""
    moved_by: str | None = None
    """Label of the critique that carries a change."""
    quote: str = ""


class Trap(_Answer):
    """A trap of causal reasoning, by its code, and whether the speaker names and answers it."""

    code: Annotated[str, Field(pattern=r"^[WTF][1-9][0-9]?$")]
    dealt_with: bool = False
    quote: str = ""


class ClaimRung(_Answer):
    """T³: one claim, the rung it asserts and the rung its grounds show."""

    claim: str
    asserts: Rung | None = None
    """None if it is no causal claim."""
    shows: Rung | None = None
    declines: bool = False
    """Holds back the stronger claim and says what is missing: then it asserts nothing."""
    traps: tuple[Trap, ...] = ()
    asserts_quote: str = ""
    shows_quote: str = ""


class T3Answer(_Answer):
    """T³: what one judge found in the claims of one turn."""

    judge: str
    rungs: tuple[ClaimRung, ...] = ()


class StatedPoint(_Answer):
    """Whether a synthesis states a point that mattered."""

    about: str
    stated: bool
    quote: str = ""


class TracedSentence(_Answer):
    """A sentence of a synthesis, where it comes from, and whether it is fair to that."""

    number: int
    source: str | None = None
    fair: bool = False


class SynthesisAnswer(_Answer):
    """What one judge found in one synthesis."""

    judge: str
    points: tuple[StatedPoint, ...] = ()
    sentences: tuple[TracedSentence, ...] = ()


class TurnAnswers(_Answer):
    """All that judges answered about one turn; a judge who abstained is absent."""

    crit: tuple[CritAnswer, ...] = ()
    rca: tuple[RcaAnswer, ...] = ()
    t3: tuple[T3Answer, ...] = ()
    speaks_to_reader: tuple[str, ...] = ()
    """Words of the turn that address the judge: a flag, which changes no figure."""
