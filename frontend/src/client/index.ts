// Made by client.ts from openapi.json; do not edit.

/** The server, and which models, protocols and formats it offers. */
export type About = {
  "formats": Array<string>;
  "models": Array<ModelChoice>;
  "needs_token": boolean;
  "owner": string;
  "people": boolean;
  "protocols": Array<ProtocolCard>;
  "role": "owner" | "viewer" | "judge" | "seat";
  "run_id": string;
  "seat": string;
  "usual_budget": number;
  "version": string;
};

/** Agreement on one question. */
export type Accord = {
  "kappa": number | null;
  "pairs": number;
  "same": number;
};

/** One edge of the debate graph: whom, and which of their claims, a turn speaks to. */
export type Address = {
  "evidence": string | null;
  "move": "refute" | "challenge" | "partial" | "concede" | "support" | "question" | "answer" | null;
  "target_agent_id": string;
  "target_claim_id": string | null;
  "target_turn_id": string | null;
};

/** For a person who held a seat: computed from the judgement, not written by a model. */
export type Advice = {
  "missed": Array<string>;
  "seat": string;
  "strengths": Array<string>;
  "unanswered": Array<string>;
};

/** Turns of two debates in the same place. */
export type Aligned = {
  "label": string;
  "parts": [Array<SpeechPart>, Array<SpeechPart>];
  "seat": string;
  "turns": [string | null, string | null];
  "words": [string, string];
};

export type AppliedIntervention = {
  "intervention_id": string;
  "notes": string | null;
};

/** The result of an argument and the reason for it: one row of the trace table. */
export type ArgumentResult = {
  "certainty": number | null;
  "claim": string;
  "contributions": Array<StrengthChange>;
  "dimensions": Record<string, number>;
  "examined": string;
  "flip": Flip | null;
  "grounds": Array<MarkGround>;
  "guards": Array<string>;
  "id": string;
  "interval": [number, number] | null;
  "issue": string;
  "quote": string;
  "reason": string;
  "score": number | null;
  "seat": string;
  "second_opinion": number | null;
  "shares": Record<string, number>;
  "side": string;
  "standing": "upheld" | "partially_upheld" | "refuted" | "withdrawn" | "uncertain";
  "strength": number | null;
  "turn_id": string;
};

/** One answer of a seat, taken or sent back; its time is that of its completion. */
export type Attempt = {
  "attempt_index": number;
  "content": string;
  "control_state": ControlState | null;
  "diagnostics": Diagnostics | null;
  "final_answer": string | null;
  "interventions_applied": Array<AppliedIntervention> | null;
  "reasoning_trace": string | null;
  "recommendation_hint": Record<string, JsonValue> | null;
  "status": "ok" | "retry" | "failed";
  "timestamp": string;
};

export type AttemptRejected = {
  "address": string;
  "attempt": Attempt;
  "brief": string;
  "complaints": Array<string>;
  "kind": "attempt_rejected";
  "on_record": boolean;
  "seat": string;
  "seq": number;
};

/** A debate that waits for people. */
export type AwaitedDebate = {
  "keys": Array<string>;
  "run_id": string;
  "seats": Array<string>;
  "topic": string;
};

export type AwaitedList = {
  "debates": Array<AwaitedDebate>;
};

/** The batch that stands behind one row of the list. */
export type BatchRow = {
  "debates": number;
  "name": string;
  "open": number;
  "outcomes": Record<string, number>;
};

export type Begun = {
  "run_id": string;
};

/** The score board of a competition. */
export type Board = {
  "best": Array<string>;
  "individuals": Array<Individual>;
  "penalties": Array<Penalised>;
  "stages": Array<StageTotals>;
  "teams": Array<Team>;
};

/** For the person who decides: what to read within thirty seconds, then what became of each argument. */
export type Briefing = {
  "bottom_line": string;
  "caveat": string;
  "check_first": Array<string>;
  "held_up": Array<string>;
  "issues": Array<string>;
  "refuted": Array<string>;
  "strongest": Array<StrongPoint>;
  "sure": "Not measured" | "Not reliable" | "Low" | "Medium" | "High" | "";
  "sure_because": string;
  "unresolved": Array<string>;
  "withdrawn": Array<string>;
  "without_debate": string;
  "would_change": string;
};

/** A sentence about an argument. */
export type BriefingLine = {
  "id": string;
  "text": string;
};

export type BudgetChanged = {
  "cap": number;
  "held": number;
  "kind": "budget_changed";
  "seq": number;
  "spent": number;
  "unit": string;
};

export type BudgetStopped = {
  "cap": number;
  "held": number;
  "held_calls": number;
  "kind": "budget_stopped";
  "needed": number;
  "spent": number;
  "unit": string;
};

/** One turn of a seat as scorers read it: no model, no outcome, no other seat's score. */
export type Bundle = {
  "claims"?: Array<BundleClaim>;
  "critiques"?: Array<Critique>;
  "phases": Array<"opening" | "critique" | "revision" | "synthesis">;
  "round": number;
  "seat": string;
  "stance"?: Stance | null;
  "stated"?: string | null;
  "turn_id": string;
};

/** Something that a turn asserts about the question. */
export type BundleClaim = {
  "carries"?: boolean;
  "claim"?: string;
  "grounds"?: Array<string>;
  "id": string;
  "limits"?: Array<string>;
  "point": string;
  "quote": string;
  "reasons"?: Array<string>;
};

/** Whether confidence comes true; without figures below thirty known outcomes. */
export type Calibration = {
  "brier": number | null;
  "error": number | null;
  "needed": number;
  "outcomes": number;
  "right": number | null;
};

/** A try of a call failed, or the call has to wait before it is sent. Logged at once; no part of the record. */
export type CallDelayed = {
  "address": string;
  "at": string;
  "attempt": number;
  "endpoint": string;
  "fault": string;
  "kind": "call_delayed";
  "model": string;
  "most": number;
  "reason": "fault" | "limit" | "breaker";
  "seat": string;
  "seq": number;
  "times": number;
  "wait": number | null;
  "words": string;
};

/** Tokens are those of the answer; the price is that of all tries it took. */
export type CallPaid = {
  "address": string;
  "answered_at": string | null;
  "booked": number;
  "kind": "call_paid";
  "model": string;
  "price": number | null;
  "sent_at": string | null;
  "seq": number;
  "tokens_cached": number | null;
  "tokens_in": number | null;
  "tokens_out": number | null;
  "tries": Array<CallTry>;
};

/** One try of a call, and what is booked for it: at most what was held. */
export type CallTry = {
  "answered_at": string | null;
  "beyond": number;
  "booked": number;
  "ended": string;
  "misreport": string;
  "price": number | null;
  "reported_in": number | null;
  "reported_out": number | null;
  "sent_at": string;
  "tokens": number;
  "tokens_cached": number | null;
  "tokens_in": number | null;
  "tokens_out": number | null;
  "unproven": number;
};

/** An event and its time, in seconds from the first call. */
export type Came = {
  "at": number;
  "event": DebateStarted | RoundOpened | TurnBegun | AttemptRejected | TurnEntered | NoteTaken | ScoreGiven | PenaltyGiven | SeatMissed | InterventionMade | RoundClosed | DebateEnded | OutcomeReached | CallPaid | CallDelayed | BudgetChanged | HumanAwaited | Paused | Resumed | Recovered | TextStreamed;
};

export type Cancelled = {
  "by": string;
  "kind": "cancelled";
};

/** A limit of the owner, and how much of it is used. */
export type CapRow = {
  "cap": number | null;
  "held": number;
  "spent": number;
  "what": "day" | "total";
};

/** Hard caps; None means no cap of that kind. */
export type Caps = {
  "calls": number | null;
  "money": number | null;
  "seconds": number | null;
  "tokens": number | null;
};

/** One mark of the panel. */
export type Cell = {
  "heat": number;
  "judges": Array<JudgeMark>;
  "mean": number | null;
  "shown": string;
  "spread": string;
};

