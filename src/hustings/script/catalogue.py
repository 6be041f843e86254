"""The catalogue: personalities, lenses, topics, and the defaults of each protocol.

Look-ups go by cues, the words by which a topic or a role is known, and are deterministic.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from hustings.errors import NotFound, Unsuitable

GENERAL = "general"
"""The domain of topics that fit no other; every catalogue has it."""

GENERALIST = "generalist"
"""The lens of unknown roles; every catalogue has it."""


def _lower(cue: str) -> str:
    if not _words(cue).strip() or cue != cue.lower():
        raise ValueError(f"cue {cue!r} must be one or more words in lower case")
    return cue


Id = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Text = Annotated[str, Field(pattern=r"\S")]
Cue = Annotated[str, AfterValidator(_lower)]


class _CatalogueEntry(BaseModel, defer_build=True):
    """One entry of the catalogue."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Id


class Persona(BaseModel, defer_build=True):
    """How a speaker argues: a personality or a lens, as chosen for a seat."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Id
    how: Text
    """Addressed to the speaker."""
    lens: bool = False


class Personality(_CatalogueEntry):
    """A way of arguing, whatever the position."""

    name: Text
    style: Text
    """In a few words, for people who choose."""
    how: Text
    """In two or three sentences, addressed to the speaker."""


class Domain(_CatalogueEntry):
    """A field of topics."""

    name: Text
    cues: tuple[Cue, ...] = ()
    """Words of the field, besides those of its lenses."""


class Lens(_CatalogueEntry):
    """What a speaker looks at first."""

    name: Text
    domain: Id
    who: Annotated[str, Field(pattern=r"^[^,]+, \S")]
    """The person who looks so: a name, a comma, and their work; never origin or fame."""
    priority: Text
    """In one or two sentences, addressed to the speaker."""
    asks: Annotated[tuple[Text, ...], Field(min_length=2, max_length=3)]
    """The questions it keeps asking."""
    contrarian: bool = False
    cues: tuple[Cue, ...] = ()

    @property
    def person(self) -> str:
        return self.who.partition(", ")[0]

    @property
    def background(self) -> str:
        return self.who.partition(", ")[2]


class Topic(_CatalogueEntry):
    """A motion or question worth a debate."""

    text: Text
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]+)*$")] = "en"
    protocol: Id | None = None
    """The protocol it was written for, if any."""


class Defaults(BaseModel, defer_build=True):
    """What a protocol uses if the user chooses nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    topic: Id
    personalities: Mapping[str, Id] = {}
    """Seat id to personality id."""


Kind = TypeVar("Kind", bound=_CatalogueEntry)


