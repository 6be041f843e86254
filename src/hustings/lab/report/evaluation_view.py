"""What every display of an evaluation shows: badges, a cell for each turn, plots, metrics and how to repeat it.

The words and the sums are done here. A figure that is not known is `None` and reads "not known", never 0.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from hustings.text.tables import LabelledText, TextTable

from .plots import Plot

Tone = Literal["good", "care", "none"]
"""How a word is set; the word itself always stands beside it."""


class EvaluationBadge(BaseModel, frozen=True, defer_build=True):
    """What weakens every figure below it."""

    text: str
    why: str


class PillarBar(BaseModel, frozen=True, defer_build=True):
    """One of the four pillars of a turn."""

    name: str
    value: float | None
    """From 0 to 1; None if the judges could not read it."""
    shown: str


class TurnCell(BaseModel, frozen=True, defer_build=True):
    """A turn in the table of seats and rounds."""

    turn: str
    kind: str
    """What the turn did: opening, critique, revision, synthesis."""
    rho: float | None
    rho_shown: str
    passed: str
    """In words; empty if the panel may not say so."""
    bars: tuple[PillarBar, ...]
    verdict: str
    tone: Tone
    """Of the verdict."""
    asserted: int | None
    """Rung of the causal ladder that the turn claims, from 1 to 3."""
    shown: int | None
    """Rung that its grounds reach; 0 if they reach none."""
    ladder: str
    """The same in words."""
    ladder_tone: Tone
    says: str
    """All of it in a sentence, for those who hear the page."""


class EvaluatedRound(BaseModel, frozen=True, defer_build=True):
    index: int
    label: str


class SeatLine(BaseModel, frozen=True, defer_build=True):
    """A seat, and its turns in each round."""

    seat: str
    rho: str
    """Mean over its turns."""
    cells: tuple[tuple[TurnCell, ...], ...]
    """One entry for each round; empty where the seat was silent."""


class MarkedQuote(BaseModel, frozen=True, defer_build=True):
    """Words of a turn that decided something."""

    words: str
    label: str
    judge: str
    fault: bool
    """Whether they show a failure."""
    number: int | None
    """Of the place where they stand in the turn; None if they do not stand there."""


class QuotePlace(BaseModel, frozen=True, defer_build=True):
    """Words to be marked in a turn, in the order of the text."""

    words: str
    number: int
    fault: bool


class JudgeAnswer(BaseModel, frozen=True, defer_build=True):
    """What one judge answered about one turn."""

    judge: str
    lines: tuple[LabelledText, ...]


class TurnReading(BaseModel, frozen=True, defer_build=True):
    """A turn, opened: what was quoted of it, and what each judge answered."""

    turn: str
    seat: str
    round: int
    cell: TurnCell
    facts: tuple[LabelledText, ...]
    """Stance, deed, failures that most judges quote."""
    places: tuple[QuotePlace, ...]
    quotes: tuple[MarkedQuote, ...]
    answers: tuple[JudgeAnswer, ...]
    claims: TextTable
    """Each claim with the rung it asserts and the rung it shows."""


class EvaluationMetric(BaseModel, frozen=True, defer_build=True):
    name: str
    shown: str
    range: str
    means: str
    not_means: str


class EvaluationView(BaseModel, frozen=True, defer_build=True):
    run_id: str
    """The debate."""
    evaluated_at: str
    mode: str
    panel: str
    """Who judged, and how far they agree, in a line."""
    badges: tuple[EvaluationBadge, ...]
    facts: tuple[LabelledText, ...]
    """The few figures of the whole run."""
    rounds: tuple[EvaluatedRound, ...]
    seats: tuple[SeatLine, ...]
    key: str
    """How to read the table."""
    turns: tuple[TurnReading, ...]
    plots: tuple[Plot, ...]
    movement: tuple[str, ...]
    """How positions moved, in sentences."""
    speakers: TextTable
    """What each speaker did: changes, concessions, challenges."""
    syntheses: TextTable
    """How well each synthesis states what mattered."""
    metrics: tuple[EvaluationMetric, ...]
    cannot: str
    """What these figures do not say."""
    judges: TextTable
    repeat: tuple[str, ...]


NOT_KNOWN = "not known"
