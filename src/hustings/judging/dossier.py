"""A finished debate as one object, for exports and pages: proceedings, judgement and expenses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import BaseModel

from hustings.script.debate import Proceedings
from hustings.transcript.events import Event, TurnEntered

from .judgement import Judgement


class Expense(BaseModel, frozen=True):
    """Calls, tokens and dollars that one run used."""

    what: str
    """`debate`, `judging` or `control`."""
    run_id: str
    calls: int
    tokens: int
    spent: float
    """In dollars."""


class Dossier(BaseModel, frozen=True):
    """The proceedings, their judgement if they were judged, and the expenses of all runs."""

    proceedings: Proceedings
    judgement: Judgement | None = None
    expenses: tuple[Expense, ...] = ()
    allowances: Mapping[str, int] = {}
    """Turn id to its word limit, where there was one."""

    @property
    def cost(self) -> str:
        """The cost in words; empty if unknown."""
        if not self.expenses:
            return ""
        parts = ", ".join(f"{expense.what} {expense.spent:.4f}" for expense in self.expenses)
        calls = sum(expense.calls for expense in self.expenses)
        tokens = sum(expense.tokens for expense in self.expenses)
        return f"{parts} USD; {calls} calls, {tokens:,} tokens in all"


def allowances(events: Iterable[Event]) -> dict[str, int]:
    """Return turn id to word limit, where there was one."""
    return {event.turn.turn_id: event.words for event in events if isinstance(event, TurnEntered) and event.words}
