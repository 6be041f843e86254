"""Data model of a judgement: every figure in it can be recomputed from the stored marks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel

from hustings.transcript.notes import Outcome

Standing = Literal["upheld", "partially_upheld", "refuted", "uncertain"]
Trust = Literal["good", "tentative", "do not rely"]
Margin = Literal["evenly matched", "lead", "significant"]


class Judge(BaseModel, frozen=True):
    """One judge of the panel, and how many of its sheets were accepted."""

    seat: str
    model: str
    family: str
    asked: int
    """Sheets, over all orders."""
    accepted: int
    kin: bool = False
    """Whether it is of a debater's model family."""


class Marked(BaseModel, frozen=True):
    """All marks of one judge in one order of presentation."""

    judge: str
    """Its seat."""
    order: int
    scores: Mapping[str, Mapping[str, float]]
    """Argument, response or turn to dimension to a mark of 1 to 10; what was not scored is absent."""


class StrengthChange(BaseModel, frozen=True):
    """How much one response moved an argument: its strength with the response minus its strength without."""

    response: str
    kind: str
    by: str
    share: float


class Flip(BaseModel, frozen=True):
    """The smallest change of one judged score that would change a standing."""

    what: str
    """The score in words, such as "effectiveness of con's challenge"."""
    now: float
    then: float
    standing: Standing


class ArgumentResult(BaseModel, frozen=True):
    """The result of an argument and the reason for it: one row of the trace table."""

    id: str
    seat: str
    side: str
    turn_id: str
    claim: str
    quote: str = ""
    """Its own words in the turn, where the claim was drawn from plain words."""
    examined: str
    """What cross-examination did to it, in words."""
    standing: Standing
    strength: float | None
    """From 0 to 1; None if it could not be scored."""
    interval: tuple[float, float] | None = None
    second_opinion: float | None = None
    """Its strength under quadratic energy."""
    shares: Mapping[Standing, float] = {}
    """Share of resampled panels per class."""
    certainty: float | None = None
    guards: tuple[str, ...] = ()
    reason: str
    contributions: tuple[StrengthChange, ...] = ()
    flip: Flip | None = None
    score: float | None = None
    """How well it was argued, out of ten on the rubric."""
    dimensions: Mapping[str, float] = {}


class JudgedResponse(BaseModel, frozen=True):
    """A response to an argument, or an answer to such a response: an edge of the argument graph."""

    id: str
    kind: str
    target: str
    by: str
    turn_id: str
    attacks: bool
    """Otherwise it supports."""
    source: str = ""
    """The argument that makes it, where it was drawn from plain words."""


class Flag(BaseModel, frozen=True):
    """A fallacy or violation that judges saw: a hint for people."""

    kind: str
    about: str
    """The argument, response or turn."""
    seat: str
    quote: str
    families: tuple[str, ...]

    @property
    def word(self) -> str:
        return "flagged" if len(self.families) > 1 else "suspected"


class Total(BaseModel, frozen=True):
    """How well a side or seat argued, out of ten: the mean over what it put forward."""

    side: str
    score: float | None
    interval: tuple[float, float] | None = None
    scored: int
    unscored: int


class Gap(BaseModel, frozen=True):
    """The first side's total minus the second's, paired within each observation."""

    sides: tuple[str, str]
    value: float
    interval: tuple[float, float]
    word: Margin


class Reliability(BaseModel, frozen=True):
    """How reliable the judges are."""

    word: Trust
    items: int
    judges: int
    observations: int
    alpha: float | None = None
    alpha_interval: tuple[float, float] | None = None
    icc_single: float | None = None
    icc_panel: float | None = None
    kendall_w: float | None = None
    order_flip_rate: float | None = None
    position_bias: float | None = None
    """Points that being shown first is worth."""
    length_slope: float | None = None
    """Points per doubling of words; seen, not shown to be a cause."""
    mean_difference: float | None = None
    """Between two judges on the same item, in points."""
    remarks: tuple[str, ...] = ()


