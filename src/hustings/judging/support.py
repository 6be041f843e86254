"""What arguments rest on: which of them cite the documents, how far their quotes are true, and what that costs them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from hustings.script.citing import Citation, citations_of, quotes_in
from hustings.script.documents import FETCHED, NOTED
from hustings.script.look_ups import looked_up_by
from hustings.transcript.models import Turn
from hustings.transcript.notes import Note

from .arguments import Claim
from .citations import Basis, CitedBySeat, Support
from .marks import Observation

CAPS: Mapping[Basis, float] = {"own knowledge": 5, "false quote": 3}
"""Policy evidence.1: the most that a mark for evidence counts. It holds only where documents were at hand."""
DIMENSION = "evidence"


def had_documents(notes: Iterable[Note]) -> bool:
    return any(note.kind in {NOTED, FETCHED} for note in notes)


def bases(claims: Iterable[Claim], turns: Mapping[str, Turn], notes: Sequence[Note]) -> dict[str, Basis]:
    """What each argument rests on; empty in a debate without documents."""
    if not had_documents(notes):
        return {}
    cited = citations_of(notes)
    return {claim.id: _basis(cited_in(claim, turns, cited.get(claim.turn_id, ()))) for claim in claims}


def _basis(own: Sequence[Citation]) -> Basis:
    if any(not one.accepted for one in own):
        return "false quote"
    return "cited" if own else "own knowledge"


def cited_in(claim: Claim, turns: Mapping[str, Turn], cited: Iterable[Citation]) -> list[Citation]:
    """Citations that stand in an argument; if it was drawn from plain words, in the paragraph that makes it.

    A field for words of a document stands there in quotation marks alone.
    """
    words = _paragraph(turns[claim.turn_id].said, claim.quote) if claim.quote else claim.words
    given = set(quotes_in(words))
    return [one for one in cited if (one.named, one.quote) in given or f"“{one.quote}”" in words]


def _paragraph(said: str, quote: str) -> str:
    place = max(said.find(quote), 0)
    end = said.find("\n\n", place)
    return said[said.rfind("\n\n", 0, place) + 1 : len(said) if end < 0 else end]


def capped(seen: Sequence[Observation], resting: Mapping[str, Basis]) -> list[Observation]:
    """Observations in which no mark for evidence is higher than what the argument rests on allows."""
    most = {claim: CAPS[basis] for claim, basis in resting.items() if basis in CAPS}
    return [replace(one, scores=dict(_with_caps(one.scores, most))) for one in seen] if most else list(seen)


def _with_caps(
    scores: Mapping[str, Mapping[str, float]], most: Mapping[str, float]
) -> Iterator[tuple[str, Mapping[str, float]]]:
    for item, marks in scores.items():
        mark = marks.get(DIMENSION)
        yield item, marks if mark is None or item not in most else {**marks, DIMENSION: min(mark, most[item])}


def support(resting: Mapping[str, Basis], turns: Mapping[str, Turn], notes: Sequence[Note]) -> Support | None:
    """The figures about citations; None in a debate without documents."""
    if not had_documents(notes):
        return None
    cited = citations_of(notes)
    seats: dict[str, list[Citation]] = {}
    for turn_id, some in cited.items():
        if turn_id in turns:
            seats.setdefault(turns[turn_id].speaker_id, []).extend(some)
    every = [one for some in seats.values() for one in some]
    return Support(
        references=len(every),
        accepted=sum(one.accepted for one in every),
        failed=dict(sorted(Counter(one.verdict for one in every if not one.accepted).items())),
        arguments=len(resting),
        cited=sum(basis == "cited" for basis in resting.values()),
        bases=dict(resting),
        seats=tuple(
            CitedBySeat(seat=seat, references=len(some), accepted=sum(one.accepted for one in some))
            for seat, some in sorted(seats.items())
        ),
        looked_up=looked_up_by(notes),
    )
