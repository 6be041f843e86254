"""The points that an answer puts forward, one by one: arguments, and responses to them."""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import BaseModel

Objection = Literal["refute", "challenge", "partial"]
ResponseKind = Literal[Objection, "concede", "support", "answer"]
"""What a response does to its target; an `answer` defends against a response."""
OBJECTIONS: frozenset[str] = frozenset(get_args(Objection))
"""Responses that speak against their target."""
WEIGHED = OBJECTIONS | {"support"}
"""Responses whose effect is judged; a concession has the effect it says it has."""


class Point(BaseModel, frozen=True):
    id: str
    kind: Literal["argument", "statement"] | ResponseKind
    """A statement is read with the rest, but no judge weighs it."""
    words: str
    """As other seats read them."""
    claim: str = ""
    """What an argument asserts, in one sentence."""
    target: str = ""
    """The point a response is about."""
    questions: tuple[str, ...] = ()
    """What it asks the author of its target."""