/** A seat, and who sat in it. */
export type Chair = {
  "id": string;
  "lens": string;
  "model": string;
  "name": string;
  "person": boolean;
  "role": string;
  "side": "pro" | "con" | "judge" | "";
  "team": string;
};

/** One model's answer before and after reading the debate. */
export type Changed = {
  "after": string;
  "before": string;
  "cited": string;
  "voice": string;
};

/** How far to rely on it, and how to compute it again. */
export type Checks = {
  "control": string;
  "control_lines": Array<string>;
  "origin": Array<string>;
  "panel": TextTable;
  "reliability": Array<string>;
};

/** All findings, as `hustings doctor` tells them. */
export type Checkup = {
  "at": string;
  "findings": Array<Finding>;
};

/** How often a seat cited the documents, and how often its words stood there. */
export type CitedBySeat = {
  "accepted": number;
  "references": number;
  "seat": string;
};

/** T³: one claim, the rung it asserts and the rung its grounds show. */
export type ClaimRung = {
  "asserts": "L1" | "L2" | "L3" | null;
  "asserts_quote": string;
  "claim": string;
  "declines": boolean;
  "shows": "L1" | "L2" | "L3" | null;
  "shows_quote": string;
  "traps": Array<Trap>;
};

/** An argument. */
export type ClaimView = {
  "claim": string;
  "id": string;
  "replies": Array<string>;
  "seat": string;
  "side": "pro" | "con" | "judge" | "";
  "standing": "upheld" | "partially_upheld" | "refuted" | "withdrawn" | "uncertain" | null;
  "turn": string;
};

/** Two debates compared side by side. */
export type Compared = {
  "comparison": Comparison;
  "turns": Array<Aligned>;
};

export type Comparison = {
  "agreement": number | null;
  "alone": [number, number];
  "caveats": Array<string>;
  "comparable": boolean;
  "endings": [string, string];
  "matched": Array<Matched>;
  "outcomes": [Decided | TooClose | NoQuorum | Deadlocked | BudgetStopped | Cancelled | Failed | null, Decided | TooClose | NoQuorum | Deadlocked | BudgetStopped | Cancelled | Failed | null];
  "protocols": [string, string];
  "runs": [string, string];
  "same_outcome": boolean | null;
  "settings": Record<string, [JsonValue, JsonValue]>;
  "spoke": Record<string, [Spoke | null, Spoke | null]>;
  "took": [Took, Took];
  "topics": [string, string];
  "totals": Record<string, [number | null, number | null]>;
};

/** What the models answer without a debate. */
export type Control = {
  "changed": Array<Changed>;
  "comparable": boolean;
  "consistent": string;
  "control_tokens": number;
  "debate": string;
  "debate_tokens": number;
  "majority": string;
  "options": Array<string>;
  "said": string;
  "samples": number;
  "single": string;
  "why_not": string;
};

export type ControlState = {
  "beta": number | null;
  "e_t": number | null;
  "k_d": number | null;
  "k_i": number | null;
  "k_p": number | null;
  "persona": string | null;
  "retry_count": number | null;
  "strategy_level": string | null;
  "temperature_override": number | null;
  "u_t": number | null;
};

/** What the record says of the control of one turn. */
export type ControlStep = {
  "round_index": number;
  "state": ControlState;
  "turn_id": string;
};

export type ControllerSnapshot = {
  "e_t": number | null;
  "k_d": number | null;
  "k_i": number | null;
  "k_p": number | null;
  "u_t": number | null;
};

/** What some runs have cost together. Dollars include what is held for calls in flight. */
export type CostRow = {
  "calls": number;
  "name": string;
  "presumed": number;
  "runs": number;
  "spent": number;
  "tokens": number;
  "unknown": number;
};

/** What the runs of an owner have cost. The rows of each table sum up to the total. */
export type Costs = {
  "caps": Array<CapRow>;
  "days": Array<CostRow>;
  "kinds": Array<CostRow>;
  "models": Array<CostRow>;
  "owners": Array<CostRow>;
  "protocols": Array<CostRow>;
  "total": CostRow;
};

/** CRIT: levels of one judge for one turn, and the failures it quoted. */
export type CritAnswer = {
  "failures": Array<CritFailure>;
  "fit": number | null;
  "judge": string;
  "levels": Record<string, number | null>;
  "quotes": Record<string, string>;
};

export type CritDetails = {
  "remark": string;
  "scored": number;
  "spread": number | null;
  "turns": number;
};

/** A failure of reasoning, with the words that show it; one whose quote was not found is left out. */
export type CritFailure = {
  "kind": "contradiction" | "conclusion_drift" | "unsupported_claim" | "premature_certainty" | "ignored_critique" | "causal_overreach";
  "quote": string;
};

export type CritSummary = {
  "gamma_mean": number | null;
  "theta_mean": number | null;
  "threshold_pass": boolean | null;
};

/** A challenge to a claim of the seat, made since the seat last spoke. */
export type Critique = {
  "answered"?: boolean;
  "by": string;
  "claim"?: string;
  "label": string;
  "quote": string;
};

export type Deadlocked = {
  "issues": Array<string>;
  "kind": "deadlocked";
};

export type DebateEnded = {
  "ending": Played | BudgetStopped | Cancelled | Failed;
  "kind": "debate_ended";
  "seq": number;
};

/** Quality and cost of a debate. */
export type DebateFigures = {
  "argument_diversity": number | null;
  "balance": number | null;
  "claims": number;
  "cost": number | null;
  "cost_efficiency": number | null;
  "decision": string | null;
  "decision_confidence": number | null;
  "dominance": number | null;
  "effective_points": number | null;
  "one_position": number | null;
  "points": Record<string, number>;
  "reasoning_depth": number | null;
  "redundancy": number | null;
  "synthesis_quality": number | null;
  "tokens": number | null;
};

export type DebateMetadata = {
  "asset_symbol": string | null;
  "language": string | null;
  "market_context": string | null;
  "notes": string | null;
  "required_rung": "L1" | "L2" | "L3" | null;
  "scenario_id": string | null;
  "task_type": string | null;
  "time_horizon_default": string | null;
  "topic": string | null;
};

export type DebateRow = {
  "batch": string;
  "calls": number;
  "cap": number | null;
  "created_at": string;
  "ended_at": string | null;
  "ending": string;
  "group": BatchRow | null;
  "happened": string | null;
  "held": number;
  "held_calls": number;
  "hosted": boolean;
  "judged": string;
  "misreported": number;
  "models": Array<string>;
  "more_room": string;
  "outcome": Decided | TooClose | NoQuorum | Deadlocked | BudgetStopped | Cancelled | Failed | null;
  "owner": string;
  "protocol": string;
  "rating": number | null;
  "ratings": number;
  "reason": string;
  "reported_beyond": number;
  "run_id": string;
  "spent": number;
  "state": "waiting" | "running" | "paused" | "ended" | "broken";
  "sure": string | null;
  "tags": Array<string>;
  "tokens": number;
  "tokens_held": number;
  "topic": string;
  "waves": number;
};

export type DebateStarted = {
  "header": Transcript;
  "kind": "debate_started";
  "seq": number;
};

export type DebaterRow = {
  "cells": Array<string>;
  "seat": string;
  "speeches": Array<LabelledText>;
};

export type Decided = {
  "extent": "full" | "partial";
  "interval": [number, number] | null;
  "kind": "decided";
  "margin": number | null;
  "what": string;
};

export type Deleted = {
  "deleted": Array<string>;
  "kept": Array<string>;
};

export type Diagnostics = {
  "error_message": string | null;
  "error_type": string | null;
  "latency_ms": number | null;
  "token_usage_completion": number | null;
  "token_usage_prompt": number | null;
  "truncated": boolean | null;
};

