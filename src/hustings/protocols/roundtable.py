"""A round table: everybody speaks once a round, the first speaker rotating; nobody has to agree.

The baseline for studying how positions move: no judge, no moderator, no sides. From the second round on, each
contribution answers others by name or by quote; one that does not is heard all the same, and noted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from pydantic import Field

from hustings.script.checks import answering, quoting, to_others
from hustings.script.examples import Example
from hustings.script.forms import Form, Link, Quote, SeatId, Speech
from hustings.script.moves import Brief, Check, or_none
from hustings.script.protocol import SeatingContext
from hustings.script.protocol_result import FigureSection, SeatNames
from hustings.script.seats import Player, Seat
from hustings.script.stage import Settings as ProtocolSettings
from hustings.script.stage import Stage

VERSION = 1
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
    seating: Literal["starting points", "identical"] = "starting points"
    """What tells the seats apart: each asks something else first; or nothing but a name, as a baseline."""
    words: int = Field(default=250, ge=50, le=1000)
    """About how long a contribution should be; never enforced."""


async def play(stage: Stage[Settings]) -> None:
    panel, settings = list(stage.seats), stage.settings
    only_previous = settings.visibility == "prior_round_only"
    for n in range(settings.rounds):
        order = panel[n % len(panel) :] + panel[: n % len(panel)]
        with stage.round(f"round {n + 1}", *order, only_previous=only_previous):
            for seat in order:
                await or_none(contribute(stage, seat, CONTRIBUTE[n > 0].aiming_at(settings.words)))


async def contribute(stage: Stage[Settings], seat: Seat, brief: Brief[Speech]) -> Form:
    """In plain words names and quotes tell who is answered, from the second round on; on the form its list does."""
    heard = stage.heard_by(seat)
    if stage.settings.regime == "natural":
        if brief.turn_type == "rebuttal":
            return await stage.ask(seat, to_others(brief, stage.seats, seat, heard))
        return await stage.ask(seat, brief.linking(answering(stage.seats, seat, heard)))
    said: dict[str, list[str]] = {}
    for turn in heard:
        said.setdefault(turn.speaker_id, []).append(turn.said)
    others = [other.id for other in stage.seats if other.id in said]
    quoted: Check[Contribution] = quoting(lambda given: [(r.claim, said.get(r.to, ())) for r in given.replies])
    form = brief.answered_on(Contribution).like(CONTRIBUTION_EXAMPLE if others else None)
    return await stage.ask(seat, form.offering(seat=others).under(quoted))


# -- forms and prompts -------------------------------------------------------------------


class Reply(Form):
    to: SeatId = Field(description="whom you answer")
    claim: Quote = Field(min_length=5, max_length=400, description="the words of theirs that you answer, exactly")
    reply: str = Field(min_length=5, description="what you say to it")


class Contribution(Form):
    replies: tuple[Reply, ...] = Field(max_length=11, description="only where you have something to say")
    reasons: str = Field(min_length=10, description="why you hold your position, and what moved you")
    position: str = Field(min_length=5, description="the one position you take now, in one sentence")

    def said(self) -> str:
        answers = [f"To {r.to}, on “{r.claim}”: {r.reply}" for r in self.replies]
        return "\n".join([*answers, self.reasons, self.position])

    def links(self) -> Sequence[Link]:
        return [Link(seat=r.to, quote=r.claim) for r in self.replies]


CONTRIBUTION_EXAMPLE: Example = {
    "replies": [
        {
            "to": "<seat>",
            "claim": "two people cannot run both floors",
            "reply": "Then open one floor: most visitors only want the reading room.",
        }
    ],
    "reasons": "Those who work six days have no other day, and one floor can be staffed.",
    "position": "Open one floor on Sundays for a year.",
}


RULES = """\
roundtable. Everyone speaks once a round, and the first speaker changes from round to round. Nobody has a side, and \
you need not agree. Take one position in each contribution and keep to it to its end. When you answer a speaker, name \
them. When you disagree, first say what the other is right about."""

CONTRIBUTE = (
    Brief(
        "contribution",
        Speech,
        "Say what you think and why: the reason that weighs most, what it rests on, and what would change your mind. "
        "About {words} words.",
    ),
    Brief(
        "contribution",
        Speech,
        "Say what you think now. Take up, by name, the one or two points that matter most to your view. If you moved, "
        "name what moved you. If not, say where the best opposing point falls short. That others agree is no reason. "
        "About {words} words.",
        turn_type="rebuttal",
    ),
)


# -- seats -------------------------------------------------------------------------------

STARTS = {
    "Ada": "who gains, and who pays?",
    "Ben": "how do we know?",
    "Chi": "what happens in practice?",
    "Dora": "what cannot be undone?",
    "Eli": "is it fair?",
    "Fay": "what happened elsewhere?",
    "Gus": "what would be simpler?",
    "Hana": "who is missing here?",
    "Ivo": "how will people react?",
    "Jun": "what do we lose?",
    "Kira": "how will it look in ten years?",
    "Leo": "do we mean the same by it?",
}
"""Who sits there, and what they ask first."""
DUTY = "You speak for yourself. You were given no side."


def seating(context: SeatingContext[Settings]) -> Mapping[Seat, Player]:
    settings, told = context.settings, context.settings.seating == "starting points"
    return {
        Seat(
            name.lower(), role="panelist", name=name, duty=f"{DUTY} You always ask first: {start}" if told else DUTY
        ): (Player(manners=(f"starting point: {start}",) if told else ()))
        for name, start in list(STARTS.items())[: settings.seats]
    }


# -- result ------------------------------------------------------------------------------


def describe_result(_result: None, _names: SeatNames) -> Iterable[FigureSection]:
    """Nobody sums up: what came of it is who moved, which the judges read."""
    yield FigureSection(title="Who moved, and by what", figure="positions")
