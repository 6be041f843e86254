"""Figures of a whole evaluation in words: summary, metrics with what they do not mean, badges, and how to repeat it."""

from __future__ import annotations

from collections.abc import Iterator

from hustings.lab import judge_panel
from hustings.lab.artefact import Evaluation, StopReading
from hustings.report.wording import many, upper
from hustings.text.figures import decimal, listed
from hustings.text.tables import LabelledText, TextTable, text_table

from .evaluation_view import NOT_KNOWN, EvaluationBadge, EvaluationMetric
from .turn_readings import figure


def badges_of(evaluation: Evaluation) -> tuple[EvaluationBadge, ...]:
    """In the order of the file: the one about the panel stands first."""
    return tuple(EvaluationBadge(text=upper(text), why=WHYS.get(text, "")) for text in evaluation.x_hustings.badges)


def panel_line(evaluation: Evaluation) -> str:
    own = evaluation.x_hustings
    families = {judge.family for judge in own.judges}
    agreement = own.agreement
    alpha = NOT_KNOWN if agreement.alpha is None else f"{decimal(agreement.alpha, 2)}, {agreement.word}"
    missing = f", {many(own.abstentions, 'abstention')}" if own.abstentions else ""
    who = f"{many(len(own.judges), 'judge')}, {len(families)} {'family' if len(families) == 1 else 'families'}"
    return f"{who} · agreement α {alpha} · {many(own.calls, 'call')}{missing}"


# -- summary -----------------------------------------------------------------------------


def facts_of(evaluation: Evaluation) -> Iterator[LabelledText]:
    yield LabelledText(label="Reasoning, mean ρ", text=_reasoning(evaluation))
    yield LabelledText(label="Words and deeds", text=_consistency(evaluation))
    yield LabelledText(label="Causal claims", text=_causes(evaluation))
    yield LabelledText(label="Positions", text=_positions(evaluation))


def _reasoning(evaluation: Evaluation) -> str:
    crit, own = evaluation.run_summary.crit_summary, evaluation.x_hustings.crit
    if crit.gamma_mean is None:
        return f"{NOT_KNOWN}: {own.scored} of {many(own.turns, 'turn')} could be scored"
    spread = f", spread {decimal(own.spread, 2)}" if own.spread is not None else ""
    word = {True: " It passes.", False: " It does not pass.", None: ""}[crit.threshold_pass]
    return f"{figure(crit.gamma_mean)} (target 0.80{spread}). Certainty fits grounds: {figure(crit.theta_mean)}.{word}"


def _consistency(evaluation: Evaluation) -> str:
    own, word = evaluation.x_hustings.rca, evaluation.run_summary.rca_summary.verdict
    if not own.judged:
        return f"{NOT_KNOWN}: no turn could be judged"
    kinds = {"give in": own.sycophantic, "stubborn": own.stubborn, "not following": own.other}
    rest = [f"{count} {kind}" for kind, count in kinds.items() if count]
    told = f"They fit in {own.consistent} of {own.judged} judged turns"
    return f"{told}{'; ' + listed(rest) if rest else ''}." + (f" Verdict: {word}." if word else "")


def _causes(evaluation: Evaluation) -> str:
    found, own = evaluation.run_summary.t3_summary, evaluation.x_hustings.t3
    if found.required_rung is None:
        return f"{NOT_KNOWN}: no causal claim was read" if not own.refusals else "Every causal claim was declined."
    trap = f", trap {found.trap_detected} open" if found.trap_detected else ""
    where = f" ({own.claim}{f' in {own.turn_id}' if own.turn_id else ''})" if own.claim else ""
    word = {True: "Pass: ", False: "Fail: ", None: ""}[found.passes]
    short = f" Beyond their grounds: {own.collapses} of {many(own.claims, 'causal claim')}." if own.claims else ""
    reached = found.detected_rung or "no rung"
    return f"{word}claims {found.required_rung}, shows {reached}{trap}{where}.{short}"


