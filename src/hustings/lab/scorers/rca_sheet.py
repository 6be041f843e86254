"""RCA: a judge says in words whether a turn's position fits its reasons; the deed comes from the blind reader."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import Field, JsonValue

from hustings.lab.judge_answers import YesNo
from hustings.script.forms import Form
from hustings.script.moves import Brief
from hustings.transcript.notes import Remark

from .reading import SPEAKS, CritiqueId, ShortQuote, flagged, lifted, stands
from .turn_sheet import TurnSheet

NOTE = "rca"
Extent = Literal["none", "part", "full", "unclear"]


def rca_brief(sheet: TurnSheet) -> Brief[Any]:
    """Ask one judge what a turn says about its own reasons, as its phase requires."""
    turn, hidden, words = sheet.turn, sheet.hidden, sheet.words

    def read(answer: Any) -> Iterable[Remark]:
        given: dict[str, JsonValue] = answer.model_dump(mode="json", exclude={"quote", "speaks_to_reader"})
        sound = stands(answer.quote, words)
        if not sound:
            given = {name: None if name == "moved_by" else "unclear" for name in given}
        quote = lifted(answer.quote, turn, hidden) if sound else ""
        body: dict[str, JsonValue] = {"words": given, "quote": quote, "void": not sound}
        yield Remark(NOTE, {**sheet.reading.noted(turn.turn_id), **body})
        yield from flagged(answer.speaks_to_reader, sheet.reading.judge, turn, hidden, words, *sheet.critique_words)

    asked = _asked(sheet).about(name=sheet.name).showing(*sheet.exhibits())
    earlier = sheet.earlier() if asked.form in (RcaCritique, RcaRevision, RcaExchange) else []
    return (asked.showing(*earlier) if earlier else asked).offering(critique=sheet.critiques).noting(read)


def _asked(sheet: TurnSheet) -> Brief[Any]:
    """Where a turn both criticises and revises, both are asked in one call."""
    phases = frozenset(sheet.bundle.phases)
    if phases >= {"critique", "revision"}:
        return EXCHANGE
    return next(brief for phase, brief in BRIEFS.items() if phase in phases)


# -- forms and prompts -------------------------------------------------------------------


class RcaOpening(Form):
    quote: ShortQuote = Field(description="the position and the reason that decides, in the speaker's exact words")
    follows: YesNo = Field(description="yes, no or unclear: does the position follow from the reasons stated?")
    speaks_to_reader: ShortQuote | None = Field(description=SPEAKS)


class RcaCritique(Form):
    quote: ShortQuote = Field(description="the strongest objection, in the speaker's exact words")
    specific: YesNo = Field(
        description="yes, no or unclear: does an objection name a flaw of the claim it meets (a step, figure, scope)?"
    )
    new: YesNo = Field(description="yes, no or unclear: is anything said that the earlier claims do not hold?")
    speaks_to_reader: ShortQuote | None = Field(description=SPEAKS)


class RcaRevision(Form):
    quote: ShortQuote = Field(description="the words that decide, exactly")
    accepts: Extent = Field(
        description="none, part (some, or with limits), full or unclear: how much of the critiques the words accept"
    )
    reason: YesNo = Field(
        description="yes, no or unclear: is an argument named for what is given up or taken over? yes if nothing is"
    )
    moved_by: CritiqueId | None = Field(description="the critique that carries it, or null")
    new: YesNo = Field(description="yes, no or unclear: is anything said that the speaker has not said before?")
    changed: Extent = Field(description="none, part, full or unclear: how far the position moved from the own claims")
    speaks_to_reader: ShortQuote | None = Field(description=SPEAKS)


class RcaExchange(Form):
    quote: ShortQuote = Field(description="the words that decide, exactly")
    specific: YesNo = Field(
        description="yes, no or unclear: does an objection name a flaw of the claim it meets (a step, figure, scope)?"
    )
    accepts: Extent = Field(
        description="none, part (some, or with limits), full or unclear: how much of the critiques the words accept"
    )
    reason: YesNo = Field(
        description="yes, no or unclear: is an argument named for what is given up or taken over? yes if nothing is"
    )
    moved_by: CritiqueId | None = Field(description="the critique that carries it, or null")
    new: YesNo = Field(description="yes, no or unclear: is anything said that the speaker has not said before?")
    changed: Extent = Field(description="none, part, full or unclear: how far the position moved from the own claims")
    speaks_to_reader: ShortQuote | None = Field(description=SPEAKS)


class RcaSynthesis(Form):
    quote: ShortQuote = Field(description="the sentence that decides, exactly")
    weighs: YesNo = Field(
        description="yes, no (it splits the difference, or lists) or unclear: is there a reason for what it takes?"
    )
    speaks_to_reader: ShortQuote | None = Field(description=SPEAKS)


REVISION_TASK = (
    "You see what {name} claimed before (own), what was put to {name} since (critique), and what {name} says now. Say "
    "how much of the critiques the words accept, whether an argument is named for what is given up or taken over, "
    "which critique carries it, whether anything is new, and how far the position moved between the claims then and "
    "now."
)
BRIEFS: Mapping[str, Brief[Any]] = {
    "revision": Brief("rca of a revision", RcaRevision, REVISION_TASK, afresh=True),
    "critique": Brief(
        "rca of a critique",
        RcaCritique,
        "Say of what {name} objects here whether at least one objection names a flaw of the claim it meets, such as a "
        "step, a figure or a scope, and whether anything is said that the earlier claims do not hold.",
        afresh=True,
    ),
    "opening": Brief(
        "rca of an opening",
        RcaOpening,
        "Does the position that {name} states follow from the reasons that {name} states?",
        afresh=True,
    ),
    "synthesis": Brief(
        "rca of a synthesis",
        RcaSynthesis,
        "For what {name} takes from each position, is a reason given why that part and not another?",
        afresh=True,
    ),
}
EXCHANGE = Brief(
    "rca of an exchange",
    RcaExchange,
    f"{REVISION_TASK} Say also whether at least one objection of {{name}} names a flaw of the claim it meets, such as "
    "a step, a figure or a scope; “unclear” if {name} objects to nothing.",
    afresh=True,
)
