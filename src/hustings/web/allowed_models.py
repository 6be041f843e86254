"""Models that a user may seat: those the operator configured, allowed or runs; users give no addresses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from inspect import getmodule
from urllib.parse import urlsplit

from hustings.config.models import candidates, configured_models
from hustings.llm.endpoints import BUILT_IN, endpoint_of, on_loopback, same_origin
from hustings.llm.environment import Environment
from hustings.llm.local_servers import LocalServer
from hustings.llm.model_spec import ModelSpec, parse_model_spec
from hustings.runs.registry import protocols
from hustings.runs.staging import described
from hustings.script.protocol import Protocol

from .problems import Refused
from .schemas import ModelChoice, ProtocolCard, SeatChoice

PERSON = "human"


@dataclass(frozen=True)
class AllowedModels:
    """Models by the name that a seat takes; the first one is the default."""

    model_specs: dict[str, ModelSpec]

    def must_hold(self, names: Iterable[str], field: str, *, people: bool = False) -> None:
        allowed = {*self.model_specs, *({PERSON} if people else ()), ""}
        if set(names) - allowed:
            raise Refused(
                422,
                f"{field.capitalize()} names a model that this server does not offer.",
                why="The operator of this server chooses the models.",
                fix=f"Choose from {', '.join(self.model_specs)}.",
                fields=(field,),
            )

    @property
    def first(self) -> ModelSpec:
        return next(iter(self.model_specs.values()))

    def shown(self) -> tuple[ModelChoice, ...]:
        return tuple(
            ModelChoice(name=name, label=model_spec.label, where=_where(model_spec), free=_free(model_spec))
            for name, model_spec in self.model_specs.items()
        )


def allowed_models(known: Environment, servers: Sequence[LocalServer], allowed: Iterable[str]) -> AllowedModels:
    """Configured models first, then allowed ones, those found, and last the improviser, which always works."""
    found = [
        *(speaker.model_spec for speaker in configured_models(known) if speaker.model_spec),
        *map(parse_model_spec, allowed),
        *(choice.model_spec for choice in candidates(known, servers)),
        parse_model_spec("improviser"),
    ]
    named = [(_name(model_spec), model_spec) for model_spec in found if model_spec.provider != PERSON]
    return AllowedModels({**dict(named), **dict(reversed(named))})


@cache
def cards() -> tuple[ProtocolCard, ...]:
    """Cards of all protocols. Each protocol is rehearsed once to count its calls."""
    return tuple(_cards(protocols().values()))


def _cards(found: Iterable[Protocol]) -> Iterator[ProtocolCard]:
    for protocol in found:
        about = described(protocol)
        yield ProtocolCard(
            name=protocol.name,
            version=protocol.version,
            about=protocol.summary,
            calls=about["calls"],
            settings=about["settings"],
            seats=tuple(SeatChoice(**seat) for seat in about["seats"]),
            by_settings=hasattr(getmodule(protocol.play), "seating"),
            about_document=protocol.about_document,
        )


def _name(model_spec: ModelSpec) -> str:
    """The name that a seat takes; with an address only if it is not the provider's own."""
    own = endpoint_of(model_spec.provider, "").url
    elsewhere = model_spec.base_url and not (own and same_origin(own, model_spec.base_url))
    return f"{model_spec.label}@{model_spec.base_url}" if elsewhere else model_spec.label


def _where(model_spec: ModelSpec) -> str:
    if model_spec.provider in BUILT_IN:
        return "built in"
    url = model_spec.base_url or endpoint_of(model_spec.provider, "").url
    return "on this machine" if on_loopback(url) else urlsplit(url).hostname or model_spec.provider


def _free(model_spec: ModelSpec) -> bool:
    return model_spec.free or on_loopback(model_spec.base_url or endpoint_of(model_spec.provider, "").url)
