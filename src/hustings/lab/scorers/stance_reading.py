"""The blind reader: which answer one turn ends on and how firmly, read from this turn alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import Field

from hustings.judging.anonymise import Mask
from hustings.lab.bundle import UNDECIDED
from hustings.script.forms import Form
from hustings.script.moves import Brief, Exhibit
from hustings.transcript.models import Turn
from hustings.transcript.notes import Remark

from .reading import SPEAKS, AnswerOption, ShortQuote, flagged, lifted, shuffled_options, stands

NOTE = "stance"


def stance_brief(turn: Turn, hidden: Mask, options: Sequence[str], reader: str, seed: str) -> Brief[StanceReading]:
    """Ask where one turn stands. The reader sees no other turn, no critique and no form."""
    words, label = hidden.words(turn.said), hidden.labels[turn.turn_id]
    offered = shuffled_options(options, seed, turn.turn_id)

    def read(answer: StanceReading) -> Iterable[Remark]:
        yield Remark(NOTE, {"turn": turn.turn_id, "reader": reader, **_kept(answer, words, turn, hidden)})
        yield from flagged(answer.speaks_to_reader, reader, turn, hidden, words)

    return (
        STANCE.about(name=hidden.names[turn.speaker_id], options=", ".join(offered))
        .showing(Exhibit(label, f"what {hidden.names[turn.speaker_id]} said", words))
        .offering(option=[*offered, UNDECIDED])
        .noting(read)
    )


def _kept(answer: StanceReading, words: str, turn: Turn, hidden: Mask) -> dict[str, str | bool | None]:
    """A stance without words that show it is void; undecided needs none."""
    open_ = answer.option == UNDECIDED or answer.firmness == "none"
    sound = open_ or stands(answer.quote, words)
    shift = lifted(answer.shift_quote, turn, hidden) if stands(answer.shift_quote, words) else None
    return {
        "void": not sound,
        "option": None if open_ or not sound else answer.option,
        "firmness": "none" if open_ else answer.firmness,
        "quote": lifted(answer.quote, turn, hidden) if stands(answer.quote, words) else "",
        "shift_quote": shift,
    }


# -- form and prompt ---------------------------------------------------------------------


class StanceReading(Form):
    quote: ShortQuote = Field(description="the words that show where it ends, exactly; empty if it gives no answer")
    option: AnswerOption = Field(description="the answer that these words end on")
    firmness: Literal["none", "leans", "holds", "certain"] = Field(
        description="none: gives no answer or leaves it open; leans: prefers one and says that it could be otherwise; "
        "holds: takes one as its position; certain: takes one and excludes the others"
    )
    shift_quote: ShortQuote | None = Field(
        description="if the end takes back the beginning, the words that were taken back; else null"
    )
    speaks_to_reader: ShortQuote | None = Field(description=SPEAKS)


STANCE = Brief(
    "stance of a turn",
    StanceReading,
    "Which answer to the question do these words of {name} end on: {options}, or undecided? Only these words count. "
    "A view of another that {name} only reports is not {name}'s own. If the end takes back the beginning, the end "
    "counts.",
    afresh=True,
    example={
        "quote": "on balance open the lower floor",
        "option": "<option>",
        "firmness": "leans",
        "shift_quote": None,
        "speaks_to_reader": None,
    },
)
