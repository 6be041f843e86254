"""Counts the votes of people, and compares them with the panel's winner and standings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from hustings.transcript.models import SAFE_ID
from hustings.transcript.notes import Deadlocked, Decided, TooClose

from .arguments import sides
from .dossier import Dossier
from .judgement import Judgement, Standing

Id = Annotated[str, Field(pattern=f"^{SAFE_ID}$")]
TIE = ""
"""Key under which votes for a tie are counted."""


class Vote(BaseModel, defer_build=True):
    """One person's vote on a debate."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    winner: Id | None
    """A side or seat; None means a tie."""
    standings: Mapping[Id, Standing] = {}
    """The voter's standings for single arguments."""
    sure: Annotated[int, Field(ge=50, le=100, strict=True)] = 50
    """Percent."""
    remark: Annotated[str, Field(max_length=2_000)] = ""


class Tally(BaseModel, frozen=True, defer_build=True):
    """Votes of people beside the panel's verdict; shown only to people who have voted."""

    votes: int
    winners: Mapping[str, int]
    """Number of votes by winner; the empty name is a tie."""
    standings: Mapping[str, Mapping[Standing, int]]
    panel: str | None
    """The winner by the panel's scores, or None."""
    agree_on_winner: float | None
    """Share of voters who agree with the panel; None if its outcome cannot be voted for."""
    agree_on_standings: float | None
    """Share of the voters' standings that match the panel's."""
    mine: Vote


def tally(dossier: Dossier, votes: Mapping[str, str], voter: str) -> Tally:
    """Count all votes, given as voter to JSON; `voter` is one of them."""
    cast = {name: Vote.model_validate_json(vote) for name, vote in votes.items()}
    panel = _favoured(dossier, dossier.judgement) if dossier.judgement else None
    trace = {argument.id: argument.standing for argument in dossier.judgement.trace} if dossier.judgement else {}
    found: list[tuple[str, Standing]] = [pair for vote in cast.values() for pair in vote.standings.items()]
    named = sorted({name for name, _ in found})
    return Tally(
        votes=len(cast),
        winners=Counter(vote.winner or TIE for vote in cast.values()),
        standings={name: Counter(s for about, s in found if about == name) for name in named},
        panel=panel or None,
        agree_on_winner=None if panel is None else _share((vote.winner or TIE) == panel for vote in cast.values()),
        agree_on_standings=_share(trace[name] == standing for name, standing in found if name in trace),
        mine=cast[voter],
    )


def _favoured(dossier: Dossier, judgement: Judgement) -> str | None:
    """The winner, `TIE`, or None if the panel's outcome is not one that a voter could choose."""
    seats = sides(dossier.proceedings.transcript)
    options = judgement.votes.options if judgement.votes else ()
    match judgement.outcome:
        case Decided(what=what) if what in {*seats, *seats.values(), *options}:
            return what
        case TooClose() | Deadlocked():
            return TIE
        case _:
            return None


def _share(agree: Iterable[bool]) -> float | None:
    found = list(agree)
    return sum(found) / len(found) if found else None
