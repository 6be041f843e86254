"""A motion before the house: two sides open, rebut and close, and the audience is polled before and after.

Both sides speak at the same time, so neither has the last word; what counts is whom they moved.
"""

from __future__ import annotations

from pydantic import Field

from hustings.protocol import Brief, Form, Seat, Speech, Stage, or_none
from hustings.protocol import Settings as ProtocolSettings


class Settings(ProtocolSettings):
    words: int = Field(default=300, ge=50, le=1000)
    """Allowance of each speech."""


async def play(stage: Stage[Settings]) -> Swing:
    *sides, audience = stage.seats
    before = await or_none(stage.consult(audience, POLL))
    for brief in (OPENING, REBUTTAL, CLOSING):
        speech = brief.within(stage.settings.words)
        with stage.round(brief.name):
            await stage.together(*(or_none(stage.ask(seat, speech)) for seat in sides))
    after = await or_none(stage.consult(audience, POLL))
    return Swing(points=after.ayes - before.ayes if before and after else None)


class Poll(Form):
    ayes: int = Field(ge=0, le=100, description="how many of a hundred listeners are for the motion now")


class Swing(Form):
    """How far the audience moved towards the motion; unknown if a poll is missing."""

    points: int | None


SEATS = (
    Seat("proposition", duty="You speak for the motion."),
    Seat("opposition", duty="You speak against the motion."),
    Seat("audience", role="judge", duty="You listen, and are moved by what is said, never by who says it."),
)

RULES = """\
Each side opens, rebuts and closes, both at the same time.
The audience is polled before the first speech and after the last."""

OPENING = Brief("opening", Speech, "Make the case of your side, with the two or three reasons it stands on.")
REBUTTAL = Brief("rebuttal", Speech, "Answer the strongest point of the other side.", turn_type="rebuttal")
CLOSING = Brief("closing", Speech, "Say why your side has it. Nothing new.", turn_type="synthesis")
POLL = Brief("poll", Poll, "The motion is put to you. How does the house stand?")
