"""From a wish to a commission: the table is laid, every seat gets its voice, and what cannot be is said at once."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from secrets import token_hex
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, field_validator

from hustings.core.debate import Debate
from hustings.core.errors import Unsuitable
from hustings.core.forms import complaints
from hustings.core.seats import Player, Seat
from hustings.llm.endpoints import ACTORS
from hustings.llm.prices import must_be_known
from hustings.llm.voices import Voice, parse_voice, resolve, voice_of
from hustings.store.caps import Caps

from .clock import instant
from .commission import Commission
from .registry import find_protocol
from .staging import plan, slug


@contextmanager
def requested(what: str) -> Generator[None]:
    """Values that cannot make a request are told to the user."""
    try:
        yield
    except ValidationError as error:
        raise Unsuitable(f"a {what} like that cannot be had: {'; '.join(complaints(error))}") from None


class Wish(BaseModel):
    """What somebody wants debated, and how; a line of a batch is one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    protocol: str
    topic: str
    settings: Mapping[str, JsonValue] = {}
    retries: int | None = None
    language: str = "en"
    model: str = ""
    """For every seat: `provider/model`, `improviser` or `human`; none: as the environment says."""
    seats: Mapping[str, str] = {}
    """For seats by their id, their team or their role; the narrowest counts."""
    caps: Caps = Caps()
    seed: int | None = None
    run_id: str = ""
    seconds_per_call: Annotated[float, Field(gt=0)] = 120.0

    @field_validator("seats")
    @classmethod
    def _named(cls, seats: Mapping[str, str]) -> dict[str, str]:
        """A side for which no model was named is as if it were not there."""
        return {seat: model for seat, model in seats.items() if model}


def draw_up(wish: Wish, environment: Mapping[str, str], **more: Any) -> Commission:
    """A commission for a wish; `more` is whatever else it says: owner, batch, budgets above."""
    debate = laid(wish)
    run_id = wish.run_id or f"{slug(wish.topic)[:40].strip('-')}-{token_hex(6)}"
    return commissioned(wish, debate, voices_for(debate, wish, environment), run_id, **more)


def laid(wish: Wish) -> Debate:
    """The table of a wish, before anybody sits down."""
    return plan(
        find_protocol(wish.protocol),
        wish.topic,
        settings=wish.settings,
        retries=wish.retries,
        language=wish.language,
    )


def commissioned(wish: Wish, debate: Debate, voices: Mapping[str, Voice], run_id: str, **more: Any) -> Commission:
    return Commission(
        run_id=run_id,
        lineage=run_id,
        debate=cast_with(debate, voices),
        model_specs={seat: voice for seat, voice in voices.items() if voice.provider != "human"},
        created_at=instant(),
        caps=wish.caps,
        seed=wish.seed,
        seconds_per_call=wish.seconds_per_call,
        **more,
    )


def voices_for(debate: Debate, wish: Wish, environment: Mapping[str, str]) -> dict[str, Voice]:
    """Who speaks in which seat: the flag of the seat, then the flag for all, then the environment, narrowest first."""
    flags = flags_for(debate, wish)
    voices = {seat.id: voice_of(seat, environment, flag=flags[seat.id]) for seat in debate.seats}
    for voice in voices.values():
        if voice.provider not in ACTORS:
            must_be_known(voice)
    return voices


def lacks_model(wish: Wish, environment: Mapping[str, str]) -> bool:
    """Whether a seat has no provider, neither in the request nor in the environment."""
    debate = laid(wish)
    flags = flags_for(debate, wish)
    return any(not resolve(seat, environment, flag=flags[seat.id]).voice.provider for seat in debate.seats)


def flags_for(debate: Debate, wish: Wish) -> dict[str, Voice | None]:
    """What the wish itself says of each seat, and None where it says nothing."""
    names = {seat.id: _names(seat) for seat in debate.seats}
    if strangers := sorted(wish.seats.keys() - {name for some in names.values() for name in some}):
        fix = f"it has {', '.join(sorted(names))}"
        raise Unsuitable(f"no seat {', '.join(strangers)} under {wish.protocol!r}", fix=fix)
    named = {seat: next((wish.seats[n] for n in some if n in wish.seats), wish.model) for seat, some in names.items()}
    return {seat: parse_voice(flag) if flag else None for seat, flag in named.items()}


def _names(seat: Seat) -> tuple[str, ...]:
    """By which a seat may be meant, the narrowest first."""
    return tuple(name for name in (seat.id, seat.team, seat.role) if name)


def cast_with(debate: Debate, voices: Mapping[str, Voice]) -> Debate:
    cast = {seat: Player(player.persona, voices[seat].label) for seat, player in debate.cast.items()}
    return debate.model_copy(update={"cast": cast})