/** For the person who decides: within thirty seconds, then in figures and lists. */
export type Digest = {
  "bottom_line": string;
  "caveat": string;
  "check_first": Array<BriefingLine>;
  "facts": Array<LabelledText>;
  "held_up": Array<BriefingLine>;
  "issues": Array<string>;
  "judged": boolean;
  "limits": Array<string>;
  "limits_head": string;
  "refuted": Array<BriefingLine>;
  "strongest": Array<StrongLine>;
  "sure": LabelledText | null;
  "unresolved": Array<BriefingLine>;
  "withdrawn": Array<BriefingLine>;
  "without_debate": string;
  "would_change": string;
};

/** What a search for models looked for and found. */
export type Discovery = {
  "keys": Array<string>;
  "ready": boolean;
  "servers": Array<LookedFor>;
};

/** A document of a debate, and how often it was quoted. */
export type DocumentEntry = {
  "accepted": number;
  "background": boolean;
  "failed": number;
  "id": string;
  "pages": number | null;
  "seats": Array<string>;
  "title": string;
  "words": number;
};

/** The documents that the caller may read, and all quotes in what the caller may read. */
export type DocumentList = {
  "documents": Array<DocumentEntry>;
  "quotes": Array<QuoteView>;
};

/** A document to read. Places are counted in characters (code points) of its text. */
export type DocumentReading = {
  "document": DocumentEntry;
  "passages": Array<PassageView>;
  "quotes": Array<QuoteView>;
  "text": string;
};

/** The document that came with the question. */
export type DocumentView = {
  "text": string;
  "title": string;
  "words": number;
};

/** Whom a speech addresses, where its points do not say so. */
export type Edge = {
  "seat": string;
  "turn": string;
  "words": string;
};

export type EstimateRow = {
  "calls": [number, number];
  "dollars": [number, number] | null;
  "tokens": [number, number];
  "what": string;
};

/** Versions of what made the figures. */
export type EvalMetadata = {
  "crit_version": string;
  "evaluator_version": string;
  "rca_version": string;
  "t3_version": string;
};

/** Figures of two debates, and what the second has over the first. Null where one of them is not known. */
export type EvaluatedPair = {
  "argument_diversity": [number | null, number | null];
  "caveats": Array<string>;
  "decision_confidence": [number | null, number | null];
  "dollars": [number | null, number | null];
  "evaluations": [string, string];
  "gains": Gains;
  "points_at_equal_length": [number | null, number | null];
  "reasoning_depth": [number | null, number | null];
  "tokens": [number | null, number | null];
};

export type EvaluatedRound = {
  "index": number;
  "label": string;
};

/** The evaluation of one debate: every figure can be computed again from the record and the judges' answers. */
export type Evaluation = {
  "control_trace": Array<ControlStep> | null;
  "debate_id": string;
  "eval_metadata": EvalMetadata;
  "evaluated_at": string;
  "evaluation_mode": "posthoc" | "in_loop";
  "run_id": string;
  "run_summary": EvaluationSummary;
  "schema_version": string;
  "turn_evaluations": Array<TurnEvaluation>;
  "x_hustings": OwnFigures;
};

/** What weakens every figure below it. */
export type EvaluationBadge = {
  "text": string;
  "why": string;
};

export type EvaluationMetric = {
  "means": string;
  "name": string;
  "not_means": string;
  "range": string;
  "shown": string;
};

/** How the user wants a debate evaluated. */
export type EvaluationRequest = {
  "caps"?: Caps;
  "judges"?: Array<string>;
  "options"?: Array<string> | null;
  "parts"?: Array<"crit" | "rca" | "t3" | "synthesis">;
  "repeat"?: number;
  "rung"?: "L1" | "L2" | "L3" | null;
  "seconds_per_call"?: number | null;
  "seed"?: number | null;
  "settings"?: Record<string, JsonValue>;
  "tier"?: "quick" | "standard" | "strict" | null;
};

export type EvaluationSummary = {
  "crit_summary": CritSummary;
  "pid_summary": PidSummary;
  "raudit_summary": RauditSummary;
  "rca_summary": RcaSummary;
  "t3_summary": T3Summary;
};

/** What the debate was asked. */
export type EvaluationTask = {
  "options"?: Array<string>;
  "question": string;
  "required_rung"?: "L1" | "L2" | "L3" | null;
};

export type EvaluationView = {
  "badges": Array<EvaluationBadge>;
  "cannot": string;
  "evaluated_at": string;
  "facts": Array<LabelledText>;
  "judges": TextTable;
  "key": string;
  "metrics": Array<EvaluationMetric>;
  "mode": string;
  "movement": Array<string>;
  "panel": string;
  "plots": Array<Plot>;
  "repeat": Array<string>;
  "rounds": Array<EvaluatedRound>;
  "run_id": string;
  "seats": Array<SeatLine>;
  "speakers": TextTable;
  "syntheses": TextTable;
  "turns": Array<TurnReading>;
};

export type Event = DebateStarted | RoundOpened | TurnBegun | AttemptRejected | TurnEntered | NoteTaken | ScoreGiven | PenaltyGiven | SeatMissed | InterventionMade | RoundClosed | DebateEnded | OutcomeReached | CallPaid | CallDelayed | BudgetChanged | HumanAwaited | Paused | Resumed | Recovered | TextStreamed;

/** A sentence of a document, and the words in it that were quoted. */
export type Excerpt = {
  "after": string;
  "before": string;
  "words": string;
};

export type ExcerptPart = {
  "found": boolean;
  "text": string;
};

/** Calls, tokens and dollars that one run used. */
export type Expense = {
  "calls": number;
  "hosted": boolean;
  "misreported": number;
  "run_id": string;
  "spent": number;
  "tokens": number;
  "tokens_held": number;
  "what": string;
};

/** What source document 003 promises of debates with all seats, beside the medians that were measured. */
export type ExtentTarget = {
  "extended": number | null;
  "figure": string;
  "reached": boolean | null;
  "standard": number | null;
  "target": number;
};

/** From which complexity on all seats pay off; without a score below thirty questions held both ways. */
export type ExtentThreshold = {
  "complexity": number | null;
  "gain": number | null;
  "needed": number;
  "pairs": number;
  "price": number;
};

export type Failed = {
  "code": string;
  "kind": "failed";
  "reason": string;
};

/** A fault in words, not yet escaped. */
export type FailureTold = {
  "fix": string;
  "kept": string;
  "what": string;
  "why": string;
};

/** One figure over many debates; without a median where fewer than ten debates have it. */
export type FigureOverRuns = {
  "high": number | null;
  "low": number | null;
  "median": number | null;
  "origin": "evaluation" | "transcript" | "calls" | "budget" | "readers";
  "runs": number;
};

/** The text of a file, to be sent with a new debate. */
export type FileRead = {
  "media": "text" | "markdown" | "code" | "html" | "pdf" | "word" | "slides" | "sheet" | "mail";
  "pages": number | null;
  "text": string;
  "title": string;
  "words": number;
};

/** One check of the installation. */
export type Finding = {
  "about": string;
  "fix": string;
  "said": string;
  "state": "ok" | "warn" | "FAIL";
};

/** What a reader sees before scrolling. */
export type FirstScreen = {
  "bars": Array<ScoreBar>;
  "bars_note": string;
  "care": Array<string>;
  "chip": string;
  "facts": Array<LabelledText>;
  "failure": FailureTold | null;
  "more": string;
  "sentence": string;
  "trust": TrustLine | null;
  "weak": boolean;
};

/** A fallacy or violation that judges saw: a hint for people. */
export type Flag = {
  "about": string;
  "families": Array<string>;
  "kind": string;
  "quote": string;
  "seat": string;
};

/** The smallest change of one judged score that would change a standing. */
export type Flip = {
  "now": number;
  "standing": "upheld" | "partially_upheld" | "refuted" | "withdrawn" | "uncertain";
  "then": number;
  "what": string;
};

export type Forecast = {
  "budget": number | null;
  "remarks": Array<string>;
  "rows": Array<EstimateRow>;
  "total": EstimateRow;
  "within": boolean;
};

