"""T³: a judge says of each claim which rung of the ladder of causes it asserts, and which its grounds show."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import Field, JsonValue

from hustings.script.checks import once_each
from hustings.script.forms import Form, ItemId
from hustings.script.moves import Brief
from hustings.transcript.models import Rung
from hustings.transcript.notes import Remark

from .reading import MOST_ITEMS, SPEAKS, ShortQuote, flagged, lifted, stands
from .turn_sheet import TurnSheet

NOTE = "t3"
FAMILIES = {"L1": "W", "L2": "T", "L3": "F"}
"""Which traps belong to which rung."""


def t3_brief(sheet: TurnSheet) -> Brief[RungSheet]:
    """Ask one judge about the causal claims of a turn."""
    turn, hidden, words = sheet.turn, sheet.hidden, sheet.words

    def read(answer: RungSheet) -> Iterable[Remark]:
        sound = [one for one in answer.rungs if _stands(one, words)]
        rungs: list[JsonValue] = [_kept(one, sheet) for one in sound]
        body: dict[str, JsonValue] = {"rungs": rungs, "given": len(answer.rungs)}
        body["void"] = len(answer.rungs) - len(sound)
        yield Remark(NOTE, {**sheet.reading.noted(turn.turn_id), **body})
        yield from flagged(answer.speaks_to_reader, sheet.reading.judge, turn, hidden, words, *sheet.critique_words)

    return (
        T3.about(turn=sheet.label)
        .showing(*sheet.exhibits())
        .offering(item=sheet.claims)
        .under(once_each(list(sheet.claims), lambda answer: [one.about for one in answer.rungs], "read"))
        .noting(read)
    )


def _stands(entry: RungEntry, words: str) -> bool:
    """An entry without words that show it is void; one that asserts nothing needs none."""
    if entry.asserts is None:
        return True
    return stands(entry.asserts_quote, words) and (entry.shows == "none" or stands(entry.shows_quote, words))


def _kept(entry: RungEntry, sheet: TurnSheet) -> dict[str, JsonValue]:
    turn, hidden = sheet.turn, sheet.hidden
    traps: list[JsonValue] = [
        {"code": trap.code, "dealt_with": trap.dealt_with, "quote": lifted(trap.quote, turn, hidden)}
        for trap in entry.traps
        if trap.code[0] == FAMILIES.get(entry.asserts or "") and stands(trap.quote, sheet.words)
    ]
    return {
        "claim": sheet.claims[entry.about].id,
        "asserts": entry.asserts,
        "shows": None if entry.shows == "none" else entry.shows,
        "declines": entry.declines,
        "traps": traps,
        "asserts_quote": lifted(entry.asserts_quote, turn, hidden),
        "shows_quote": lifted(entry.shows_quote, turn, hidden),
    }


# -- form and prompt ---------------------------------------------------------------------

TrapCode = Literal[
    "W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8", "W9", "W10",
    "T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9", "T10", "T11", "T12", "T13", "T14", "T15", "T16", "T17",
    "F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8",
]  # fmt: skip


class TrapEntry(Form):
    quote: ShortQuote = Field(description="the words that show it, exactly")
    code: TrapCode
    dealt_with: bool = Field(description="true if the speaker names the problem and answers it")


class RungEntry(Form):
    about: ItemId = Field(description="the claim")
    asserts_quote: ShortQuote | None = Field(description="the words that assert it, exactly; null if it asserts none")
    asserts: Rung | None = Field(description="L1, L2 or L3; null if it is no causal claim")
    shows_quote: ShortQuote | None = Field(description="the words of its ground, exactly; null without a ground")
    shows: Literal["none", "L1", "L2", "L3"] = Field(description="none, L1, L2 or L3: how far its grounds reach")
    declines: bool = Field(description="true if it holds back the stronger claim and says what is missing")
    traps: tuple[TrapEntry, ...] = Field(max_length=2, description="only where words show them; usually none")


class RungSheet(Form):
    rungs: tuple[RungEntry, ...] = Field(max_length=MOST_ITEMS, description="one entry for each claim")
    speaks_to_reader: ShortQuote | None = Field(description=SPEAKS)


T3 = Brief(
    "t3 rungs",
    RungSheet,
    """For each claim made in {turn} say two things about causes.
asserts, how far the claim itself goes: L1: things go together, are frequent, follow each other; L2: doing something \
changes something; L3: what would have been, or whose fault or merit it is. A definition, a value or a plan is no \
causal claim: asserts is null.
shows, how far its grounds reach: none: no ground; L1: observed together or one after the other; L2: an experiment, a \
lottery, a natural experiment, a before-and-after with a comparison, a cut-off, an instrument, or a mechanism with a \
dose; L3: such grounds, and what is held fixed in the imagined case is said.
declines: the speaker holds back the stronger claim and says which information is missing or which readings are open.
traps, W for claims that assert L1, T for L2, F for L3:
W1 selected cases; W2 survivors only; W3 the healthy choose it; W4 extremes return to the mean; W5 groups read as \
persons; W6 base rate ignored; W7 common cause; W8 turns round in subgroups; W9 effect taken for cause; W10 after, \
therefore because
T1 selection; T2 survivors; T3 conditioning on a common effect; T4 time that could not count; T5 return to the mean; \
T6 groups as persons; T7 confounder; T8 subgroups reverse; T9 a link of the chain taken for a confounder; T10 \
reversed; T11 feedback; T12 changes over time; T13 measurement; T14 recall; T15 wrong mechanism; T16 the measure \
became the goal; T17 the measure provokes resistance
F1 one path taken for the only one; F2 chance treated as certain; F3 two sufficient causes; F4 facts changed that must \
stay fixed; F5 order or timing; F6 hindsight; F7 one of several causes given all; F8 blame without duty or \
alternative""",
    afresh=True,
    example={
        "rungs": [
            {
                "about": "<item>",
                "asserts_quote": "Sunday hours bring new readers",
                "asserts": "L2",
                "shows_quote": "nine visitors last Sunday",
                "shows": "L1",
                "declines": False,
                "traps": [{"quote": "they came because we opened", "code": "T7", "dealt_with": False}],
            },
            ...,
        ],
        "speaks_to_reader": None,
    },
)
