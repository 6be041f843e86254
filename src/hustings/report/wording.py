"""Sentences and table cells of a judgement, shared by all reports and not yet escaped."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from hustings.judging.board import Board, Individual, Penalised, Team
from hustings.judging.dossier import Dossier
from hustings.judging.judgement import (
    ArgumentResult,
    Briefing,
    Control,
    Flag,
    Judge,
    Judgement,
    Standing,
    StrongPoint,
    Total,
    Votes,
)
from hustings.text.figures import decimal, dollars, held_text, limit_in_dollars, listed, percent, signed, span
from hustings.text.words import shortened
from hustings.transcript.models import Intervention, Participant, ParticipantState
from hustings.transcript.notes import BudgetStopped, Cancelled, Deadlocked, Decided, Ending, Failed, NoQuorum, TooClose

from .support_text import cited


def team_cells(judgement: Judgement, team: Team) -> Sequence[str]:
    points = [decimal(team.total), decimal(team.speeches), signed(team.penalties, 0), mean(team.per_speech)]
    return [judgement.name(team.team), *points]


def stage_lines(board: Board) -> list[str]:
    """What the judge at the table summed up, stage by stage."""
    return [
        f"{stage.label}, {what}: {'; '.join(named)}"
        for stage in board.stages
        for what, named in (("clashes", stage.clashes), ("unanswered", stage.dropped))
        if named
    ]


def stage_cells(board: Board) -> Iterator[Sequence[str]]:
    for stage in board.stages:
        yield [stage.label, *(decimal(stage.teams[t.team]) if t.team in stage.teams else "" for t in board.teams)]


LENS = re.compile(r"persona:([^:]+)")
"""The tag of a participant that names a lens or a personality; one with a second colon is a starting point."""


def lens(participant: Participant) -> str:
    """How a participant was told to look at the question or to argue; empty if it was told nothing."""
    return ", ".join(spaced(found[1]) for tag in participant.tags or () if (found := LENS.fullmatch(tag)))


def vote_line(votes: Votes, name: Callable[[str], str]) -> str:
    needed = f"{votes.seats // 2 + 1} of {votes.seats} speakers make a majority"
    told = [
        needed,
        *([f"invalid: {listed([*map(name, votes.void)])}"] if votes.void else []),
        *([f"silent: {listed([*map(name, votes.silent)])}"] if votes.silent else []),
    ]
    return f"{'. '.join(f'{one[0].upper()}{one[1:]}' for one in told)}."


def hint_key(judgement: Judgement) -> str:
    unmoved = "" if judgement.board else " No effect on scores."
    return f"Flagged: seen by two kinds of model. Suspected: by one.{unmoved}"


def limits(judgement: Judgement) -> str:
    """Heading of what weakens the verdict; empty if nothing does."""
    return f"Limits of this result ({len(judgement.degraded)})" if judgement.degraded else ""


def sure(briefing: Briefing) -> str:
    return f"{briefing.sure}. {briefing.sure_because}" if briefing.sure else ""


def strong_point(point: StrongPoint) -> str:
    """The strongest argument of a side, in a line; its label names the side."""
    return f"{point.id} ({status(point.standing)}): {shortened(point.claim, WORDS_IN_LINE)} {point.happened}."


def facts(judgement: Judgement, cost: str) -> dict[str, str]:
    """What else to know beside the bottom line, label to sentence; some are empty."""
    board = judgement.board
    return {
        "Points": team_points(judgement, board) if board else "",
        "Scores out of 10": "" if board else "; ".join(total(judgement, side) for side in judgement.totals),
        "Without a debate": unlabelled(judgement.briefing.without_debate, "Without debate:"),
        "Documents": cited(judgement.support),
        "Cost": cost,
    }


def unjudged_facts(dossier: Dossier) -> dict[str, str]:
    """Facts about a debate that was not judged."""
    return {"Ending": ended(dossier.proceedings.ending), "Cost": dossier.cost}


def ended(ending: Ending) -> str:
    """How it ended, in a sentence."""
    match ending:
        case Failed():
            return f"It broke off: {ending.reason or ending.code}".rstrip(": .") + "."
        case Cancelled():
            return f"It was stopped by {ending.by}."
        case BudgetStopped():
            return f"It stopped at its budget of {_limit(ending)} {ending.unit}."
        case _:
            return "Finished. Not judged yet."


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
            if judgement.own_verdict:
                return f"{judgement.own_verdict} {why}"
            part = " in part" if outcome.extent == "partial" else ""
            what = "" if judgement.issues else f" for {judgement.name(outcome.what)}"
            found = f"Decided{part}{what}{_margin(outcome, judgement)}"
        case TooClose():
            reasons = [why, *(reason for reason in outcome.reasons if not judgement.votes and reason not in why)]
            told = ". ".join(reason.rstrip(".") for reason in reasons if reason)
            return f"Too close to call{_margin(outcome, judgement)}." + (f" {told}." if told else "")
        case NoQuorum():
            found, why = "No verdict", why or f"{outcome.had} of the {outcome.needed} needed"
        case Deadlocked():
            found, why = "No agreement", why or listed(outcome.issues)
        case BudgetStopped():
            spent = dollars(outcome.spent) if outcome.unit == "USD" else f"{outcome.spent:,g}"
            held = held_text(outcome.held, outcome.held_calls)
            figures = f"{spent} of {_limit(outcome)} {outcome.unit}"
            found, why = "Stopped at its budget", why or ", ".join(filter(None, [figures, held]))
        case Cancelled():
            found, why = "Stopped", why or f"By {outcome.by}"
        case Failed():
            found, why = "Broke off", why or f"{outcome.code}: {outcome.reason}"
    return f"{found}. {why.rstrip('.')}." if why else f"{found}."


def _limit(stopped: BudgetStopped) -> str:
    return limit_in_dollars(stopped.cap) if stopped.unit == "USD" else f"{stopped.cap:,g}"


def _margin(outcome: Decided | TooClose, judgement: Judgement) -> str:
    if outcome.margin is None or judgement.votes or not judgement.gap:
        return ""
    figures = [decimal(figure) for figure in (outcome.margin, *(outcome.interval or ()))]
    if all(figure in judgement.reason for figure in figures):
        return ""
    within = f" (95% range {span(outcome.interval)})" if outcome.interval else ""
    return f", {figures[0]} points apart{within}"


def team_points(judgement: Judgement, board: Board) -> str:
    teams = ", ".join(f"{judgement.name(team.team)} {decimal(team.total)}" for team in board.teams)
    return f"{teams}. {best_debater(judgement, board)}" if board.best else teams


def best_debater(judgement: Judgement, board: Board) -> str:
    best = [judgement.name(seat) for seat in board.best]
    return f"Best debater{'s' if len(best) > 1 else ''}: {listed(best)}."


def total(judgement: Judgement, total: Total) -> str:
    within = f" ({span(total.interval)})" if total.interval else ""
    missing = f", {total.unscored} unscored" if total.unscored and total.scored else ""
    return f"{judgement.name(total.side)} {mean(total.score)}{within}{missing}"


def unlabelled(text: str, label: str) -> str:
    return text[len(label) :].lstrip() if text.casefold().startswith(label.casefold()) else text


def argument_cells(judgement: Judgement, argument: ArgumentResult) -> Sequence[str]:
    return [
        argument.id,
        judgement.name(argument.seat),
        shortened(argument.claim, WORDS_IN_TABLE),
        argument.examined,
        status(argument.standing),
        _left_of_it(argument),
        how_sure(argument),
        upper(unlabelled(argument.reason, f"{status(argument.standing)}:")),
    ]


def status(standing: Standing) -> str:
    return STATUS[standing]


def strength(value: float | None) -> str:
    return "not scored" if value is None else decimal(100 * value, 0)


def _left_of_it(argument: ArgumentResult) -> str:
    if argument.standing == "withdrawn":
        return NOT_APPLICABLE
    return "untested" if "unexamined" in argument.guards else strength(argument.strength)


def how_sure(argument: ArgumentResult) -> str:
    if argument.standing == "withdrawn":
        return NOT_APPLICABLE
    if "panel divided" in argument.guards:
        return "split"
    if argument.certainty is not None and any(guard.startswith("near ") for guard in argument.guards):
        return "close to the line"
    return "unknown" if argument.certainty is None else share(argument.certainty)


def share(share: float) -> str:
    """Share of resampled panels, below 100%: resampling the scores of one panel makes nothing certain."""
    return percent(min(share, 0.999))


def hint(judgement: Judgement, flag: Flag) -> str:
    seen = f"{upper(flag.word)}: {spaced(flag.kind)} in {flag.about} ({judgement.name(flag.seat)})"
    return f"{seen}: “{flag.quote}” (seen by {listed(flag.families)})"


def debater_cells(judgement: Judgement, who: Individual) -> Sequence[str]:
    unscored = sum(score is None for score in who.speeches.values())
    speeches = f"{len(who.speeches)}, {unscored} unscored" if unscored else str(len(who.speeches))
    points = [decimal(who.total), speeches, signed(who.penalties, 0), mean(who.per_speech)]
    return [judgement.name(who.seat), judgement.name(who.team), *points]


def penalty_cells(judgement: Judgement, penalty: Penalised) -> Sequence[str]:
    found = f"judges ({listed(penalty.families)})" if penalty.found_by == "panel" else "rules"
    points = [signed(penalty.individual, 0), signed(penalty.on_team, 0)]
    who = [judgement.name(penalty.seat), judgement.name(penalty.team)]
    return [spaced(penalty.rule), *who, penalty.turn_id, *points, found]


def mean(score: float | None) -> str:
    return "not scored" if score is None else decimal(score)


def issue_table(judgement: Judgement) -> tuple[Sequence[str], Iterable[Sequence[str]]]:
    """Heads and rows; where no exchange was read, the states alone."""
    if not judgement.settled:
        return ["Issue", "State"], ((issue, issue_state(state)) for issue, state in judgement.issues.items())
    rows = [
        [i.id, i.question, issue_state(i.state), i.answer, listed([judgement.name(seat) for seat in i.moved])]
        for i in judgement.settled
    ]
    return ["Issue", "Question", "State", "Answer", "Who moved"], rows


def issue_state(state: str) -> str:
    word, colon, answer = state.partition(":")
    return ISSUE_STATES.get(word, word) + colon + answer


def moved_heads(trace: Iterable[ArgumentResult]) -> tuple[str, ...]:
    """Reasons have a column of their own, if judges gave any."""
    return (*MOVED_HEADS, "Scores and reasons") if any(row.grounds for row in trace) else MOVED_HEADS


def _grounds(argument: ArgumentResult) -> str:
    return "; ".join(
        f"{spaced(g.dimension)} {decimal(g.score, 0)} ({g.judge}): “{g.quote}”" + (f", {g.reason}" if g.reason else "")
        for g in argument.grounds
    )


def moved_cells(judgement: Judgement, argument: ArgumentResult) -> Sequence[str]:
    low_high = argument.interval and (100 * argument.interval[0], 100 * argument.interval[1])
    within = f" ({span(low_high, 0)})" if low_high else ""
    flip = argument.flip and (
        f"{upper(status(argument.flip.standing))} if {argument.flip.what} scored "
        f"{decimal(argument.flip.then)}, not {decimal(argument.flip.now)}"
    )
    return [
        argument.id,
        f"{strength(argument.strength)}{within}",
        "" if argument.second_opinion is None else strength(argument.second_opinion),
        ", ".join(f"{status(standing)} {share(part)}" for standing, part in argument.shares.items() if part),
        "; ".join(
            f"{judgement.name(c.by)}'s {DEEDS.get(c.kind, c.kind)} {signed(100 * c.share, 0)}"
            for c in argument.contributions
        ),
        flip or ("Unknown" if argument.standing == "uncertain" else "No single score"),
        *([_grounds(argument)] if argument.grounds else []),
    ]


def control_lines(control: Control) -> Iterator[str]:
    if not control.comparable:
        yield f"Not comparable: {control.why_not}"
    answers = {
        "Strongest model alone": control.single,
        "Majority of the models asked alone": control.majority,
        f"Most frequent of {control.samples} samples": control.consistent,
        "The debate": control.debate,
    }
    yield from (f"{who}: {answer}" for who, answer in answers.items() if answer)
    for change in control.changed:
        why = f", moved by {change.cited}" if change.cited else ", without a reason"
        yield f"{change.voice} went from {change.before} to {change.after}{why}"
    if control.debate_tokens or control.control_tokens:
        yield f"Tokens: {control.debate_tokens:,} for the debate, {control.control_tokens:,} without it"


def reliability_lines(judgement: Judgement) -> Iterator[str]:
    r = judgement.reliability
    counted = [many(r.judges, "judge"), many(r.observations, "reading"), many(r.items, "scored item")]
    yield f"Overall: {r.word} ({', '.join(counted)})"
    within = f" ({span(r.alpha_interval, 2)})" if r.alpha_interval else ""
    figures: Mapping[str, tuple[float | None, str]] = {
        "Agreement, Krippendorff's α": (r.alpha, f"{within}; 0.80 is good, 0.67 tentative"),
        "Agreement of one judge, ICC(A,1)": (r.icc_single, ""),
        "Agreement of all judges, ICC(A,k)": (r.icc_panel, ""),
        "Agreement on ranks, Kendall's W": (r.kendall_w, ""),
        "Mean difference between two judges": (r.mean_difference, " points"),
        "Gain from being read first": (r.position_bias, " points"),
        "Gain from twice the words": (r.length_slope, " points (a correlation, not a cause)"),
    }
    yield from (f"{what}: {decimal(value, 2)}{unit}" for what, (value, unit) in figures.items() if value is not None)
    if r.order_flip_rate is not None:
        yield f"Judges who switched sides when the order was reversed: {percent(r.order_flip_rate)}"
    yield from r.remarks


def judge_cells(judge: Judge) -> Sequence[str]:
    kin = ", same as a speaker" if judge.kin else ""
    return [judge.seat, judge.model, f"{judge.family}{kin}", f"{judge.accepted} of {judge.asked}"]


def origin_lines(judgement: Judgement) -> Iterator[str]:
    yield f"Debate {judgement.judged}, protocol {judgement.protocol}, transcript digest {judgement.digest}"
    yield (
        f"Policy {judgement.policy}, rubrics {listed(judgement.rubrics) or 'none'}, "
        f"{judgement.orders} reading orders, seed {judgement.seed}"
    )
    if judgement.dropped:
        yield f"Arguments left out because their quotes were not exact: {judgement.dropped}"
    yield "The stored scores, this policy and this seed give the same figures again. No model is asked."


def spaced(name: str) -> str:
    return JOINT.sub(" ", name)


def title(topic: str) -> str:
    """The question without the text below it."""
    first = topic.strip().partition("\n")[0]
    return shortened(first, WORDS_IN_TITLE)


def many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def upper(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


STATUS: Mapping[Standing, str] = {
    "upheld": "upheld",
    "partially_upheld": "partly upheld",
    "refuted": "refuted",
    "withdrawn": "withdrawn",
    "uncertain": "unsettled",
}
ISSUE_STATES = {"converged": "agreed", "overtaken": "replaced"}
NOT_APPLICABLE = "does not apply"
TRACE_HEADS = ("ID", "Speaker", "Claim", "What happened", "Status", "Strength", "How sure", "Why")
TRACE_KEY = (
    "Strength (0–100): how much of the argument is left after challenges and answers. "
    "How sure: how often this status comes out when we redraw the judges. "
    "Close to the line: a slightly different score would change it."
)
SCORES_CAPTION = "Mean scores of the judges, from 1 to 10: the stronger the colour, the better argued"
UNJUDGED = "Not judged yet. This is what was said."
NOT_WEIGHED = "Not judged yet, so arguments have no status."
NOTHING_NUMBERED = (
    "This debate was in plain words, without numbered arguments. Judging finds the arguments in them. This table and "
    "the map come from that."
)
NOTHING_FOUND = "The judges found no argument in it."
MOVED_HEADS = ("ID", "Strength", "Second method", "Resampling", "What moved it", "What would change it")
TEAM_HEADS = ("Team", "Points", "From speeches", "Penalties", "Mean per speech")
DEBATER_HEADS = ("Debater", "Team", "Points", "Speeches", "Penalties", "Mean per speech")
PENALTY_HEADS = ("Rule", "By", "Team", "Turn", "Debater's points", "Team's points", "Found by")
BLIND = "Vote first. Then you see the results."
LOST = "No usable answer."
JUDGE_HEADS = ("Judge", "Model", "Family", "Usable answers")
WORDS_IN_LINE = 40
WORDS_IN_TITLE, WORDS_IN_TABLE = 40, 20
JOINT = re.compile("(?<=[a-z])_(?=[a-z])")
DEEDS = {"refute": "refutation", "partial": "partial objection", "concede": "concession"}
"""Nouns for the kinds of response that are not nouns themselves."""