export type FoundDebate = {
  "debate": DebateRow;
  "excerpt": Array<ExcerptPart>;
};

export type FoundSpeech = {
  "excerpt": Array<ExcerptPart>;
  "run_id": string;
  "seat": string;
  "topic": string;
  "turn_id": string;
};

/** What the extended debate has over the standard one, under the source's names. */
export type Gains = {
  "confidence_improvement": number | null;
  "cost_multiplier": number | null;
  "diversity_gain": number | null;
  "diversity_gain_equal_length": number | null;
  "gain_per_dollar": number | null;
  "quality_improvement": number | null;
  "token_multiplier": number | null;
};

/** The first side's total minus the second's, paired within each observation. */
export type Gap = {
  "interval": [number, number] | null;
  "sides": [string, string];
  "value": number;
  "word": "evenly matched" | "lead" | "significant";
};

/** A fallacy or a broken rule that judges saw. */
export type Hint = {
  "about": string;
  "kind": string;
  "quote": string;
  "seat": string;
  "text": string;
  "word": string;
};

export type HumanAwaited = {
  "address": string;
  "form": Record<string, JsonValue> | null;
  "key": string;
  "kind": "human_awaited";
  "seat": string;
  "seq": number;
  "task": string;
  "until": string | null;
};

export type ImportedDebates = {
  "debates": Array<ImportedRun>;
};

/** A record that was imported, now or before. */
export type ImportedRun = {
  "badges": Array<string>;
  "before": boolean;
  "item": number;
  "question": string;
  "remarks": Array<string>;
  "rounds": number;
  "run_id": string;
  "shape": string;
  "speakers": Array<string>;
  "turns": number;
  "unknown": Array<string>;
};

export type Individual = {
  "penalties": number;
  "per_speech": number | null;
  "seat": string;
  "speeches": Record<string, number | null>;
  "team": string;
  "total": number;
};

export type Instructed = {
  "seats": Array<string>;
};

export type Integrity = {
  "algorithm": string | null;
  "canonicalization": string | null;
  "digest": string | null;
};

export type Intervention = {
  "attempt_index": number | null;
  "controller_snapshot": ControllerSnapshot | null;
  "instruction_sent": string;
  "intervention_id": string;
  "notes": string | null;
  "round_index": number | null;
  "scope": "global" | "round" | "turn" | "attempt";
  "speaker_id": string | null;
  "timestamp": string;
  "trigger": string;
  "turn_id": string | null;
};

export type InterventionMade = {
  "intervention": Intervention;
  "kind": "intervention_made";
  "seq": number;
};

/** How an issue of a moderated panel ended. */
export type IssueResult = {
  "answer": string;
  "id": string;
  "moved": Array<string>;
  "question": string;
  "says": Record<string, string>;
  "state": string;
};

export type JsonValue = unknown;

/** One judge of the panel, and how many of its sheets were accepted. */
export type Judge = {
  "accepted": number;
  "asked": number;
  "family": string;
  "kin": boolean;
  "model": string;
  "seat": string;
};

/** How well the judges agree on ρ, turn by turn. */
export type JudgeAgreement = {
  "alpha": number | null;
  "interval": [number, number] | null;
  "turns": number;
  "word": "good" | "tentative" | "do not rely";
};

/** What one judge answered about one turn. */
export type JudgeAnswer = {
  "judge": string;
  "lines": Array<LabelledText>;
};

export type JudgeMark = {
  "judge": string;
  "mark": number;
  "shown": string;
};

/** A response to an argument, or an answer to such a response: an edge of the argument graph. */
export type JudgedResponse = {
  "attacks": boolean;
  "by": string;
  "extent": string;
  "id": string;
  "kind": string;
  "quote": string;
  "source": string;
  "target": string;
  "turn_id": string;
  "words": string;
};

export type Judgement = {
  "board": Board | null;
  "briefing": Briefing;
  "control": Control | null;
  "degraded": Array<string>;
  "digest": string;
  "dropped": number;
  "flags": Array<Flag>;
  "gap": Gap | null;
  "issues": Record<string, string>;
  "judged": string;
  "lean": Lean | null;
  "marks": Array<Marked>;
  "movements": Array<Movement>;
  "names": Record<string, string>;
  "orders": number;
  "outcome": Decided | TooClose | NoQuorum | Deadlocked | BudgetStopped | Cancelled | Failed;
  "own_verdict": string;
  "panel": Array<Judge>;
  "policy": string;
  "protocol": string;
  "reason": string;
  "reliability": Reliability;
  "responses": Array<JudgedResponse>;
  "rubrics": Array<string>;
  "seed": string;
  "settled": Array<IssueResult>;
  "support": Support | null;
  "topic": string;
  "totals": Array<Total>;
  "trace": Array<ArgumentResult>;
  "unfounded": number;
  "votes": Votes | null;
};

/** The key of a provider, by its name. */
export type KeyInUse = {
  "checked": string;
  "install": string;
  "name": string;
  "place": string;
  "provider": string;
  "works": boolean | null;
};

/** A sentence under its label. */
export type LabelledText = {
  "label": string;
  "text": string;
};

/** To which of two sides what stands in the end speaks: strengths times how much each bears on the question. */
export type Lean = {
  "alike": number;
  "cases": [number, number];
  "sides": [string, string];
  "value": number;
};

/** A document as the record lists it. */
export type ListedDocument = {
  "digest": string;
  "id": string;
  "origin": "given" | "fetched";
  "seats": Array<string>;
  "title": string;
  "words": number;
};

/** What the page of a running debate needs beside its events. */
export type LiveRun = {
  "calls": Array<OpenCall>;
  "now": string;
  "weights": Record<string, number>;
};

/** The table after a round. */
export type LookFigures = {
  "alarm": boolean | null;
  "claims": number;
  "js": number | null;
  "movement": number | null;
  "new_points": number;
  "novelty": number | null;
  "ov": number | null;
  "rho": number | null;
  "round_index": number;
  "spread": number | null;
  "stances": Record<string, Record<string, number>>;
};

/** A place where a model server might answer. */
export type LookedFor = {
  "models": number;
  "name": string;
  "state": "ready" | "no model" | "not there";
  "where": string;
};

/** What instructions did, where any were given. */
export type LoopFigures = {
  "paranoia_rate": number | null;
  "recovery_rate": number | null;
};

/** What the panel makes of one claim. */
export type MajorityRung = {
  "asserts": "L1" | "L2" | "L3";
  "claim": string;
  "declines": boolean;
  "open_trap": string | null;
  "shows": "L1" | "L2" | "L3" | null;
};

/** A table of marks: items by dimension. */
export type MarkGrid = {
  "caption": string;
  "dimensions": Array<string>;
  "rows": Array<MarkRow>;
  "what": string;
};

/** Why a judge gave an argument a mark. */
export type MarkGround = {
  "dimension": string;
  "judge": string;
  "quote": string;
  "reason": string;
  "score": number;
};

export type MarkRow = {
  "about": string;
  "cells": Array<Cell>;
  "seat": string;
  "total": Cell;
  "words": string;
};

/** All marks of one judge in one order of presentation. */
export type Marked = {
  "judge": string;
  "order": number;
  "quotes": Record<string, Record<string, string>>;
  "reasons": Record<string, Record<string, string>>;
  "scores": Record<string, Record<string, number>>;
};

/** Words of a turn that decided something. */
export type MarkedQuote = {
  "fault": boolean;
  "judge": string;
  "label": string;
  "number": number | null;
  "words": string;
};

/** One argument that both debates have. */
export type Matched = {
  "claim": string;
  "ids": [string, string];
  "standings": ["upheld" | "partially_upheld" | "refuted" | "withdrawn" | "uncertain" | null, "upheld" | "partially_upheld" | "refuted" | "withdrawn" | "uncertain" | null];
  "strengths": [number | null, number | null];
};

/** A model that a user may seat, since the operator allows it. */
export type ModelChoice = {
  "free": boolean;
  "label": string;
  "name": string;
  "where": string;
};

