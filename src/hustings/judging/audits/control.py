"""What models would answer without a debate: the debaters' models, asked blind and again after reading it.

The blind answer is sampled for about as many tokens as the debate took, to compare debating with mere asking at the
same price.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import cycle
from typing import Annotated

from pydantic import Field, JsonValue, field_validator

from hustings.errors import Unsuitable
from hustings.judging.anonymise import mask
from hustings.judging.arguments import argued, speeches
from hustings.judging.control_comparison import DEFAULT_OPTIONS, is_open
from hustings.judging.sheets import JudgeReading, Material, laid_out
from hustings.script.debate import Proceedings
from hustings.script.forms import Form, ItemId, Quote, contract
from hustings.script.moves import Brief, or_none
from hustings.script.prompt import AUDIT_RULES
from hustings.script.protocol import SeatingContext
from hustings.script.seats import Player, Seat
from hustings.script.stage import Settings as ProtocolSettings
from hustings.script.stage import Stage
from hustings.text.quotes import is_quoted
from hustings.transcript.notes import Remark

VERSION = 1
READS_DOCUMENTS = True
"""What the debaters could read, so can those who are asked without a debate."""


class Settings(ProtocolSettings):
    voices: tuple[Annotated[str, Field(min_length=1, max_length=120)], ...] = Field(min_length=1, max_length=12)
    """Who took part in the debate, each model once; they sit in this order."""
    options: tuple[Annotated[str, Field(min_length=1, max_length=40)], ...] = Field(
        default=DEFAULT_OPTIONS, min_length=2, max_length=6
    )
    """Answers to the question between which they choose."""
    debate_tokens: int = Field(ge=0, le=1_000_000_000)
    """What the debate took, in and out."""
    most_samples: int = Field(default=25, ge=3, le=200)
    """No more samples than these, whatever the debate took."""
    seed: str = Field(default="", max_length=100)
    """Draws names and orders; the same seed draws the same."""

    @field_validator("voices", "options")
    @classmethod
    def _once_each(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        if twice := [one for n, one in enumerate(given) if one in given[:n]]:
            raise ValueError(f"{twice[0]!r} stands there twice: name each once")
        return given


async def play(stage: Stage[Settings]) -> None:
    judged, settings = must_have(stage), stage.settings
    if is_open(stage.topic, settings.options):
        return
    asked = BLIND.offering(option=settings.options)
    blind = await stage.together(
        *(or_none(stage.consult(seat, asked.noting(keeping("blind", seat)))) for seat in stage.seats)
    )
    answered = {seat: ballot for seat, ballot in zip(stage.seats, blind, strict=True) if ballot}
    if not answered:
        return
    count = samples_due(stage, list(answered.values()))
    drawn = zip(range(1, count + 1), cycle(answered), strict=False)
    readers = list(answered) if speeches(judged.transcript) else []
    await stage.together(
        *(or_none(stage.consult(seat, after(judged, settings, seat))) for seat in readers),
        *(or_none(stage.consult(seat, sample(settings.options, n, seat))) for n, seat in drawn),
    )


def must_have(stage: Stage[Settings]) -> Proceedings:
    if stage.subject is None:
        raise Unsuitable("there is nothing to compare with", fix="name a debate that is over")
    return stage.subject.judged


def samples_due(stage: Stage[Settings], answers: Sequence[Ballot]) -> int:
    """As many samples as the debate's tokens pay for; tokens are estimated from the letters of question and answer."""
    read = (AUDIT_RULES, stage.context.rules, stage.topic, stage.context.document, DUTY, BLIND.text, contract(Ballot))
    further = sum(one.characters for one in stage.context.shown)
    letters = len(answers) * (sum(map(len, read)) + further) + sum(len(answer.model_dump_json()) for answer in answers)
    paid_for = stage.settings.debate_tokens * LETTERS_PER_TOKEN * len(answers) // letters
    return min(max(paid_for, FEWEST_SAMPLES), stage.settings.most_samples)


def sample(options: Iterable[str], n: int, seat: Seat) -> Brief[Ballot]:
    return SAMPLE.about(n=n).offering(option=options).noting(keeping("sample", seat))


def keeping(kind: str, seat: Seat) -> Callable[[Ballot], Iterable[Remark]]:
    def kept(ballot: Ballot) -> Iterable[Remark]:
        yield Remark(kind, body_of(ballot, seat))

    return kept


def body_of(ballot: Ballot, seat: Seat) -> dict[str, JsonValue]:
    return {"voice": seat.id, "answer": ballot.answer, "confidence": ballot.confidence}


def after(judged: Proceedings, settings: Settings, seat: Seat) -> Brief[BallotAfter]:
    """Show the debate as judges see it; everything with a label can be cited."""
    material = Material(judged, argued(judged), {})
    reading = JudgeReading(seat.id, 0, f"{settings.seed}/{judged.transcript.run_id}")
    hidden = mask(judged.transcript, material.named, *reading.lot)
    record, labels = list(laid_out(material, hidden, reading)), set(hidden.labels.values())
    words: dict[str, list[str]] = {}
    for exhibit in record:
        if exhibit.name in labels:
            words.setdefault(exhibit.name, []).append(exhibit.words)

    def kept(ballot: BallotAfter) -> Iterable[Remark]:
        moved_by = ballot.moved_by if ballot.moved_by and is_quoted(ballot.quote, words[ballot.moved_by]) else None
        yield Remark(
            "after",
            {
                **body_of(ballot, seat),
                "moved_by": hidden.item(moved_by) if moved_by else None,
                "quote": hidden.lifted(ballot.quote) if moved_by else "",
            },
        )

    return AFTER.showing(*record).offering(option=settings.options, item=words).noting(kept)


def seating(context: SeatingContext[Settings]) -> Mapping[Seat, Player]:
    count = len(context.settings.voices)
    return {Seat(f"voice_{n}", role="voice", name=f"Voice {n}", duty=DUTY): Player() for n in range(1, count + 1)}


# -- forms and prompts -------------------------------------------------------------------

LETTERS_PER_TOKEN = 4
FEWEST_SAMPLES = 3

OptionId = Annotated[str, Field(json_schema_extra={"x-choice": "option"})]


class Ballot(Form):
    # The reason comes first, so that it leads to the answer instead of excusing it.
    reason: str = Field(min_length=1, max_length=1000, description="what decides it for you, in a few sentences")
    answer: OptionId = Field(description="your answer to the question")
    confidence: int = Field(ge=0, le=100, description="how sure you are of it, in percent")


class BallotAfter(Ballot):
    moved_by: ItemId | None = Field(description="what moved you most of all that is laid before you, or null")
    quote: Quote = Field(max_length=300, description="its exact words that did; empty if nothing moved you")


DUTY = "You answer the question as you see it, and say how sure you are."

RULES = """\
You are asked for your own answer to the question, and you may well take a side.
Where nothing is laid before you, answer from what you know."""

BLIND = Brief(
    "first answer",
    Ballot,
    "Nothing is laid before you yet. Answer the question from what you know: think it through, then choose the answer "
    "that you hold to be right, or the one nearest to it.",
    afresh=True,
)

SAMPLE = Brief("sample {n}", Ballot, BLIND.text, afresh=True)

AFTER = Brief(
    "answer after reading",
    BallotAfter,
    "A debate about the question is laid before you. Answer the question again. Your first answer binds you to "
    "nothing: keep it or change it, as the reasons demand and not as others think. Name the one thing laid before you "
    "that moved you most, and quote its words exactly; if nothing moved you, name nothing.",
)
