"""The transcript format, Debate Transcript 2.0.0, as pydantic models. One run is one file.

Readers keep fields they do not know; our own writer writes only these. Fields marked `own()` are our additions, the
others have the names of the public 2.0.0 schema. Times stay the text they came in. `transcript/rules` checks what the
types cannot express.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

SCHEMA_VERSION = "2.0.0"
SAFE_ID = r"[A-Za-z0-9][A-Za-z0-9._:-]{0,127}"
"""Pattern of an id: ids appear in file names, URLs and pages."""
SILENT_ROLES = ("judge", "moderator", "librarian", "tool")
"""Roles that are not expected to speak in a round, but may."""

Visibility = Literal["full", "prior_round_only", "isolated", "partial"]
RoundStatus = Literal["complete", "partial", "aborted"]
TurnType = Literal["argument", "rebuttal", "synthesis", "meta"]
TurnOutcome = Literal["success", "timeout", "dropped", "error"]
AttemptStatus = Literal["ok", "retry", "failed"]
AddressMove = Literal["refute", "challenge", "partial", "concede", "support", "question", "answer"]
Absence = Literal["joined", "dropped", "timeout", "recovered", "restarted"]
Mode = Literal["posthoc", "in_loop"]
Rung = Literal["L1", "L2", "L3"]
"""Rung of the ladder of causes: things go together; doing changes; what would have been."""


def own(default: Any = None) -> Any:
    """A field that this project adds to the public schema."""
    return Field(default=default, json_schema_extra={"x-own": True})


class _Open(BaseModel, defer_build=True):
    """A model that keeps fields it does not know."""

    model_config = ConfigDict(extra="allow", defer_build=True)


class Address(_Open):
    """One edge of the debate graph: whom, and which of their claims, a turn speaks to."""

    target_agent_id: str
    target_claim_id: str | None = None
    evidence: str | None = None
    target_turn_id: str | None = own()
    move: AddressMove | None = own()


class ControlState(_Open):
    e_t: float | None = None
    u_t: float | None = None
    k_p: float | None = None
    k_i: float | None = None
    k_d: float | None = None
    retry_count: int | None = None
    temperature_override: float | None = None
    persona: str | None = None
    strategy_level: str | None = None
    beta: float | None = own()


class AppliedIntervention(_Open):
    intervention_id: str
    notes: str | None = None


class Diagnostics(_Open):
    error_type: str | None = None
    error_message: str | None = None
    truncated: bool | None = None
    token_usage_prompt: int | None = None
    token_usage_completion: int | None = None
    latency_ms: int | None = None


class Attempt(_Open):
    """One answer of a seat, taken or sent back; its time is that of its completion."""

    attempt_index: int
    timestamp: str
    status: AttemptStatus
    content: str
    """The answer as received."""
    final_answer: str | None = None
    """The text other seats read, where it differs from `content` (an answer on a form)."""
    recommendation_hint: dict[str, JsonValue] | None = None
    reasoning_trace: str | None = None
    control_state: ControlState | None = None
    interventions_applied: list[AppliedIntervention] | None = None
    diagnostics: Diagnostics | None = None


class TurnMetadata(_Open):
    model_name: str | None = None
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    kind: str | None = own()
    context_turn_ids: list[str] | None = own()
    llm_calls: list[JsonValue] | None = own()
    readers: list[str] | None = own()
    """Seats that could read the turn, if not all could."""


class Turn(_Open):
    turn_id: str
    round_index: int
    turn_index_in_round: int
    speaker_id: str
    attempts: list[Attempt]
    turn_type: TurnType | None = None
    addresses: list[Address] | None = None
    metadata: TurnMetadata | None = None
    final_attempt_index: int | None = None
    turn_outcome: TurnOutcome | None = None
    retry_count: int | None = own()

    @property
    def said(self) -> str:
        """The text other seats read; empty if the turn was lost."""
        last = self.attempts[-1]
        return (last.final_answer or last.content) if last.status == "ok" else ""


class Round(_Open):
    round_index: int
    turns: list[Turn]
    planned_speaking_order: list[str] | None = None
    transcript_visibility: Visibility | None = None
    round_status: RoundStatus | None = None
    round_notes: str | None = None
    label: str | None = own()


class ParticipantState(_Open):
    """A participant came, went or did not answer. Without a round, it only excuses an absence."""

    timestamp: str
    agent_id: str
    event_type: Absence
    reason: str | None = None
    notes: str | None = None
    round_index: int | None = own()


class ControllerSnapshot(_Open):
    e_t: float | None = None
    u_t: float | None = None
    k_p: float | None = None
    k_i: float | None = None
    k_d: float | None = None


class Intervention(_Open):
    intervention_id: str
    timestamp: str
    scope: Literal["global", "round", "turn", "attempt"]
    trigger: str
    instruction_sent: str
    round_index: int | None = None
    turn_id: str | None = None
    attempt_index: int | None = None
    speaker_id: str | None = None
    controller_snapshot: ControllerSnapshot | None = None
    notes: str | None = None


class Participant(_Open):
    agent_id: str
    role: str | None = None
    model_name: str | None = None
    system_prompt_version: str | None = None
    tags: list[str] | None = None
    team: str | None = own()
    display_name: str | None = own()


class RunMetadata(_Open):
    generation_mode: str | None = None
    global_model_name: str | None = None
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    prompt_bundle_version: str | None = None
    prompt_regime: Literal["natural", "structured", "mixed"] | None = None
    notes: str | None = None
    protocol: str | None = own()
    order_regime: Literal["fixed", "rotating", "adaptive"] | None = own()


class DebateMetadata(_Open):
    task_type: str | None = None
    scenario_id: str | None = None
    topic: str | None = None
    notes: str | None = None
    market_context: str | None = None
    asset_symbol: str | None = None
    time_horizon_default: str | None = None
    required_rung: Rung | None = own()
    language: str | None = own()


class Integrity(_Open):
    algorithm: str | None = None
    canonicalization: str | None = None
    digest: str | None = None


class Transcript(_Open):
    schema_version: str
    debate_id: str
    run_id: str
    mode: Mode
    created_at: str
    run_metadata: RunMetadata
    debate_metadata: DebateMetadata
    participants: list[Participant]
    rounds: list[Round]
    participant_state_log: list[ParticipantState] | None = None
    intervention_log: list[Intervention] | None = None
    raud_it: dict[str, JsonValue] | None = None
    integrity: Integrity | None = None

    @property
    def turns(self) -> list[Turn]:
        return [turn for round_ in self.rounds for turn in round_.turns]

    def document(self) -> dict[str, Any]:
        """The transcript as plain JSON values. Empty optional fields are left out, except those of `run_metadata`."""
        document = self.model_dump(mode="json", exclude_none=True)
        document["run_metadata"] = self.run_metadata.model_dump(mode="json")
        return document