/** An executive summary that a model wrote. */
export type ModelSummary = {
  "key": string;
  "sentences": Array<SummarySentence>;
  "title": string;
};

/** Where a seat began and where it ended. */
export type Movement = {
  "began": string;
  "condition": string;
  "ended": string;
  "moved_by": string;
  "quote": string;
  "seat": string;
};

export type NewDebate = {
  "background"?: NewDocument | null;
  "budget"?: number | null;
  "control"?: boolean;
  "debate_id"?: string | null;
  "documents"?: Array<NewFurtherDocument>;
  "judges"?: Array<string> | "auto" | "none";
  "keep_reasoning"?: boolean;
  "language"?: string;
  "look_ups"?: number | null;
  "meta"?: Scenario;
  "model"?: string;
  "motion": string;
  "on_failure"?: "pause" | "go-on";
  "personas"?: Record<string, string>;
  "protocol"?: string;
  "retries"?: number | null;
  "seats"?: Record<string, string>;
  "seed"?: number | null;
  "settings"?: Record<string, JsonValue>;
};

export type NewDeletion = {
  "runs": Array<string>;
};

/** A document that every speaker and judge reads. */
export type NewDocument = {
  "text": string;
  "title"?: string;
};

/** A further question, debated with the record of this debate as its background. */
export type NewFollowUp = {
  "question": string;
};

export type NewFork = {
  "seats"?: Record<string, string>;
  "settings"?: Record<string, JsonValue>;
  "turn"?: string | null;
};

/** A document that all speakers read, or some of them alone. */
export type NewFurtherDocument = {
  "media"?: "text" | "markdown" | "code" | "html" | "pdf" | "word" | "slides" | "sheet" | "mail";
  "seats"?: Array<string>;
  "text": string;
  "title"?: string;
};

/** What speakers are told with their next question; the transcript keeps it as an intervention. */
export type NewInstruction = {
  "seat"?: string;
  "text": string;
};

/** A link that opens one seat, for a person who is to speak there. */
export type NewLink = {
  "hours"?: number;
  "seat": string;
};

/** What really happened in the matter of a debate. */
export type NewOutcome = {
  "option": string;
  "source"?: string;
};

/** Who sits and who judges, under a name, to begin debates with. It replaces the panel of the same name. */
export type NewPanel = {
  "control"?: boolean;
  "judges"?: Array<string> | "auto" | "none";
  "model"?: string;
  "name": string;
  "personas"?: Record<string, string>;
  "protocol": string;
  "repeats"?: number;
  "seats"?: Record<string, string>;
  "settings"?: Record<string, JsonValue>;
  "swapped"?: boolean;
};

/** How a reader rates a finished debate; it says nothing about who won. */
export type NewRating = {
  "comment"?: string;
  "stars": number;
};

/** The same debate once more, from its first turn. */
export type NewRepeat = {
  "swapped"?: boolean;
};

/** How a debate that failed, stopped or hangs goes on. Answers that were given and paid for are kept. */
export type NewRetry = {
  "budget"?: number | null;
  "instead"?: boolean;
  "seats"?: Record<string, string>;
  "seconds"?: number | null;
};

export type NewSession = {
  "token": string;
};

export type NewSpeech = {
  "key"?: string;
  "seat": string;
  "text": string;
};

export type NewTags = {
  "tags": Array<string>;
};

export type NewVerdict = {
  "control"?: boolean;
  "judges"?: Array<string> | "auto";
};

/** The vote of one person; one vote per debate. */
export type NewVote = {
  "remark"?: string;
  "standings"?: Record<string, "upheld" | "partially_upheld" | "refuted" | "withdrawn" | "uncertain">;
  "sure"?: number;
  "winner": string | null;
};

export type NoQuorum = {
  "abstentions": number;
  "families": Array<string>;
  "had": number;
  "kind": "no_quorum";
  "needed": number;
};

export type Note = {
  "about": Array<Subject>;
  "after_turn": string | null;
  "body": Record<string, JsonValue>;
  "by": string;
  "created_at": string;
  "kind": string;
  "note_id": string;
  "visible_to": Array<string>;
};

export type NoteTaken = {
  "kind": "note_taken";
  "note": Note;
  "seq": number;
};

/** A call of the wave that goes on. A call that is not listed was not sent yet. */
export type OpenCall = {
  "address": string;
  "answered_at": string | null;
  "asked_at": string | null;
  "attempt": number;
  "attempts": number;
  "first_word_by": string | null;
  "gives_up_at": string | null;
  "lost": Array<CallTry>;
  "sent_at": string | null;
  "state": "sent" | "waiting" | "answered";
};

export type OptionInUse = {
  "name": string;
  "origin": string;
  "value": string | null;
};

export type OutcomeKnown = {
  "option": string | null;
  "source": string;
};

export type OutcomeReached = {
  "kind": "outcome_reached";
  "outcome": Decided | TooClose | NoQuorum | Deadlocked | BudgetStopped | Cancelled | Failed;
  "seq": number;
};

/** What only this project writes. */
export type OwnFigures = {
  "abstentions": number;
  "agreement": JudgeAgreement;
  "badges": Array<string>;
  "calls": number;
  "cap": number;
  "crit": CritDetails;
  "debater_families": Array<string>;
  "evaluation_run_id": string;
  "form_agreement": StanceAgreement;
  "independent": boolean;
  "instability_index": number | null;
  "integrity": Integrity | null;
  "judges": Array<Judge>;
  "looks": Array<LookFigures>;
  "loop": LoopFigures;
  "metrics": DebateFigures;
  "prompt_versions": Record<string, string>;
  "rca": RcaDetails;
  "seats": Record<string, SeatFigures>;
  "stop": StopReading | null;
  "syntheses": Array<SynthesisFigures>;
  "t3": T3Details;
  "task": EvaluationTask;
  "transcript_digest": string;
};

export type Page = {
  "awaited": Record<string, Array<string>>;
  "debates": Array<DebateRow>;
  "next": string | null;
  "tags": Array<string>;
};

export type PanelList = {
  "panels": Array<NewPanel>;
};

/** A labelled paragraph of a part, such as its reasoning. */
export type PartDetail = {
  "label": string;
  "text": string;
};

export type Participant = {
  "agent_id": string;
  "display_name": string | null;
  "model_name": string | null;
  "role": string | null;
  "system_prompt_version": string | null;
  "tags": Array<string> | null;
  "team": string | null;
};

/** A participant came, went or did not answer. Without a round, it only excuses an absence. */
export type ParticipantState = {
  "agent_id": string;
  "event_type": "joined" | "dropped" | "timeout" | "recovered" | "restarted";
  "notes": string | null;
  "reason": string | null;
  "round_index": number | null;
  "timestamp": string;
};

export type PassageView = {
  "end": number;
  "id": string;
  "page": number | null;
  "start": number;
};

export type Paused = {
  "by": string;
  "kind": "paused";
  "seq": number;
};

export type Penalised = {
  "families": Array<string>;
  "found_by": "rules" | "panel";
  "individual": number;
  "on_team": number;
  "rule": string;
  "seat": string;
  "team": string;
  "turn_id": string;
};

export type PenaltyGiven = {
  "kind": "penalty_given";
  "note": Note;
  "seq": number;
};

/** Agreement of evaluations with people. */
export type PeopleAccord = {
  "labels": number;
  "needed": number;
  "remark": string;
  "rungs": Accord;
  "verdicts": Accord;
};

export type PidSummary = {
  "instability_index": number | null;
  "intervention_count_total": number;
  "retry_count_total": number;
};

/** One of the four pillars of a turn. */
export type PillarBar = {
  "name": string;
  "shown": string;
  "value": number | null;
};

/** The script came to its end; the verdict is for judging. */
export type Played = {
  "kind": "played";
};

