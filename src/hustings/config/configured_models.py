"""Models that the settings configure for seats, teams and roles, and their prices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hustings.errors import HustingsError
from hustings.llm.endpoints import ACTORS
from hustings.llm.environment import Environment
from hustings.llm.local_servers import LocalServer
from hustings.llm.model_spec import ModelSpec, Price, model_spec_of
from hustings.llm.prices import price
from hustings.script.seats import Seat

from .default_model import choose

MILLION = 1_000_000


@dataclass(frozen=True)
class ConfiguredModel:
    """The model configured under a name, or the reason why it cannot be used."""

    name: str
    """A seat, a team or a role; `llm` for all seats."""
    model_spec: ModelSpec | None = None
    problem: HustingsError | None = None


def configured_models(known: Environment, servers: Sequence[LocalServer] | None = None) -> list[ConfiguredModel]:
    """Return all configured models; if there are none and `servers` is given, the model chosen by default."""
    found = [_speaker(word, known) for word in known.set_up]
    if found or servers is None:
        return found
    try:
        model_spec = choose(known, servers).model_spec
        return [ConfiguredModel("llm", model_spec_of(Seat("", role=""), known, model_spec))]
    except HustingsError as error:
        return [ConfiguredModel("llm", problem=error)]


def per_million(model_spec: ModelSpec) -> Price | None:
    """USD per million tokens read and written; None if the price is unknown."""
    from hustings.llm.model import Usage  # noqa: PLC0415

    if model_spec.provider in ACTORS:
        return Price(input=0, output=0)
    read = price(model_spec, Usage(input=MILLION, output=0))
    written = price(model_spec, Usage(input=0, output=MILLION))
    return None if read is None or written is None else Price(input=read / MILLION, output=written / MILLION)


def _speaker(word: str, known: Environment) -> ConfiguredModel:
    seat = Seat("", role="") if word == "llm" else Seat(word, role="judge" if word.startswith("judge") else word)
    try:
        return ConfiguredModel(word, model_spec_of(seat, known))
    except HustingsError as error:
        return ConfiguredModel(word, problem=error)
