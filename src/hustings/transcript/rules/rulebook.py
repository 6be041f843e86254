"""Registry of rules: a decorator registers a function under its code, severity and title."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Generic, Literal, NamedTuple, TypeVar

Severity = Literal["error", "warning"]
Subject = TypeVar("Subject")
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Finding:
    """A rule that a file breaks, and where."""

    code: str
    severity: Severity
    pointer: str
    """JSON pointer (RFC 6901)."""
    message: str


class Found(NamedTuple):
    """What a rule's function yields: the place, and the values that do not fit."""

    pointer: str
    detail: str = ""


@dataclass(frozen=True)
class Rule:
    code: str
    severity: Severity
    title: str

    def finding(self, found: Found) -> Finding:
        message = f"{self.title}: {found.detail}" if found.detail else self.title
        return Finding(self.code, self.severity, found.pointer, message)


class Book(Generic[Subject, Answer]):
    """Rules that check the same kind of thing, sorted by code. The book itself is the decorator that adds a rule."""

    def __init__(self) -> None:
        self.entries: list[tuple[Rule, Callable[[Subject], Answer]]] = []

    def __call__(
        self, code: str, severity: Severity, title: str
    ) -> Callable[[Callable[[Subject], Answer]], Callable[[Subject], Answer]]:
        def register(look: Callable[[Subject], Answer]) -> Callable[[Subject], Answer]:
            insort(self.entries, (Rule(code, severity, title), look), key=lambda entry: place(entry[0]))
            return look

        return register


def findings(book: Book[Subject, Iterator[Found]], subject: Subject, most: int) -> list[Finding]:
    """What the rules of a book find, at most `most` findings per rule."""
    return [rule.finding(found) for rule, look in book.entries for found in islice(look(subject), most)]


def place(rule: Rule) -> tuple[int, str]:
    """Sort key of a rule: by group, then by number."""
    return _GROUPS.index(rule.code[3]), rule.code


def quoted(value: object, most: int = 60) -> str:
    """A value from the file, safe to show: escaped and cut short."""
    text = repr(value[:most] if isinstance(value, str) else value)
    return text if len(text) <= most else f"{text[:most]}…"


_GROUPS = "PSRAMITXG"
