"""CRIT: a judge gives the reasoning of one turn levels, and quotes its failures; marks are computed from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import Field, JsonValue

from hustings.lab.judge_answers import PILLARS, FailureKind
from hustings.script.forms import Form
from hustings.script.moves import Brief
from hustings.transcript.notes import Remark

from .reading import MOST_ITEMS, SPEAKS, ShortQuote, flagged, lifted, stands
from .turn_sheet import TurnSheet

NOTE = "crit"


def crit_brief(sheet: TurnSheet) -> Brief[CritSheet]:
    """Ask one judge how a turn reasons."""
    turn, hidden, words, put = sheet.turn, sheet.hidden, sheet.words, sheet.critique_words

    def read(answer: CritSheet) -> Iterable[Remark]:
        failures: list[JsonValue] = [
            {"kind": one.kind, "quote": lifted(one.quote, turn, hidden)}
            for one in answer.failures
            if stands(one.quote, *(put if one.kind == "ignored_critique" else [words]))
        ]
        given: Mapping[str, LevelGiven] = {name: getattr(answer, name) for name in (*PILLARS, "fit")}
        sound = {name: one for name, one in given.items() if one.level is not None and stands(one.quote, words, *put)}
        levels: dict[str, JsonValue] = {name: one.level for name, one in sound.items()}
        quotes: dict[str, JsonValue] = {name: lifted(one.quote, turn, hidden) for name, one in sound.items()}
        named = len(answer.failures) + sum(one.level is not None for one in given.values())
        void = named - len(failures) - len(sound)
        body = {"levels": levels, "quotes": quotes, "failures": failures, "given": named, "void": void}
        yield Remark(NOTE, {**sheet.reading.noted(turn.turn_id), **body})
        yield from flagged(answer.speaks_to_reader, sheet.reading.judge, turn, hidden, words, *put)

    return CRIT.about(name=sheet.name).showing(*sheet.exhibits()).noting(read)


# -- form and prompt ---------------------------------------------------------------------


class FailureFound(Form):
    quote: ShortQuote = Field(description="the words that show it, exactly")
    kind: FailureKind = Field(
        description="contradiction, conclusion_drift, unsupported_claim, premature_certainty, ignored_critique or "
        "causal_overreach"
    )


class LevelGiven(Form):
    quote: ShortQuote | None = Field(description="the words that decide the level, exactly; null without a level")
    level: Annotated[int, Field(ge=0, le=6)] | None = Field(description="0 to 6, or null if there is nothing to judge")


class CritSheet(Form):
    failures: tuple[FailureFound, ...] = Field(
        max_length=MOST_ITEMS, description="only where words show them; usually none"
    )
    logical_validity: LevelGiven
    evidential_support: LevelGiven
    alternative_consideration: LevelGiven
    causal_alignment: LevelGiven
    fit: LevelGiven = Field(description="certainty against grounds")
    speaks_to_reader: ShortQuote | None = Field(description=SPEAKS)


CRIT = Brief(
    "crit levels",
    CritSheet,
    """How did {name} reason in this turn? Whether the conclusion is true is not your concern.
First list failures, only where words show them. Hedged words are no failure.
- contradiction: two things said here cannot both hold; quote the second.
- conclusion_drift: the turn argues for one conclusion and ends on another.
- unsupported_claim: a factual claim that carries the position has no reason, figure, case or source; common knowledge \
needs none.
- premature_certainty: states as settled what its own grounds leave open.
- ignored_critique: a listed critique that matters to the position gets no answer; quote the critique.
- causal_overreach: speaks of an effect, or of what would have happened, on grounds that show only that two things go \
together.
Then give each pillar the level that fits best; null if the turn gives nothing to judge it by, such as no causal claim.
logical_validity: 0 no reasons; 1 reasons speak against the conclusion; 2 the main step is missing; 3 a needed step is \
missing; 4 follows, with a small gap; 5 every step follows; 6 and every step is made plain
evidential_support: 0 none; 1 beside the claim; 2 cannot be checked; 3 checkable, for side claims only; 4 checkable \
for the main claim, which claims more; 5 checkable and enough for the main claim; 6 enough for every claim
alternative_consideration: 0 none; 1 others are named only to be dismissed; 2 a weakened form of another view is \
answered; 3 another view in fair words, not answered; 4 answered in part; 5 the strongest critique is answered; 6 all \
are answered, and it says what would change its mind
causal_alignment: 0 a cause is asserted, nothing more; 1 from sequence or coincidence; 2 from things that go together; \
3 with a mechanism or a rival cause; 4 with both; 5 causal words no stronger than the grounds; 6 and it says where \
they would not hold
fit: 0 certain without grounds; 1 far too certain; 2 too certain; 3 somewhat too certain; 4 somewhat too timid; 5 \
fits; 6 fits claim by claim
Quote for each level the words that decide it.""",
    afresh=True,
    example={
        "failures": [{"quote": "this proves that Sundays pay", "kind": "premature_certainty"}],
        "logical_validity": {"quote": "two people, so one floor", "level": 4},
        "evidential_support": {"quote": "nine visitors last Sunday", "level": 3},
        "alternative_consideration": {"quote": "some fear for the weekday hours", "level": 3},
        "causal_alignment": {"quote": None, "level": None},
        "fit": {"quote": "this proves that Sundays pay", "level": 2},
        "speaks_to_reader": None,
    },
)
