"""Decides the outcome by rule, and says why and what weakens it.

The first that applies: failed, cancelled, out of budget, no quorum, deadlocked, too close, decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from hustings.text.figures import decimal, span
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
    """Issues decide before votes, votes before points."""
    outcome, reason = (
        _stopped(found) or _no_quorum(found) or _by_issues(found.issues) or _by_votes(found.votes) or _by_points(found)
    )
    return Verdict(outcome, reason, degraded(found))


def degraded(found: Findings) -> tuple[str, ...]:
    """List what weakens a verdict, whatever its outcome."""
    declared = list(dict.fromkeys(judge.family for judge in found.panel))
    asked, accepted = sum(s.asked for s in found.sheets.values()), sum(s.accepted for s in found.sheets.values())
    said: list[str] = []
    if asked:
        present = _families(found)
        said += [f"no judge of the family {family} was heard" for family in declared if family not in present]
        unheard = [judge for judge in found.panel if judge.seat not in _heard(found) and judge.family in present]
        said += [f"judge {judge.seat} was not heard" for judge in unheard]
    said += [f"all judges are of one family, {declared[0]}"] if len(declared) == 1 else []
    said += ["which issues converged was read by the moderator alone"] if found.issues else []
    kin = [judge.seat for judge in found.panel if judge.kin]
    said += [f"{len(kin)} of {len(found.panel)} judges are of a debater's family"] if kin else []
    said += [f"{asked - accepted} of {asked} sheets were not given or not accepted"] if accepted < asked else []
    said += [
        f"{t.unscored} of {t.scored + t.unscored} of {t.side} could not be scored" for t in found.totals if t.unscored
    ]
    said += _disagreement(found.reliability)
    said += biases(found.reliability.position_bias, found.reliability.length_slope)
    return (*said, *found.unread)


# -- in order of precedence --------------------------------------------------------------


def _stopped(found: Findings) -> Found | None:
    for kind in ("failed", "cancelled", "budget_stopped"):
        for what, ending in found.endings.items():
            if ending.kind == kind and not isinstance(ending, Played):
                return ending, f"{what[0].upper()}{what[1:]} {_told(ending)}."
    return None


def _told(ending: Failed | Cancelled | BudgetStopped) -> str:
    if isinstance(ending, Failed):
        return f"failed with {ending.code}" + (f": {ending.reason.rstrip('.')}" if ending.reason else "")
    if isinstance(ending, Cancelled):
        return f"was cancelled by {ending.by}"
    return f"stopped at its budget: {ending.spent:g} of {ending.cap:g} {ending.unit} were spent"


def _no_quorum(found: Findings) -> Found | None:
    if why_not := found.voices.why_not:
        return NoQuorum(needed=found.voices.needed, had=found.voices.had), f"Not enough was heard: {why_not}."
    return _too_few_judges(found) or (None if found.issues or found.votes else _too_little_scored(found))


def _too_few_judges(found: Findings) -> Found | None:
    """The quorum is ⅔ of the declared panel's observations, and two families if it has two.

    None where no judge was asked anything: there was nothing to judge.
    """
    sheets = found.sheets.values()
    if not any(one.asked for one in sheets):
        return None
    had, needed = sum(one.count for one in sheets), -(-2 * len(sheets) // 3)
    families = _families(found)
    abstentions = sum(one.asked - one.accepted for one in sheets)
    if had < needed:
        why = f"Too few judges were heard: {had} of {len(sheets)} observations count, and {needed} are needed."
        return NoQuorum(needed=needed, had=had, families=families, abstentions=abstentions), why
    wanted = min(2, len({judge.family for judge in found.panel}))
    if len(families) < wanted:
        why = f"The judges heard are of too few families: {len(families)}, and {wanted} are needed."
        return NoQuorum(needed=wanted, had=len(families), families=families, abstentions=abstentions), why
    return None


def _too_little_scored(found: Findings) -> Found | None:
    for total in found.totals:
        items = total.scored + total.unscored
        if 3 * total.unscored > items:
            why = f"Too much could not be scored: {total.unscored} of {items} of {total.side}."
            return NoQuorum(needed=-(-2 * items // 3), had=total.scored, families=_families(found)), why
    return None


def _by_issues(issues: Mapping[str, str]) -> Found | None:
    """Open issues count as not converged."""
    if not issues:
        return None
    converged = [issue for issue, state in issues.items() if state == "converged"]
    rest = tuple(issue for issue in issues if issue not in converged)
    if not converged:
        return Deadlocked(issues=rest), f"None of the issues converged: {', '.join(rest)}."
    what = f"{', '.join(converged)} converged"
    if rest:
        return Decided(what=what, extent="partial"), f"{what}; {', '.join(rest)} did not."
    return Decided(what=what, extent="full"), "Every issue converged."


def _by_votes(votes: Votes | None) -> Found | None:
    if votes is None:
        return None
    outcome = by_votes(votes)
    match outcome:
        case Decided():
            return outcome, f"{votes.options[outcome.what]} of {votes.seats} seats ended at {outcome.what}."
        case TooClose():
            return outcome, f"No option has a majority of the seats: {'; '.join(outcome.reasons)}."
        case _:
            return outcome, f"Too few valid votes: {sum(votes.options.values())} of {votes.seats} seats."


def _by_points(found: Findings) -> Found:
    gap = found.gap
    if gap is None:
        nothing = "there is nothing scored, voted or settled that could decide"
        return TooClose(margin=0.0, reasons=(nothing,)), f"Too close: {nothing}."
    low, high = gap.interval
    ahead, interval = (gap.sides[0], (low, high)) if gap.value >= 0 else (gap.sides[1], (0.0 - high, 0.0 - low))
    margin = abs(gap.value)
    if reasons := tuple(_against(found, gap)):
        return TooClose(margin=margin, interval=interval, reasons=reasons), f"Too close: {'; '.join(reasons)}."
    how = "a significant lead" if gap.word == "significant" else "a lead"
    why = f"{ahead} argued better, by {decimal(margin)} points of ten (95 % interval {span(interval)}): {how}."
    return Decided(what=ahead, extent="full", margin=margin, interval=interval), why


def _against(found: Findings, gap: Gap) -> Iterable[str]:
    """Reasons against letting this gap decide."""
    if gap.word == "evenly matched":
        close = abs(gap.value) < LEAD
        yield "the sides are less than a point apart" if close else "the interval of the gap contains zero"
    elif gap.word == "lead":
        small = f"a gap of at most {SIGNIFICANT:.0f} points does not make up for it"
        yield from (f"{why}, and {small}" for why in _disagreement(found.reliability))
    if found.board and rankings_differ(found.board):
        yield "the teams rank otherwise by points per speech than by their totals"
    if _length_explains(found, gap):
        yield "the lengths of the two sides explain the gap"


def _disagreement(reliability: Reliability) -> list[str]:
    if reliability.word != "do not rely":
        return []
    if reliability.alpha is None:
        return ["whether judges agree is not known"]
    return [f"the judges agree too little to be relied on (α {decimal(reliability.alpha, 2)})"]


def _length_explains(found: Findings, gap: Gap) -> bool:
    """Whether judges reward length, the sides differ in length, and less than a lead remains without that."""
    slope = found.reliability.length_slope
    if slope is None or slope <= LENGTH_LIMIT or abs(found.doublings) < UNEQUAL or abs(gap.value) < LEAD:
        return False
    if gap.value * found.doublings < 0:  # the shorter side leads: the losing side cannot pad the lead away
        return False
    return abs(gap.value) - slope * abs(found.doublings) < LEAD


def _families(found: Findings) -> tuple[str, ...]:
    heard = _heard(found)
    return tuple(sorted({judge.family for judge in found.panel if judge.seat in heard}))


def _heard(found: Findings) -> set[str]:
    """Judges with an observation that counts."""
    return {seat for (seat, _), sheets in found.sheets.items() if sheets.count}


UNEQUAL = 0.5
"""Half a doubling: one side's items are then about 40 % longer."""
