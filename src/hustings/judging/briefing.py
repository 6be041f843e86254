"""Writes the briefing of a judged debate by rule, without a model; its warnings come from `verdict`.

It claims no more than the outcome supports, and says what it rests on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from hustings.text.figures import decimal, limit_in_dollars, listed
from hustings.text.words import shortened
from hustings.transcript.notes import BudgetStopped, Cancelled, Deadlocked, Decided, Failed, NoQuorum, TooClose

from .arguments import QuestionLeftOpen
from .findings import Findings
from .judgement import ArgumentResult, Briefing, IssueResult, Reliability, Standing, StrongPoint, Sure
from .lean import bearing
from .totals import LEAD
from .verdict import Verdict, counted_votes, votes_for
from .what_would_change import what_would_change


def brief(found: Findings, verdict: Verdict) -> Briefing:
    reached = isinstance(verdict.outcome, Decided | TooClose | Deadlocked)
    sure, because = _sure(found, verdict) if reached else ("", "")
    unresolved = _unresolved(found)
    return Briefing(
        bottom_line=_bottom_line(found, verdict),
        sure=sure,
        sure_because=because,
        issues=tuple(map(_issue, found.settled)) if reached else (),
        strongest=tuple(_strongest(found)) if reached else (),
        would_change=what_would_change(found, verdict.outcome) if reached else "",
        check_first=tuple(short for short, _ in unresolved[:FIRST]) if reached else (),
        without_debate=found.control.said if found.control else "",
        held_up=tuple(_line(found, row) for row in _rows(found, "upheld", "partially_upheld")),
        refuted=tuple(_line(found, row) for row in _rows(found, "refuted")),
        withdrawn=tuple(_line(found, row) for row in _rows(found, "withdrawn")),
        unresolved=_all_of([full for _, full in unresolved]),
        caveat=CAVEAT,
    )


def _rows(found: Findings, *which: Standing) -> list[ArgumentResult]:
    """Arguments with the first standing, then those with the next."""
    return [row for standing in which for row in found.trace if row.standing == standing]


# -- bottom line -------------------------------------------------------------------------


def _bottom_line(found: Findings, verdict: Verdict) -> str:
    run = found.subject.judged.transcript.run_id
    match verdict.outcome:
        case Decided(what=what):
            return _decided(found, verdict, what)
        case TooClose():
            return f"{_undecided(found, verdict)} Don't decide on this debate alone."
        case Deadlocked(issues=issues):
            asked = [_in_words(found.settled, issue) for issue in issues]
            return f"No agreement on {listed(asked)}."
        case NoQuorum():
            # Judging again does not help where too few spoke.
            again = f" Judge again: hustings judge {run}" if not found.voices.why_not else ""
            return f"No verdict. {verdict.reason}{again}"
        case BudgetStopped(cap=cap, unit=unit):
            spent = f"${limit_in_dollars(cap)}" if unit == "USD" else f"{cap:g} {unit}"
            return f"Stopped at {spent} before a verdict. {_go_on(found, run)}"
        case Cancelled(by=by):
            return f"Stopped by {by} before a verdict. {_go_on(found, run)}"
        case Failed(code=code, reason=reason):
            return f"Broke off before a verdict: {reason.rstrip('.') or code}. {_go_on(found, run)}"


def _go_on(found: Findings, run: str) -> str:
    """What a person can still do: a run that is over is forked, a judging is asked for again."""
    if found.subject.judged.ending.kind == "played":
        return f"Judge again: hustings judge {run}"
    return f"What was said is saved. Reuse it: hustings fork {run}"


def _decided(found: Findings, verdict: Verdict, what: str) -> str:
    if found.decision:
        return f"{found.decision.sentence} {verdict.reason}"
    voted = found.votes is not None and what in found.votes.options
    if found.settled:
        agreed = sum(issue.state in AGREED for issue in found.settled)
        told = f"The panel agreed on {agreed} of {len(found.settled)} issues."
        return f"{votes_for(found.votes, what)} {told}" if found.votes and voted else told
    if voted:
        return verdict.reason
    scores = _scores(found)
    other = next((side for side in found.pair or () if side != what), "")
    led = isinstance(verdict.outcome, Decided) and verdict.outcome.extent == "full" and verdict.outcome.margin
    if led and what in scores and other in scores:
        how = " by far" if found.gap and found.gap.word == "significant" else ""
        return f"{_side(found, what)} argued better{how}: {scores[what]} to {scores[other]} out of 10."
    part = " in part" if isinstance(verdict.outcome, Decided) and verdict.outcome.extent == "partial" else ""
    return f"{_side(found, what)} prevailed{part}. {verdict.reason}"


def _side(found: Findings, side: str) -> str:
    """A side with what it argued for, where its name says nothing to a newcomer."""
    return found.name(side) + {"pro": " (in favour)", "con": " (against)"}.get(side, "")


def _scores(found: Findings) -> dict[str, str]:
    return {total.side: decimal(total.score) for total in found.totals if total.score is not None}


def _issue(issue: IssueResult) -> str:
    """An issue in its question, and the answer that was agreed."""
    question = _short(issue.question.rstrip("? ")) or issue.id
    answer = issue.answer.rstrip(". ") if issue.state in AGREED else "Still disputed"
    return f"{question}? {answer[:1].upper()}{answer[1:]}."


def _undecided(found: Findings, verdict: Verdict) -> str:
    if found.decision:
        return f"{found.decision.sentence} {verdict.reason}"
    gap, votes = found.gap, found.votes
    if votes and 2 * max(votes.options.values(), default=0) <= votes.seats:
        return f"The speakers ended split: {counted_votes(votes)}."
    scores = _scores(found)
    if gap and all(side in scores for side in gap.sides):
        told = ", ".join(f"{found.name(side)} {scores[side]}" for side in gap.sides)
        return f"No clear winner: {told} out of 10. {verdict.reason}"
    return f"No clear winner. {verdict.reason}"


def _in_words(issues: Iterable[IssueResult], issue: str) -> str:
    return next((f"“{_short(one.question)}”" for one in issues if one.id == issue and one.question), issue)


# -- how sure ----------------------------------------------------------------------------


def _sure(found: Findings, verdict: Verdict) -> tuple[Sure, str]:
    reliability, limits = found.reliability, verdict.degraded
    if not reliability.observations:
        return "Not measured", "No judge scored this debate. The result follows from what the speakers said."
    if reliability.judges < 2:
        return "Not reliable", "A single judge scored it."
    if not found.independent or len({judge.family for judge in found.panel}) == 1:
        return "Not reliable", "All judges are one kind of model."
    agreed = _agreement(reliability)
    if reliability.word == "do not rely":
        return "Not reliable", f"The judges disagree{agreed}."
    how = f"The judges' scores agree{'' if reliability.word == 'good' else ' in part'}{agreed}"
    if not isinstance(verdict.outcome, Decided):
        return "Low", f"The debate left it open. {how}."
    own = ["the result holds only in part"] if verdict.outcome.extent == "partial" else []
    own += ["the lead is barely large enough"] if _barely(found, verdict.outcome) else []
    but = _but([*own, *(limit for limit in limits if limit not in reliability.remarks)])
    if reliability.word == "tentative":
        return ("Low" if but else "Medium"), f"{how}{but}."
    return ("Medium" if but else "High"), f"{how}{but}."


def _barely(found: Findings, outcome: Decided) -> bool:
    """Whether a lead in points decided it that is only just above the least that counts."""
    return outcome.margin is not None and found.gap is not None and LEAD <= abs(found.gap.value) < LEAD * BARELY


def _but(limits: Sequence[str]) -> str:
    if not limits:
        return ""
    more = len(limits) - 1
    return f", but {_lower(limits[0])}" + (f", and {more} more limit{'s' if more > 1 else ''}" if more else "")


def _agreement(reliability: Reliability) -> str:
    return "" if reliability.alpha is None else f" (agreement {decimal(reliability.alpha, 2)} of 1)"


# -- the strongest on each side ------------------------------------------------------------


def _strongest(found: Findings) -> Iterator[StrongPoint]:
    """The strongest argument of each side that held up; without sides, of those who ended at each answer."""
    rows = [row for row in found.trace if row.standing not in {"refuted", "withdrawn"}]
    for label, seats in _camps(found).items():
        mine = [row for row in rows if row.side in seats or row.seat in seats]
        if mine:
            best = _best([row for row in mine if not _of_a_convert(found, row)] or mine, found)[0]
            yield StrongPoint(side=label, id=best.id, claim=best.claim, standing=best.standing, happened=best.examined)


def _of_a_convert(found: Findings, row: ArgumentResult) -> bool:
    """Whether its author changed sides: it may speak for the answer that they gave up."""
    return any(move.seat == row.seat and move.began not in {"", move.ended} for move in found.movements)


def _camps(found: Findings) -> Mapping[str, Sequence[str]]:
    """Label to the sides or seats that it stands for."""
    if found.pair:
        return {found.name(side): [side] for side in found.pair}
    camps: dict[str, list[str]] = {}
    for seat, option in found.votes.chosen.items() if found.votes else ():
        camps.setdefault(f"speakers at {option}", []).append(seat)
    if len(camps) > 1 or not found.trace:
        return camps
    # All ended at one answer, or nobody said: the best of two speakers.
    best = _best([row for row in found.trace if row.standing != "withdrawn"], found)
    return {found.name(seat): [seat] for seat in list(dict.fromkeys(row.seat for row in best))[:2]}


def _best(rows: Sequence[ArgumentResult], found: Findings) -> list[ArgumentResult]:
    """By standing, then by strength and how much it bears on the question, then by how well it was argued."""
    bears = bearing(rows, found.seen)
    rank = {"upheld": 2, "partially_upheld": 1}

    def weight(row: ArgumentResult) -> tuple[int, float, float]:
        return rank.get(row.standing, 0), (row.strength or 0.0) * bears.get(row.id, 10.0), row.score or 0.0

    return sorted(rows, key=weight, reverse=True)


# -- what to check -------------------------------------------------------------------------


def _unresolved(found: Findings) -> list[tuple[str, str]]:
    """Open questions about what held up, then unsettled arguments, then the other questions: in short, and in full."""
    standing = {row.id: row.standing for row in found.trace}
    asked = [one for one in found.questions if one.question.strip()]
    live = [one for one in asked if standing.get(one.claim) in {"upheld", "partially_upheld"}]
    lines = [
        *((one.question, _asked(one)) for one in live),
        *((row.id, (_unsettled(row), _line(found, row))) for row in _rows(found, "uncertain")),
        *((one.question, _asked(one)) for one in asked if one not in live),
    ]
    unique: dict[str, tuple[str, str]] = {}
    for key, told in lines:
        unique.setdefault(" ".join(key.casefold().split()), told)
    return [*unique.values()]


def _asked(one: QuestionLeftOpen) -> tuple[str, str]:
    word = "Still open" if one.answered else "Unanswered"
    told = f"{word} ({one.claim}): {_short(one.question)}"
    return told, told


def _unsettled(row: ArgumentResult) -> str:
    word = "Untested" if "unexamined" in row.guards else "Unsettled"
    return f"{word} ({row.id}): {shortened(row.claim, MOST_WORDS)}"


def _all_of(lines: Sequence[str]) -> tuple[str, ...]:
    if len(lines) <= MOST_UNRESOLVED:
        return tuple(lines)
    return *lines[: MOST_UNRESOLVED - 1], f"and {len(lines) - MOST_UNRESOLVED + 1} more in the transcript"


def _line(found: Findings, row: ArgumentResult) -> str:
    return f"{row.id} ({found.name(row.seat)}): {_short(row.claim)} {row.reason}"


def _short(text: str) -> str:
    return shortened(text, MOST_WORDS)


def _lower(sentence: str) -> str:
    """A sentence as the end of another; names and initials keep their capitals."""
    return sentence if sentence[1:2].isupper() else sentence[:1].lower() + sentence[1:]


AGREED = frozenset({"converged", "overtaken"})
MOST_WORDS = 40
MOST_UNRESOLVED = 12
FIRST = 3
CAVEAT = "A debate shows who argued better, not who is right. For a serious decision, read the transcript."
BARELY = 1.2
"""Up to this many times the least lead, a lead is barely large enough."""
