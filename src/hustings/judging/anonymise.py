"""Anonymises a debate for judges: neutral names where `person_names` finds one, no layout, no model names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, permutations
from math import perm

from hustings.script.background import background_of
from hustings.text.links import replace_links
from hustings.text.names import LETTER
from hustings.transcript.models import Transcript

from .arguments import opposed, sides
from .person_names import person_pattern
from .rng import Rng


@dataclass(frozen=True)
class Mask:
    """Neutral names for one judge in one order."""

    names: Mapping[str, str]
    """Seat, side, team or display name to a neutral name."""
    labels: Mapping[str, str]
    """Item to the label it is marked under."""
    given_sides: bool = True
    """Whether sides were assigned: their names betray a speaker in any spelling; others may be ordinary words."""

    people: Mapping[str, str] = field(default_factory=dict[str, str])
    """Display name to neutral name, for seats that bear a person's name: every part of it is covered."""

    def words(self, text: str) -> str:
        """Return a text as the judge reads it."""
        if text not in self._read:
            self._read[text] = self._covered(text)
        return self._read[text]

    @cached_property
    def _read(self) -> dict[str, str]:
        """Kept, because every sheet lays out the same debate again, and every quote is looked for in the same texts."""
        return {}

    def _covered(self, text: str) -> str:
        pattern, covers = self._covers
        text = pattern.sub(lambda found: covers.get(found.group().casefold(), "") or found.group(), bare(text))
        if not self.people:
            return text
        persons, named = self._persons
        return persons.sub(lambda found: named[(found.lastindex or 1) - 1], unicodedata.normalize("NFC", text))

    @cached_property
    def _persons(self) -> tuple[re.Pattern[str], tuple[str, ...]]:
        return person_pattern(self.people)

    def lifted(self, text: str, said: str = "") -> str:
        """Put the real names back into a judge's words, spelt as in `said`."""
        if not any(name in text for name in chain(self.names.values(), self.labels.values())):
            return text
        pattern, lifts = self._lifts
        as_said = {name: real for real, name in self.names.items() if real in said} if pattern.search(text) else {}
        return pattern.sub(lambda found: as_said.get(found.group(), lifts[found.group()]), text)

    def item(self, label: str) -> str:
        return self._items[label]

    @cached_property
    def _items(self) -> dict[str, str]:
        return {label: item for item, label in self.labels.items()}

    @cached_property
    def _covers(self) -> tuple[re.Pattern[str], dict[str, str]]:
        known = {**self.names, **self.labels}
        covers = {name.casefold(): cover for name, cover in reversed(known.items())}
        if self.given_sides:
            return _any_of(map(re.escape, known), "i"), covers
        return _any_of(spelling for name in known for spelling in _as_a_name(name)), covers

    @cached_property
    def _lifts(self) -> tuple[re.Pattern[str], dict[str, str]]:
        seats = {name: real for real, name in reversed([*self.names.items()])}
        lifts = {**seats, **self._items}
        return _any_of(map(re.escape, lifts)), lifts


def mask(transcript: Transcript, items: Mapping[str, str], *seed: object) -> Mask:
    """Draw neutral names for all sides and seats, and labels for `items`, which maps each item to its side."""
    rng, seats = Rng("mask", *seed), sides(transcript)
    teams = list(dict.fromkeys(seats.values()))
    trees = dict(zip(teams, rng.shuffled(_trees(transcript, len(teams))), strict=False))
    names = {**trees, **{seat: _seat(seat, side, seats, trees) for seat, side in seats.items()}}
    for participant in transcript.participants:
        if participant.display_name and participant.agent_id in names:
            names.setdefault(participant.display_name, names[participant.agent_id])
    people = {
        p.display_name: names[p.agent_id]
        for p in transcript.participants
        if p.display_name and p.agent_id in names and _is_person(p.display_name, p.agent_id)
    }
    codes = rng.shuffled(_codes(len(items)))
    labels = {item: f"{trees[side]}-{code}" for (item, side), code in zip(items.items(), codes, strict=False)}
    return Mask(names, labels, opposed(transcript) is not None, people)


