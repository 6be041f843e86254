"""Data model of a judgement: every figure in it can be recomputed from the stored marks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel

from hustings.text.words import called
from hustings.transcript.empty_fields import OMIT_IF_EMPTY
from hustings.transcript.notes import Outcome

from .board import Board
from .citations import Support

Standing = Literal["upheld", "partially_upheld", "refuted", "withdrawn", "uncertain"]
Trust = Literal["good", "tentative", "do not rely"]
Sure = Literal["Not measured", "Not reliable", "Low", "Medium", "High"]
Margin = Literal["evenly matched", "lead", "significant"]


class Judge(BaseModel, frozen=True, defer_build=True):
    """One judge of the panel, and how many of its sheets were accepted."""

    seat: str
    model: str
    family: str
    asked: int
    """Sheets, over all orders."""
    accepted: int
    kin: bool = False
    """Whether it is of a debater's model family."""


class Marked(BaseModel, frozen=True, defer_build=True):
    """All marks of one judge in one order of presentation."""

    judge: str
    """Its seat."""
    order: int
    scores: Mapping[str, Mapping[str, float]]
    """Argument, response or turn to dimension to a mark of 1 to 10; what was not scored is absent."""
    quotes: Annotated[Mapping[str, Mapping[str, str]], OMIT_IF_EMPTY] = {}
    """The words that each mark rests on."""
    reasons: Annotated[Mapping[str, Mapping[str, str]], OMIT_IF_EMPTY] = {}


class MarkGround(BaseModel, frozen=True, defer_build=True):
    """Why a judge gave an argument a mark."""

    judge: str
    dimension: str
    score: float
    quote: str = ""
    reason: str = ""


class StrengthChange(BaseModel, frozen=True, defer_build=True):
    """How much one response moved an argument: its strength with the response minus its strength without."""

    response: str
    kind: str
    by: str
    share: float


class Flip(BaseModel, frozen=True, defer_build=True):
    """The smallest change of one judged score that would change a standing."""

    what: str
    """The score in words, such as "effectiveness of con's challenge"."""
    now: float
    then: float
    standing: Standing


class ArgumentResult(BaseModel, frozen=True, defer_build=True):
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
    grounds: Annotated[tuple[MarkGround, ...], OMIT_IF_EMPTY] = ()
    """Quotes and reasons of each judge's first reading."""
    issue: Annotated[str, OMIT_IF_EMPTY] = ""


class JudgedResponse(BaseModel, frozen=True, defer_build=True):
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
    extent: Annotated[str, OMIT_IF_EMPTY] = ""
    """How much a concession accepts or a withdrawal takes back: all, core or point."""
    quote: Annotated[str, OMIT_IF_EMPTY] = ""
    """The words of its target that it accepts or takes back."""
    words: Annotated[str, OMIT_IF_EMPTY] = ""
    """Its own words, where they were drawn from plain words and no claim carries it."""


class Flag(BaseModel, frozen=True, defer_build=True):
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


class Total(BaseModel, frozen=True, defer_build=True):
    """How well a side or seat argued, out of ten: the mean over what it put forward."""

    side: str
    score: float | None
    interval: tuple[float, float] | None = None
    scored: int
    unscored: int


class Gap(BaseModel, frozen=True, defer_build=True):
    """The first side's total minus the second's, paired within each observation."""

    sides: tuple[str, str]
    value: float
    interval: tuple[float, float] | None
    """None if all judges are of one family."""
    word: Margin


class Lean(BaseModel, frozen=True, defer_build=True):
    """To which of two sides what stands in the end speaks: strengths times how much each bears on the question."""

    sides: tuple[str, str]
    cases: tuple[float, float]
    """How much of each side's case is left, from 0 to 1."""
    value: float
    """The first side's case minus the second's."""
    alike: float
    """Share of the observations whose own marks lean the same way."""


class Reliability(BaseModel, frozen=True, defer_build=True):
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


class Votes(BaseModel, frozen=True, defer_build=True):
    """Where the seats ended; a majority is of all seats."""

    options: Mapping[str, int]
    void: tuple[str, ...] = ()
    """Seats whose vote does not count: for themselves, or for no valid option."""
    silent: tuple[str, ...] = ()
    seats: int
    conditions: Annotated[Mapping[str, str], OMIT_IF_EMPTY] = {}
    """Seats whose answer depends on a change or a condition: they do not stand at the question as put."""
    chosen: Annotated[Mapping[str, str], OMIT_IF_EMPTY] = {}
    """Each seat's answer."""


