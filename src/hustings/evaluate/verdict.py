"""The outcome, by rule: the first that applies of failed, cancelled, out of budget, no quorum, deadlocked, too close,
decided; why; and what weakens it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from hustings.core.figures import decimal, span
from hustings.core.judgement import Board, Gap, Judge, Reliability, Total, Votes
from hustings.core.outcome import (
    BudgetStopped,
    Cancelled,
    Deadlocked,
    Decided,
    Ending,
    Failed,
    NoQuorum,
    Outcome,
    Played,
    TooClose,
)
from hustings.core.seats import SILENT_ROLES
from hustings.core.transcript import Round, Transcript

from .board import rankings_differ, stage_of
from .reliability import LENGTH_LIMIT, biases
from .totals import LEAD, SIGNIFICANT
from .votes import by_votes


@dataclass(frozen=True)
class Voices:
    """Whether enough of those who should speak were heard."""

    needed: int
    had: int
    why_not: str = ""


@dataclass(frozen=True)
class Sheets:
    """Of one judge in one order."""

    asked: int
    """As planned, even if the judge could not be reached."""
    accepted: int

    @property
    def count(self) -> bool:
        """An observation is one if at least half of its sheets were accepted."""
        return self.accepted > 0 and 2 * self.accepted >= self.asked


@dataclass(frozen=True)
class Grounds:
    """All that an outcome rests on."""

    voices: Voices
    debate: Ending = field(default_factory=Played)
    judging: Ending = field(default_factory=Played)
    panel: Sequence[Judge] = ()
    """As declared: whoever could not be reached is in it."""
    sheets: Mapping[tuple[str, int], Sheets] = field(default_factory=dict[tuple[str, int], Sheets])
    """For each declared judge's seat and order."""
    totals: Sequence[Total] = ()
    gap: Gap | None = None
    reliability: Reliability | None = None
    doublings: float = 0.0
    """How much longer the items of the gap's first side are than those of its second, in doublings."""
    board: Board | None = None
    votes: Votes | None = None
    issues: Mapping[str, str] = field(default_factory=dict[str, str])
    """Open, converged or deadlocked; none if there was no docket."""


Found = tuple[Outcome, str]


def verdict(grounds: Grounds) -> tuple[Outcome, str, tuple[str, ...]]:
    """Outcome, reason, and what weakens it. Issues decide before votes, votes before points."""
    outcome, reason = (
        _stopped(grounds)
        or _no_quorum(grounds)
        or _by_issues(grounds.issues)
        or _by_votes(grounds.votes)
        or _by_points(grounds)
    )
    return outcome, reason, degraded(grounds)


def voices(transcript: Transcript) -> Voices:
    """Two sides: each speaks in every part in which the other does. Any other table: more than half of the seats that
    were ever asked, and at least two, speak in its last pass."""
    seats = {p.agent_id: p for p in transcript.participants if p.role not in SILENT_ROLES}
    teams = {seat: p.team for seat, p in seats.items() if p.team}
    roles = {seat: p.role for seat, p in seats.items() if p.role in OPPOSED}
    for side_of in (teams, roles):
        sides = sorted(set(side_of.values()))
        if len(sides) == 2:
            return _of_two_sides(transcript.rounds, side_of, sides)
    return _of_many(transcript.rounds, seats.keys())


def degraded(grounds: Grounds) -> tuple[str, ...]:
    """What weakens a verdict, whatever it is."""
    declared = list(dict.fromkeys(judge.family for judge in grounds.panel))
    asked, accepted = sum(s.asked for s in grounds.sheets.values()), sum(s.accepted for s in grounds.sheets.values())
    said: list[str] = []
    if asked:
        present = _families(grounds)
        said += [f"no judge of the family {family} was heard" for family in declared if family not in present]
        unheard = [judge for judge in grounds.panel if judge.seat not in _heard(grounds) and judge.family in present]
        said += [f"judge {judge.seat} was not heard" for judge in unheard]
    said += [f"all judges are of one family, {declared[0]}"] if len(declared) == 1 else []
    said += ["which issues converged was read by the moderator alone"] if grounds.issues else []
    kin = [judge.seat for judge in grounds.panel if judge.kin]
    said += [f"{len(kin)} of {len(grounds.panel)} judges are of a debater's family"] if kin else []
    said += [f"{asked - accepted} of {asked} sheets were not given or not accepted"] if accepted < asked else []
    said += [
        f"{t.unscored} of {t.scored + t.unscored} of {t.side} could not be scored" for t in grounds.totals if t.unscored
    ]
    if grounds.reliability:
        said += _disagreement(grounds.reliability)
        said += biases(grounds.reliability.position_bias, grounds.reliability.length_slope)
    return tuple(said)