def _is_person(display_name: str, seat: str) -> bool:
    """Whether a name is not made of the seat's id, as "Pro 1" is, and not a phrase such as "The long bill"."""
    words = display_name.partition(",")[0].split()
    same = "".join(words).casefold() == re.sub(r"\W|_", "", seat).casefold()
    return not same and all(not word.islower() or word in PARTICLES for word in words)


def _seat(seat: str, side: str, seats: Mapping[str, str], trees: Mapping[str, str]) -> str:
    """Number the seats of a team; a seat that is a side of its own gets the side's name."""
    team = [other for other, its in seats.items() if its == side]
    return trees[side] if team == [side] else f"{trees[side]} {team.index(seat) + 1}"


def _trees(transcript: Transcript, count: int) -> list[str]:
    """Names that do not occur in the debate, so that they can be found again; double names if these are too few."""
    about, document = transcript.debate_metadata, background_of(transcript.debate_metadata)
    texts = (about.topic or "", document.text if document else "", *(turn.said for turn in transcript.turns))
    said = {word for text in texts for word in re.findall(r"\w+", text.casefold())}
    free = [tree for tree in TREES if tree.casefold() not in said]
    return free if len(free) >= count else [f"{one}-{other}" for one, other in permutations(TREES, 2)]


def _codes(count: int) -> list[str]:
    """Codes of consonants, which make no word: a label that reads "no" or "hero" would not be neutral."""
    length = next(length for length in range(2, len(CONSONANTS)) if perm(len(CONSONANTS), length) >= count)
    return ["".join(code) for code in permutations(CONSONANTS, length)]


def _as_a_name(name: str) -> list[str]:
    """Patterns for a name where no sides were assigned; a possible plain word is a name only if set off."""
    if name.isalpha() and name.islower():
        return [rf"(?<=[(\[]){name}(?=[)\]])", rf"(?<=@){name}", rf"(?m:^){name}(?=:)"]
    return [re.escape(name), re.escape(name.upper())]


def _any_of(patterns: Iterable[str], flag: str = "") -> re.Pattern[str]:
    """Match all in one pass, the longest first, as whole words: not inside "pro-car", but in "PRO-9".

    The flag is for the names alone: applied to all letters there are, it takes long to compile.
    """
    known = sorted(filter(None, patterns), key=lambda pattern: (-len(pattern), pattern))
    names = f"(?{flag}:{'|'.join(known) or '(?!)'})"
    return re.compile(rf"(?<!{LETTER})(?<![_-]){names}(?!_*{LETTER})(?!-[^\W\d])")


def bare(text: str) -> str:
    """Remove layout: it sways judges and says nothing."""
    lines = [LEAD.sub("", line) for line in text.splitlines() if not RULE.fullmatch(line)]
    plain = replace_links("\n".join(lines), "{label} ({address})", before="!", ends=r")\s")
    return EMPHASIS.sub(r"\2", EMPHASIS.sub(r"\2", plain)).strip()  # twice: emphasis inside emphasis


def mirrored(items: Sequence[str], order: int, *seed: object) -> list[str]:
    """Shuffle the items by seed; odd orders are the mirror image of even ones."""
    mixed = Rng("order", *seed).shuffled(items)
    return mixed[::-1] if order % 2 else mixed


PARTICLES = frozenset(
    {"von", "van", "der", "den", "de", "del", "della", "di", "da", "dos", "la", "le", "al", "bin", "ter"}
)
TREES = (
    "Acacia", "Alder", "Aspen", "Beech", "Birch", "Cedar", "Cypress", "Hickory",
    "Hornbeam", "Larch", "Linden", "Maple", "Poplar", "Spruce", "Sycamore", "Yew",
)  # fmt: skip
CONSONANTS = "bdfghklmnprstvz"
LEAD = re.compile(r"^\s*(?:(?:#{1,6}|[-*+•])\s+|>\s?)+")
RULE = re.compile(r"\s*(?:(?:[-*_=]\s*){3,}|(?:```|~~~)\w*\s*)")
EMPHASIS = re.compile(r"(?<![0-9A-Za-z*`])(\*{1,3}|__|`{1,3})(?=[^\s*`])(.+?)(?<=[^\s`])\1(?![0-9A-Za-z*`])")
"""Not between letters or digits: 2*3*4 is a product."""