/** A plot whose every place is computed. It is as wide as a phone, so its letters are never scaled down. */
export type Plot = {
  "band": string;
  "columns": Array<PlotTick>;
  "height": number;
  "heights": Array<PlotTick>;
  "id": string;
  "left": number;
  "lines": Array<PlotLine>;
  "right": number;
  "says": string;
  "table": TextTable;
  "target": PlotTick | null;
  "title": string;
  "width": number;
};

export type PlotLine = {
  "name": string;
  "name_y": number;
  "path": string;
  "points": Array<PlotPoint>;
  "stroke": number;
};

export type PlotPoint = {
  "label": string;
  "x": number;
  "y": number;
};

export type PlotTick = {
  "at": number;
  "label": string;
};

/** USD per million tokens, as declared by the user. */
export type Price = {
  "input": number;
  "output": number;
};

/** An error (`application/problem+json`): what is wrong, why, and how to fix it. */
export type Problem = {
  "fields": Array<string>;
  "fix": string;
  "run_id": string;
  "status": number;
  "title": string;
  "type": string;
  "why": string;
};

export type ProtocolCard = {
  "about": string;
  "about_document": boolean;
  "by_settings": boolean;
  "calls": number;
  "name": string;
  "seats": Array<SeatChoice>;
  "settings": Record<string, unknown>;
  "version": number;
};

/** A question that waits for the answer of a person. */
export type Question = {
  "asked_words": number | null;
  "brief": string;
  "form": Record<string, unknown> | null;
  "key": string;
  "readable": Array<string>;
  "seat": string;
  "seconds": number | null;
  "since": string;
  "task": string;
  "until": string | null;
  "words": number | null;
};

/** Words to be marked in a turn, in the order of the text. */
export type QuotePlace = {
  "fault": boolean;
  "number": number;
  "words": string;
};

/** A quote from a document in a speech, and what code found. */
export type QuoteView = {
  "accepted": boolean;
  "document": string;
  "end": number;
  "excerpt": Excerpt | null;
  "id": string;
  "named": string;
  "page": number | null;
  "passage": string;
  "quote": string;
  "seat": string;
  "start": number;
  "turn": string;
  "verdict": string;
  "why": string;
  "written": string;
};

export type RauditSummary = {
  "audit_strength": number;
  "behavioral_drift_score": number | null;
  "instability_index": number | null;
};

/** RCA: the words of one judge for one turn. Fields that its phase does not ask for are None. */
export type RcaAnswer = {
  "accepts": "none" | "part" | "full" | "unclear" | null;
  "changed": "none" | "part" | "full" | "unclear" | null;
  "follows": "yes" | "no" | "unclear" | null;
  "judge": string;
  "moved_by": string | null;
  "new": "yes" | "no" | "unclear" | null;
  "quote": string;
  "reason": "yes" | "no" | "unclear" | null;
  "specific": "yes" | "no" | "unclear" | null;
  "weighs": "yes" | "no" | "unclear" | null;
};

export type RcaDetails = {
  "consistent": number;
  "judged": number;
  "other": number;
  "reader_agreement": number | null;
  "stubborn": number;
  "sycophantic": number;
};

export type RcaSummary = {
  "blind_verification_pass_rate": number | null;
  "trace_consistency_rate": number | null;
  "verdict": "pass" | "mixed" | "fail" | null;
};

export type RecordedDebate = {
  "card": RecordingCard;
  "view": View;
};

/** A recorded debate, as a list shows it. */
export type RecordingCard = {
  "judged": boolean;
  "language": string;
  "models": Array<string>;
  "name": string;
  "note": string;
  "protocol": string;
  "seats": number;
  "seconds": number;
  "topic": string;
  "written": boolean;
};

/** Another worker went on where one had died. */
export type Recovered = {
  "by": string;
  "kind": "recovered";
  "seq": number;
};

/** How reliable the judges are. */
export type Reliability = {
  "alpha": number | null;
  "alpha_interval": [number, number] | null;
  "icc_panel": number | null;
  "icc_single": number | null;
  "items": number;
  "judges": number;
  "kendall_w": number | null;
  "length_slope": number | null;
  "mean_difference": number | null;
  "observations": number;
  "order_flip_rate": number | null;
  "position_bias": number | null;
  "remarks": Array<string>;
  "word": "good" | "tentative" | "do not rely";
};

/** Several debates of one motion. */
export type Repeated = {
  "claims": Array<Stability>;
  "runs": Array<RunSummary>;
};

/** A reply to a claim, or to another reply. */
export type ReplyView = {
  "attacks": boolean;
  "deed": string;
  "id": string;
  "kind": string;
  "replies": Array<string>;
  "seat": string;
  "side": "pro" | "con" | "judge" | "";
  "source": string;
  "target": string;
  "turn": string;
  "words": string;
};

/** A part of a protocol's result, in words. */
export type ResultSection = {
  "lines": Array<string>;
  "table": TextTable | null;
  "title": string;
};

export type Resumed = {
  "by": string;
  "kind": "resumed";
  "seats": Record<string, string>;
  "seq": number;
};

/** What changes when a run goes on. */
export type Resumption = {
  "seats"?: Record<string, string>;
  "without"?: Array<string>;
};

export type Round = {
  "label": string | null;
  "planned_speaking_order": Array<string> | null;
  "round_index": number;
  "round_notes": string | null;
  "round_status": "complete" | "partial" | "aborted" | null;
  "transcript_visibility": "full" | "prior_round_only" | "isolated" | "partial" | null;
  "turns": Array<Turn>;
};

export type RoundClosed = {
  "contexts": Record<string, Array<string>>;
  "kind": "round_closed";
  "order": Array<string>;
  "round_index": number;
  "seq": number;
  "status": "complete" | "partial" | "aborted";
  "visibility": "full" | "prior_round_only" | "isolated" | "partial";
};

export type RoundHead = {
  "absent": Array<string>;
  "index": number;
  "label": string;
  "speeches": Array<string>;
  "status": string;
};

export type RoundOpened = {
  "imported": Round | null;
  "kind": "round_opened";
  "label": string;
  "round_index": number;
  "seq": number;
};

/** Debates that have something in common. */
export type RunGroup = {
  "calibration": Calibration;
  "dollars_by_outcome": Record<string, FigureOverRuns>;
  "evaluated": number;
  "figures": Record<string, FigureOverRuns>;
  "outcomes": Record<string, number>;
  "runs": number;
  "value": string;
};

export type RunMetadata = {
  "generation_mode": string | null;
  "global_model_name": string | null;
  "max_tokens": number | null;
  "notes": string | null;
  "order_regime": "fixed" | "rotating" | "adaptive" | null;
  "prompt_bundle_version": string | null;
  "prompt_regime": "natural" | "structured" | "mixed" | null;
  "protocol": string | null;
  "seed": number | null;
  "temperature": number | null;
  "top_p": number | null;
};

/** A run at a glance. */
export type RunSummary = {
  "batch": string;
  "calls": number;
  "cap": number | null;
  "created_at": string;
  "ended_at": string | null;
  "ending": string;
  "happened": string | null;
  "held": number;
  "held_calls": number;
  "hosted": boolean;
  "judged": string;
  "misreported": number;
  "more_room": string;
  "outcome": Decided | TooClose | NoQuorum | Deadlocked | BudgetStopped | Cancelled | Failed | null;
  "owner": string;
  "protocol": string;
  "rating": number | null;
  "ratings": number;
  "reason": string;
  "reported_beyond": number;
  "run_id": string;
  "spent": number;
  "state": "waiting" | "running" | "paused" | "ended" | "broken";
  "tokens": number;
  "tokens_held": number;
  "topic": string;
  "waves": number;
};

/** The experiment that a debate belongs to, as the transcript names it. */
export type Scenario = {
  "asset_symbol"?: string | null;
  "market_context"?: string | null;
  "required_rung"?: "L1" | "L2" | "L3" | null;
  "scenario_id"?: string | null;
  "task_type"?: string | null;
  "time_horizon_default"?: string | null;
};

