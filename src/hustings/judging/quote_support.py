"""Whether quoted words support the claims they are quoted for: what judges are asked, and the two figures from it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal, cast

from pydantic import Field, JsonValue

from hustings.script.checks import once_each
from hustings.script.citing import Citation, citations_of
from hustings.script.forms import Form, ItemId
from hustings.script.moves import Brief, Exhibit
from hustings.transcript.models import Turn
from hustings.transcript.notes import Note, Remark

from .anonymise import Mask
from .arguments import Claim
from .sheets import JudgeReading, Material, masked
from .support import cited_in

KIND = "quote support"
"""Of the note that holds a judge's answers."""
MOST = 12
"""Quotes on one sheet."""
Degree = Literal["fully", "partly", "not"]
WEIGHT: Mapping[str, float] = {"fully": 1.0, "partly": 0.5, "not": 0.0}


@dataclass(frozen=True)
class Reference:
    """Words of a document that an argument quotes."""

    id: str
    claim: Claim
    citation: Citation


def references(claims: Iterable[Claim], turns: Mapping[str, Turn], notes: Iterable[Note]) -> list[Reference]:
    """All quotes from documents that stand in arguments, whether they are true or not."""
    cited = citations_of(notes)
    return [
        Reference(f"{claim.id}/{n}", claim, one)
        for claim in claims
        for n, one in enumerate(cited_in(claim, turns, cited.get(claim.turn_id, ())), 1)
    ]


def read_support(material: Material, reading: JudgeReading) -> list[Brief[QuoteSupports]]:
    """Ask a judge, once, of each quote that stands in the documents whether it supports its claim."""
    every = references(material.case.claims, material.turns, material.judged.notes)
    true = [one for one in every if one.citation.accepted] if reading.order == 0 else []
    return [_sheet(material, reading, true[first : first + MOST]) for first in range(0, len(true), MOST)]


def _sheet(material: Material, reading: JudgeReading, some: Sequence[Reference]) -> Brief[QuoteSupports]:
    hidden = masked(material, reading)
    asked = {f"Q{n}": one for n, one in enumerate(some, 1)}
    laid = (Exhibit(name, WHAT, laid_out(one, hidden)) for name, one in asked.items())

    def noted(answer: QuoteSupports) -> Iterable[Remark]:
        found: dict[str, JsonValue] = {asked[one.about].id: one.supports for one in answer.quotes}
        yield Remark(KIND, {"judge": reading.judge, "order": reading.order, "supports": found})

    return (
        SUPPORT.showing(*laid)
        .offering(item=asked)
        .under(once_each(list(asked), lambda answer: [one.about for one in answer.quotes], "answered"))
        .noting(noted)
    )


def laid_out(one: Reference, hidden: Mask) -> str:
    """A claim and its quote, as a judge reads them."""
    return f"Claim: {hidden.words(one.claim.claim)}\nQuoted words: “{one.citation.quote}”"


@dataclass(frozen=True)
class CitationScores:
    """Two shares, each None if there is nothing to divide by or no judge was heard."""

    precision: float | None = None
    """Of all quotes in arguments: those that stand in a document and support their claim, at least partly."""
    recall: float | None = None
    """Of all arguments: those with a quote that supports them fully."""


def citation_scores(given: Sequence[Reference], claims: int, notes: Iterable[Note]) -> CitationScores:
    """Precision and recall of citations, by the median of the judges."""
    answers: dict[str, list[float]] = defaultdict(list)
    for note in notes:
        if note.kind == KIND:
            for name, degree in cast("Mapping[str, str]", note.body["supports"]).items():
                answers[name].append(WEIGHT[degree])
    if not given or not answers:
        return CitationScores()
    degree = {one.id: median(answers[one.id]) for one in given if answers.get(one.id)}
    full = {one.claim.id for one in given if degree.get(one.id, 0) == 1}
    supporting = sum(value >= WEIGHT["partly"] for value in degree.values())
    return CitationScores(supporting / len(given), len(full) / claims if claims else None)


class QuoteSupport(Form):
    about: ItemId = Field(description="the quote")
    supports: Degree = Field(
        description="one of fully (a reader of the quoted words alone would accept the claim), partly (they make it "
        "more likely, or show a part of it), not (they say nothing about it, or something else)"
    )


class QuoteSupports(Form):
    quotes: tuple[QuoteSupport, ...] = Field(description="one entry for each of them")


WHAT = "a claim, and the words quoted for it"
SUPPORT = Brief(
    "quote support",
    QuoteSupports,
    "Code found these words in the documents. Say of each quote whether it supports its claim. Go by the quoted words "
    "alone: whether the claim is true does not matter here, nor what else was said for it.",
    afresh=True,
)