class Movement(BaseModel, frozen=True, defer_build=True):
    """Where a seat began and where it ended."""

    seat: str
    began: str
    ended: str
    condition: str = ""
    moved_by: str = ""
    """The words of another that it says moved it; empty if it cites none."""
    quote: str = ""


class IssueResult(BaseModel, frozen=True, defer_build=True):
    """How an issue of a moderated panel ended."""

    id: str
    question: str
    state: str
    answer: str = ""
    """What all say in the end, or the alternative that overtook it."""
    says: Mapping[str, str] = {}
    moved: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """In a few words, such as "D-1: no; p1 moved"."""
        who = f"; {', '.join(self.moved)} moved" if self.moved and self.state == "converged" else ""
        return f"{self.id}: {self.answer or self.state}{who}"


class Changed(BaseModel, frozen=True, defer_build=True):
    """One model's answer before and after reading the debate."""

    voice: str
    before: str
    after: str
    cited: str = ""
    """The argument that it says moved it; empty for a change without a reason."""


class Control(BaseModel, frozen=True, defer_build=True):
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


class StrongPoint(BaseModel, frozen=True, defer_build=True):
    """The strongest argument of a side, or of those who ended at one answer."""

    side: str
    """In words, such as "Pro" or "For yes"."""
    id: str
    claim: str
    standing: Standing
    happened: str
    """What was said to it, in words."""


class Briefing(BaseModel, frozen=True, defer_build=True):
    """For the person who decides: what to read within thirty seconds, then what became of each argument."""

    bottom_line: str = ""
    sure: Sure | Literal[""] = ""
    """How sure the result is; empty without a verdict."""
    sure_because: str = ""
    issues: tuple[str, ...] = ()
    """Of a moderated panel, each with its answer."""
    strongest: tuple[StrongPoint, ...] = ()
    would_change: str = ""
    """The smallest change that would give another result."""
    check_first: tuple[str, ...] = ()
    without_debate: str = ""
    held_up: tuple[str, ...] = ()
    refuted: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()
    caveat: str = ""


class SummarySentence(BaseModel, frozen=True, defer_build=True):
    text: str
    ids: tuple[str, ...]
    quote: str


class ExecutiveSummary(BaseModel, frozen=True, defer_build=True):
    """Written by a model; every sentence cites an argument and quotes it."""

    run_id: str
    """The run that wrote it."""
    model: str
    sentences: tuple[SummarySentence, ...]
    dropped: int
    """Sentences without a valid citation."""


class Judgement(BaseModel, frozen=True, defer_build=True):
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
    own_verdict: Annotated[str, OMIT_IF_EMPTY] = ""
    """The verdict in a sentence, where the protocol's own result decided."""
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
    unfounded: Annotated[int, OMIT_IF_EMPTY] = 0
    """Marks that were dropped because their quotes were not found."""
    settled: Annotated[tuple[IssueResult, ...], OMIT_IF_EMPTY] = ()
    movements: Annotated[tuple[Movement, ...], OMIT_IF_EMPTY] = ()
    lean: Annotated[Lean | None, OMIT_IF_EMPTY] = None
    support: Annotated[Support | None, OMIT_IF_EMPTY] = None
    control: Control | None = None
    names: Annotated[Mapping[str, str], OMIT_IF_EMPTY] = {}
    """Seats and teams as people call them."""
    briefing: Briefing

    def name(self, seat: str) -> str:
        return self.names.get(seat) or called(seat)

    def figures(self) -> dict[str, Any]:
        """All but the sentences: what computing it again must give to the last digit, whatever the wording."""
        return self.model_dump(mode="json", exclude=SENTENCES)


SENTENCES: Any = {
    "degraded": True,
    "names": True,
    "reason": True,
    "own_verdict": True,
    "briefing": True,
    "outcome": {"reasons"},
    "trace": {"__all__": {"examined": True, "reason": True, "flip": {"what"}}},
    "reliability": {"remarks"},
    "control": {"said", "why_not"},
}
