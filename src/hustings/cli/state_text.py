"""Describes where a run stands: what it cost, how it ended, and what to type next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from hustings.text.figures import DEBATE, call_count, dollars, held_text, limit_in_dollars, token_count
from hustings.transcript.notes import NOBODY_SPOKE

if TYPE_CHECKING:
    from hustings.runs.run_summary import RunSummary
    from hustings.transcript.events import Event

NOBODY = "No worker is running. Start one: hustings worker"


def cost_of(report: RunSummary) -> str:
    if report.hosted and not report.calls:
        return "cost unknown"
    cap = "" if report.cap is None else f" of {limit_in_dollars(report.cap)}"
    what = report.protocol.partition("/")[0] if report.judged else DEBATE
    used = f"{call_count([(what, report.calls)])}, {token_count(report.tokens, report.tokens_held)}"
    spent = f"{dollars(report.spent - report.held, 4)}{cap} USD"
    return ", ".join(filter(None, [used, spent, held_text(report.held, report.held_calls)]))


def misreports(report: RunSummary, events: Iterable[Event]) -> Iterator[str]:
    """Reports of tokens that cannot be right, by model, and what was booked instead."""
    paid = [event for event in events if event.kind == "call_paid"]
    found = Counter((event.model, each.misreport) for event in paid for each in event.tries if each.misreport)
    for (model, misreport), count in sorted(found.items()):
        answers = "1 answer" if count == 1 else f"{count} answers"
        yield f"{model} {MISREPORTS[misreport].format(answers=answers)}"
    if report.reported_beyond:
        yield f"The provider reported {dollars(report.reported_beyond, 4)} USD more than was counted. Check its bill."


MISREPORTS = {
    "missing": "reported no tokens for {answers}: counted at the maximum",
    "impossible": "reported an impossible number of tokens for {answers}: counted at the maximum",
    "changing": "reported changing numbers of tokens for {answers}: counted at the largest",
    "too_low": "reported too few tokens for {answers}: counted by hustings",
    "too_high": "reported too many tokens for {answers}: counted at the maximum",
}


ENDINGS = {
    "played": "Finished",
    "budget_stopped": "Stopped by a cap",
    "cancelled": "Cancelled",
    "failed": "Failed",
}


def ended(report: RunSummary) -> Iterator[str]:
    """How the run ended, if it has."""
    if report.ending:
        yield f"{ENDINGS.get(report.ending, 'Ended')}: {cost_of(report)}"


def advice(report: RunSummary, *, judged: bool = False, left: str = "") -> str:
    """Suggest the next command; for a judged debate, to read it rather than judge it again.

    `left` is the script that was asked for and is not finished.
    """
    run_id = report.run_id
    match report.state:
        case "ended":
            return _after(report, judged=judged, left=left)
        case "broken":
            why = f" ({report.reason})" if report.reason else ""
            return f"It broke{why}. Reuse what was said: hustings fork {run_id}"
        case "paused" if "hustings resume" in report.reason:
            return f"Paused: {report.reason}. Nothing said is paid for again."
        case "paused" if report.reason:
            return f"Paused: {report.reason}, then: hustings resume {run_id}. Nothing said is paid for again."
        case "paused":
            return f"Paused. Continue: hustings resume {run_id}"
        case _ if report.hosted:
            return f"You play it. Go on: hustings next {run_id}"
        case _:
            return f"See how it goes: hustings show {run_id}. Continue it here: hustings resume {run_id}"


def _after(report: RunSummary, *, judged: bool, left: str) -> str:
    """The next command for a run that has ended."""
    run_id, why = report.run_id, f"{report.reason[:1].upper()}{report.reason[1:]}"
    if report.is_trial:
        return f"Next: hustings show {run_id} --briefing"
    if report.protocol.startswith("evaluation/"):
        return f"Next: hustings show {report.judged or run_id} --evaluation"
    if report.judged:
        about = run_id if report.protocol.startswith("judging/") else report.judged
        return f"Next: hustings show {about} --briefing"
    if report.reason.startswith(NOBODY_SPOKE):
        return f"{why}."
    if report.ending == "failed":
        failed = f"It failed ({report.reason})." if why else "It failed."
        return f"{failed}\nRead what was said until then: hustings show {run_id} --transcript"
    if report.ending == "budget_stopped":
        return f"{why}.\nGo on, nothing paid twice: hustings fork {run_id} {report.more_room}"
    then = f"Next: hustings show {run_id} --briefing" if judged else f"Next: hustings judge {run_id}"
    if left:
        then = f"Its {left} is not finished. Continue: hustings resume {run_id}"
    return f"Read what was said: hustings show {run_id} --transcript\n{then}"
