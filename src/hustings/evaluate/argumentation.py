"""What was argued: claims, and the responses to them, whoever made them and under whatever protocol."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from hustings.core.points import ResponseKind


@dataclass(frozen=True)
class Claim:
    id: str
    seat: str
    side: str
    """Team or seat: whoever's total it counts for."""
    turn_id: str
    claim: str
    words: str
    """The argument in full, as it was said."""
    quote: str = ""


@dataclass(frozen=True)
class Response:
    id: str
    kind: ResponseKind
    target: str
    """A claim, or the response that an answer defends against."""
    seat: str
    side: str
    turn_id: str
    words: str
    questions: tuple[str, ...] = ()
    source: str = ""
    """The claim that carries it, where it was drawn from plain words: whatever weakens that claim weakens this."""
    owner: bool = False
    """Made by whoever made its target: a concession that gives an argument up."""
    confirmed: bool = True
    """A concession that its author's closing repeats, or one where no closing was due."""


def examines(response: Response) -> bool:
    """Whether it tests its target: a further reason for a claim does not."""
    return response.kind != "support"


@dataclass(frozen=True)
class Argumentation:
    claims: tuple[Claim, ...] = ()
    responses: tuple[Response, ...] = ()
    """In the order of the record: what they target stands before them."""
    dropped: int = 0
    """Claims and responses without a verbatim quote."""


@dataclass(frozen=True)
class Observation:
    """Everything that one judge said in one order of presentation."""

    judge: str
    order: int
    scores: Mapping[str, Mapping[str, float]] = field(default_factory=dict[str, Mapping[str, float]])
    """Item (a claim, a response, a turn) to dimension to 1..10; what was not scored, or not grounded, is absent."""
    shown: tuple[str, ...] = ()
    """Items in the order in which the judge saw them."""
    same_point: Mapping[str, str] = field(default_factory=dict[str, str])
    """Response to the response that makes the same point."""