/** How well a side or seat argued, on an axis from 0 to 10. */
export type ScoreBar = {
  "ended": string;
  "interval": [number, number] | null;
  "mean": number;
  "name": string;
  "shown": string;
  "side": string;
  "told": string;
  "within": string;
};

/** The score board of a competition. */
export type ScoreBoard = {
  "best": string;
  "course": Array<ScoreStep>;
  "course_heads": Array<string>;
  "debater_heads": Array<string>;
  "debaters": Array<DebaterRow>;
  "penalties": TextTable;
  "stages": TextTable;
  "summaries": Array<string>;
  "teams": TextTable;
};

export type ScoreGiven = {
  "kind": "score_given";
  "note": Note;
  "seq": number;
};

/** The score board after one turn. */
export type ScoreStep = {
  "cells": Array<string>;
  "penalties": Array<string>;
  "penalty_totals": Record<string, number>;
  "score": number | null;
  "seat": string;
  "team": string;
  "totals": Record<string, number>;
  "turn": string;
};

/** What was found, by kind, the best first. */
export type SearchResult = {
  "debates": Array<FoundDebate>;
  "speeches": Array<FoundSpeech>;
};

export type SeatChoice = {
  "id": string;
  "name": string;
  "role": string;
  "team": string;
};

/** What one seat did at the table. */
export type SeatFigures = {
  "challenges": number;
  "changes": number | null;
  "concessions": number | null;
  "influence": number | null;
  "reasoned_changes": number;
  "silence": number | null;
  "unanswered": number;
};

/** A seat, and its turns in each round. */
export type SeatLine = {
  "cells": Array<Array<TurnCell>>;
  "rho": string;
  "seat": string;
};

export type SeatLink = {
  "hours": number;
  "path": string;
  "token": string;
};

/** A seat did not answer when it was asked to speak. */
export type SeatMissed = {
  "kind": "seat_missed";
  "seq": number;
  "state": ParticipantState;
};

/** The model for a seat, a team or a role; `llm` stands for every seat without its own. */
export type SeatModel = {
  "configured": boolean;
  "key": string;
  "model": string;
  "name": string;
  "price": Price | null;
  "problem": string;
  "where": string;
};

/** A place that settings are read from. */
export type SettingsFile = {
  "name": string;
  "path": string;
  "there": boolean;
};

export type SettingsView = {
  "files": Array<SettingsFile>;
  "keys": Array<KeyInUse>;
  "models": Array<SeatModel>;
  "options": Array<OptionInUse>;
};

/** An argument, a reply, or a statement. */
export type SpeechPart = {
  "details": Array<PartDetail>;
  "extent": string;
  "id": string;
  "kind": string;
  "quote": string;
  "target": string;
  "text": string;
};

/** A turn as pages show it. */
export type SpeechView = {
  "allowed": number | null;
  "at": string;
  "claims": Array<string>;
  "count": number;
  "id": string;
  "kind": string;
  "label": string;
  "lost": string;
  "parts": Array<SpeechPart>;
  "readers": Array<string>;
  "remarks": Array<string>;
  "replies": Array<string>;
  "retries": number;
  "round": number;
  "seat": string;
  "speaks_to": Array<Edge>;
  "words": string;
};

/** How much a seat said. */
export type Spoke = {
  "model": string;
  "turns": number;
  "words": number;
};

/** One argument over several runs of one motion. */
export type Stability = {
  "claim": string;
  "ids": Record<string, string>;
  "most": "upheld" | "partially_upheld" | "refuted" | "withdrawn" | "uncertain";
  "share": number;
  "split": Array<number>;
  "standings": Record<string, "upheld" | "partially_upheld" | "refuted" | "withdrawn" | "uncertain">;
};

/** One part of a competition: each team's points, and what the judge at the table summed up. */
export type StageTotals = {
  "clashes": Array<string>;
  "dropped": Array<string>;
  "label": string;
  "teams": Record<string, number>;
};

/** Where a turn stands on the question. */
export type Stance = {
  "beliefs": Record<string, number>;
  "quote"?: string;
  "source"?: "reader" | "elicited";
};

/** How often the blind reader finds a turn where the speaker's own form says it stands. */
export type StanceAgreement = {
  "same": number;
  "turns": number;
};

/** The current state of a debate and its follow-ups. */
export type State = {
  "follows": Array<RunSummary>;
  "large": boolean;
  "live": LiveRun | null;
  "questions": Array<Question>;
  "report": RunSummary;
  "viewable": boolean;
  "votes": number;
};

/** Whether a synthesis states a point that mattered. */
export type StatedPoint = {
  "about": string;
  "quote": string;
  "stated": boolean;
};

export type Statistics = {
  "by": "protocol" | "task" | "model" | "extent" | null;
  "groups": Array<RunGroup>;
  "left_out": number;
  "people": PeopleAccord;
  "since": string | null;
  "targets": Array<ExtentTarget>;
  "threshold": ExtentThreshold;
  "ungrouped": number;
  "whole": RunGroup;
};

/** When the stop rule would have ended the debate, and why. */
export type StopReading = {
  "after_round": number;
  "agreement": "" | "from the start" | "genuine" | "hollow";
  "why": "agreed" | "exhausted" | "cap";
};

/** How much one response moved an argument: its strength with the response minus its strength without. */
export type StrengthChange = {
  "by": string;
  "kind": string;
  "response": string;
  "share": number;
};

/** The strongest argument of a side. */
export type StrongLine = {
  "claim": string;
  "happened": string;
  "id": string;
  "side": string;
  "standing": "upheld" | "partially_upheld" | "refuted" | "withdrawn" | "uncertain";
  "text": string;
};

/** The strongest argument of a side, or of those who ended at one answer. */
export type StrongPoint = {
  "claim": string;
  "happened": string;
  "id": string;
  "side": string;
  "standing": "upheld" | "partially_upheld" | "refuted" | "withdrawn" | "uncertain";
};

/** What a note is about: a turn, one of its claims, or a round. */
export type Subject = {
  "claim_id": string | null;
  "round_index": number | null;
  "turn_id": string | null;
};

export type SummarySentence = {
  "ids": Array<string>;
  "quote": string;
  "text": string;
};

/** What the arguments of a debate with documents rest on, as code found it. */
export type Support = {
  "accepted": number;
  "arguments": number;
  "bases": Record<string, "cited" | "own knowledge" | "false quote">;
  "cited": number;
  "failed": Record<string, number>;
  "looked_up": Record<string, number>;
  "precision": number | null;
  "recall": number | null;
  "references": number;
  "seats": Array<CitedBySeat>;
};

/** What one judge found in one synthesis. */
export type SynthesisAnswer = {
  "judge": string;
  "points": Array<StatedPoint>;
  "sentences": Array<TracedSentence>;
};

/** How well one synthesis states what mattered. */
export type SynthesisFigures = {
  "answers": Array<SynthesisAnswer>;
  "balance": number | null;
  "coverage": number | null;
  "fidelity": number | null;
  "id": string;
  "mattered": Record<string, string>;
  "quality": number | null;
  "sentences": number;
};

/** T³: what one judge found in the claims of one turn. */
export type T3Answer = {
  "judge": string;
  "rungs": Array<ClaimRung>;
};

export type T3Details = {
  "claim": string | null;
  "claims": number;
  "collapses": number;
  "open_traps": number;
  "refusals": number;
  "turn_id": string | null;
};

/** One claim speaks for the run or turn, so that the fields always agree. */
export type T3Summary = {
  "detected_rung": "L1" | "L2" | "L3" | null;
  "pass": boolean | null;
  "required_rung": "L1" | "L2" | "L3" | null;
  "trap_detected": string | null;
};

export type Tagged = {
  "tags": Array<string>;
};

/** Votes of people beside the panel's verdict; shown only to people who have voted. */
export type Tally = {
  "agree_on_standings": number | null;
  "agree_on_winner": number | null;
  "mine": Vote;
  "panel": string | null;
  "standings": Record<string, Record<string, number>>;
  "votes": number;
  "winners": Record<string, number>;
};

