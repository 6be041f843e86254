"""A run's state and the outcome of its judging in a few words, for lists and tables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from hustings.text.figures import decimal
from hustings.transcript.notes import Outcome

if TYPE_CHECKING:
    from .run_summary import RunSummary

NOT_JUDGED, NO_VERDICT = "not judged", "no verdict"
ISSUES = re.compile(r"(?<![A-Z])[A-Z]++-\d+\b")
"""What a moderated panel decided begins with an issue, and not with a side or an answer."""
STATES = {"played": "finished", "budget_stopped": "limit reached"}


def state_text(state: str) -> str:
    """A state or ending as people read it."""
    return STATES.get(state, state.replace("_", " "))


def state_of(report: RunSummary) -> str:
    return "imported" if report.imported else state_text(report.ending or report.state)


def outcome_text(outcome: Outcome | None) -> str:
    """`decided for pro`, `too close`, `deadlocked`, `no verdict` or `not judged`."""
    if outcome is None:
        return NOT_JUDGED
    match outcome.kind:
        case "decided":
            part = " in part" if outcome.extent == "partial" else ""
            return f"agreed{part}" if ISSUES.match(outcome.what) else f"decided{part} for {outcome.what}"
        case "too_close" | "deadlocked":
            return outcome.kind.replace("_", " ")
        case _:
            return NO_VERDICT


def outcome_of(report: RunSummary) -> str:
    """Outcome of a debate that is over; nothing for other runs, which nobody judges yet."""
    return "" if report.state != "ended" or report.judged else outcome_text(report.outcome)


def rated_text(report: RunSummary) -> str:
    """`rated 4.5 of 5 by 2 readers`; nothing for a debate that nobody rated."""
    if report.rating is None:
        return ""
    return f"rated {decimal(report.rating)} of 5 by {report.ratings} reader{'s' if report.ratings > 1 else ''}"


def counted_text(counts: Mapping[str, int]) -> str:
    """`3 decided for pro, 1 too close`, the most frequent first."""
    ordered = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    return ", ".join(f"{count} {what}" for what, count in ordered)
