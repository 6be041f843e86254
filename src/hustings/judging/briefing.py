"""Writes the briefing of a judged debate: a few sentences by rule from its findings, without a model.

It recommends no more than the outcome supports, and says what it rests on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hustings.text.figures import decimal, listed, of_ten
from hustings.text.words import shortened
from hustings.transcript.notes import BudgetStopped, Cancelled, Deadlocked, Decided, Failed, NoQuorum, TooClose

from .findings import Findings
from .judgement import ArgumentResult, Briefing, Flip, Reliability, Standing, Total
from .verdict import Verdict


def brief(found: Findings, verdict: Verdict) -> Briefing:
    return Briefing(
        recommendation=_recommendation(found, verdict),
        insight=_insight(found, verdict),
        survived=tuple(map(_line, _survived(found))),
        refuted=tuple(map(_line, _claims(found, "refuted"))),
        unresolved=_unresolved(found),
        confidence=_confidence(found, verdict),
        without_debate=found.control.said if found.control else "",
        caveat=CAVEAT,
    )


def _claims(found: Findings, *which: Standing) -> list[ArgumentResult]:
    """Claims with the first standing, then those with the next."""
    return [argument for standing in which for argument in found.trace if argument.standing == standing]


def _survived(found: Findings) -> list[ArgumentResult]:
    return _claims(found, "upheld", "partially_upheld")


# -- recommendation ----------------------------------------------------------------------


def _recommendation(found: Findings, verdict: Verdict) -> str:
    match verdict.outcome:
        case Decided() if found.issues_in_words:
            return _settled(found.issues_in_words)
        case Decided(what=what, extent=extent):
            part = " in part" if extent == "partial" else ""
            return f"The debate favours {_short(what)}{part}: {_grounds(found, verdict, what)}."
        case TooClose():
            return f"Do not decide on this debate alone: {_closeness(found, verdict)}. {_what_to_weigh(found)}"
        case Deadlocked(issues=issues):
            apart = listed([_short(issue) for issue in issues])
            return f"No recommendation: the seats stayed apart on {apart}. {_what_to_weigh(found)}"
        case NoQuorum():
            return (
                "No recommendation: too few usable answers came in for a verdict. "
                "Judge the debate again with judges that answer; if voices were missing, hold it again."
            )
        case BudgetStopped(cap=cap, unit=unit):
            return (
                f"No recommendation: the budget of {decimal(cap, 2)} {unit} ended before a verdict. "
                "Go on with a larger one; what was said is kept."
            )
        case Cancelled(by=by):
            return f"No recommendation: {by} stopped it before a verdict. Go on with it, or begin again."
        case Failed(code=code):
            return (
                f"No recommendation: it broke off before a verdict ({code}). "
                "Mend the cause and go on from what was said."
            )


def _settled(issues: Mapping[str, str]) -> str:
    agreed = [issue for issue, state in issues.items() if state == "converged"]
    apart = [f"{_short(issue)} ({state})" for issue, state in issues.items() if state != "converged"]
    taken = f"The seats agreed on {listed([_short(issue) for issue in agreed])}: take that as the debate's answer."
    return f"{taken} Still yours to decide: {listed(apart)}." if apart else taken


def _grounds(found: Findings, verdict: Verdict, what: str) -> str:
    votes, gap = found.votes, found.gap
    grounds: list[str] = []
    if votes and what in votes.options:
        grounds.append(f"{votes.options[what]} of {votes.seats} seats ended there")
    if gap and what == gap.sides[gap.value < 0]:
        how = " significantly" if gap.word == "significant" else ""
        grounds.append(f"it was argued{how} better, by {decimal(abs(gap.value))} points of 10")
    if not gap:
        grounds += _level(found.totals, what)
    grounds += _survival(found, what)
    return "; ".join(grounds) or verdict.reason.rstrip(".")


def _level(totals: Sequence[Total], side: str) -> Iterator[str]:
    """How well a side argued, beside the best of the others."""
    scores = {total.side: total.score for total in totals if total.score is not None}
    own = scores.pop(side, None)
    if own is not None:
        best = max(scores, key=lambda other: scores[other], default=None)
        yield f"it was argued at {of_ten(own)}" + (f", {best} at {of_ten(scores[best])}" if best else "")


def _survival(found: Findings, side: str) -> Iterator[str]:
    made, stood = ([argument.side == side for argument in arguments] for arguments in (found.trace, _survived(found)))
    if any(made):
        others = "" if all(made) else f" against {stood.count(False)} of the other {made.count(False)}"
        yield f"{sum(stood)} of its {sum(made)} argument{'s' if sum(made) > 1 else ''} survived{others}"


def _closeness(found: Findings, verdict: Verdict) -> str:
    gap, votes = found.gap, found.votes
    if votes and 2 * max(votes.options.values(), default=0) <= votes.seats:
        return f"no answer has more than half of the {votes.seats} seats"
    if gap and gap.word == "evenly matched":
        return f"{listed(gap.sides)} were evenly matched, {decimal(abs(gap.value))} points of 10 apart"
    reasons = verdict.outcome.reasons if isinstance(verdict.outcome, TooClose) else ()
    return ("; ".join(reasons) or verdict.reason).rstrip(".")


def _what_to_weigh(found: Findings) -> str:
    ids = [argument.id for argument in _survived(found)]
    some = listed([*ids[:MOST_NAMED], *(["others"] if len(ids) > MOST_NAMED else [])])
    weigh = f"Weigh what survived ({some}) yourself" if some else "Read the arguments yourself"
    return f"{weigh}, and first go through what is left to check." if _unresolved(found) else f"{weigh}."


# -- insight -----------------------------------------------------------------------------


def _insight(found: Findings, verdict: Verdict) -> str:
    if not found.trace:
        return "No single argument was judged."
    standing = _claims(found, "upheld") or _claims(found, "partially_upheld")
    if not standing:
        refuted, open_ = len(_claims(found, "refuted")), len(_claims(found, "uncertain"))
        return f"No argument survived: {refuted} refuted, {open_} uncertain."
    return " ".join(_telling(max(standing, key=_weight), found, verdict))


def _weight(argument: ArgumentResult) -> tuple[float, float]:
    """Sort key: strength first, then how well it was argued."""
    return argument.strength or 0.0, argument.score or 0.0


def _telling(argument: ArgumentResult, found: Findings, verdict: Verdict) -> Iterator[str]:
    winner = verdict.outcome.what if isinstance(verdict.outcome, Decided) else argument.side
    against = ", against the outcome" if winner in {f.side for f in found.trace} - {argument.side} else ""
    said = f"{argument.id} ({argument.seat}{against}): “{_short(argument.claim)}”"
    strength = "" if argument.strength is None else f", strength {decimal(argument.strength, 2)} of 1"
    argued = "" if argument.score is None else f", argued at {of_ten(argument.score)}"
    yield f"The strongest argument left is {said} — {_words(argument.standing)}{strength}{argued}."
    yield f"{_turning(argument.flip)}." if argument.flip else "No change of one score alone would alter that."


def _turning(flip: Flip) -> str:
    now, then = decimal(flip.now), decimal(flip.then)
    return f"It would be {_words(flip.standing)} if the {flip.what} were {then} instead of {now}"


# -- the rest ----------------------------------------------------------------------------


def _unresolved(found: Findings) -> tuple[str, ...]:
    """Uncertain claims, then open questions; questions about refuted claims come last."""
    refuted = {argument.id for argument in _claims(found, "refuted")}
    asked = sorted(found.questions, key=lambda pair: pair[0] in refuted)
    lines = [
        *((argument.id, _line(argument)) for argument in _claims(found, "uncertain")),
        *((question, f"{claim}, still open: {_short(question)}") for claim, question in asked if question.strip()),
    ]
    unique: dict[str, str] = {}
    for key, line in lines:
        unique.setdefault(" ".join(key.casefold().split()), line)
    told = tuple(unique.values())
    if len(told) <= MOST_UNRESOLVED:
        return told
    return *told[: MOST_UNRESOLVED - 1], f"and {len(told) - MOST_UNRESOLVED + 1} more in the transcript"


def _confidence(found: Findings, verdict: Verdict) -> str:
    reliability, weakened = found.reliability, len(verdict.degraded)
    if not isinstance(verdict.outcome, Decided | TooClose | Deadlocked):
        return "None: there is no verdict to rely on."
    if not reliability.observations:
        return "Not measured: no judge scored this debate, and the outcome follows from what the seats said."
    weak = f"{weakened} {'thing weakens' if weakened == 1 else 'things weaken'} the verdict"
    also = f", and {weak}." if weakened else "."
    if reliability.judges < 2:
        return f"Do not rely on the scores: one judge alone gave them{also}"
    agreed = _agreement(reliability)
    match reliability.word:
        case "do not rely":
            return f"Do not rely on the scores: the judges did not agree enough ({agreed}){also}"
        case "tentative":
            return f"{'Low' if weakened else 'Moderate'}: the judges agreed in part ({agreed}){also}"
        case "good" if weakened:
            return f"Moderate: the judges agreed well ({agreed}), but {weak}."
        case "good":
            return f"Good, for judges that are models: they agreed well ({agreed})."


def _agreement(reliability: Reliability) -> str:
    if reliability.alpha is None:
        return "all scores alike" if reliability.word == "good" else "it could not be measured"
    return f"α {decimal(reliability.alpha, 2)}; 1 is perfect"


def _line(argument: ArgumentResult) -> str:
    return f"{argument.id} ({argument.seat}): {_short(argument.claim)} — {argument.reason}"


def _words(standing: Standing) -> str:
    return standing.replace("_", " ")


def _short(text: str) -> str:
    return shortened(text, MOST_WORDS)


MOST_WORDS = 30
MOST_UNRESOLVED = 12
MOST_NAMED = 6
CAVEAT = (
    "This measures how well each side argued, not who is right, and the judges are models too. "
    "Before a weighty decision, read the transcript and judge for yourself."
)