export type Team = {
  "penalties": number;
  "per_speech": number | null;
  "speeches": number;
  "team": string;
  "total": number;
};

/** Words as they come; nothing durable depends on them. */
export type TextStreamed = {
  "address": string;
  "attempt": number;
  "kind": "text_streamed";
  "text": string;
};

/** A table whose cells are texts. */
export type TextTable = {
  "caption": string;
  "heads": Array<string>;
  "rows": Array<Array<string>>;
};

/** A note beside the record. */
export type Thought = {
  "about": Array<string>;
  "after": string;
  "by": string;
  "id": string;
  "kind": string;
  "words": string;
};

export type TooClose = {
  "interval": [number, number] | null;
  "kind": "too_close";
  "margin": number;
  "reasons": Array<string>;
};

export type Took = {
  "calls": number;
  "spent": number;
  "tokens": number;
};

/** How well a side or seat argued, out of ten: the mean over what it put forward. */
export type Total = {
  "interval": [number, number] | null;
  "score": number | null;
  "scored": number;
  "side": string;
  "unscored": number;
};

export type Trace = {
  "heads": Array<string>;
  "key": string;
  "moved_heads": Array<string>;
  "rows": Array<TraceRow>;
};

/** The result of one argument. */
export type TraceRow = {
  "cells": Array<string>;
  "certainty": number | null;
  "claim": string;
  "id": string;
  "interval": [number, number] | null;
  "moved": Array<string>;
  "quote": string;
  "score": number | null;
  "seat": string;
  "side": string;
  "standing": "upheld" | "partially_upheld" | "refuted" | "withdrawn" | "uncertain";
  "strength": number | null;
  "turn": string;
};

/** A sentence of a synthesis, where it comes from, and whether it is fair to that. */
export type TracedSentence = {
  "fair": boolean;
  "number": number;
  "source": string | null;
};

export type Transcript = {
  "created_at": string;
  "debate_id": string;
  "debate_metadata": DebateMetadata;
  "integrity": Integrity | null;
  "intervention_log": Array<Intervention> | null;
  "mode": "posthoc" | "in_loop";
  "participant_state_log": Array<ParticipantState> | null;
  "participants": Array<Participant>;
  "raud_it": Record<string, JsonValue> | null;
  "rounds": Array<Round>;
  "run_id": string;
  "run_metadata": RunMetadata;
  "schema_version": string;
};

/** A trap of causal reasoning, by its code, and whether the speaker names and answers it. */
export type Trap = {
  "code": string;
  "dealt_with": boolean;
  "quote": string;
};

/** How sure a verdict is, in the word of its briefing, and the main reason for it. */
export type TrustLine = {
  "reason": string;
  "word": "Not measured" | "Not reliable" | "Low" | "Medium" | "High";
};

export type Turn = {
  "addresses": Array<Address> | null;
  "attempts": Array<Attempt>;
  "final_attempt_index": number | null;
  "metadata": TurnMetadata | null;
  "retry_count": number | null;
  "round_index": number;
  "speaker_id": string;
  "turn_id": string;
  "turn_index_in_round": number;
  "turn_outcome": "success" | "timeout" | "dropped" | "error" | null;
  "turn_type": "argument" | "rebuttal" | "synthesis" | "meta" | null;
};

/** All that judges answered about one turn; a judge who abstained is absent. */
export type TurnAnswers = {
  "crit": Array<CritAnswer>;
  "rca": Array<RcaAnswer>;
  "speaks_to_reader": Array<string>;
  "t3": Array<T3Answer>;
};

/** A seat was asked; its words or its thoughts will follow. */
export type TurnBegun = {
  "address": string;
  "attempt": number;
  "brief": string;
  "kind": "turn_begun";
  "on_record": boolean;
  "seat": string;
  "seconds": number | null;
  "seq": number;
  "words": number | null;
};

/** A turn in the table of seats and rounds. */
export type TurnCell = {
  "asserted": number | null;
  "bars": Array<PillarBar>;
  "kind": string;
  "ladder": string;
  "ladder_tone": "good" | "care" | "none";
  "passed": string;
  "rho": number | null;
  "rho_shown": string;
  "says": string;
  "shown": number | null;
  "tone": "good" | "care" | "none";
  "turn": string;
  "verdict": string;
};

/** Our own figures about a turn, with all that they rest on. */
export type TurnDetails = {
  "answers": TurnAnswers;
  "bundle": Bundle;
  "deed": "none" | "part" | "full" | null;
  "failures": Array<CritFailure>;
  "failures_by_judges": Record<string, number>;
  "phases": Array<"opening" | "critique" | "revision" | "synthesis">;
  "pillars": Record<string, number>;
  "reasoned": boolean | null;
  "rungs": Array<MajorityRung>;
  "spread": number | null;
};

export type TurnEntered = {
  "address": string | null;
  "kind": "turn_entered";
  "seq": number;
  "turn": Turn;
  "words": number | null;
};

export type TurnEvaluation = {
  "crit_summary": CritSummary;
  "rca_summary": TurnVerdict;
  "round_index": number;
  "speaker_id": string;
  "t3_summary": T3Summary;
  "turn_id": string;
  "x_hustings": TurnDetails;
};

export type TurnMetadata = {
  "context_turn_ids": Array<string> | null;
  "kind": string | null;
  "llm_calls": Array<JsonValue> | null;
  "max_tokens": number | null;
  "model_name": string | null;
  "readers": Array<string> | null;
  "seed": number | null;
  "temperature": number | null;
  "top_p": number | null;
};

/** A turn, opened: what was quoted of it, and what each judge answered. */
export type TurnReading = {
  "answers": Array<JudgeAnswer>;
  "cell": TurnCell;
  "claims": TextTable;
  "facts": Array<LabelledText>;
  "places": Array<QuotePlace>;
  "quotes": Array<MarkedQuote>;
  "round": number;
  "seat": string;
  "turn": string;
};

export type TurnVerdict = {
  "verdict": "CONSISTENT" | "INCONSISTENT_SYCOPHANTIC" | "INCONSISTENT_STUBBORN" | "INCONSISTENT_OTHER" | null;
};

export type View = {
  "background": DocumentView | null;
  "bill": TextTable;
  "blind": boolean;
  "board": ScoreBoard | null;
  "checks": Checks | null;
  "claims": Array<ClaimView>;
  "cost": string;
  "created_at": string;
  "digest": Digest;
  "documents": Array<ListedDocument>;
  "ending": Played | BudgetStopped | Cancelled | Failed;
  "expenses": Array<Expense>;
  "first": FirstScreen;
  "hint_key": string;
  "hints": Array<Hint>;
  "judgement": Judgement | null;
  "language": string;
  "made": string;
  "marks": Array<MarkGrid>;
  "model_summary": ModelSummary | null;
  "part": "" | "verdict" | "opening";
  "protocol": string;
  "quotes": Array<QuoteView>;
  "replies": Array<ReplyView>;
  "result": JsonValue;
  "result_sections": Array<ResultSection>;
  "rounds": Array<RoundHead>;
  "run_id": string;
  "seats": Array<Chair>;
  "sections": {
  "evaluation"?: EvaluationView;
};
  "speeches": Array<SpeechView>;
  "summary": string;
  "thoughts": Array<Thought>;
  "told": Array<string>;
  "topic": string;
  "totals": Array<LabelledText>;
  "trace": Trace;
  "turns": number;
  "votes": TextTable | null;
};

/** One person's vote on a debate. */
export type Vote = {
  "remark"?: string;
  "standings"?: Record<string, "upheld" | "partially_upheld" | "refuted" | "withdrawn" | "uncertain">;
  "sure"?: number;
  "winner": string | null;
};

/** Where the seats ended; a majority is of all seats. */
export type Votes = {
  "chosen": Record<string, string>;
  "conditions": Record<string, string>;
  "options": Record<string, number>;
  "seats": number;
  "silent": Array<string>;
  "void": Array<string>;
};
