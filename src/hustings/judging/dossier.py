"""A finished debate as one object, for exports and pages: proceedings, judgement and expenses."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from hustings.script.debate import Proceedings
from hustings.script.documents import TextsOf
from hustings.text.figures import call_count, dollars, token_count
from hustings.transcript.empty_fields import OMIT_IF_EMPTY
from hustings.transcript.events import Event, TurnEntered

from .judgement import ExecutiveSummary, Judgement


class Expense(BaseModel, frozen=True, defer_build=True):
    """Calls, tokens and dollars that one run used."""

    what: str
    """`debate`, `judging`, `control`, `summary` or `evaluation`."""
    run_id: str
    calls: int
    tokens: int
    """Those that are known."""
    tokens_held: int = 0
    """Booked for calls that broke off or were not counted."""
    spent: float
    """In dollars."""
    misreported: int = 0
    """Answers whose provider reported tokens that cannot be right, or none."""
    hosted: Annotated[bool, OMIT_IF_EMPTY] = False
    """Whether a host played seats of it: what it used is not known."""


UNREPORTED = "Unknown: the host does not report what it used"
"""The cost of seats that a host played, which is not the same as nothing."""


class DebateSection(ABC):
    """What a plug-in adds to a finished debate, for programs, pages and files."""

    name: str
    """Its key in exports and views, and the script of the audit that it is computed from."""
    title: str
    data: Mapping[str, JsonValue]

    @abstractmethod
    def view(self) -> BaseModel: ...

    @abstractmethod
    def markdown(self) -> Sequence[str]:
        """Blocks of Markdown, a heading first."""

    @abstractmethod
    def html(self) -> str:
        """A `section` element with its name as id; everything in it is escaped."""


class Dossier(BaseModel, frozen=True, defer_build=True):
    """The proceedings, their judgement if they were judged, and the expenses of all runs."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    proceedings: Proceedings
    judgement: Judgement | None = None
    expenses: tuple[Expense, ...] = ()
    summary: ExecutiveSummary | None = None
    """Written by a model, if it was asked for."""
    allowances: Mapping[str, int] = {}
    """Turn id to its word limit, where there was one."""
    sections: tuple[DebateSection, ...] = Field(default=(), exclude=True, repr=False)
    """What plug-ins add, such as an evaluation."""
    texts: TextsOf = Field(default_factory=dict[str, str], exclude=True, repr=False)
    """Texts of the documents by id, for the sentences that were quoted. Exports never contain them whole."""

    @property
    def cost(self) -> str:
        """The cost in words; empty if unknown."""
        if not self.expenses:
            return ""
        calls = sum(expense.calls for expense in self.expenses)
        tokens = sum(expense.tokens for expense in self.expenses)
        held = sum(expense.tokens_held for expense in self.expenses)
        wrong = sum(expense.misreported for expense in self.expenses)
        spent = sum(expense.spent for expense in self.expenses)
        parts = ", ".join(f"{expense.what} ${dollars(expense.spent, 4)}" for expense in self.expenses)
        paid = f"${dollars(spent, 4)} ({parts})" if spent else "Free"
        used = f", {token_count(tokens, held)}" if tokens or held else ""
        hosted = any(expense.hosted for expense in self.expenses)
        if hosted and not calls:
            return UNREPORTED
        unknown = f". {UNREPORTED}" if hosted else ""
        made = call_count((expense.what, expense.calls) for expense in self.expenses)
        return f"{paid}, {made}{used}{doubts(wrong)}{unknown}"


def doubts(misreported: int) -> str:
    """The warning that a bill rests on our own count; empty if it does not."""
    many = f"{misreported} answer{'s' if misreported > 1 else ''}"
    return f"; the provider's count of {many} cannot be right" if misreported else ""


def allowances(events: Iterable[Event]) -> dict[str, int]:
    """Return turn id to word limit, where there was one."""
    return {event.turn.turn_id: event.words for event in events if isinstance(event, TurnEntered) and event.words}
