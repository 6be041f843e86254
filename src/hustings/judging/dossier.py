"""All that remains of a debate, for whoever exports, shows or embeds it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import BaseModel

from hustings.script.debate import Proceedings
from hustings.transcript.events import Event, TurnEntered

from .judgement import Judgement


class Expense(BaseModel, frozen=True):
    """What one run took."""

    what: str
    """`debate`, `judging` or `control`."""
    run_id: str
    calls: int
    tokens: int
    spent: float
    """In dollars."""


class Dossier(BaseModel, frozen=True):
    """The proceedings, what judging made of them if they were judged, and what all of it took."""

    proceedings: Proceedings
    judgement: Judgement | None = None
    expenses: tuple[Expense, ...] = ()
    allowances: Mapping[str, int] = {}
    """Words that a turn was given, where there was a limit."""

    @property
    def cost(self) -> str:
        """In words; none if nothing is known."""
        if not self.expenses:
            return ""
        parts = ", ".join(f"{expense.what} {expense.spent:.4f}" for expense in self.expenses)
        calls = sum(expense.calls for expense in self.expenses)
        tokens = sum(expense.tokens for expense in self.expenses)
        return f"{parts} USD; {calls} calls, {tokens:,} tokens in all"


def allowances(events: Iterable[Event]) -> dict[str, int]:
    """Turn to the words it was allowed, where there was a limit."""
    return {event.turn.turn_id: event.words for event in events if isinstance(event, TurnEntered) and event.words}
