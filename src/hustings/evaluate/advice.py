"""For whoever held a seat: what held, what was left unanswered, what was never spoken to. By rule, from the record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from pydantic import BaseModel

from hustings.core.arguments import Claim, Response, arguments_of, sides, speeches
from hustings.core.dossier import Dossier
from hustings.core.errors import NotFound
from hustings.core.figures import decimal
from hustings.core.judgement import Fate
from hustings.core.points import OBJECTIONS
from hustings.core.words import shortened

from .fates import NOUNS

MOST = 3
"""Of each kind: more is no advice."""
NOTABLE = 0.05
"""A response that moves an argument by less has done nothing to speak of."""
LONGEST = 40
"""Words of somebody else's that are quoted."""
WORDS = {"upheld": "upheld", "partially_upheld": "upheld in part", "refuted": "refuted", "uncertain": "uncertain"}


class Advice(BaseModel, frozen=True):
    """For a person who held a seat: computed from the judgement, not written by a model."""

    seat: str
    strengths: tuple[str, ...]
    unanswered: tuple[str, ...]
    missed: tuple[str, ...]
    """The strongest arguments of the others that the seat's side never spoke to."""


def advice(dossier: Dossier, seat: str) -> Advice:
    """In whole sentences; of a debate that was not judged, what the record alone tells."""
    seats = sides(dossier.proceedings.transcript)
    if seat not in seats:
        raise NotFound.among(seats, "seat", seat)
    found = _Findings(dossier, seat, seats[seat])
    return Advice(
        seat=seat,
        strengths=tuple(found.strengths()),
        unanswered=tuple(found.unanswered()),
        missed=tuple(found.missed()),
    )


@dataclass(frozen=True)
class _Findings:
    dossier: Dossier
    seat: str
    side: str

    @cached_property
    def trace(self) -> Sequence[Fate]:
        return self.dossier.judgement.trace if self.dossier.judgement else ()

    @cached_property
    def claims(self) -> Sequence[Fate | Claim]:
        """The strongest first; of an unjudged debate, as they were made."""
        if self.dossier.judgement is None:
            return arguments_of(self.dossier).claims
        strongest: list[Fate] = sorted(self.trace, key=lambda fate: -(fate.strength or 0.0))
        return strongest

    @cached_property
    def responses(self) -> Sequence[Response]:
        return arguments_of(self.dossier).responses

    @cached_property
    def ours(self) -> set[str]:
        """Seats of this side."""
        return {seat for seat, side in sides(self.dossier.proceedings.transcript).items() if side == self.side}

    @cached_property
    def spoken_to(self) -> set[str]:
        """What this side has said something about."""
        return {response.target for response in self.responses if response.seat in self.ours}

    @cached_property
    def heard(self) -> set[str]:
        """Turns after which this side spoke again."""
        turns = speeches(self.dossier.proceedings.transcript)
        last = max((n for n, turn in enumerate(turns) if turn.speaker_id in self.ours), default=0)
        return {turn.turn_id for turn in turns[:last]}

    def strengths(self) -> Iterator[str]:
        held = {"upheld", "partially_upheld"}
        own = [fate for fate in self.trace if fate.seat == self.seat and fate.standing in held]
        for fate in sorted(own, key=lambda fate: -(fate.strength or 0.0))[:MOST]:
            yield f"{fate.id} held, {_quoted(fate.claim)}. {fate.reason}"
        moved = [(part, fate) for fate in self.trace for part in fate.contributions if part.by == self.seat]
        for part, fate in sorted(moved, key=lambda pair: -abs(pair[0].share))[:MOST]:
            by = decimal(abs(part.share), 2)
            if fate.side != self.side and part.kind in OBJECTIONS and part.share < -NOTABLE:
                yield f"Your {NOUNS[part.kind]} took {by} of 1 from the strength of {fate.id}."
            elif fate.side == self.side and part.kind == "answer" and part.share > NOTABLE:
                yield f"Your answer gave {fate.id} back {by} of 1 of its strength."

    def unanswered(self) -> Iterator[str]:
        """What was said against the seat's arguments while its side could still speak, the most harmful first."""
        own = {claim.id for claim in self.claims if claim.seat == self.seat}
        harm = {part.response: part.share for fate in self.trace for part in fate.contributions}
        against = [r for r in self.responses if r.attacks and r.target in own and r.seat not in self.ours]
        left = [r for r in against if r.turn_id in self.heard and not {r.id, r.source} & self.spoken_to]
        for response in sorted(left, key=lambda r: harm.get(r.id, 0.0)):
            told = f"The {NOUNS[response.kind]} of {response.target} by {response.seat} was left unanswered"
            if response.questions:
                yield f"{told}. It asked: {_quoted(response.questions[0])}."
            else:
                yield f"{told}." if response.source else f"{told}: {_quoted(response.words)}."

    def missed(self) -> Iterator[str]:
        """What others put forward while this side could still speak, and what became of it."""
        who = "You" if self.ours == {self.seat} else "Your side"
        others = [claim for claim in self.claims if claim.side != self.side and claim.turn_id in self.heard]
        ended = {fate.id: fate.standing for fate in self.trace}
        live = [claim for claim in others if claim.id not in self.spoken_to and ended.get(claim.id) != "refuted"]
        for claim in live[:MOST]:
            told = f"{who} never spoke to {claim.id} by {claim.seat}, {_quoted(claim.claim)}."
            yield f"{told} It ended as {WORDS[ended[claim.id]]}." if claim.id in ended else told


def _quoted(words: str) -> str:
    return f"“{shortened(' '.join(words.split()).rstrip('.'), LONGEST)}”"