def _positions(evaluation: Evaluation) -> str:
    looks = evaluation.x_hustings.looks
    known = [look.js for look in looks if look.js is not None]
    if not known:
        return f"{NOT_KNOWN}: sides were given, or the question has no options"
    hollow = any(look.alarm for look in looks)
    shown = known if len(known) <= MOST_STEPS else [known[0], known[-1]]
    went = " → ".join(figure(value) for value in shown)
    return f"Divergence {went} bits." + (" Agreement without common ground: hollow." if hollow else "")


def movement_of(evaluation: Evaluation) -> Iterator[str]:
    """How positions moved, in sentences."""
    own, audit = evaluation.x_hustings, evaluation.run_summary.raudit_summary
    if own.stop:
        yield _stop(own.stop)
    yield f"Instability index: {figure(own.instability_index)}. Drift score: {figure(audit.behavioral_drift_score)}."
    if own.form_agreement.turns:
        fits = own.form_agreement
        yield f"The reader finds speakers where their own forms do in {fits.same} of {many(fits.turns, 'turn')}."
    loop = own.loop
    if loop.recovery_rate is not None or loop.paranoia_rate is not None:
        yield f"After instructions: recovered {figure(loop.recovery_rate)}, unsettled {figure(loop.paranoia_rate)}."


def speakers_of(evaluation: Evaluation) -> TextTable:
    rows = [
        [
            seat,
            _count(one.changes),
            NOT_KNOWN if one.changes is None else str(one.reasoned_changes),
            _count(one.concessions),
            _count(one.influence),
            str(one.challenges),
            str(one.unanswered),
        ]
        for seat, one in evaluation.x_hustings.seats.items()
    ]
    return text_table("What each speaker did", SPEAKER_HEADS, rows)


def syntheses_of(evaluation: Evaluation) -> TextTable:
    rows = [
        [one.id, figure(one.quality), figure(one.coverage), figure(one.fidelity), figure(one.balance)]
        for one in evaluation.x_hustings.syntheses
    ]
    heads = ("Synthesis", "Quality", "Coverage", "Fidelity", "Balance")
    return text_table("How well a synthesis states what mattered", heads, rows)


def _count(value: int | None) -> str:
    return NOT_KNOWN if value is None else str(value)


def _stop(stop: StopReading) -> str:
    kind = f" ({stop.agreement})" if stop.agreement else ""
    why = {"agreed": "speakers agreed", "exhausted": "nothing new was said", "cap": "the cap was reached"}[stop.why]
    return f"By the stop rule it could have ended after round {stop.after_round}: {why}{kind}."


# -- metrics -----------------------------------------------------------------------------


def metrics_of(evaluation: Evaluation) -> Iterator[EvaluationMetric]:
    found = evaluation.x_hustings.metrics
    audit, pid = evaluation.run_summary.raudit_summary, evaluation.run_summary.pid_summary
    decided = f" for {found.decision}" if found.decision and found.decision_confidence is not None else ""
    values: dict[str, str] = {
        "Argument diversity": figure(found.argument_diversity),
        "Reasoning depth": figure(found.reasoning_depth),
        "Synthesis quality": figure(found.synthesis_quality),
        "Balance": figure(found.balance),
        "Decision confidence": figure(found.decision_confidence) + decided,
        "Cost efficiency": figure(found.cost_efficiency, 3),
        "Redundancy": figure(found.redundancy),
        "Dominance": figure(found.dominance),
        "One position a turn": figure(found.one_position),
        "Instability of positions": figure(audit.instability_index),
        "Instability of quality": figure(pid.instability_index),
        "Drift": figure(audit.behavioral_drift_score),
    }
    for name, shown in values.items():
        span, means, not_means = MEANINGS[name]
        yield EvaluationMetric(name=name, shown=shown, range=span, means=means, not_means=not_means)


# -- how to repeat -----------------------------------------------------------------------


