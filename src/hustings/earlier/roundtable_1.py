"""A round table: everybody speaks once a round, the first speaker rotating; nobody has to agree.

The baseline for studying how positions move: no judge, no moderator, no sides.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from hustings.earlier.checks.likeness import quoting
from hustings.script.checks import naming
from hustings.script.forms import Form, Link, Quote, SeatId, Speech
from hustings.script.moves import Brief, Check, or_none
from hustings.script.protocol import SeatingContext
from hustings.script.seats import Player, Seat
from hustings.script.stage import Settings as ProtocolSettings
from hustings.script.stage import Stage

VERSION = 1
PROMPTS = "2"
ORDER = "rotating"


class Settings(ProtocolSettings):
    seats: int = Field(default=3, ge=2, le=12)
    """How many sit at the table."""
    rounds: int = Field(default=3, ge=1, le=10)
    """How many rounds are played."""
    visibility: Literal["full", "prior_round_only"] = "full"
    """What a speaker reads: everything so far, or the round before and nothing else."""
    regime: Literal["natural", "structured"] = "natural"
    """How a speaker answers: in plain words, or on a form that lists whom it answers."""
    words: int = Field(default=250, ge=50, le=1000)
    """About how long a contribution should be; never enforced."""


async def play(stage: Stage[Settings]) -> None:
    panel, settings = list(stage.seats), stage.settings
    said, only_previous = silence(panel), settings.visibility == "prior_round_only"
    for n in range(settings.rounds):
        order = panel[n % len(panel) :] + panel[: n % len(panel)]
        heard, said = said, silence(panel) if only_previous else said
        with stage.round(f"round {n + 1}", *order, only_previous=only_previous):
            for seat in order:
                words = await or_none(contribute(stage, seat, CONTRIBUTE[n > 0].about(words=settings.words), heard))
                said[seat.id] += [words.said()] if words else []


def silence(panel: Sequence[Seat]) -> dict[str, list[str]]:
    return {seat.id: [] for seat in panel}


async def contribute(
    stage: Stage[Settings], seat: Seat, brief: Brief[Speech], heard: Mapping[str, Sequence[str]]
) -> Form:
    """In plain words the names tell who is answered; on the form its list does."""
    if stage.settings.regime == "natural":
        return await stage.ask(seat, brief.linking(naming(stage.seats, seat)))
    quoted: Check[Contribution] = quoting(lambda given: [(r.claim, heard.get(r.to, ())) for r in given.replies])
    others = [other.id for other in stage.seats if other != seat and heard[other.id]]
    return await stage.ask(seat, brief.answered_on(Contribution).offering(seat=others).under(quoted))


def seating(context: SeatingContext[Settings]) -> Mapping[Seat, Player]:
    return {
        Seat(name.lower(), role="panelist", name=name, duty=DUTY): Player() for name in NAMES[: context.settings.seats]
    }


# -- forms and prompts -------------------------------------------------------------------


class Reply(Form):
    to: SeatId = Field(description="whom you answer")
    claim: Quote = Field(min_length=5, max_length=400, description="which of their claims, word for word")
    reply: str = Field(min_length=5, description="what you say to it")


class Contribution(Form):
    replies: tuple[Reply, ...] = Field(max_length=11, description="only where you have something to say")
    position: str = Field(min_length=5, description="the one position you take now")
    reasons: str = Field(min_length=10, description="what carries it")

    def said(self) -> str:
        answers = [f"To {r.to}, on “{r.claim}”: {r.reply}" for r in self.replies]
        return "\n".join([*answers, self.position, self.reasons])

    def links(self) -> Sequence[Link]:
        return [Link(seat=r.to, quote=r.claim) for r in self.replies]


NAMES = ("Ada", "Ben", "Chi", "Dora", "Eli", "Fay", "Gus", "Hana", "Ivo", "Jun", "Kira", "Leo")

DUTY = "You speak for yourself. You were given no side."

RULES = """\
Everybody speaks once in each round, and the first speaker changes from round to round.
Nobody has a side, and nothing has to be agreed in the end. Agree, differ, or change your mind as the reasons go.
Take one position in each contribution and keep to it to its end.
You need not answer everybody. When you answer somebody, name them and say which of their claims you mean."""

CONTRIBUTE = (
    Brief("contribution", Speech, "Say what you think about the question, and what carries it. About {words} words."),
    Brief(
        "contribution",
        Speech,
        "Say what you think now. Take up the claims that matter to it, by name, and say whether they move you. "
        "About {words} words.",
        turn_type="rebuttal",
    ),
)