class Penalised(BaseModel, frozen=True):
    rule: str
    seat: str
    team: str
    turn_id: str
    individual: int
    on_team: int
    found_by: Literal["rules", "panel"]
    families: tuple[str, ...] = ()


class Individual(BaseModel, frozen=True):
    seat: str
    team: str
    speeches: Mapping[str, float | None]
    """Turn id to the panel's score; None is unscored."""
    penalties: int
    total: float
    per_speech: float | None
    """The mean: totals favour a debater who speaks more."""


class Team(BaseModel, frozen=True):
    team: str
    speeches: float
    penalties: int
    """Of its members and its own."""
    total: float
    per_speech: float | None


class StageTotals(BaseModel, frozen=True):
    """One part of a competition: each team's points, and what the judge at the table summed up."""

    label: str
    teams: Mapping[str, float]
    clashes: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


class Board(BaseModel, frozen=True):
    """The score board of a competition."""

    individuals: tuple[Individual, ...]
    teams: tuple[Team, ...]
    penalties: tuple[Penalised, ...]
    stages: tuple[StageTotals, ...]
    best: tuple[str, ...]
    """Highest individual total; ties share."""


class Votes(BaseModel, frozen=True):
    """Where the seats ended; a majority is of all seats."""

    options: Mapping[str, int]
    void: tuple[str, ...] = ()
    """Seats whose vote does not count: for themselves, or for no valid option."""
    silent: tuple[str, ...] = ()
    seats: int


class Changed(BaseModel, frozen=True):
    """One model's answer before and after reading the debate."""

    voice: str
    before: str
    after: str
    cited: str = ""
    """The argument that it says moved it; empty for a change without a reason."""


class Control(BaseModel, frozen=True):
    """What the models answer without a debate."""

    comparable: bool
    why_not: str = ""
    options: tuple[str, ...] = ()
    single: str = ""
    """The strongest model's own blind answer."""
    majority: str = ""
    """The most frequent blind answer; empty on a tie."""
    samples: int = 0
    consistent: str = ""
    """The most frequent answer of the samples, taken for as many tokens as the debate took."""
    debate: str = ""
    """What the debate's outcome says, in the same options."""
    changed: tuple[Changed, ...] = ()
    debate_tokens: int = 0
    control_tokens: int = 0
    said: str
    """In a sentence: "without debate: …"."""


class Briefing(BaseModel, frozen=True):
    """For the person who decides, in three depths: totals, the result of each argument, what is left to check."""

    recommendation: str
    insight: str
    survived: tuple[str, ...]
    refuted: tuple[str, ...]
    unresolved: tuple[str, ...]
    confidence: str
    without_debate: str = ""
    caveat: str


class Judgement(BaseModel, frozen=True):
    judged: str
    """Id of the run."""
    digest: str
    """Digest of its transcript."""
    protocol: str
    topic: str
    policy: str
    rubrics: tuple[str, ...]
    seed: str
    panel: tuple[Judge, ...]
    orders: int
    degraded: tuple[str, ...]
    """What weakens the verdict; stands first in every report."""
    outcome: Outcome
    reason: str
    """Why that outcome and no other, in a sentence or two."""
    totals: tuple[Total, ...]
    gap: Gap | None = None
    trace: tuple[ArgumentResult, ...]
    responses: tuple[JudgedResponse, ...] = ()
    flags: tuple[Flag, ...] = ()
    reliability: Reliability
    marks: tuple[Marked, ...] = ()
    """Those that count, by judge and order."""
    board: Board | None = None
    votes: Votes | None = None
    issues: Mapping[str, str] = {}
    """State of each issue of a moderated panel."""
    dropped: int = 0
    """Claims without a verbatim quote, which were not taken."""
    control: Control | None = None
    briefing: Briefing
