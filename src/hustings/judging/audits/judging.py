"""A panel marks a finished debate: several judges, each in two orders, under names drawn by lot.

Judges give small marks, each with the words it rests on. Totals, standings and outcome are computed from them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated

from pydantic import Field, JsonValue

from hustings.errors import Unsuitable
from hustings.judging.anonymise import mirrored
from hustings.judging.arguments import argued, opposed, speeches, voters
from hustings.judging.extract_claims import extract_claims
from hustings.judging.positions import stances
from hustings.judging.quote_support import read_support
from hustings.judging.sheets import ARGUED, JudgeReading, Material, laid_out, masked, sheets
from hustings.script.checks import once_each
from hustings.script.debate import Proceedings
from hustings.script.examples import Example
from hustings.script.forms import Form, ItemId, Quote
from hustings.script.moves import Brief, Exhibit, or_none
from hustings.script.protocol import SeatingContext
from hustings.script.rubric import LONGEST, Rubric
from hustings.script.seats import Player, Seat
from hustings.script.stage import AuditSubject, Stage
from hustings.script.stage import Settings as ProtocolSettings
from hustings.text.quotes import is_quoted
from hustings.transcript.notes import Remark

VERSION = 1
LONGEST_FAMILY, MOST_FAMILIES = 60, 40
UNKNOWN_FAMILY = "unknown"
"""Of a speaker whose model an imported record does not name."""


class Settings(ProtocolSettings):
    judges: int = Field(default=3, ge=1, le=5)
    """How many judges there are."""
    orders: int = Field(default=2, ge=1, le=2)
    """In how many orders each reads the debate; the second mirrors the first."""
    families: tuple[Annotated[str, Field(max_length=60)], ...] = Field(default=(), max_length=5)
    """Of which family of models each judge is, in order."""
    debaters: tuple[Annotated[str, Field(max_length=LONGEST_FAMILY)], ...] = Field(default=(), max_length=MOST_FAMILIES)
    """Families of models that took part in the debate; `unknown` where an imported record does not tell."""
    seed: str = Field(default="", max_length=100)
    """Draws names and orders; the same seed draws the same."""
    claims_per_turn: int = Field(default=6, ge=1, le=8)
    """Most claims drawn from a long turn, where the debate was held in plain words; a short turn has fewer."""
    items_per_sheet: int = Field(default=6, ge=1, le=LONGEST)
    """Most things a judge marks in one answer."""
    options: tuple[Annotated[str, Field(min_length=1, max_length=40)], ...] = Field(
        default=("yes", "no"), min_length=2, max_length=6
    )
    """Answers to the question between which the seats may stand, where nobody was given a side."""


async def play(stage: Stage[Settings]) -> None:
    subject, settings = must_have(stage), stage.settings
    clerk, *judges = stage.seats
    case, seed = argued(subject.judged), seed_of(settings, subject.judged)
    if not case.claims:
        case = await extract_claims(stage, subject.judged, clerk, seed, most=settings.claims_per_turn)
    material = Material(subject.judged, case, rubrics_for(subject, stage.rubric))
    sittings = [JudgeReading(judge.id, order, seed) for order in range(settings.orders) for judge in judges]
    await stage.together(
        *(
            or_none(stage.consult(stage.seat(reading.judge), brief))
            for reading in sittings
            for brief in sheets(material, reading, settings.items_per_sheet)
        ),
        *(
            or_none(stage.consult(stage.seat(reading.judge), brief))
            for reading in sittings
            for brief in read_stances(material, settings.options, reading)
        ),
        *(
            or_none(stage.consult(stage.seat(reading.judge), brief))
            for reading in sittings
            for brief in read_support(material, reading)
        ),
    )


def must_have(stage: Stage[Settings]) -> AuditSubject:
    if stage.subject is None:
        raise Unsuitable("there is nothing to judge", fix="name a debate that is over, as in `hustings judge RUN`")
    return stage.subject


def seed_of(settings: Settings, judged: Proceedings) -> str:
    return f"{settings.seed}/{judged.transcript.run_id}"


def rubrics_for(subject: AuditSubject, main: type[Rubric]) -> dict[str, type[Rubric]]:
    """The usual rubrics, with the chosen one in place of its kind; speeches are marked only if it marks them."""
    usual = {name: subject.rubrics[name] for name in ARGUED}
    return usual if main is Rubric else {**usual, main.per: main}


def read_stances(material: Material, options: Sequence[str], reading: JudgeReading) -> list[Brief[Stances]]:
    """Ask where each seat began and ends, by all it said; only where no seat was given a side or said so itself."""
    transcript = material.judged.transcript
    spoke = {turn.speaker_id for turn in speeches(transcript)}
    seats = [seat for seat in voters(transcript) if seat in spoke]
    known = stances(material.judged.notes)
    if opposed(transcript) or not seats or all(seat in known for seat in seats):
        return []
    hidden = masked(material, reading)
    shown = {hidden.names[seat]: seat for seat in mirrored(sorted(seats), reading.order, *reading.lot, "stances")}
    turns = material.turns.values()
    words = {name: [hidden.words(t.said) for t in turns if t.speaker_id == seat] for name, seat in shown.items()}
    offered = mirrored(options, reading.order, *reading.lot, "options")

    def read(answer: Stances) -> Iterable[Remark]:
        found: dict[str, dict[str, JsonValue]] = {name: {} for name in ("stances", *ALSO_READ)}
        for s in answer.stances:
            seat, sound = shown[s.about], is_quoted(s.quote, words[s.about])
            others = [text for name, texts in words.items() if name != s.about for text in texts]
            found["stances"][seat] = s.ends if s.ends in options and sound else None
            found["began"][seat] = s.began
            found["condition"][seat] = hidden.lifted(s.condition)
            found["quote"][seat] = hidden.lifted(s.quote) if sound else ""
            found["moved_by"][seat] = hidden.lifted(s.moved_by) if is_quoted(s.moved_by, others) else ""
        yield Remark("stances", {"judge": reading.judge, "order": reading.order, **found})

    return [
        STANCES.about(options=", ".join(offered))
        .showing(*laid_out(material, hidden, reading))
        .showing(*(Exhibit(name, "the last words of this speaker", said[-1]) for name, said in words.items()))
        .offering(item=shown, option=[*offered, UNDECIDED])
        .under(once_each(list(shown), lambda answer: [s.about for s in answer.stances], "read"))
        .noting(read)
    ]


def seating(context: SeatingContext[Settings]) -> Mapping[Seat, Player]:
    judges = [
        Seat(f"judge_{n}", role="judge", name=f"Judge {n}", duty=DUTY) for n in range(1, context.settings.judges + 1)
    ]
    return {seat: Player() for seat in (Seat("clerk", role="clerk", name="Clerk", duty=CLERK_DUTY), *judges)}


# -- forms and prompts -------------------------------------------------------------------

UNDECIDED = "undecided"
OptionId = Annotated[str, Field(json_schema_extra={"x-choice": "option"})]


class SeatStance(Form):
    about: ItemId = Field(description="the speaker")
    began: OptionId = Field(description="the answer that their first words take")
    quote: Quote = Field(max_length=300, description="their words that show where they end, exactly")
    condition: str = Field(
        max_length=200,
        description="the change or condition that their final answer depends on, in a few words; empty if they answer "
        "the question exactly as put",
    )
    ends: OptionId = Field(description="the answer they end on, by all they said")
    moved_by: Quote = Field(
        max_length=300, description="if they moved: the words of another speaker that moved them, exactly; else empty"
    )


class Stances(Form):
    stances: tuple[SeatStance, ...] = Field(description="one entry for each of them")


STANCES_EXAMPLE: Example = {
    "stances": [
        {
            "about": "<item>",
            "began": "<option2>",
            "quote": "open the lower floor for a year",
            "condition": "only the lower floor",
            "ends": "<option>",
            "moved_by": "two people cannot run both floors",
        },
        ...,
    ]
}


ALSO_READ = ("began", "condition", "quote", "moved_by")

DUTY = "You mark what was said, by the scale you are given, and ground every mark in words quoted exactly."
CLERK_DUTY = "You list what was claimed, as it was claimed. You judge nothing and add nothing."

RULES = """\
- Favour no one. Judge how well things were argued, not whether you agree.
- Length, confidence, polish and layout earn nothing.
- Quote first, score second. Without an exact quotation of three words or more from the texts named, a score does not \
count.
- Score each dimension by its own anchors, and say in a line why.
- Name no winner and no total: they are computed.
You are asked about a few things at a time; answer for each of these, and for nothing else."""

STANCES = Brief(
    "final stances",
    Stances,
    "Say of each speaker which answer to the question they began with and which they end on: {options}, or undecided "
    "if it is none of these. Judge by all they said: a last turn may answer a smaller question. “Yes, but not on "
    "Saturdays” is yes with a condition. Quote the words that show it.",
    afresh=True,
    example=STANCES_EXAMPLE,
)