def judges_of(evaluation: Evaluation) -> TextTable:
    rows = [
        [judge.seat, judge.model, judge.family, f"{judge.accepted} of {judge.asked}", "yes" if judge.kin else "no"]
        for judge in evaluation.x_hustings.judges
    ]
    return text_table("Judges", ("Judge", "Model", "Family", "Usable answers", "Of a debater's family"), rows)


def repeat_of(evaluation: Evaluation) -> Iterator[str]:
    own, versions = evaluation.x_hustings, evaluation.eval_metadata
    yield f"hustings evaluate {evaluation.run_id} --recompute makes this file again. No model is asked."
    yield "hustings validate FILE checks the file and its digest."
    begun = f"begun {evaluation.evaluated_at}, {evaluation.evaluation_mode}"
    yield f"Evaluation {own.evaluation_run_id or NOT_KNOWN}, {begun}."
    yield (
        f"Schema {evaluation.schema_version}, evaluator {versions.evaluator_version}, CRIT {versions.crit_version}, "
        f"RCA {versions.rca_version}, T³ {versions.t3_version}."
    )
    if own.prompt_versions:
        yield "Prompts: " + ", ".join(f"{name} {version}" for name, version in own.prompt_versions.items()) + "."
    yield f"Digest of the transcript: {own.transcript_digest}."
    if own.integrity:
        yield f"Digest of this evaluation: {own.integrity.digest}."


MOST_STEPS = 4
"""Rounds whose divergence is told one by one; of more, the first and the last."""
SPEAKER_HEADS = (
    "Speaker",
    "Changes of position",
    "With a quoted reason",
    "Concessions",
    "Moved others",
    "Challenged",
    "Left unanswered",
)
CANNOT = "These figures say how reasoning is built, not whether it is right. They have not been checked against people."
KEY = (
    "Bars: L logic, E evidence, A alternatives, C causes, each from 0 to 1; a broken frame could not be read. Ladder: "
    "the rung a turn claims, then the rung its grounds show. L1: things go together. L2: doing changes something. "
    "L3: what would have been."
)
WHYS = {
    judge_panel.OWN_FAMILY: "No judge is of a family that the speakers are not of. Nothing here passes or fails.",
    judge_panel.ONE_FAMILY: "Judges of one model family share its faults. Nothing here passes or fails.",
    judge_panel.NO_AGREEMENT: "The judges agree too little. Nothing here passes or fails.",
    judge_panel.ONE_JUDGE: "No second judge could agree or disagree.",
    judge_panel.UNKNOWN_DEBATERS: "The record does not name its models. Their judges may be of the same family.",
}
MEANINGS: dict[str, tuple[str, str, str]] = {
    "Argument diversity": ("0 to 1", "effective number of distinct points, of 15", "that the points are good"),
    "Reasoning depth": (
        "0 to 1",
        "share of reason, ground, own limit and answers that a claim has",
        "length, or truth",
    ),
    "Synthesis quality": ("0 to 1", "states what mattered, and fairly", "that the synthesis is wise"),
    "Balance": ("0 to 1", "least covered side against the best covered", "that both sides are equally right"),
    "Decision confidence": ("1/k to 1", "mean belief in the favoured option", "the chance of being right"),
    "Cost efficiency": ("0 and up", "challenged distinct points for 1,000 tokens", "value"),
    "Redundancy": ("0 to 1", "claims whose point another speaker had made", "that agreement is bad"),
    "Dominance": ("0 to 1", "how unequally speakers moved each other (Gini)", "that one speaker was right"),
    "One position a turn": ("0 to 1", "scored turns whose end keeps to their beginning", "that the position is right"),
    "Instability of positions": ("0 to 1", "returns to a position left before", "that a change was wrong"),
    "Instability of quality": ("0 to 1", "how far quality went to and fro", "that quality was low"),
    "Drift": ("0 to 1", "movement without a quoted reason", "that the last position is wrong"),
}
"""Range, what it means, and what it does not mean."""
