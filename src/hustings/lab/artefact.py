"""The evaluation file: public names of schema 1.0.0, and our own figures below `x_hustings`. Null means not known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, JsonValue

from hustings.judging.judgement import Judge, Trust
from hustings.transcript.canonical import ALGORITHM, CANONICALIZATION, digest
from hustings.transcript.models import ControlState, Integrity, Mode, Rung

from .bundle import Amount, Bundle, EvaluationTask, Phase
from .judge_answers import CritFailure, FailureKind, Pillar, SynthesisAnswer, TurnAnswers

EVALUATION_VERSION = "1.0.0"
PLACES = 6
"""Figures are rounded once, here, so that the digest does not hang on the last bit of a sum."""

Consistency = Literal["CONSISTENT", "INCONSISTENT_SYCOPHANTIC", "INCONSISTENT_STUBBORN", "INCONSISTENT_OTHER"]
RunWord = Literal["pass", "mixed", "fail"]
Share = float


class _Part(BaseModel, defer_build=True):
    """A part of the file; readers skip fields they do not know."""

    model_config = ConfigDict(frozen=True)


# -- public names ------------------------------------------------------------------------


class EvalMetadata(_Part):
    """Versions of what made the figures."""

    evaluator_version: str
    crit_version: str = "1"
    rca_version: str = "1"
    t3_version: str = "1"


class CritSummary(_Part):
    gamma_mean: Share | None = None
    """ρ: mean of the pillars."""
    theta_mean: Share | None = None
    """θ: how well certainty fits the grounds."""
    threshold_pass: bool | None = None


class RcaSummary(_Part):
    blind_verification_pass_rate: Share | None = None
    """Share of judged turns that are consistent and pass CRIT."""
    trace_consistency_rate: Share | None = None
    verdict: RunWord | None = None


class T3Summary(_Part):
    """One claim speaks for the run or turn, so that the fields always agree."""

    model_config = ConfigDict(frozen=True, serialize_by_alias=True)

    required_rung: Rung | None = None
    detected_rung: Rung | None = None
    trap_detected: str | None = None
    passes: bool | None = Field(
        default=None, validation_alias=AliasChoices("pass", "passes"), serialization_alias="pass"
    )


class PidSummary(_Part):
    retry_count_total: int = 0
    intervention_count_total: int = 0
    instability_index: Share | None = None
    """How far quality went to and fro."""


class RauditSummary(_Part):
    audit_strength: int = Field(default=0, ge=0, le=3)
    """Who gave the firmest instruction: 0 nobody, 1 a program, 2 a person. The public range ends at 3."""
    instability_index: Share | None = None
    """Share of places where a seat could have returned to an earlier position and did."""
    behavioral_drift_score: Share | None = None


class EvaluationSummary(_Part):
    crit_summary: CritSummary = CritSummary()
    rca_summary: RcaSummary = RcaSummary()
    t3_summary: T3Summary = T3Summary()
    pid_summary: PidSummary = PidSummary()
    raudit_summary: RauditSummary = RauditSummary()


class TurnVerdict(_Part):
    verdict: Consistency | None = None


class ControlStep(_Part):
    """What the record says of the control of one turn."""

    turn_id: str
    round_index: int
    state: ControlState
    """As the turn's final attempt has it."""


# -- a turn ------------------------------------------------------------------------------


class MajorityRung(_Part):
    """What the panel makes of one claim."""

    claim: str
    asserts: Rung
    shows: Rung | None
    declines: bool = False
    open_trap: str | None = None


class TurnDetails(_Part):
    """Our own figures about a turn, with all that they rest on."""

    phases: tuple[Phase, ...]
    pillars: Mapping[Pillar, Share] = {}
    spread: float | None = None
    """Standard deviation of ρ over the judges."""
    failures: tuple[CritFailure, ...] = ()
    """Those that more than half of the judges quote, each kind once, with the first judge's quote."""
    failures_by_judges: Mapping[FailureKind, int] = {}
    """How many judges quote each kind, also where they are too few."""
    deed: Amount | None = None
    """How far the position moved since the seat last spoke, by the blind reader."""
    reasoned: bool | None = None
    """Whether the change has a quoted reason; None if nothing changed or nobody could tell."""
    rungs: tuple[MajorityRung, ...] = ()
    bundle: Bundle
    answers: TurnAnswers = TurnAnswers()
    """What each judge answered."""


class TurnEvaluation(_Part):
    turn_id: str
    round_index: int
    speaker_id: str
    crit_summary: CritSummary
    rca_summary: TurnVerdict
    t3_summary: T3Summary
    x_hustings: TurnDetails


# -- our own figures ---------------------------------------------------------------------


class JudgeAgreement(_Part):
    """How well the judges agree on ρ, turn by turn."""

    alpha: float | None = None
    interval: tuple[float, float] | None = None
    turns: int = 0
    """Turns with a ρ of two judges or more."""
    word: Trust = "do not rely"


class CritDetails(_Part):
    turns: int = 0
    scored: int = 0
    spread: float | None = None
    """Standard deviation of ρ over the turns."""
    remark: str = ""


class RcaDetails(_Part):
    judged: int = 0
    consistent: int = 0
    sycophantic: int = 0
    stubborn: int = 0
    other: int = 0
    reader_agreement: Share | None = None
    """How often judges' word on a change fits the blind reader's."""


class T3Details(_Part):
    claim: str | None = None
    """The claim that speaks for the run."""
    turn_id: str | None = None
    claims: int = 0
    collapses: int = 0
    """Claims that assert more than their grounds show."""
    open_traps: int = 0
    refusals: int = 0
    """Claims that were wisely declined."""