# -- in order of precedence --------------------------------------------------------------


def _stopped(grounds: Grounds) -> Found | None:
    endings = (("the debate", grounds.debate), ("judging", grounds.judging))
    for kind in ("failed", "cancelled", "budget_stopped"):
        for what, ending in endings:
            if ending.kind == kind and not isinstance(ending, Played):
                return ending, f"{what[0].upper()}{what[1:]} {_told(ending)}."
    return None


def _told(ending: Failed | Cancelled | BudgetStopped) -> str:
    if isinstance(ending, Failed):
        return f"failed with {ending.code}" + (f": {ending.reason.rstrip('.')}" if ending.reason else "")
    if isinstance(ending, Cancelled):
        return f"was cancelled by {ending.by}"
    return f"stopped at its budget: {ending.spent:g} of {ending.cap:g} {ending.unit} were spent"


def _no_quorum(grounds: Grounds) -> Found | None:
    if why_not := grounds.voices.why_not:
        return NoQuorum(needed=grounds.voices.needed, had=grounds.voices.had), f"Not enough was heard: {why_not}."
    return _too_few_judges(grounds) or (None if grounds.issues or grounds.votes else _too_little_scored(grounds))


def _too_few_judges(grounds: Grounds) -> Found | None:
    """Of the declared panel, ⅔ of the observations and two families, if it has two. Where nobody was asked anything
    there was nothing to judge."""
    sheets = grounds.sheets.values()
    if not any(one.asked for one in sheets):
        return None
    had, needed = sum(one.count for one in sheets), -(-2 * len(sheets) // 3)
    families = _families(grounds)
    abstentions = sum(one.asked - one.accepted for one in sheets)
    if had < needed:
        why = f"Too few judges were heard: {had} of {len(sheets)} observations count, and {needed} are needed."
        return NoQuorum(needed=needed, had=had, families=families, abstentions=abstentions), why
    wanted = min(2, len({judge.family for judge in grounds.panel}))
    if len(families) < wanted:
        why = f"The judges heard are of too few families: {len(families)}, and {wanted} are needed."
        return NoQuorum(needed=wanted, had=len(families), families=families, abstentions=abstentions), why
    return None


def _too_little_scored(grounds: Grounds) -> Found | None:
    for total in grounds.totals:
        items = total.scored + total.unscored
        if 3 * total.unscored > items:
            why = f"Too much could not be scored: {total.unscored} of {items} of {total.side}."
            return NoQuorum(needed=-(-2 * items // 3), had=total.scored, families=_families(grounds)), why
    return None


def _by_issues(issues: Mapping[str, str]) -> Found | None:
    """An issue left open is not converged."""
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


def _by_points(grounds: Grounds) -> Found:
    gap = grounds.gap
    if gap is None:
        nothing = "there is nothing scored, voted or settled that could decide"
        return TooClose(margin=0.0, reasons=(nothing,)), f"Too close: {nothing}."
    low, high = gap.interval
    ahead, interval = (gap.sides[0], (low, high)) if gap.value >= 0 else (gap.sides[1], (0.0 - high, 0.0 - low))
    margin = abs(gap.value)
    if reasons := tuple(_against(grounds, gap)):
        return TooClose(margin=margin, interval=interval, reasons=reasons), f"Too close: {'; '.join(reasons)}."
    how = "a significant lead" if gap.word == "significant" else "a lead"
    why = f"{ahead} argued better, by {decimal(margin)} points of ten (95 % interval {span(interval)}): {how}."
    return Decided(what=ahead, extent="full", margin=margin, interval=interval), why


def _against(grounds: Grounds, gap: Gap) -> Iterable[str]:
    """Whatever stands against letting this gap decide."""
    if gap.word == "evenly matched":
        close = abs(gap.value) < LEAD
        yield "the sides are less than a point apart" if close else "the interval of the gap contains zero"
    elif gap.word == "lead" and grounds.reliability:
        small = f"a gap of at most {SIGNIFICANT:.0f} points does not make up for it"
        yield from (f"{why}, and {small}" for why in _disagreement(grounds.reliability))
    if grounds.board and rankings_differ(grounds.board):
        yield "the teams rank otherwise by points per speech than by their totals"
    if _length_explains(grounds, gap):
        yield "the lengths of the two sides explain the gap"


def _disagreement(reliability: Reliability) -> list[str]:
    if reliability.word != "do not rely":
        return []
    if reliability.alpha is None:
        return ["whether judges agree is not known"]
    return [f"the judges agree too little to be relied on (α {decimal(reliability.alpha, 2)})"]


def _length_explains(grounds: Grounds, gap: Gap) -> bool:
    """Judges who reward length, sides of unequal length, and less than a lead without it."""
    slope = grounds.reliability.length_slope if grounds.reliability else None
    if slope is None or slope <= LENGTH_LIMIT or abs(grounds.doublings) < UNEQUAL or abs(gap.value) < LEAD:
        return False
    if gap.value * grounds.doublings < 0:  # the shorter side leads: whoever loses cannot pad the lead away
        return False
    return abs(gap.value) - slope * abs(grounds.doublings) < LEAD


def _families(grounds: Grounds) -> tuple[str, ...]:
    heard = _heard(grounds)
    return tuple(sorted({judge.family for judge in grounds.panel if judge.seat in heard}))


def _heard(grounds: Grounds) -> set[str]:
    """Judges with an observation that counts."""
    return {seat for (seat, _), sheets in grounds.sheets.items() if sheets.count}


# -- voices ------------------------------------------------------------------------------


def _of_two_sides(rounds: Iterable[Round], side_of: Mapping[str, str | None], sides: Sequence[str | None]) -> Voices:
    heard: dict[str, set[str | None]] = {}
    for round_ in rounds:
        spoke = {side_of[turn.speaker_id] for turn in round_.turns if turn.said and turn.speaker_id in side_of}
        if spoke:
            heard.setdefault(stage_of(round_.label), set()).update(spoke)
    lost = [f"{side} did not speak in {part}" for part, spoke in heard.items() for side in sides if side not in spoke]
    return Voices(max(len(heard), 1), len(heard) - len(lost), "; ".join(lost) if heard else "nobody spoke")


def _of_many(rounds: Sequence[Round], seats: Iterable[str]) -> Voices:
    """The last pass is the shortest run of rounds at the end in which everybody was asked who ever was: one round where
    all speak in each, many where questions go to one at a time."""
    speaking = set(seats)
    everybody = {seat for round_ in rounds for seat in _asked(round_)} & speaking
    asked, spoke = set[str](), set[str]()
    for round_ in reversed(rounds):
        if asked >= everybody:
            break
        asked |= set(_asked(round_)) & speaking
        spoke |= {turn.speaker_id for turn in round_.turns if turn.said} & speaking
    needed = max(2, len(everybody) // 2 + 1)
    why = f"{len(spoke)} of {len(everybody)} seats spoke in the last pass, and {needed} are needed"
    return Voices(needed, len(spoke), why if len(spoke) < needed else "")


def _asked(round_: Round) -> Iterable[str]:
    return (*(round_.planned_speaking_order or ()), *(turn.speaker_id for turn in round_.turns))


OPPOSED = ("pro", "con")
UNEQUAL = 0.5
"""Half a doubling: one side's items are then some 40 % longer."""
