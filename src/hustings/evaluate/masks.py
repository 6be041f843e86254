"""What a judge sees of a debate: neutral names drawn by lot, plain words without layout, and nobody's model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from hustings.core.transcript import Transcript

from .chance import Chance
from .reading import sides


@dataclass(frozen=True)
class Mask:
    """Names of one judge in one order."""

    names: Mapping[str, str]
    """Seat, side, team or display name to a neutral name."""
    labels: Mapping[str, str]
    """Item to the label it is marked under."""

    def words(self, text: str) -> str:
        """A text as the judge reads it."""
        return _swapped(bare(text), self._covers)

    def lifted(self, text: str) -> str:
        """A judge's words with the real names."""
        return _swapped(text, self._lifts)

    def item(self, label: str) -> str:
        return self._items[label]

    @cached_property
    def _items(self) -> dict[str, str]:
        return {label: item for item, label in self.labels.items()}

    @cached_property
    def _covers(self) -> dict[str, str]:
        return {**self.names, **self.labels}

    @cached_property
    def _lifts(self) -> dict[str, str]:
        seats = {name: real for real, name in reversed([*self.names.items()])}
        return {**seats, **self._items}


def mask(transcript: Transcript, items: Mapping[str, str], *seed: object) -> Mask:
    """Neutral names for all sides and seats, and for these items, each with the side it belongs to."""
    chance, seats = Chance("mask", *seed), sides(transcript)
    teams = list(dict.fromkeys(seats.values()))
    trees = dict(zip(teams, chance.shuffled(TREES), strict=False))
    names = {**trees, **{seat: _seat(seat, side, seats, trees) for seat, side in seats.items()}}
    for participant in transcript.participants:
        if participant.display_name and participant.agent_id in names:
            names.setdefault(participant.display_name, names[participant.agent_id])
    codes = chance.shuffled(_codes(len(items)))
    labels = {item: f"{trees[side]}-{code}" for (item, side), code in zip(items.items(), codes, strict=False)}
    return Mask(names, labels)


def _seat(seat: str, side: str, seats: Mapping[str, str], trees: Mapping[str, str]) -> str:
    """Of a team, by place; a seat that is a side of its own bears the side's name."""
    team = [other for other, its in seats.items() if its == side]
    return trees[side] if team == [side] else f"{trees[side]} {team.index(seat) + 1}"


def _codes(count: int) -> list[str]:
    """Syllables, of which none is first or better."""
    short = [f"{c}{v}" for c in CONSONANTS for v in VOWELS]
    return short if count <= len(short) else [a + b for a in short for b in short]


def _swapped(text: str, names: Mapping[str, str]) -> str:
    """Every name in one pass, the longest first, as a whole word."""
    known = sorted((name for name in names if name), key=lambda name: (-len(name), name))
    if not known:
        return text
    pattern = re.compile(rf"(?<![\w-])({'|'.join(map(re.escape, known))})(?![\w-])")
    return pattern.sub(lambda found: names[found.group()], text)


def bare(text: str) -> str:
    """The words without layout: layout moves judges, and says nothing."""
    lines = [LEAD.sub("", line) for line in text.splitlines() if not RULE.fullmatch(line)]
    return EMPHASIS.sub(r"\2", LINK.sub(r"\1", "\n".join(lines))).strip()


def mirrored(items: Sequence[str], order: int, *seed: object) -> list[str]:
    """Items in an order drawn by lot; the next order is its mirror image."""
    mixed = Chance("order", *seed).shuffled(items)
    return mixed[::-1] if order % 2 else mixed


def by_side(items: Iterable[str], side_of: Mapping[str, str], order: int, *seed: object) -> list[str]:
    """Sides one after the other, so that each is the first once; inside a side by lot, then mirrored."""
    mixed = mirrored(list(items), order, *seed)
    shown = mirrored(sorted(set(side_of.values())), order, *seed, "sides")
    return sorted(mixed, key=lambda item: shown.index(side_of[item]))


TREES = (
    "Alder", "Aspen", "Beech", "Birch", "Cedar", "Elder", "Hazel", "Holly",
    "Larch", "Linden", "Maple", "Poplar", "Rowan", "Spruce", "Willow", "Yew",
)  # fmt: skip
CONSONANTS, VOWELS = "bdfghklmnprstvz", "aeiou"
LEAD = re.compile(r"^\s*(?:#{1,6}\s+|[-*+•]\s+|>\s?|```.*$)")
RULE = re.compile(r"\s*(?:[-*_=]\s*){3,}")
EMPHASIS = re.compile(r"(\*\*|__|\*|`)(?=\S)(.+?)(?<=\S)\1")
LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
