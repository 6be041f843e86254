"""Says in a sentence what would change the verdict: the argument, answer or score that it depends on most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import fsum

from hustings.text.figures import decimal, listed
from hustings.text.words import shortened
from hustings.transcript.notes import Deadlocked, Decided, Outcome, TooClose

from .findings import Findings
from .judgement import Votes
from .lean import CLEAR, lean
from .totals import LEAD, item_scores, panel_means, rounded
from .verdict import NEITHER


def what_would_change(found: Findings, outcome: Outcome) -> str:
    if found.decision and isinstance(outcome, Decided | TooClose):
        return found.decision.would_change
    match outcome:
        case Deadlocked():
            return _held_apart(found)
        case Decided(what=what) if found.votes and what in found.votes.options:
            return _votes_kept(found.votes, what)
        case Decided() if found.issues:
            return _held_apart(found) or "A speaker going back on an agreed answer."
        case Decided(what=what, margin=None):
            other = next((side for side in found.pair or () if side != what), what)
            return f"Decided by {found.name(other)}'s own concession, not by scores. {_by_scores(found)}".strip()
        case Decided(what=what):
            return _dropped(found, what)
        case TooClose() if found.votes:
            return _votes_missing(found.votes)
        case TooClose(reasons=reasons) if found.gap and NEITHER not in reasons:
            return _points_missing(found, abs(found.gap.value))
        case _:
            return ""


# -- two sides -----------------------------------------------------------------------------


def _dropped(found: Findings, what: str) -> str:
    """Which of the winner's arguments the result depends on: without it, no lead would be left."""
    before = abs(found.gap.value) if found.gap else 0.0
    if found.gap is None or found.gap.word == "evenly matched":
        leans = {claim: value for claim, value in _leans_without(found, what).items() if value < CLEAR}
        return f"{_if_it_fell(found, leans)}, it would be too close to call." if leans else NOTHING
    if found.by_speech:
        return f"A lead below {decimal(LEAD)} point a speech would be too close. Now it is {decimal(before)}."
    leads = {claim: rounded(lead) for claim, lead in _leads_without(found, what) if rounded(lead) < LEAD}
    if not leads:
        return NOTHING
    left = decimal(max(min(leads.values()), 0.0), 2)
    return f"{_if_it_fell(found, leads)}, the lead would shrink from {decimal(before, 2)} to {left} points: too close."


def _if_it_fell(found: Findings, left: Mapping[str, float]) -> str:
    """Name the argument without which least is left."""
    claim = min(left, key=lambda name: left[name])
    return f"If {claim} fell (“{shortened(next(row.claim for row in found.trace if row.id == claim), WORDS)}”)"


def _leads_without(found: Findings, what: str) -> Iterator[tuple[str, float]]:
    """Each argument of a side, and the lead of the side without it."""
    seen, weights, sides, _ = found.measured
    scores = item_scores(panel_means(seen, weights, sides), weights)
    own = {item: score for item, score in scores.items() if score is not None and sides[item] == what}
    others = [score for item, score in scores.items() if score is not None and sides[item] != what]
    for item in own:
        rest = [score for other, score in own.items() if other != item]
        if rest and others:
            yield item, fsum(rest) / len(rest) - fsum(others) / len(others)


def _leans_without(found: Findings, what: str) -> Mapping[str, float]:
    pair = found.pair
    if pair is None or found.lean is None:
        return {}
    sign = 1 if what == pair[0] else -1
    left = {
        row.id: lean([other for other in found.trace if other.id != row.id], found.seen, pair)
        for row in found.trace
        if row.side == what
    }
    return {claim: sign * leaning.value for claim, leaning in left.items() if leaning}


def _by_scores(found: Findings) -> str:
    told = [f"{found.name(t.side)} {decimal(t.score)}" for t in found.totals if t.score is not None]
    if found.gap is None or len(told) < len(found.gap.sides):
        return ""
    ahead = found.name(found.gap.sides[found.gap.value < 0])
    lead = "it would be too close" if abs(found.gap.value) < LEAD else f"{ahead} would be ahead"
    return f"By scores alone {lead}: {', '.join(told)} out of 10."


def _points_missing(found: Findings, lead: float) -> str:
    if lead < LEAD:
        return f"A verdict needs a lead of {decimal(LEAD)} point. Now it is {decimal(lead)}."
    disagree = found.reliability.word == "do not rely" and found.reliability.alpha is not None
    return f"The lead of {decimal(lead)} points would count if the judges agreed more." if disagree else ""


# -- votes and issues ----------------------------------------------------------------------


def _votes_kept(votes: Votes, what: str) -> str:
    needed, has = votes.seats // 2 + 1, votes.options[what]
    spare = has - needed + 1
    who = "One speaker" if spare == 1 else f"{spare} speakers"
    return f"{who} changing their answer would undo the majority."


def _on_a_condition(votes: Votes, what: str) -> str:
    """How many of those at an answer have a condition, and what it is."""
    has = votes.options[what]
    conditions = [condition for seat, condition in votes.conditions.items() if votes.chosen.get(seat) == what]
    if not conditions:
        return ""
    many = f"All {has}" if len(conditions) == has > 1 else f"{len(conditions)} of the {has}"
    who = "One speaker" if has == 1 else many
    told = f" {who} said “{what}” on a condition: {shortened(conditions[0], CONDITION)}"
    return told if told.endswith((".", "…")) else f"{told}."


def _votes_missing(votes: Votes) -> str:
    most = max(votes.options.values(), default=0)
    first = [option for option, count in votes.options.items() if count == most]
    more = votes.seats // 2 + 1 - most
    who = "One speaker" if more == 1 else f"{more} speakers"
    told = f"{who} moving to {' or '.join(first)} would make a majority."
    return told + "".join(_on_a_condition(votes, option) for option in first)


def _held_apart(found: Findings) -> str:
    """Who holds what on the first issue that stayed open."""
    for issue in found.settled:
        if issue.state not in {"converged", "overtaken"}:
            says = [f"{found.name(seat)}: “{shortened(answer, WORDS)}”" for seat, answer in issue.says.items()]
            told = " ".join([shortened(issue.question, WORDS), *([f"{listed(says)}."] if says else [])])
            return f"{told} One of them giving way would settle it."
    return ""


NOTHING = "No single argument: without any one of them the result would be the same."
WORDS = 25
CONDITION = 40