class Catalogue(BaseModel, defer_build=True):
    """The whole catalogue; every id that it refers to exists."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    personalities: tuple[Personality, ...]
    domains: tuple[Domain, ...]
    lenses: tuple[Lens, ...]
    topics: tuple[Topic, ...]
    defaults: Mapping[str, Defaults] = {}
    """By protocol."""

    def personality(self, wanted: str) -> Personality:
        return _find("personality", self.personalities, wanted)

    def domain(self, wanted: str) -> Domain:
        return _find("domain", self.domains, wanted)

    def lens(self, wanted: str) -> Lens:
        return _find("lens", self.lenses, wanted)

    def manner(self, wanted: str) -> Persona:
        """A personality or a lens, by its name."""
        for each in self.personalities:
            if each.id == wanted:
                return Persona(id=each.id, how=each.how)
        for lens in self.lenses:
            if lens.id == wanted:
                return Persona(id=lens.id, how=f"{lens.priority} You keep asking: {' '.join(lens.asks)}", lens=True)
        raise NotFound.among([each.id for each in (*self.personalities, *self.lenses)], "personality or lens", wanted)

    def manners_in(self, persona: str) -> tuple[str, ...]:
        """Names of the personalities and lenses that a speaker was given in words."""
        personalities = [each.id for each in self.personalities if each.how in persona]
        return (*personalities, *(lens.id for lens in self.lenses if lens.priority in persona))

    def topic(self, wanted: str) -> Topic:
        return _find("topic", self.topics, wanted)

    def domain_of(self, topic: str) -> Domain:
        """The field whose words, and whose lenses' words, the topic uses most."""
        said = _words(topic)

        def hits(domain: Domain) -> int:
            return sum(_hits(entry.cues, said) for entry in (domain, *self._lenses_of(domain.id)))

        best = max(self.domains, key=hits)
        return best if hits(best) else self.domain(GENERAL)

    def panel(self, domain_id: str, size: int, topic: str) -> tuple[Lens, ...]:
        """Choose `size` lenses of a field, those nearest to the topic first, and always one that disagrees.

        From four on, one of them is a guest from another field, if the topic touches one.
        """
        if not 2 <= size <= 6:
            raise Unsuitable(f"a panel of {size!r}", fix="choose from 2 to 6 lenses")
        said = _words(topic)
        own = self._lenses_of(self.domain(domain_id).id)
        hits = {lens: _hits(lens.cues, said) for lens in (*own, *self._lenses_of(GENERAL), *self.lenses)}
        ranked = sorted(hits, key=lambda lens: -hits[lens])
        contrarian = next(lens for lens in ranked if lens.contrarian and lens in own)
        guests = [lens for lens in ranked if hits[lens] and lens not in own and not lens.contrarian]
        # One contrarian is enough while there are other lenses: a panel of doubters builds nothing.
        rest = sorted(ranked, key=lambda lens: (lens not in own, lens.contrarian))
        chosen = list(dict.fromkeys((contrarian, *guests[: size // 4], *rest)))[:size]
        return tuple(sorted(chosen, key=ranked.index))

    def lens_for(self, role: str) -> Lens:
        """The lens of a named character: by the longest cues in the role, then by the last one mentioned."""
        said = _words(role)

        def claim(lens: Lens) -> tuple[int, int]:
            found = [cue for cue in map(_words, lens.cues) if cue in said]
            return sum(len(cue.split()) for cue in found), max((said.rfind(cue) for cue in found), default=-1)

        best = max(self.lenses, key=claim)
        return best if claim(best)[0] else self.lens(GENERALIST)

    def _lenses_of(self, domain_id: str) -> list[Lens]:
        return [lens for lens in self.lenses if lens.domain == domain_id]

    @field_validator("personalities", "topics")
    @classmethod
    def _once_each(cls, entries: tuple[Kind, ...]) -> tuple[Kind, ...]:
        _refuse(_repeated_ids(entries))
        return entries

    @field_validator("domains")
    @classmethod
    def _a_general_domain(cls, domains: tuple[Domain, ...]) -> tuple[Domain, ...]:
        _refuse(_repeated_ids(domains))
        _refuse(_unknown("the catalogue", "domain", [GENERAL], domains))
        return domains

    @field_validator("lenses")
    @classmethod
    def _lenses_in_order(cls, lenses: tuple[Lens, ...], info: ValidationInfo) -> tuple[Lens, ...]:
        domains: tuple[Domain, ...] = info.data.get("domains", ())
        _refuse(_repeated_ids(lenses))
        _refuse(_unknown("the catalogue", "lens", [GENERALIST], lenses))
        _refuse(line for lens in lenses for line in _unknown(f"lens {lens.id!r}", "domain", [lens.domain], domains))
        _refuse(line for domain in domains for line in _too_few(domain, lenses))
        _refuse(_shared_cues(lenses))
        return lenses

    @field_validator("defaults")
    @classmethod
    def _defaults_lead_somewhere(cls, defaults: Mapping[str, Defaults], info: ValidationInfo) -> Mapping[str, Defaults]:
        topics: tuple[Topic, ...] = info.data.get("topics", ())
        people: tuple[Personality, ...] = info.data.get("personalities", ())
        for protocol, taken in defaults.items():
            where = f"protocol {protocol!r}"
            _refuse(_unknown(where, "topic", [taken.topic], topics))
            _refuse(_unknown(where, "personality", taken.personalities.values(), people))
        _refuse(
            f"topic {topic.id!r} is meant for protocol {topic.protocol!r}, which has no defaults: add some"
            for topic in topics
            if topic.protocol and topic.protocol not in defaults
        )
        return defaults


def _find(kind: str, entries: Sequence[Kind], wanted: str) -> Kind:
    for entry in entries:
        if entry.id == wanted:
            return entry
    known = ", ".join(sorted(entry.id for entry in entries))
    raise NotFound(f"there is no {kind} {wanted!r}", fix=f"choose one of {known}")


def _refuse(complaints: Iterable[str]) -> None:
    if complaint := next(iter(complaints), None):
        raise ValueError(complaint)


def _repeated_ids(entries: Iterable[_CatalogueEntry]) -> list[str]:
    counted = Counter(entry.id for entry in entries)
    return [f"id {name!r} is given {times} times: rename all but one" for name, times in counted.items() if times > 1]


def _unknown(where: str, kind: str, wanted: Iterable[str], entries: Iterable[_CatalogueEntry]) -> list[str]:
    known = sorted(entry.id for entry in entries)
    return [
        f"{where} needs {kind} {name!r}, which is not there: add it or choose one of {', '.join(known)}"
        for name in wanted
        if name not in known
    ]


def _too_few(domain: Domain, lenses: Iterable[Lens]) -> list[str]:
    own = [lens for lens in lenses if lens.domain == domain.id]
    if len(own) < 4:
        return [f"domain {domain.id!r} has {len(own)} lenses: give it at least 4"]
    if not any(lens.contrarian for lens in own):
        return [f"domain {domain.id!r} has nobody who disagrees: make one of its lenses contrarian"]
    return []


def _shared_cues(lenses: Iterable[Lens]) -> list[str]:
    owners: dict[str, str] = {}
    return [
        f"cue {cue!r} belongs to lenses {owner!r} and {lens.id!r}: leave it to one of them"
        for lens in lenses
        for cue in lens.cues
        if (owner := owners.setdefault(_words(cue), lens.id)) != lens.id
    ]


def _hits(cues: Iterable[str], said: str) -> int:
    return sum(_words(cue) in said for cue in cues)


def _words(text: str) -> str:
    """The words of a text in the singular, with blanks around each, so that cues match whole words."""
    return "".join(f" {_singular(word)} " for word in re.findall(r"[^\W_]+", text.lower()))


def _singular(word: str) -> str:
    """Rough, and for English only; that is enough because cues and texts are treated alike."""
    return re.sub(r"(?<=ss|ch|sh)es$|(?<=x)es$|(?<=[^s])s$", "", re.sub(r"(?<=..)ies$", "y", word))
