"""Who may be seated: the models that the operator set up, allowed, or has running; no user names an address."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from inspect import getmodule
from urllib.parse import urlsplit

from hustings.core.protocol import Protocol
from hustings.home.choice import candidates
from hustings.home.repertoire import described
from hustings.home.standing import speakers
from hustings.llm.endpoints import ACTORS, endpoint_of, on_loopback, same_origin
from hustings.llm.environment import Environment
from hustings.llm.nearby import Server
from hustings.llm.voices import Voice, parse_voice
from hustings.run.registry import protocols

from .problems import Refused
from .shapes import ModelOffer, ProtocolCard, SeatOffer

PERSON = "human"


@dataclass(frozen=True)
class Offers:
    """Voices by the name that a seat takes; the first is that of a seat for which nothing is said."""

    voices: dict[str, Voice]

    def must_hold(self, names: Iterable[str], field: str, *, people: bool = False) -> None:
        allowed = {*self.voices, *({PERSON} if people else ()), ""}
        if set(names) - allowed:
            raise Refused(
                422,
                f"{field.capitalize()} names a model that is not offered here.",
                why="The operator of this server says which models may be used.",
                fix=f"Choose among {', '.join(self.voices)}.",
                fields=(field,),
            )

    @property
    def first(self) -> Voice:
        return next(iter(self.voices.values()))

    def shown(self) -> tuple[ModelOffer, ...]:
        return tuple(
            ModelOffer(name=name, label=voice.label, where=_where(voice), free=_free(voice))
            for name, voice in self.voices.items()
        )


def offers(known: Environment, servers: Sequence[Server], allowed: Iterable[str]) -> Offers:
    """What is set up first, then what was allowed, what was found, and last the actor that always can."""
    found = [
        *(speaker.voice for speaker in speakers(known) if speaker.voice),
        *map(parse_voice, allowed),
        *(choice.voice for choice in candidates(known, servers)),
        parse_voice("improviser"),
    ]
    named = [(_name(voice), voice) for voice in found if voice.provider != PERSON]
    return Offers({**dict(named), **dict(reversed(named))})


@cache
def cards() -> tuple[ProtocolCard, ...]:
    """All that can be played; every one is rehearsed for it, once."""
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
            seats=tuple(SeatOffer(**seat) for seat in about["seats"]),
            by_settings=hasattr(getmodule(protocol.play), "seating"),
        )


def _name(voice: Voice) -> str:
    """As a seat takes it; an address only where it is not the provider's own."""
    own = endpoint_of(voice.provider, "").url
    elsewhere = voice.base_url and not (own and same_origin(own, voice.base_url))
    return f"{voice.label}@{voice.base_url}" if elsewhere else voice.label


def _where(voice: Voice) -> str:
    if voice.provider in ACTORS:
        return "comes with hustings"
    url = voice.base_url or endpoint_of(voice.provider, "").url
    return "on this machine" if on_loopback(url) else urlsplit(url).hostname or voice.provider


def _free(voice: Voice) -> bool:
    return voice.free or on_loopback(voice.base_url or endpoint_of(voice.provider, "").url)
