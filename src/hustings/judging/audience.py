"""Votes of people beside the panel: who says what it says, of the winner and of single arguments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from hustings.transcript.models import SAFE_ID
from hustings.transcript.outcome import Deadlocked, Decided, TooClose

from .arguments import sides
from .dossier import Dossier
from .judgement import Judgement, Standing

Id = Annotated[str, Field(pattern=f"^{SAFE_ID}$")]
TIE = ""
"""Nobody, where winners are counted."""


class Vote(BaseModel):
    """What somebody makes of a debate."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    winner: Id | None
    """A side or seat; none is a tie."""
    standings: Mapping[Id, Standing] = {}
    """What the voter makes of single arguments."""
    sure: Annotated[int, Field(ge=50, le=100, strict=True)] = 50
    """Percent."""
    remark: Annotated[str, Field(max_length=2_000)] = ""


class Tally(BaseModel, frozen=True):
    """Votes of people beside the panel; shown to whoever has voted."""

    votes: int
    winners: Mapping[str, int]
    """How many voted for whom; under no name, for nobody."""
    standings: Mapping[str, Mapping[Standing, int]]
    panel: str | None
    """Whom the panel's scores favour; none is nobody."""
    agree_on_winner: float | None
    """Share of voters who say what the panel says; none if it says nothing that can be voted on."""
    agree_on_standings: float | None
    """Share of the voters' standings that are the panel's."""
    mine: Vote


def tally(dossier: Dossier, votes: Mapping[str, str], voter: str) -> Tally:
    """Of all votes, by voter and in JSON; whoever is shown it is one of them."""
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
    """The winner, nobody, or None where the panel has come to nothing that a voter could say, too."""
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