class LookFigures(_Part):
    """The table after a round."""

    round_index: int
    js: float | None = None
    ov: Share | None = None
    movement: Share | None = None
    novelty: Share | None = None
    alarm: bool | None = None
    rho: Share | None = None
    spread: float | None = None
    """Standard deviation of ρ over the turns of the round."""
    claims: int = 0
    new_points: int = 0
    stances: Mapping[str, Mapping[str, Share]] = {}
    """Seat to its latest stance."""


class StanceAgreement(_Part):
    """How often the blind reader finds a turn where the speaker's own form says it stands."""

    turns: int = 0
    same: int = 0


class StopReading(_Part):
    """When the stop rule would have ended the debate, and why."""

    after_round: int
    why: Literal["agreed", "exhausted", "cap"]
    agreement: Literal["", "from the start", "genuine", "hollow"] = ""


class SeatFigures(_Part):
    """What one seat did at the table."""

    influence: int | None = None
    """Reasoned changes of others that name a claim of this seat; None if nothing changed with a known reason."""
    challenges: int = 0
    unanswered: int = 0
    silence: Share | None = None
    """Share of challenges to it that it never answered."""
    changes: int | None = None
    """Turns that moved from the seat's position of before; None where no stance was read."""
    reasoned_changes: int = 0
    concessions: int | None = None
    """Turns that accept a critique in part or in full, by most judges; None if nobody could tell."""


class SynthesisFigures(_Part):
    """How well one synthesis states what mattered."""

    id: str
    quality: Share | None = None
    coverage: Share | None = None
    fidelity: Share | None = None
    balance: Share | None = None
    mattered: Mapping[str, str] = {}
    """Point that it had to state to the side or seat that made it."""
    sentences: int = 0
    answers: tuple[SynthesisAnswer, ...] = ()


class DebateFigures(_Part):
    """Quality and cost of a debate."""

    argument_diversity: Share | None = None
    effective_points: float | None = None
    claims: int = 0
    points: Mapping[str, int] = {}
    """Point to how many claims make it: enough to compare debates at equal length."""
    reasoning_depth: Share | None = None
    synthesis_quality: Share | None = None
    balance: Share | None = None
    decision: str | None = None
    decision_confidence: Share | None = None
    cost_efficiency: float | None = None
    redundancy: Share | None = None
    dominance: Share | None = None
    """Gini of influence over the seats."""
    one_position: Share | None = None
    """Scored turns that do not take back at their end what they began with, of all scored turns."""
    tokens: int | None = None
    cost: float | None = None


class LoopFigures(_Part):
    """What instructions did, where any were given."""

    recovery_rate: Share | None = None
    paranoia_rate: Share | None = None


class OwnFigures(_Part):
    """What only this project writes."""

    transcript_digest: str
    evaluation_run_id: str = ""
    badges: tuple[str, ...] = ()
    """What a reader must know first."""
    independent: bool = False
    """Whether the panel may say pass, mixed or fail."""
    judges: tuple[Judge, ...] = ()
    debater_families: tuple[str, ...] = ()
    prompt_versions: Mapping[str, str] = {}
    calls: int = 0
    abstentions: int = 0
    task: EvaluationTask
    cap: int = 4
    """Rounds after which the stop rule ends any debate."""
    agreement: JudgeAgreement = JudgeAgreement()
    crit: CritDetails = CritDetails()
    rca: RcaDetails = RcaDetails()
    t3: T3Details = T3Details()
    looks: tuple[LookFigures, ...] = ()
    form_agreement: StanceAgreement = StanceAgreement()
    stop: StopReading | None = None
    instability_index: Share | None = None
    """Mean of both instability indices, as far as they are known."""
    seats: Mapping[str, SeatFigures] = {}
    syntheses: tuple[SynthesisFigures, ...] = ()
    metrics: DebateFigures = DebateFigures()
    loop: LoopFigures = LoopFigures()
    integrity: Integrity | None = None


class Evaluation(_Part):
    """The evaluation of one debate: every figure can be computed again from the record and the judges' answers."""

    schema_version: str = EVALUATION_VERSION
    debate_id: str
    run_id: str
    evaluation_mode: Mode
    evaluated_at: str
    """When the evaluating run began."""
    eval_metadata: EvalMetadata
    run_summary: EvaluationSummary
    turn_evaluations: tuple[TurnEvaluation, ...] = ()
    control_trace: tuple[ControlStep, ...] | None = None
    """Turns whose record has a `control_state`; null if none has."""
    x_hustings: OwnFigures

    def document(self) -> dict[str, Any]:
        """The file as plain JSON values."""
        return self.model_dump(mode="json")


# -- rounding and sealing ----------------------------------------------------------------


def rounded(value: JsonValue) -> JsonValue:
    """The value with every figure rounded, and no negative zero."""
    if isinstance(value, float):
        return round(value, PLACES) + 0.0
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list) else value


def evaluation_digest(document: Mapping[str, Any]) -> str:
    """SHA-256 of the canonical form of everything but the integrity block."""
    own = {name: value for name, value in document["x_hustings"].items() if name != "integrity"}
    return digest({**document, "x_hustings": own})


def sealed_evaluation(evaluation: Evaluation) -> Evaluation:
    """Round every figure once, and add the digest."""
    document = {name: rounded(value) for name, value in evaluation.document().items()}
    block = Integrity(algorithm=ALGORITHM, canonicalization=CANONICALIZATION, digest=evaluation_digest(document))
    made = Evaluation.model_validate(document)
    return made.model_copy(update={"x_hustings": made.x_hustings.model_copy(update={"integrity": block})})
