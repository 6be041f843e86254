"""Advice for a person who held a seat, by rule: what held, what went unanswered, what was never addressed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from pydantic import BaseModel

from hustings.errors import NotFound
from hustings.script.forms import OBJECTIONS
from hustings.text.figures import decimal
from hustings.text.words import shortened

from .arguments import Claim, ClaimResponse, arguments_of, sides, speeches
from .dossier import Dossier
from .explanation import NOUNS
from .judgement import ArgumentResult

MOST = 3
"""Of each kind: more would not help."""
NOTABLE = 0.05
"""A response that moves an argument by less than this had no notable effect."""
LONGEST = 40
"""Most words in a quote."""
WORDS = {
    "upheld": "upheld",
    "partially_upheld": "partly upheld",
    "refuted": "refuted",
    "withdrawn": "withdrawn",
    "uncertain": "unsettled",
}


class Advice(BaseModel, frozen=True, defer_build=True):
    """For a person who held a seat: computed from the judgement, not written by a model."""

    seat: str
    strengths: tuple[str, ...]
    unanswered: tuple[str, ...]
    missed: tuple[str, ...]
    """The strongest arguments of the others that the seat's side never spoke to."""


def advice(dossier: Dossier, seat: str) -> Advice:
    """Give advice in whole sentences; for a debate that was not judged, from the record alone."""
    seats = sides(dossier.proceedings.transcript)
    if seat not in seats:
        raise NotFound.among(seats, "seat", seat)
    found = _SeatRecord(dossier, seat, seats[seat])
    return Advice(
        seat=seat,
        strengths=tuple(found.strengths()),
        unanswered=tuple(found.unanswered()),
        missed=tuple(found.missed()),
    )


@dataclass(frozen=True)
class _SeatRecord:
    dossier: Dossier
    seat: str
    side: str

    @cached_property
    def trace(self) -> Sequence[ArgumentResult]:
        return self.dossier.judgement.trace if self.dossier.judgement else ()

    @cached_property
    def claims(self) -> Sequence[ArgumentResult | Claim]:
        """The strongest first; for an unjudged debate, in the order they were made."""
        if self.dossier.judgement is None:
            return arguments_of(self.dossier).claims
        strongest: list[ArgumentResult] = sorted(self.trace, key=lambda argument: -(argument.strength or 0.0))
        return strongest

    @cached_property
    def responses(self) -> Sequence[ClaimResponse]:
        return arguments_of(self.dossier).responses

    @cached_property
    def ours(self) -> set[str]:
        """Seats of this side."""
        return {seat for seat, side in sides(self.dossier.proceedings.transcript).items() if side == self.side}

    @cached_property
    def spoken_to(self) -> set[str]:
        """Ids of what this side responded to."""
        return {response.target for response in self.responses if response.seat in self.ours}

    @cached_property
    def heard(self) -> set[str]:
        """Turns after which this side spoke again."""
        turns = speeches(self.dossier.proceedings.transcript)
        last = max((n for n, turn in enumerate(turns) if turn.speaker_id in self.ours), default=0)
        return {turn.turn_id for turn in turns[:last]}

    def strengths(self) -> Iterator[str]:
        held = {"upheld", "partially_upheld"}
        own = [argument for argument in self.trace if argument.seat == self.seat and argument.standing in held]
        for argument in sorted(own, key=lambda argument: -(argument.strength or 0.0))[:MOST]:
            yield f"{argument.id} held up: {_quoted(argument.claim)}. {argument.reason}"
        moved = [(part, argument) for argument in self.trace for part in argument.contributions if part.by == self.seat]
        for part, argument in sorted(moved, key=lambda pair: -abs(pair[0].share))[:MOST]:
            by = decimal(100 * abs(part.share), 0)
            if argument.side != self.side and part.kind in OBJECTIONS and part.share < -NOTABLE:
                yield f"Your {NOUNS[part.kind]} took {by} off the strength of {argument.id}."
            elif argument.side == self.side and part.kind == "answer" and part.share > NOTABLE:
                yield f"Your answer gave {argument.id} back {by} of its strength."

    def unanswered(self) -> Iterator[str]:
        """What was said against the seat's arguments while its side could still speak, the most harmful first."""
        own = {claim.id for claim in self.claims if claim.seat == self.seat}
        harm = {part.response: part.share for argument in self.trace for part in argument.contributions}
        against = [r for r in self.responses if r.attacks and r.target in own and r.seat not in self.ours]
        left = [r for r in against if r.turn_id in self.heard and not {r.id, r.source} & self.spoken_to]
        for response in sorted(left, key=lambda r: harm.get(r.id, 0.0)):
            told = f"You never answered {response.seat}'s {NOUNS[response.kind]} of {response.target}"
            if response.questions:
                yield f"{told}. It asked: {_quoted(response.questions[0])}."
            else:
                yield f"{told}." if response.source else f"{told}: {_quoted(response.words)}."

    def missed(self) -> Iterator[str]:
        """Claims of others that this side never answered while it could still speak, and their standings."""
        who = "You" if self.ours == {self.seat} else "Your side"
        others = [claim for claim in self.claims if claim.side != self.side and claim.turn_id in self.heard]
        ended = {argument.id: argument.standing for argument in self.trace}
        live = [claim for claim in others if claim.id not in self.spoken_to and ended.get(claim.id) != "refuted"]
        for claim in live[:MOST]:
            told = f"{who} never answered {claim.id} by {claim.seat}: {_quoted(claim.claim)}."
            yield f"{told} It ended {WORDS[ended[claim.id]]}." if claim.id in ended else told


def _quoted(words: str) -> str:
    return f"“{shortened(' '.join(words.split()).rstrip('.'), LONGEST)}”"
