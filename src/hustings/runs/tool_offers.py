"""Tools that a request offers to speakers, and their way into a run spec: a silent seat and a price each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from hustings.db.caps import MICRO
from hustings.errors import Unsuitable
from hustings.llm.model_spec import ModelSpec, Price
from hustings.script.seats import Player, Seat
from hustings.script.tools import MOST_PRICE, MOST_SECONDS, SECONDS, ToolTerms
from hustings.transcript.models import SILENT_ROLES

from .spec import RunSpec


class ToolOffer(BaseModel, defer_build=True):
    """A tool for the speakers of one debate: what it is called, what it can do, and its limits."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    terms: ToolTerms
    """Its seats are names of seats, teams or roles here; none: all who speak."""
    seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS)] = SECONDS
    """For one call."""
    price: Annotated[float, Field(ge=0, le=MOST_PRICE)] = 0.0
    """USD for one call."""


def with_offers(spec: RunSpec, offers: Sequence[tuple[ToolOffer, Sequence[str]]]) -> RunSpec:
    """The same run with tools, each for the seats named beside it."""
    if not offers:
        return spec
    debate, tools, players, model_specs = spec.debate, list[ToolTerms](), dict[str, Player](), dict[str, ModelSpec]()
    for offer, named in offers:
        seats = named or [seat.id for seat in debate.seats if seat.role not in SILENT_ROLES]
        terms = offer.terms.model_copy(update={"seats": tuple(seats)})
        _must_be_sound(terms, debate.seats, players)
        found = _model_spec(offer)
        tools.append(terms)
        players[terms.seat_id], model_specs[terms.seat_id] = Player(model=found.label), found
    change: dict[str, Any] = {"tools": tuple(tools), "cast": {**debate.cast, **players}}
    return spec.model_copy(
        update={"debate": debate.model_copy(update=change), "model_specs": {**spec.model_specs, **model_specs}}
    )


def _must_be_sound(terms: ToolTerms, seats: Sequence[Seat], known: dict[str, Player]) -> None:
    if terms.seat_id in {seat.id for seat in seats}:
        raise Unsuitable(f"a seat is called {terms.seat_id!r}, like the tool {terms.name}", fix="rename the tool")
    if terms.seat_id in known:
        raise Unsuitable(f"the tool {terms.name} is named twice", fix="name each tool once")
    silent = [seat.id for seat in seats if seat.id in terms.seats and seat.role in SILENT_ROLES]
    if silent:
        raise Unsuitable(
            f"the tool {terms.name} is meant for {', '.join(silent)}, who only listens",
            fix=f"name seats that speak in `seats` of [tools.{terms.name}]",
        )


def _model_spec(offer: ToolOffer) -> ModelSpec:
    """One call counts as one token, so that its price is that of a token."""
    priced = Price(input=0, output=round(offer.price * MICRO)) if offer.price else None
    return ModelSpec(provider="tool", model=offer.terms.name, local=True, price=priced, timeout=offer.seconds)
