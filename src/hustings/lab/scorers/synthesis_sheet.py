"""A judge compares a synthesis with the debate: which points it states, and where its sentences come from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, JsonValue

from hustings.judging.anonymise import Mask
from hustings.lab.build_bundles import DebateMaterial
from hustings.script.checks import once_each
from hustings.script.forms import OBJECTIONS, Form, ItemId, in_lines
from hustings.script.moves import Brief, Exhibit
from hustings.transcript.notes import Note, Remark

from .claim_listing import ListedClaim
from .reading import FLAG, MOST_ITEMS, SPEAKS, EvaluatorReading, ShortQuote, masked_for, stands

NOTE = "synthesis"
MOST_SENTENCES = 12
SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n+")
PointNamed = Annotated[str, Field(json_schema_extra={"x-choice": "item"})]


@dataclass(frozen=True)
class SynthesisText:
    """A synthesis: a turn of the debate, or the note of a moderator."""

    id: str
    words: str

    def sentences(self, hidden: Mask) -> list[str]:
        found = [one.strip() for one in SENTENCE.split(hidden.words(self.words))]
        return [one for one in found if len(one.split()) > 2][:MOST_SENTENCES]


def syntheses_of(material: DebateMaterial) -> list[SynthesisText]:
    """Syntheses of a debate: its turns of that phase, and what a moderator noted as one."""
    turns = [SynthesisText(name, one.turn.said) for name, one in material.turns.items() if "synthesis" in one.phases]
    notes = [SynthesisText(note.note_id, _said(note)) for note in material.judged.notes if note.kind == "synthesis"]
    return [*turns, *(one for one in notes if one.words)]


def _said(note: Note) -> str:
    return in_lines(note.body)


def points_that_mattered(material: DebateMaterial, before: str = "") -> dict[str, ListedClaim]:
    """Point to the claim that first made it: those a position rests on, the most disputed first."""
    disputed = Counter(one.target for one in material.matches.relations if one.kind in OBJECTIONS)
    known = material.claims_before(before) if before in material.turns else material.claims
    carrying = [claim for claim in known if claim.carries]
    first = {material.point_names[claim.id]: claim for claim in reversed(carrying)}
    weight = Counter(dict.fromkeys(first, 0))
    for claim in known:
        if (name := material.point_names[claim.id]) in first:
            weight[name] += disputed[claim.id]
    ranked = sorted(first, key=lambda name: (-weight[name], int(name[1:])))
    return {name: first[name] for name in ranked[:MOST_ITEMS]}


def sentence_counts(material: DebateMaterial) -> dict[str, int]:
    """Synthesis to how many of its sentences are read; names drawn by lot do not change where sentences end."""
    hidden = masked_for(material.judged.transcript, "sentences")
    return {one.id: len(one.sentences(hidden)) for one in syntheses_of(material)}


def synthesis_brief(
    material: DebateMaterial, synthesis: SynthesisText, hidden: Mask, reading: EvaluatorReading
) -> Brief[SynthesisSheet] | None:
    """Ask one judge about one synthesis; None if nothing was claimed that it could state."""
    points = points_that_mattered(material, synthesis.id)
    sentences = synthesis.sentences(hidden)
    if not points or not sentences:
        return None
    shown = {name: points[name] for name in reading.ordered([*points])}
    text = " ".join(sentences)

    def read(answer: SynthesisSheet) -> Iterable[Remark]:
        stated: list[JsonValue] = [
            {"about": one.about, "stated": one.stated, "quote": hidden.lifted(one.quote or "", synthesis.words)}
            for one in answer.points
            if not one.stated or stands(one.quote, text)
        ]
        traced: list[JsonValue] = [
            {"number": one.number, "source": one.source, "fair": one.fair}
            for one in {one.number: one for one in answer.sentences}.values()
            if one.number <= len(sentences)
        ]
        body: dict[str, JsonValue] = {"points": stated, "sentences": traced}
        yield Remark(NOTE, {**reading.noted(synthesis.id), **body, "void": len(answer.points) - len(stated)})
        if stands(answer.speaks_to_reader, text):
            quote = hidden.lifted(answer.speaks_to_reader or "", synthesis.words)
            yield Remark(FLAG, {"turn": synthesis.id, "reader": reading.judge, "quote": quote})

    numbered = "\n".join(f"{n}. {sentence}" for n, sentence in enumerate(sentences, 1))
    listed = [
        Exhibit(name, f"a point of {hidden.names[claim.seat]}", hidden.words(claim.words))
        for name, claim in shown.items()
    ]
    return (
        SYNTHESIS_TASK.showing(*listed, Exhibit("synthesis", "in numbered sentences", numbered))
        .offering(item=shown)
        .under(once_each(list(shown), lambda answer: [one.about for one in answer.points], "read"))
        .noting(read)
    )


# -- form and prompt ---------------------------------------------------------------------


class PointStated(Form):
    about: ItemId = Field(description="the point")
    quote: ShortQuote | None = Field(description="the words of the synthesis that state it, exactly; null if none do")
    stated: bool = Field(description="true if the synthesis states it so that its author would recognise it")


class SentenceTraced(Form):
    number: Annotated[int, Field(ge=1, le=MOST_SENTENCES)]
    source: PointNamed | None = Field(description="the point it comes from, or null if it comes from none of them")
    fair: bool = Field(description="true if it is fair to what it comes from")


class SynthesisSheet(Form):
    points: tuple[PointStated, ...] = Field(max_length=MOST_ITEMS, description="one entry for each point")
    sentences: tuple[SentenceTraced, ...] = Field(
        max_length=MOST_SENTENCES, description="one entry for each sentence that asserts something"
    )
    speaks_to_reader: ShortQuote | None = Field(description=SPEAKS)


SYNTHESIS_TASK = Brief(
    "synthesis check",
    SynthesisSheet,
    "For each point: does the synthesis state it, so that its author would recognise it? Give the words of the "
    "synthesis. For each sentence that asserts something: which point does it come from, and is it fair to it?",
    afresh=True,
)
