"""A judgement as Markdown, in three depths: one screen to decide by, the fate of each argument, and all the rest.

What weakens the verdict stands first at every depth. Words of seats stay words, as in the transcript.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from hustings.core.figures import decimal, listed, of_ten, percent, signed, span
from hustings.core.judgement import Board, Control, Fate, Flag, Individual, Judge, Judgement, Penalised, Total, Votes
from hustings.core.outcome import BudgetStopped, Cancelled, Deadlocked, Decided, Failed, NoQuorum, TooClose
from hustings.core.words import shortened

from .markdown import plain, table

Depth = Literal[1, 2, 3]


def render(judgement: Judgement, *, depth: Depth = 3, cost: str = "") -> str:
    parts = [*_screen(judgement, cost, roomy=depth > 1)]
    if depth > 1:
        parts += _arguments(judgement)
    if depth > 2:
        parts += _checks(judgement)
    return "\n\n".join(parts) + "\n"


# -- depth 1: what to decide by ----------------------------------------------------------


def _screen(judgement: Judgement, cost: str, *, roomy: bool) -> Iterator[str]:
    def line(label: str, text: str, lines: int) -> str:
        return label + plain(text if roomy else _within(text, lines * COLUMNS - len(label)))

    briefing, degraded = judgement.briefing, judgement.degraded
    yield line("# ", judgement.topic or judgement.judged, 1)
    if degraded:
        reasons = f" ({len(degraded)} reasons)" if len(degraded) > 1 else ""
        yield line(f"**Read with care{reasons}:** ", "; ".join(degraded), 2)
    advice = _unlabelled(briefing.recommendation, "No recommendation:")
    yield line(f"**{'Recommendation' if advice == briefing.recommendation else 'No recommendation'}:** ", advice, 3)
    facts = {
        "Outcome": (_outcome(judgement), 3),
        "Points": (_points(judgement.board) if judgement.board else "", 2),
        "How well argued": ("" if judgement.board else "; ".join(map(_total, judgement.totals)), 2),
        "Key insight": (briefing.insight, 4),
        "Confidence": (briefing.confidence, 2),
        "Without debate": (_unlabelled(briefing.without_debate, "Without debate:"), 2),
        "Cost": (cost, 1),
        "Bear in mind": (briefing.caveat, 2),
    }
    yield "\n".join(line(f"- **{label}:** ", text, lines) for label, (text, lines) in facts.items() if text)


def _within(text: str, room: int) -> str:
    """So much of the text as stays within so many columns once it is escaped, and an ellipsis if that is not all."""
    if _columns(plain(text)) <= room:
        return text
    kept = text[:room]
    while _columns(plain(kept)) >= room:
        kept = kept[:-1]
    whole = kept.rpartition(" ")[0].rstrip()
    return (whole if 2 * len(whole) > len(kept) else kept) + "…"


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def _outcome(judgement: Judgement) -> str:
    """What it is, and why; figures that the reason gives are not given twice."""
    outcome, why = judgement.outcome, judgement.reason
    match outcome:
        case Decided():
            part = " in part" if outcome.extent == "partial" else ""
            found = f"decided{part}{':' if judgement.issues else ' for'} {outcome.what}{_margin(outcome, judgement)}"
        case TooClose():
            reasons = [_unlabelled(why, "Too close:"), *(reason for reason in outcome.reasons if reason not in why)]
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


def _points(board: Board) -> str:
    teams = ", ".join(f"{team.team} {decimal(team.total)}" for team in board.teams)
    return f"{teams}; best debater: {listed(board.best)}" if board.best else teams


def _total(total: Total) -> str:
    within = f" ({span(total.interval)})" if total.interval else ""
    missing = f", {total.unscored} unscored" if total.unscored and total.scored else ""
    return f"{total.side} {of_ten(total.score)}{within}{missing}"


def _unlabelled(text: str, label: str) -> str:
    return text[len(label) :].lstrip() if text.casefold().startswith(label.casefold()) else text


# -- depth 2: what became of each argument -----------------------------------------------


def _arguments(judgement: Judgement) -> Iterator[str]:
    yield from _list("What survived", judgement.briefing.survived)
    yield from _list("What was refuted", judgement.briefing.refuted)
    if judgement.trace:
        yield "## Each argument"
        yield table(
            ["id", "by", "claim", "cross-examination", "standing", "strength", "certainty", "reason"],
            map(_fate, judgement.trace),
        )
        yield (
            "Strength, from 0 to 1: what the answers to it leave of an argument. "
            "Certainty: how often panels resampled from the judges give it the same standing."
        )
    if judgement.flags:
        unmoved = "" if judgement.board else " They moved no score and no standing."
        yield "## Hints"
        yield f"Flagged: judges of two model families or more saw it. Suspected: one did.{unmoved}"
        yield _items(map(_flag, judgement.flags))
    if judgement.board:
        yield from _board(judgement.board)
    if judgement.votes:
        yield from _votes(judgement.votes)
    if judgement.issues:
        yield "## Issues"
        yield table(["issue", "state"], judgement.issues.items())


def _fate(fate: Fate) -> Sequence[str]:
    return [
        fate.id,
        fate.seat,
        shortened(fate.claim, WORDS_IN_TABLE),
        fate.examined,
        _words(fate.standing),
        "not scored" if fate.strength is None else decimal(fate.strength, 2),
        "unknown" if fate.certainty is None else _share(fate.certainty),
        _unlabelled(fate.reason, f"{_words(fate.standing)}:"),
    ]


def _share(share: float) -> str:
    """Of resampled panels: however many are drawn from the marks of one, they make nothing certain."""
    return percent(min(share, 0.999))


def _flag(flag: Flag) -> str:
    seen = f"{flag.word}: {_words(flag.kind)} in {flag.about} ({flag.seat})"
    return f"{seen}: “{flag.quote}” — seen by {listed(flag.families)}"


def _board(board: Board) -> Iterator[str]:
    yield "## Score board"
    rows = [
        [team.team, decimal(team.total), decimal(team.speeches), signed(team.penalties, 0), _mean(team.per_speech)]
        for team in board.teams
    ]
    yield table(["team", "points", "from speeches", "penalties", "mean per speech"], rows)
    heads = ["debater", "team", "points", "speeches", "penalties", "mean per speech"]
    yield table(heads, map(_debater, board.individuals))
    if board.best:
        yield f"Best debater: {plain(listed(board.best))}."
    if board.penalties:
        heads = ["rule", "by", "team", "turn", "debater's points", "team's points", "found by"]
        yield "### Penalties"
        yield table(heads, map(_penalty, board.penalties))
    if board.stages:
        yield "### Stages"
        yield from _stages(board)


def _stages(board: Board) -> Iterator[str]:
    teams = [team.team for team in board.teams]
    points = ([s.label, *(decimal(s.teams[t]) if t in s.teams else "" for t in teams)] for s in board.stages)
    yield table(["stage", *map(plain, teams)], points)
    told = [
        f"{stage.label}, {what}: {'; '.join(named)}"
        for stage in board.stages
        for what, named in (("clashes", stage.clashes), ("left unanswered", stage.dropped))
        if named
    ]
    if told:
        yield _items(told)


def _debater(who: Individual) -> Sequence[str]:
    unscored = sum(score is None for score in who.speeches.values())
    speeches = f"{len(who.speeches)}, {unscored} unscored" if unscored else str(len(who.speeches))
    return [who.seat, who.team, decimal(who.total), speeches, signed(who.penalties, 0), _mean(who.per_speech)]


def _penalty(penalty: Penalised) -> Sequence[str]:
    found = f"judges of {listed(penalty.families)}" if penalty.found_by == "panel" else "rules"
    points = [signed(penalty.individual, 0), signed(penalty.on_team, 0)]
    return [_words(penalty.rule), penalty.seat, penalty.team, penalty.turn_id, *points, found]


def _mean(score: float | None) -> str:
    return "not scored" if score is None else decimal(score)


def _votes(votes: Votes) -> Iterator[str]:
    yield "## Votes"
    yield table(["answer", "seats"], ([option, str(count)] for option, count in votes.options.items()))
    told = [
        f"{votes.seats // 2 + 1} of {votes.seats} seats make a majority",
        *([f"void: {listed(votes.void)}"] if votes.void else []),
        *([f"silent: {listed(votes.silent)}"] if votes.silent else []),
    ]
    yield f"{plain('; '.join(told))}."


# -- depth 3: what is left to check, and how to compute it again --------------------------


def _checks(judgement: Judgement) -> Iterator[str]:
    yield from _list("To check yourself", judgement.briefing.unresolved)
    if judgement.trace:
        yield "## What moved each argument, and what would change it"
        yield table(
            ["id", "strength", "second opinion", "resampled panels", "moved by", "would become"],
            map(_moved, judgement.trace),
        )
    if judgement.control:
        yield from _list("With and without debate", list(_control(judgement.control)))
    yield from _list("How far the judges can be relied on", list(_reliability(judgement)))
    if judgement.panel:
        yield "## Judges"
        yield table(["judge", "model", "family", "sheets accepted"], map(_judge, judgement.panel))
    yield from _list("How to compute this again", list(_origin(judgement)))


def _moved(fate: Fate) -> Sequence[str]:
    within = f", {span(fate.interval, 2)}" if fate.interval else ""
    flip = fate.flip and (
        f"{_words(fate.flip.standing)}, if the {fate.flip.what} were "
        f"{decimal(fate.flip.then)} instead of {decimal(fate.flip.now)}"
    )
    return [
        fate.id,
        "not scored" if fate.strength is None else f"{decimal(fate.strength, 2)}{within}",
        "" if fate.second_opinion is None else decimal(fate.second_opinion, 2),
        ", ".join(f"{_words(standing)} {_share(share)}" for standing, share in fate.shares.items() if share),
        "; ".join(f"{DEEDS.get(c.kind, c.kind)} by {c.by} {signed(c.share, 2)}" for c in fate.contributions),
        flip or ("not known" if fate.standing == "uncertain" else "no one score would change it"),
    ]


def _control(control: Control) -> Iterator[str]:
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


def _reliability(judgement: Judgement) -> Iterator[str]:
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


def _judge(judge: Judge) -> Sequence[str]:
    kin = ", a debater's too" if judge.kin else ""
    return [judge.seat, judge.model, f"{judge.family}{kin}", f"{judge.accepted} of {judge.asked}"]


def _origin(judgement: Judgement) -> Iterator[str]:
    yield f"run {judgement.judged}, protocol {judgement.protocol}; digest of its transcript: {judgement.digest}"
    yield (
        f"policy {judgement.policy}; rubrics {listed(judgement.rubrics) or 'none'}; "
        f"{judgement.orders} orders of presentation; seed {judgement.seed}"
    )
    if judgement.dropped:
        yield f"left out for want of a verbatim quote: {judgement.dropped}"
    yield "the stored marks, under this policy and seed, give these figures again; no model is asked"


# -- pieces ------------------------------------------------------------------------------


def _list(head: str, lines: Sequence[str]) -> Iterator[str]:
    """A section, if there is anything to put in it."""
    if lines:
        yield f"## {head}"
        yield _items(iter(lines))


def _items(lines: Iterator[str] | Sequence[str]) -> str:
    return "\n".join(f"- {plain(line)}" for line in lines)


def _words(name: str) -> str:
    return JOINT.sub(" ", name)


JOINT = re.compile("(?<=[a-z])_(?=[a-z])")
COLUMNS = 100
WORDS_IN_TABLE = 14
DEEDS = {"refute": "refutation", "partial": "partial objection", "concede": "concession"}
"""What a response is called, where its kind is no noun."""
