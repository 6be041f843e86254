"""Sentences and table cells of a judgement, shared by all reports and not yet escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from hustings.judging.dossier import Dossier, Expense
from hustings.judging.judgement import (
    ArgumentResult,
    Board,
    Control,
    Flag,
    Individual,
    Judge,
    Judgement,
    Penalised,
    Team,
    Total,
    Votes,
)
from hustings.text.figures import decimal, listed, of_ten, percent, signed, span
from hustings.text.words import shortened
from hustings.transcript.models import Intervention, ParticipantState
from hustings.transcript.notes import BudgetStopped, Cancelled, Deadlocked, Decided, Ending, Failed, NoQuorum, TooClose


def team_cells(team: Team) -> Sequence[str]:
    points = [decimal(team.total), decimal(team.speeches), signed(team.penalties, 0), mean(team.per_speech)]
    return [team.team, *points]


def stage_lines(board: Board) -> list[str]:
    """What the judge at the table summed up, stage by stage."""
    return [
        f"{stage.label}, {what}: {'; '.join(named)}"
        for stage in board.stages
        for what, named in (("clashes", stage.clashes), ("left unanswered", stage.dropped))
        if named
    ]


def stage_cells(board: Board) -> Iterator[Sequence[str]]:
    for stage in board.stages:
        yield [stage.label, *(decimal(stage.teams[t.team]) if t.team in stage.teams else "" for t in board.teams)]


def vote_line(votes: Votes) -> str:
    told = [
        f"{votes.seats // 2 + 1} of {votes.seats} seats make a majority",
        *([f"void: {listed(votes.void)}"] if votes.void else []),
        *([f"silent: {listed(votes.silent)}"] if votes.silent else []),
    ]
    return f"{'; '.join(told)}."


def hint_key(judgement: Judgement) -> str:
    unmoved = "" if judgement.board else " They moved no score and no standing."
    return f"Flagged: judges of two model families or more saw it. Suspected: one did.{unmoved}"


def advice(judgement: Judgement) -> tuple[str, str]:
    """Label and text of the recommendation."""
    given = judgement.briefing.recommendation
    text = unlabelled(given, "No recommendation:")
    return ("Recommendation" if text == given else "No recommendation"), text


def warning(judgement: Judgement) -> tuple[str, str]:
    """Label and text of what weakens the verdict; no text if nothing does."""
    degraded = judgement.degraded
    reasons = f" ({len(degraded)} reasons)" if len(degraded) > 1 else ""
    return f"Read with care{reasons}", "; ".join(degraded)


def facts(judgement: Judgement, cost: str) -> dict[str, str]:
    """Facts to decide by, label to sentence; some are empty."""
    briefing, board = judgement.briefing, judgement.board
    return {
        "Outcome": outcome(judgement),
        "Points": team_points(board) if board else "",
        "How well argued": "" if board else "; ".join(map(total, judgement.totals)),
        "Key insight": briefing.insight,
        "Confidence": briefing.confidence,
        "Without debate": unlabelled(briefing.without_debate, "Without debate:"),
        "Cost": cost,
        "Bear in mind": briefing.caveat,
    }


def unjudged_facts(dossier: Dossier) -> dict[str, str]:
    """Facts about a debate that was not judged."""
    return {"Ending": ending(dossier.proceedings.ending), "Cost": dossier.cost}


def ending(ending: Ending) -> str:
    kind = spaced(ending.kind)
    return f"{kind}: {ending.reason}" if ending.kind == "failed" else kind


def ended(ending: Ending) -> str:
    """How it ended, in a sentence."""
    match ending:
        case Failed():
            return f"It failed: {ending.reason or ending.code}".rstrip(": .") + "."
        case Cancelled():
            return f"It was stopped by {ending.by} before its end."
        case BudgetStopped():
            return f"Its budget of {decimal(ending.cap, 2)} {ending.unit} ended it."
        case _:
            return "It was played to its end, and nobody has judged it."


def absence(state: ParticipantState) -> str:
    where = f", round {state.round_index}" if state.round_index is not None else ""
    return f"{state.agent_id}: {state.event_type}{where}: {state.reason or 'no reason given'}"


def intervention(told: Intervention) -> str:
    whom = f" to {told.speaker_id}" if told.speaker_id else ""
    return f"Intervention{whom} ({told.trigger}): {told.instruction_sent}"


def outcome(judgement: Judgement) -> str:
    """The outcome and its reason; figures that the reason gives are not repeated."""
    outcome, why = judgement.outcome, judgement.reason
    match outcome:
        case Decided():
            part = " in part" if outcome.extent == "partial" else ""
            found = f"decided{part}{':' if judgement.issues else ' for'} {outcome.what}{_margin(outcome, judgement)}"
        case TooClose():
            reasons = [unlabelled(why, "Too close:"), *(reason for reason in outcome.reasons if reason not in why)]
            told = "; ".join(reason.rstrip(".") for reason in reasons if reason)
            return f"too close to call{_margin(outcome, judgement)}{f': {told}' if told else ''}."
        case NoQuorum():
            found, why = "no quorum", why or f"{outcome.had} of the {outcome.needed} needed"
        case Deadlocked():
            found, why = "deadlocked", why or listed(outcome.issues)
        case BudgetStopped():
            spent, cap = decimal(outcome.spent, 2), decimal(outcome.cap, 2)
            found, why = "stopped by its budget", why or f"{spent} of {cap} {outcome.unit}"
        case Cancelled():
            found, why = "cancelled", why or f"By {outcome.by}"
        case Failed():
            found, why = "failed", why or f"{outcome.code}: {outcome.reason}"
    return f"{found}. {why.rstrip('.')}." if why else f"{found}."


def _margin(outcome: Decided | TooClose, judgement: Judgement) -> str:
    if outcome.margin is None or not (judgement.votes or judgement.gap):
        return ""
    if judgement.votes:
        return f", margin {decimal(outcome.margin, 0)} of {judgement.votes.seats} votes"
    figures = [decimal(figure) for figure in (outcome.margin, *(outcome.interval or ()))]
    if all(figure in judgement.reason for figure in figures):
        return ""
    within = f" (95 % interval {span(outcome.interval)})" if outcome.interval else ""
    return f", margin {figures[0]} points of 10{within}"


def team_points(board: Board) -> str:
    teams = ", ".join(f"{team.team} {decimal(team.total)}" for team in board.teams)
    return f"{teams}; best debater: {listed(board.best)}" if board.best else teams


def total(total: Total) -> str:
    within = f" ({span(total.interval)})" if total.interval else ""
    missing = f", {total.unscored} unscored" if total.unscored and total.scored else ""
    return f"{total.side} {of_ten(total.score)}{within}{missing}"


def unlabelled(text: str, label: str) -> str:
    return text[len(label) :].lstrip() if text.casefold().startswith(label.casefold()) else text


def argument_cells(argument: ArgumentResult) -> Sequence[str]:
    return [
        argument.id,
        argument.seat,
        shortened(argument.claim, WORDS_IN_TABLE),
        argument.examined,
        spaced(argument.standing),
        "not scored" if argument.strength is None else decimal(argument.strength, 2),
        "unknown" if argument.certainty is None else share(argument.certainty),
        unlabelled(argument.reason, f"{spaced(argument.standing)}:"),
    ]


def share(share: float) -> str:
    """Share of resampled panels, below 100 %: resampling the marks of one panel makes nothing certain."""
    return percent(min(share, 0.999))


def hint(flag: Flag) -> str:
    seen = f"{flag.word}: {spaced(flag.kind)} in {flag.about} ({flag.seat})"
    return f"{seen}: “{flag.quote}” — seen by {listed(flag.families)}"


def debater_cells(who: Individual) -> Sequence[str]:
    unscored = sum(score is None for score in who.speeches.values())
    speeches = f"{len(who.speeches)}, {unscored} unscored" if unscored else str(len(who.speeches))
    return [who.seat, who.team, decimal(who.total), speeches, signed(who.penalties, 0), mean(who.per_speech)]


def penalty_cells(penalty: Penalised) -> Sequence[str]:
    found = f"judges of {listed(penalty.families)}" if penalty.found_by == "panel" else "rules"
    points = [signed(penalty.individual, 0), signed(penalty.on_team, 0)]
    return [spaced(penalty.rule), penalty.seat, penalty.team, penalty.turn_id, *points, found]


def mean(score: float | None) -> str:
    return "not scored" if score is None else decimal(score)


def moved_cells(argument: ArgumentResult) -> Sequence[str]:
    within = f", {span(argument.interval, 2)}" if argument.interval else ""
    flip = argument.flip and (
        f"{spaced(argument.flip.standing)}, if the {argument.flip.what} were "
        f"{decimal(argument.flip.then)} instead of {decimal(argument.flip.now)}"
    )
    return [
        argument.id,
        "not scored" if argument.strength is None else f"{decimal(argument.strength, 2)}{within}",
        "" if argument.second_opinion is None else decimal(argument.second_opinion, 2),
        ", ".join(f"{spaced(standing)} {share(part)}" for standing, part in argument.shares.items() if part),
        "; ".join(f"{DEEDS.get(c.kind, c.kind)} by {c.by} {signed(c.share, 2)}" for c in argument.contributions),
        flip or ("not known" if argument.standing == "uncertain" else "no one score would change it"),
    ]


def control_lines(control: Control) -> Iterator[str]:
    if not control.comparable:
        yield f"not comparable: {control.why_not}"
    answers = {
        "the strongest voice alone": control.single,
        "majority of the blind answers": control.majority,
        f"most frequent of {control.samples} samples": control.consistent,
        "the debate": control.debate,
    }
    yield from (f"{who}: {answer}" for who, answer in answers.items() if answer)
    for change in control.changed:
        why = f", moved by {change.cited}" if change.cited else ", naming no argument"
        yield f"{change.voice} went from {change.before} to {change.after}{why}"
    if control.debate_tokens or control.control_tokens:
        yield f"tokens: {control.debate_tokens:,} for the debate, {control.control_tokens:,} without it"


def reliability_lines(judgement: Judgement) -> Iterator[str]:
    r = judgement.reliability
    yield f"overall: {r.word} (judges: {r.judges}, readings: {r.observations}, things scored: {r.items})"
    within = f" ({span(r.alpha_interval, 2)})" if r.alpha_interval else ""
    figures: Mapping[str, tuple[float | None, str]] = {
        "agreement, Krippendorff's α": (r.alpha, f"{within}; from 0.80 good, from 0.67 tentative"),
        "agreement of one judge, ICC(A,1)": (r.icc_single, ""),
        "agreement of the panel, ICC(A,k)": (r.icc_panel, ""),
        "agreement on ranks, Kendall's W": (r.kendall_w, ""),
        "mean difference between two judges": (r.mean_difference, " points"),
        "worth of being shown first": (r.position_bias, " points"),
        "worth of twice the words": (r.length_slope, " points; seen, not shown to be a cause"),
    }
    yield from (f"{what}: {decimal(value, 2)}{unit}" for what, (value, unit) in figures.items() if value is not None)
    if r.order_flip_rate is not None:
        yield f"judges who favoured another side when the order was turned round: {percent(r.order_flip_rate)}"
    yield from r.remarks


def judge_cells(judge: Judge) -> Sequence[str]:
    kin = ", a debater's too" if judge.kin else ""
    return [judge.seat, judge.model, f"{judge.family}{kin}", f"{judge.accepted} of {judge.asked}"]


def bill_cells(expense: Expense) -> Sequence[str]:
    tokens = f"{expense.tokens:,}" + (f" and {expense.tokens_held:,} uncounted" if expense.tokens_held else "")
    return [expense.what, expense.run_id, str(expense.calls), tokens, f"{expense.spent:.4f}"]


def origin_lines(judgement: Judgement) -> Iterator[str]:
    yield f"run {judgement.judged}, protocol {judgement.protocol}; digest of its transcript: {judgement.digest}"
    yield (
        f"policy {judgement.policy}; rubrics {listed(judgement.rubrics) or 'none'}; "
        f"{judgement.orders} orders of presentation; seed {judgement.seed}"
    )
    if judgement.dropped:
        yield f"left out for want of a verbatim quote: {judgement.dropped}"
    yield "the stored marks, under this policy and seed, give these figures again; no model is asked"


def spaced(name: str) -> str:
    return JOINT.sub(" ", name)


TRACE_HEADS = ("id", "by", "claim", "cross-examination", "standing", "strength", "certainty", "reason")
TRACE_KEY = (
    "Strength, from 0 to 1: what the answers to it leave of an argument. "
    "Certainty: how often panels resampled from the judges give it the same standing."
)
MARKS_CAPTION = "The panel's mean marks, from 1 to 10: the stronger the colour, the better argued"
NOT_JUDGED = "Not judged"
UNJUDGED = "Nobody has weighed what follows. It is what was said, and no verdict."
NOT_WEIGHED = "Nobody has judged this debate: arguments have no standing yet."
NOTHING_NUMBERED = (
    "This debate was held in plain words: nothing in it is numbered as an argument. Judging draws the arguments from "
    "the words; this table and the map are made of them."
)
NOTHING_FOUND = "Judging found no argument in it."
MOVED_HEADS = ("id", "strength", "second opinion", "resampled panels", "moved by", "would become")
TEAM_HEADS = ("team", "points", "from speeches", "penalties", "mean per speech")
DEBATER_HEADS = ("debater", "team", "points", "speeches", "penalties", "mean per speech")
PENALTY_HEADS = ("rule", "by", "team", "turn", "debater's points", "team's points", "found by")
BILL_HEADS = ("for", "run", "calls", "tokens", "USD")
BLIND = "Nothing is told before you have voted."
LOST = "No usable answer."
JUDGE_HEADS = ("judge", "model", "family", "sheets accepted")
JOINT = re.compile("(?<=[a-z])_(?=[a-z])")
WORDS_IN_TABLE = 14
DEEDS = {"refute": "refutation", "partial": "partial objection", "concede": "concession"}
"""Nouns for the kinds of response that are not nouns themselves."""
