"""Decides the outcome by rule, with its reason and the warnings that the briefing repeats.

The first that applies: failed, cancelled, out of budget, no quorum, deadlocked, too close, decided.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from hustings.script.seats import is_hosted
from hustings.text.figures import decimal, limit_in_dollars, listed, span
from hustings.text.words import shortened
from hustings.transcript.notes import (
    BudgetStopped,
    Cancelled,
    Deadlocked,
    Decided,
    Failed,
    NoQuorum,
    Outcome,
    Played,
    TooClose,
)

from .findings import Findings
from .judgement import Gap, Reliability, Votes
from .lean import CLEAR, MOST_ALIKE
from .quorum import by_votes
from .reliability import LENGTH_LIMIT, biases
from .score_board import rankings_differ
from .totals import LEAD, SIGNIFICANT

Found = tuple[Outcome, str]


class Verdict(NamedTuple):
    outcome: Outcome
    reason: str
    degraded: tuple[str, ...]
    """What weakens it."""


def verdict(found: Findings) -> Verdict:
    """The protocol's own result decides first, then issues, the sides' own last words, votes, and points."""
    outcome, reason = (
        _stopped(found)
        or _no_quorum(found)
        or _by_own_result(found)
        or _by_issues(found)
        or _given_up(found)
        or _by_votes(found.votes)
        or _by_points(found)
    )
    return Verdict(outcome, reason, degraded(found))


def degraded(found: Findings) -> tuple[str, ...]:
    """List what weakens a verdict, whatever its outcome."""
    declared = list(dict.fromkeys(judge.family for judge in found.panel))
    asked, accepted = sum(s.asked for s in found.sheets.values()), sum(s.accepted for s in found.sheets.values())
    said: list[str] = []
    if asked:
        present = _families(found)
        said += [f"No judge of the family {family} gave usable scores" for family in declared if family not in present]
        unheard = [judge for judge in found.panel if judge.seat not in _heard(found) and judge.family in present]
        said += [f"Judge {judge.seat} gave no usable scores" for judge in unheard]
    said += [f"All judges are one kind of model ({declared[0]})"] if len(declared) == 1 else []
    said += ["Only the moderator judged what was agreed"] if found.issues else []
    said += [found.decision.limit] if found.decision and found.decision.limit else []
    said += _one_mind(found)
    said += _kin(found)
    said += [STRANGERS] if found.strangers else []
    lost = asked - accepted
    said += [f"{lost} of {asked} judge answers {'was' if lost == 1 else 'were'} unusable"] if lost else []
    one = found.unfounded == 1
    dropped = (
        "1 score was dropped because its quote was"
        if one
        else f"{found.unfounded} scores were dropped because their quotes were"
    )
    said += [f"{dropped} not found"] if found.unfounded else []
    said += [
        f"{t.unscored} of {found.name(t.side)}'s {t.scored + t.unscored} {_items(found)} {_has(t.unscored)} no score"
        for t in found.totals
        if t.unscored
    ]
    said += found.missed
    said += _disagreement(found.reliability)
    said += biases(found.reliability.position_bias, found.reliability.length_slope)
    return (*said, *found.unread)


STRANGERS = "Debaters unknown: the record does not say which models spoke, and a judge may be of the same kind"


def _kin(found: Findings) -> list[str]:
    kin, judges = sum(judge.kin for judge in found.panel), len(found.panel)
    if not kin:
        return []
    who = "The judge is" if judges == 1 else f"{kin} of {judges} judges {'is' if kin == 1 else 'are'}"
    return [f"{who} the same kind of model as a speaker"]


def _has(count: int) -> str:
    return "has" if count == 1 else "have"


def _items(found: Findings) -> str:
    return "speeches" if found.by_speech else "arguments"


# -- in order of precedence --------------------------------------------------------------


def _stopped(found: Findings) -> Found | None:
    for kind in ("failed", "cancelled", "budget_stopped"):
        for what, ending in found.endings.items():
            if ending.kind == kind and not isinstance(ending, Played):
                return ending, f"{what[0].upper()}{what[1:]} {_told(ending)}."
    return None


def _told(ending: Failed | Cancelled | BudgetStopped) -> str:
    if isinstance(ending, Failed):
        return f"broke off: {ending.reason.rstrip('.') or ending.code}"
    if isinstance(ending, Cancelled):
        return f"was stopped by {ending.by}"
    written = limit_in_dollars if ending.unit == "USD" else "{:,g}".format
    return f"stopped at its budget: {written(ending.spent)} of {written(ending.cap)} {ending.unit} spent"


def _no_quorum(found: Findings) -> Found | None:
    if why_not := found.voices.why_not:
        return NoQuorum(needed=found.voices.needed, had=found.voices.had), f"Too few speakers answered: {why_not}."
    return _too_few_judges(found) or (
        None if found.decision or found.issues or found.votes else _too_little_scored(found)
    )


def _too_few_judges(found: Findings) -> Found | None:
    """The quorum is ⅔ of the declared panel's observations, and two families if it has two.

    None where no judge was asked anything: there was nothing to judge.
    """
    sheets = found.sheets.values()
    if not any(one.asked for one in sheets):
        if not found.unread:
            return None
        return NoQuorum(needed=1, had=0), "Nothing could be judged: no argument was found in what was said."
    had, needed = sum(one.count for one in sheets), -(-2 * len(sheets) // 3)
    families = _families(found)
    abstentions = sum(one.asked - one.accepted for one in sheets)
    if had < needed:
        why = f"Too few judges gave usable scores: {had} of {len(sheets)} readings count, {needed} are needed."
        return NoQuorum(needed=needed, had=had, families=families, abstentions=abstentions), why
    wanted = min(2, len({judge.family for judge in found.panel}))
    if len(families) < wanted:
        why = f"The judges are {len(families)} kind of model, and {wanted} are needed."
        return NoQuorum(needed=wanted, had=len(families), families=families, abstentions=abstentions), why
    return None


def _too_little_scored(found: Findings) -> Found | None:
    for total in found.totals:
        items = total.scored + total.unscored
        if 3 * total.unscored > items:
            whose = f"{found.name(total.side)}'s {items} {_items(found)}"
            why = f"Too little was scored: {total.unscored} of {whose} {_has(total.unscored)} no score."
            return NoQuorum(needed=-(-2 * items // 3), had=total.scored, families=_families(found)), why
    return None


def _by_own_result(found: Findings) -> Found | None:
    if found.decision is None:
        return None
    verdict, why = found.decision.verdict, found.decision.reason
    return (Decided(what=verdict, extent="full") if verdict else TooClose(margin=0.0, reasons=(why,))), why


def _by_issues(found: Findings) -> Found | None:
    """Open issues count as not converged; one that an alternative overtook is settled by it."""
    issues, ended = found.issues, {issue.id: issue for issue in found.settled}
    if not issues:
        return None
    converged = [issue for issue, state in issues.items() if state in {"converged", "overtaken"}]
    rest = tuple(issue for issue in issues if issue not in converged)
    if not converged:
        return Deadlocked(issues=rest), f"No issue was agreed: {', '.join(rest)}."
    what = "; ".join(ended[issue].told for issue in converged)
    left = f"; {', '.join(f'{issue} {issues[issue]}' for issue in rest)}" if rest else ""
    answered = _by_votes(found.votes)
    if answered and isinstance(answered[0], Decided):
        # The question that was asked, before those that it was taken apart into.
        extent = "partial" if rest else answered[0].extent
        return answered[0].model_copy(update={"extent": extent}), f"{answered[1]} {what}{left}."
    return Decided(what=what, extent="partial" if rest else "full"), f"{what}{left}."


def _given_up(found: Findings) -> Found | None:
    """Of two sides, one that no longer defends its answer to the question as put has given it up.

    A yes with changes is no yes to the question as put; a no with an alternative is still a no.
    """
    pair = found.pair
    if pair is None or not all(side in found.stances for side in pair):
        return None
    answers = dict(zip(pair, ("yes", "no"), strict=True))
    ends = {side: (found.stances[side]["says"], found.stances[side]["condition"]) for side in pair}
    firm = [side for side in pair if ends[side][0] == answers[side] and not (answers[side] == "yes" and ends[side][1])]
    if len(firm) == 2:
        return None
    if not firm:
        return TooClose(margin=abs(found.gap.value) if found.gap else 0.0, reasons=(NEITHER,)), f"{NEITHER}."
    (other,) = (side for side in pair if side not in firm)
    changed = ends[other][0] == answers[other]
    gave_up = "gave up" if other == pair[0] else "came round to"
    how = (
        "no longer defends the proposal as put, only a changed one" if changed else f"{gave_up} the proposal in the end"
    )
    why = f"{found.name(other)} {how}."
    return Decided(what=firm[0], extent="partial" if changed else "full"), why


def _by_votes(votes: Votes | None) -> Found | None:
    if votes is None:
        return None
    outcome = by_votes(votes)
    match outcome:
        case Decided():
            return outcome, votes_for(votes, outcome.what)
        case TooClose():
            return outcome, f"The speakers ended split: {counted_votes(votes)}."
        case _:
            return outcome, f"Too few valid answers: {sum(votes.options.values())} of {votes.seats} speakers."


def votes_for(votes: Votes, what: str) -> str:
    terms = [condition for seat, condition in votes.conditions.items() if votes.chosen.get(seat) == what]
    told = f"{votes.options[what]} of {votes.seats} speakers say {what}"
    if not terms:
        return f"{told}."
    many = "all" if len(terms) == votes.options[what] else f"{len(terms)} of them"
    such_as = ", such as" if len({*terms}) > 1 else ""
    return f"{told}, {many} on a condition{such_as}: {shortened(terms[0], LONGEST_CONDITION).rstrip('.')}."


def counted_votes(votes: Votes) -> str:
    """How many speakers ended where, such as "2 at yes, 1 of them on a condition; 1 at no; 1 silent"."""
    told: list[str] = []
    for option, count in votes.options.items():
        on = sum(votes.chosen.get(seat) == option for seat in votes.conditions)
        how = "" if not on else " on a condition" if on == count else f", {on} of them on a condition"
        told.append(f"{count} at {option}{how}")
    others = {"invalid": len(votes.void), "silent": len(votes.silent)}
    return "; ".join([*told, *(f"{n} {what}" for what, n in others.items() if n)])


def _by_points(found: Findings) -> Found:
    gap = found.gap
    if gap is None:
        nothing = "Nothing was scored, voted or settled that could decide it"
        return TooClose(margin=0.0, reasons=(nothing,)), f"{nothing}."
    ahead, interval = gap.sides[gap.value < 0], gap.interval
    if interval and gap.value < 0:
        interval = (0.0 - interval[1], 0.0 - interval[0])
    margin = abs(gap.value)
    clear = _leaning(found)
    reasons = [*_against(found, gap)]
    if clear and not reasons and clear != ahead:
        reasons.append(f"{found.name(ahead)} argued better, but what held up speaks for {found.name(clear)}")
    if clear and gap.word == "evenly matched" and found.reliability.word != "do not rely":
        why = f"Both sides argued about equally well, but what held up speaks for {found.name(clear)}."
        signed = margin if clear == ahead else 0.0 - margin
        return Decided(what=clear, extent="partial", margin=signed), why
    if reasons:
        return TooClose(margin=margin, interval=interval, reasons=tuple(reasons)), f"{'. '.join(reasons)}."
    how = " by far" if gap.word == "significant" else ""
    within = f" (95% range {span(interval)})" if interval else ""
    why = f"{found.name(ahead)} argued better{how}, by {decimal(margin)} points out of 10{within}."
    return Decided(what=ahead, extent="full", margin=margin, interval=interval), why


def _leaning(found: Findings) -> str:
    """The side for which what stands in the end clearly speaks; empty if that is not clear."""
    lean = found.lean
    if lean is None or abs(lean.value) < CLEAR or lean.alike < MOST_ALIKE:
        return ""
    return lean.sides[lean.value < 0]


def _against(found: Findings, gap: Gap) -> Iterable[str]:
    """Reasons against letting this gap decide."""
    if gap.word == "evenly matched":
        close = abs(gap.value) < LEAD
        yield "The sides are less than a point apart" if close else "The gap could be chance"
    elif gap.word == "lead":
        small = f"a lead of {SIGNIFICANT:.0f} points or less is too small for that"
        yield from (f"{why}, and {small}" for why in _disagreement(found.reliability))
    if found.board and rankings_differ(found.board):
        yield "The teams rank differently by points per speech than by total"
    if _length_explains(found, gap):
        yield "The difference in length explains the gap"


def _disagreement(reliability: Reliability) -> list[str]:
    if reliability.word != "do not rely":
        return []
    if reliability.alpha is None:
        return ["Judge agreement can't be measured"]
    return [f"The judges disagree (α {decimal(reliability.alpha, 2)})"]


def _length_explains(found: Findings, gap: Gap) -> bool:
    """Whether judges reward length, the sides differ in length, and less than a lead remains without that."""
    slope = found.reliability.length_slope
    if slope is None or slope <= LENGTH_LIMIT or abs(found.doublings) < UNEQUAL or abs(gap.value) < LEAD:
        return False
    if gap.value * found.doublings < 0:  # the shorter side leads: the losing side cannot pad the lead away
        return False
    return abs(gap.value) - slope * abs(found.doublings) < LEAD


def _one_mind(found: Findings) -> list[str]:
    """The limit that every verdict has in which a host spoke or judged."""
    spoke = {
        seat.agent_id: seat.model_name or ""
        for seat in found.subject.judged.transcript.participants
        if seat.role not in STAFF_ROLES
    }
    seats = {**spoke, **{judge.seat: judge.model for judge in found.panel}}
    hosted = {seat: model for seat, model in seats.items() if is_hosted(model)}
    if not hosted:
        return []
    who = "every seat" if hosted.keys() == seats.keys() else listed([*hosted])
    labels = listed(list(dict.fromkeys(hosted.values())))
    return [f"One mind ({labels}) played {who}, and may have known what a seat should not know"]


def _families(found: Findings) -> tuple[str, ...]:
    heard = _heard(found)
    return tuple(sorted({judge.family for judge in found.panel if judge.seat in heard}))


def _heard(found: Findings) -> set[str]:
    """Judges with an observation that counts."""
    return {seat for (seat, _), sheets in found.sheets.items() if sheets.count}


NEITHER = "Neither side still defends its answer to the question as put"
UNEQUAL = 0.5
"""Half a doubling: one side's items are then about 40 % longer."""
LONGEST_CONDITION = 20
"""Words of it in a bottom line."""
STAFF_ROLES = frozenset({"librarian", "tool"})
