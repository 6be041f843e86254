"""Who could speak from here: what is set up, whose keys are at hand, and what each costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hustings.core.errors import HustingsError
from hustings.core.seats import Seat
from hustings.llm.endpoints import ACTORS
from hustings.llm.environment import Environment
from hustings.llm.nearby import Server
from hustings.llm.prices import price
from hustings.llm.voices import Price, Voice, voice_of

from .choice import choose

MILLION = 1_000_000


@dataclass(frozen=True)
class Speaker:
    """A voice that was set up under some name, or why it cannot be used."""

    name: str
    """A seat, a team, a role; `llm` for everybody."""
    voice: Voice | None = None
    problem: HustingsError | None = None


def speakers(known: Environment, servers: Sequence[Server] | None = None) -> list[Speaker]:
    """Everybody who was set up; nobody was, and servers are given: whoever would be chosen."""
    found = [_speaker(word, known) for word in known.set_up]
    if found or servers is None:
        return found
    try:
        voice = choose(known, servers).voice
        return [Speaker("llm", voice_of(Seat("", role=""), known, voice))]
    except HustingsError as error:
        return [Speaker("llm", problem=error)]


def per_million(voice: Voice) -> Price | None:
    """USD for a million tokens read and written; None if nobody knows."""
    from hustings.llm.model import Usage  # noqa: PLC0415

    if voice.provider in ACTORS:
        return Price(input=0, output=0)
    read = price(voice, Usage(input=MILLION, output=0))
    written = price(voice, Usage(input=0, output=MILLION))
    return None if read is None or written is None else Price(input=read / MILLION, output=written / MILLION)


def _speaker(word: str, known: Environment) -> Speaker:
    seat = Seat("", role="") if word == "llm" else Seat(word, role="judge" if word.startswith("judge") else word)
    try:
        return Speaker(word, voice_of(seat, known))
    except HustingsError as error:
        return Speaker(word, problem=error)
